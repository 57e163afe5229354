from django.contrib import admin

from library.models import Author, Book, Loan


class LoanInline(admin.TabularInline):
    model = Loan
    extra = 1


@admin.register(Author)
class AuthorAdmin(admin.ModelAdmin):
    search_fields = ["name"]


@admin.register(Book)
class BookAdmin(admin.ModelAdmin):
    list_display = ["title", "author", "state", "pages", "for_children"]
    list_filter = ["state", "for_children"]
    list_per_page = 20
    search_fields = ["title", "author__name"]
    ordering = ["title"]
    inlines = [LoanInline]
    fieldsets = [
        (None, {"fields": ["title", "author", "state", "pages", "bought"]}),
        ("More", {"fields": ["for_children", "notes"]}),
    ]


admin.site.register(Loan)
