"""Who waits for news of which room, in this process and, with PostgreSQL, across all of them.

An announcement only says that a room has changed.  Whoever hears it reads the room afresh, so
that missing any number of announcements harms nothing.
"""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

CHANNEL = "botq_rooms"
FIRST_WAIT, LONGEST_WAIT = 0.1, 5.0  # seconds before the listening connection is made again

logger = logging.getLogger(__name__)


class Announcer:
    """The ears of this process: each listener of a room has an event that is set when it changes."""

    def __init__(self) -> None:
        self._ears: defaultdict[str, set[asyncio.Event]] = defaultdict(set)
        self._heard: dict[str, int] = {}
        self._numbers = count()

    def announce(self, code: str) -> None:
        """Wakes everybody in this process who listens to the room."""
        if code in self._ears:
            self._heard[code] = next(self._numbers)
        for ear in self._ears.get(code, ()):
            ear.set()

    def heard(self, code: str) -> int:
        """A number that stays as it is only while somebody listens and nothing is announced of the room."""
        return self._heard[code] if code in self._heard else next(self._numbers)

    def announce_all(self) -> None:
        """Wakes everybody: what happened while nobody could hear is found by looking."""
        for code in list(self._ears):
            self.announce(code)

    @contextmanager
    def listening(self, code: str) -> Iterator[asyncio.Event]:
        """An event that is set whenever the room changes, until the block is left."""
        ear = asyncio.Event()
        self._ears[code].add(ear)
        self._heard.setdefault(code, next(self._numbers))
        try:
            yield ear
        finally:
            self._ears[code].discard(ear)
            if not self._ears[code]:
                del self._ears[code], self._heard[code]

    async def relay(self, conninfo: str) -> None:
        """Passes on what other processes announce through PostgreSQL; runs until cancelled."""
        import psycopg

        wait = FIRST_WAIT
        while True:
            try:
                async with await psycopg.AsyncConnection.connect(
                    conninfo, autocommit=True, keepalives_idle=10, keepalives_interval=5, keepalives_count=3
                ) as connection:
                    await connection.execute(f"LISTEN {CHANNEL}")
                    wait = FIRST_WAIT
                    self.announce_all()
                    async for notice in connection.notifies():
                        self.announce(notice.payload)
            except psycopg.Error as trouble:
                logger.warning("no announcements from the database for %.1f s: %s", wait, trouble)
            await asyncio.sleep(wait)
            wait = min(2 * wait, LONGEST_WAIT)
