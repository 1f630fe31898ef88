"""People at a room as the server sees them: pages read, forms pressed, streams followed; and a server to try."""

import html
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Self

import httpx2

HIDDEN = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)"')


class Player:
    """One browser: its cookies, and the page of the room as it last saw it."""

    def __init__(self, client: httpx2.Client) -> None:
        self.client = client
        self.page = ""
        self.room = ""  # path of the room

    def make_room(self) -> Self:
        key = dict(HIDDEN.findall(self.client.get("/").text))["key"]
        answer = self.client.post("/room", data={"key": key}, follow_redirects=False)
        assert answer.status_code == 303, answer.text
        return self.visit(answer.headers["location"])

    def visit(self, room: str) -> Self:
        self.room = room
        return self.look()

    def look(self) -> Self:
        self.page = self.client.get(self.room, follow_redirects=True).text
        return self

    def form(self, what: str, holding: str = "") -> dict[str, str]:
        """The hidden fields of the form that asks for this; of several, the one that has this text in it."""
        forms = re.findall(rf'action="{self.room}/{what}".*?</form>', self.page, re.DOTALL)
        fitting = [form for form in forms if holding in form]
        assert fitting, f"the page has no form for {what} {holding}"
        return dict(HIDDEN.findall(fitting[0]))

    def press(self, what: str, **typed: str) -> httpx2.Response:
        """Fills in the form on the page and sends it; the answer's page is what is seen then."""
        return self.send(what, {**self.form(what), **typed})

    def send(self, what: str, fields: dict[str, str]) -> httpx2.Response:
        answer = self.client.post(f"{self.room}/{what}", data=fields, follow_redirects=True)
        self.page = answer.text
        return answer

    def export(self) -> dict[str, object]:
        """All that is kept of the room, if this player is its host."""
        answer = self.client.get(f"{self.room}/export")
        answer.raise_for_status()
        kept: dict[str, object] = answer.json()
        return kept

    @property
    def version(self) -> int:
        return version_of(self.page)

    @property
    def status(self) -> str:
        """What just happened, as it is announced."""
        return self._text(r'id="status" role="status">(.*?)</p>')

    @property
    def wrong(self) -> str:
        """What the page says was refused."""
        return self._text(r'class="wrong"[^>]*>(.*?)</p>')

    @property
    def may_jump(self) -> bool:
        return f'action="{self.room}/jump"' in self.page

    def _text(self, pattern: str) -> str:
        found = re.search(pattern, self.page, re.DOTALL)
        return html.unescape(re.sub("<[^>]*>", "", found[1])).strip() if found else ""


def version_of(page: str) -> int:
    found = re.search(r'data-version="(\d+)"', page)
    assert found, "this is no page of a room"
    return int(found[1])


def events(lines: Iterator[str]) -> Iterator[dict[str, str]]:
    """Server-sent events, one dict of fields each, as the standard reads them."""
    event: dict[str, str] = {}
    for line in lines:
        if line:
            name, _, value = line.partition(":")
            value = value.removeprefix(" ")
            event[name] = f"{event[name]}\n{value}" if name in event else value
        elif event:
            yield event
            event = {}


class Server:
    """`botq serve` as a process of its own, on a port that stays the same when it is started again."""

    def __init__(self, database: str, port: int = 0, log: Path | None = None) -> None:
        self.database, self.port, self.log = database, port, log
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> Self:
        command = [sys.executable, "-m", "botq", "serve", "--port", str(self.port), "--database", self.database]
        errors = self.log.open("a") if self.log else None
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True)
        assert self.process.stdout
        line = self.process.stdout.readline()
        found = re.search(r"http://[\d.]+:(\d+)/", line)
        assert found, f"the server did not start: {line}"
        self.port = int(found[1])
        if errors:
            errors.close()
        return self

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def kill(self) -> None:
        """Ends it at once, as a power cut would."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        if self.process:
            os.kill(self.process.pid, how)
            self.process.wait(30)
            assert self.process.stdout
            self.process.stdout.close()
            self.process = None

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.kill()
