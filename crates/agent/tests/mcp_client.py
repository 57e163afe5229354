"""Drives `snapshot-agent mcp` end to end with the official Python client of the protocol.

    python3 -m venv target/mcp && target/mcp/bin/pip install mcp
    target/mcp/bin/python crates/agent/tests/mcp_client.py target/debug/snapshot-agent

Needs Chromium. Serves a page of its own on the loopback interface, so it needs no network. As
root it runs the browser without its sandbox, since the page is our own.
"""

import asyncio
import http.server
import os
import re
import sys
import threading

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

PAGES = {
    "/": """<!DOCTYPE html><title>Desk</title><h1>Desk</h1>
        <form action=/sent><label>Name <input name=name required></label>
        <label>Room <select name=room><option>Blue<option>Green</select></label>
        <label><input type=checkbox name=lunch> Lunch</label><button>Book</button></form>""",
    "/sent": "<!DOCTYPE html><title>Booked</title><h1>Thank you</h1><a href=/>Back to the desk</a>",
}


class Desk(http.server.BaseHTTPRequestHandler):
    """Serves the pages and remembers what was asked for."""

    asked = []

    def do_GET(self):
        if self.path != "/favicon.ico":
            Desk.asked.append(self.path)
        page = PAGES.get(self.path.split("?")[0], "<p>not here").encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, *_):
        pass


def reference(text, words):
    """The id in the line that has these words."""
    line = next(line for line in text.splitlines() if words in line)
    return re.search(r"\[ref=(e\d+)\]", line).group(1)


async def drive(program, url):
    arguments = ["mcp", "--allow", url] + (["--no-sandbox"] if os.getuid() == 0 else [])
    server = StdioServerParameters(command=program, args=arguments)
    async with stdio_client(server) as (read, write), ClientSession(read, write) as client:
        await client.initialize()
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        print(len(tools), "tools:", ", ".join(tools))

        async def call(tool, **arguments):
            result = await client.call_tool(tool, arguments)
            failed = getattr(result, "is_error", None) or getattr(result, "isError", None)
            first = result.content[0]
            return bool(failed), getattr(first, "text", None) or getattr(first, "data", "")

        async def done(tool, **arguments):
            failed, text = await call(tool, **arguments)
            assert not failed, (tool, arguments, text)
            return text

        page = await done("navigate", url=url, then="snapshot")
        await done("type", ref=reference(page, 'textbox "Name"'), text="Ana Duarte")
        await done("select", ref=reference(page, 'combobox "Room"'), option="Green")
        changed = await done("click", ref=reference(page, 'checkbox "Lunch"'), then="delta")
        assert "[checked]" in changed, changed
        booked = await done("click", ref=reference(page, 'button "Book"'), then="snapshot")
        assert "Thank you" in booked, booked
        assert Desk.asked[-1] == "/sent?name=Ana+Duarte&room=Green&lunch=on", Desk.asked
        found = await done("find", text="back to")
        await done("click", ref=reference(found, "Back to the desk"))
        assert '"Desk"' in await done("tabs"), "the link led back"
        for form in ("list", "markdown", "html"):
            assert "Book" in await done("snapshot", representation=form), form
        assert (await done("screenshot")).startswith("iVBORw0KGgo"), "a PNG"
        failed, words = await call("click", ref="e999")
        assert failed and "nearest are" in words, words
        failed, words = await call("navigate", url="http://192.0.2.1/")
        assert failed and "not allowed" in words, words
        await done("close")
    print("everything was done as asked")


def main():
    site = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Desk)
    threading.Thread(target=site.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{site.server_port}"
    asyncio.run(asyncio.wait_for(drive(sys.argv[1], url), 120))


main()
