"""Bots in the seats of a room: each jumps in the background, announced like any jump."""

import asyncio
import logging
from collections.abc import Callable, Mapping

from botq.changes import BotJump
from botq.heat import Heat
from botq.room import Room
from botq.rules import Refused
from botq.store import Database, StoreDown
from botq.store.rooms import NoSuchRoom, Stale, change_room, read_room

PAUSE = 0.6  # seconds before a bot jumps, so that people see one jump after the other
ANOTHER_TRY = 5.0  # seconds to wait where the database is away

logger = logging.getLogger(__name__)


class BotMoves:
    """The rooms of this process where a bot is about to jump."""

    def __init__(self, database: Database, bots: Mapping[str, Callable[[Heat], int]]) -> None:
        self.bots = bots
        self._database = database
        self._playing: dict[str, asyncio.Task[None]] = {}

    def look(self, room: Room) -> None:
        """Has the bot jump whose turn it is; called whenever a room is changed or looked at."""
        if room.bot in self.bots and room.code not in self._playing:
            task = asyncio.create_task(self._play(room.code))
            self._playing[room.code] = task
            task.add_done_callback(lambda _: self._playing.pop(room.code, None))

    async def close(self) -> None:
        """Stops; whoever looks at a room next time has its bot jump."""
        tasks = list(self._playing.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _play(self, code: str) -> None:
        while True:
            try:
                room = await read_room(self._database, code)
                if room.bot is None:
                    return
                await asyncio.sleep(PAUSE)
                length = await asyncio.to_thread(self.bots[room.bot], room.playing().heat)
                await change_room(self._database, code, BotJump(length), (), room.version)
            except NoSuchRoom:
                return
            except Stale:
                continue  # undone meanwhile, or another process was quicker
            except StoreDown:
                await asyncio.sleep(ANOTHER_TRY)
            except Refused:
                logger.exception("a bot's jump was refused in room %s", code)
                return
