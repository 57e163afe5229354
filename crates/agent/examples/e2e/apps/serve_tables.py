"""Makes a small database and serves it with sqlite-web: serve_tables.py DATABASE PORT."""

import os
import sqlite3
import sys

database, port = sys.argv[1:]
with sqlite3.connect(database) as connection:
    connection.execute("create table teas (id integer primary key, name text not null, price real, origin text)")
    rows = [(f"Tea {number:02}", 3 + number / 4, ["Uji", "Assam", "Yunnan"][number % 3]) for number in range(1, 61)]
    connection.executemany("insert into teas (name, price, origin) values (?, ?, ?)", rows)
    connection.execute("create table shops (id integer primary key, town text)")
    connection.executemany("insert into shops (town) values (?)", [("Delft",), ("Porto",)])
# In place of this process, so that ending it ends the server.
program = os.path.join(os.path.dirname(sys.executable), "sqlite_web")
os.execv(program, [program, "-H", "127.0.0.1", "-p", port, "-x", database])
