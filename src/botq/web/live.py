"""The stream of a room: whoever has its page open is sent the whole current board after every change."""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from fastapi.sse import format_sse_event
from starlette.exceptions import HTTPException

from botq.room import Room
from botq.store import Database, StoreDown
from botq.store.rooms import NoSuchRoom, read_live
from botq.web.keys import new_key

BEAT = 15.0  # seconds of silence after which a stream says that it is alive; the page gives up after twice that
RETRY = 1000  # milliseconds a browser waits before it connects again
MOST_A_CLIENT, MOST_A_ROOM = 60, 200  # streams: a classroom behind one address, and its watchers

KEY = "the key of the form"  # stands on a shared board where each viewer's own keys will stand
Show = Callable[[Room, list[str]], str]  # the board as one viewer sees it, as HTML, with `KEY` for the keys


@dataclass
class _Read:
    """A room as it was last read, shared by everybody who watches it in this process."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    heard: int = -1
    when: float = 0.0
    room: Room | None = None
    news: list[str] = field(default_factory=list)
    boards: dict[Hashable, str] = field(default_factory=dict)  # drawn once for all who see the same


class Live:
    """The open streams of this process."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._read: dict[str, _Read] = {}
        self._open: Counter[str] = Counter()
        self._closing = False

    def close(self) -> None:
        """Ends every stream, so that the server can stop; the pages connect again by themselves."""
        self._closing = True
        self._database.announcer.announce_all()

    @contextmanager
    def counted(self, client: str, code: str) -> Iterator[None]:
        """One stream more, and an ear for its room, while the block lasts; raises 429 where there are too many."""
        bounds = {f"client {client}": MOST_A_CLIENT, f"room {code}": MOST_A_ROOM}
        if any(self._open[one] >= most for one, most in bounds.items()):
            raise HTTPException(429, "Too many pages of this room are open. Close one.", {"Retry-After": "10"})
        self._open.update(bounds.keys())
        try:
            with self._database.announcer.listening(code):
                yield
        finally:
            self._open.subtract(bounds.keys())
            self._open = +self._open  # forgets what is down to none
            if not self._open[f"room {code}"]:
                self._read.pop(code, None)

    async def stream(self, code: str, show: Show, place: Hashable, seen: str) -> AsyncIterator[bytes]:
        """Events with the room's version as id.

        All who share a `place` see the same board; `seen` is the version the page had before, if any.
        """
        with self._database.announcer.listening(code) as ear:
            yield f"retry: {RETRY}\n\n".encode()
            while not self._closing:
                ear.clear()
                try:
                    read, room = await self._read_once(code)
                except NoSuchRoom:
                    yield format_sse_event(event="gone", data_str="")
                    return
                except StoreDown:
                    return  # the page says that it is connecting again, and does
                version = str(room.version)
                if version != seen:
                    board = read.boards.get(place) or read.boards.setdefault(place, show(room, read.news))
                    yield format_sse_event(id=version, data_str=board.replace(KEY, new_key()))
                    seen = version
                try:
                    await asyncio.wait_for(ear.wait(), BEAT)
                except TimeoutError:
                    yield format_sse_event(event="beat", id=version, data_str=version)

    async def look(self, code: str) -> tuple[Room, list[str]]:
        """The room now and its news, for a stream that is counted already; raises `NoSuchRoom`."""
        read, room = await self._read_once(code)
        return room, read.news

    async def _read_once(self, code: str) -> tuple[_Read, Room]:
        """The room now: read once after each change, however many watch, and now and then to be sure."""
        read = self._read.setdefault(code, _Read())
        async with read.lock:
            heard = self._database.announcer.heard(code)
            if read.room is None or heard != read.heard or time.monotonic() - read.when > BEAT / 2:
                reading = asyncio.create_task(read_live(self._database, code))
                reading.add_done_callback(lambda done: done.cancelled() or done.exception())  # told to who waits
                found = await asyncio.shield(reading)  # who goes meanwhile breaks no connection off
                read.room, read.news = found
                read.heard, read.when, read.boards = heard, time.monotonic(), {}
            return read, read.room
