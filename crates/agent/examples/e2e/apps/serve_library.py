"""Makes the library's database and serves it: serve_library.py DATABASE PORT."""

import os
import pathlib
import sys

database, port = sys.argv[1:]
sys.path.insert(0, str(pathlib.Path(__file__).parent))
os.environ["LIBRARY_DATABASE"] = database
os.environ["DJANGO_SETTINGS_MODULE"] = "library.settings"

import django  # noqa: E402
from django.core.management import call_command  # noqa: E402

django.setup()
call_command("migrate", run_syncdb=True, verbosity=0)

from django.contrib.auth.models import User  # noqa: E402
from library.models import Author, Book  # noqa: E402

User.objects.create_superuser("keeper", "keeper@library.example", "quiet-please")
places = ["Portugal", "Estonia", "Chile", "Ghana", "Japan"]
authors = [Author.objects.create(name=f"Author {number}", country=places[number % 5]) for number in range(1, 13)]
for number in range(1, 64):
    Book.objects.create(
        title=f"Volume {number:02}",
        author=authors[number % 12],
        pages=40 + number,
        state="loan" if number % 7 == 0 else "shelf",
        for_children=number % 5 == 0,
    )
call_command("runserver", f"127.0.0.1:{port}", use_reloader=False, verbosity=0)
