"""Work that may take seconds, done beside the pages: a page never waits for it longer than a moment."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

from starlette.exceptions import HTTPException
from starlette.requests import Request

from botq.heat import Heat
from botq.oracle import ALWAYS, worth

Answer = TypeVar("Answer")

AT_ONCE = 4  # questions worked on, short ones and as many long ones, of which the oracle lets one at a time through
WAITING = 16  # questions that may wait their turn; more are sent away to come back
KEPT = 512  # answers remembered
MOMENT = 0.5  # seconds a page waits before it says that it is thinking


def takes_long(heat: Heat) -> bool:
    """Whether thinking about a heat may take more than a moment."""
    return len(heat.players) > ALWAYS


def thinking(request: Request) -> "Thinking":
    """What this server is thinking about."""
    mind = request.app.state.thinking
    assert isinstance(mind, Thinking)  # noqa: S101  (create_app puts it there)
    return mind


class Thinking:
    """Questions being worked on in the background, and the answers found, by key.

    The same question asked twice is worked on once.  Short ones need not wait for long ones.
    """

    def __init__(self) -> None:
        self._short, self._long = ThreadPoolExecutor(AT_ONCE, "short"), ThreadPoolExecutor(AT_ONCE, "long")
        self._asked: OrderedDict[Hashable, tuple[ThreadPoolExecutor, Future[Any]]] = OrderedDict()

    async def about(
        self, key: Hashable, work: Callable[[], Answer], wait: float = MOMENT, *, long: bool
    ) -> Answer | None:
        """What `work()` gives (not None), or None while it is still being worked on after `wait` seconds.

        `long` is work that may take more than a moment once everything is compiled.
        Raises what the work raises, and a 503 where too many questions are waiting already.
        """
        _, future = self._asked.get(key) or self._ask(key, work, self._long if long else self._short)
        self._asked.move_to_end(key)
        thought = asyncio.wrap_future(future)
        thought.add_done_callback(asyncio.Future.exception)  # seen to, also where nobody waits for it any more
        done, _ = await asyncio.wait([thought], timeout=wait)
        if done and thought.exception():
            self._asked.pop(key, None)  # a refusal is quickly found again
        return thought.result() if done else None

    def warm_up(self) -> None:
        """Loads and compiles what the solver needs, so that the first question waits less."""
        self._short.submit(worth, Heat.of("standard", ["Jo", "Kit"]))

    def close(self) -> None:
        """Forgets what waits; what is being worked on is finished by its thread."""
        for workers in (self._short, self._long):
            workers.shutdown(wait=False, cancel_futures=True)

    def _ask(
        self, key: Hashable, work: Callable[[], Answer], workers: ThreadPoolExecutor
    ) -> tuple[ThreadPoolExecutor, "Future[Answer]"]:
        if sum(theirs is workers and not future.done() for theirs, future in self._asked.values()) >= WAITING:
            raise HTTPException(
                503, "Too much is being worked out at once. Try again in a moment.", {"Retry-After": "5"}
            )
        asked = self._asked[key] = workers, workers.submit(work)
        for old in [key for key, (_, future) in self._asked.items() if future.done()][
            : max(len(self._asked) - KEPT, 0)
        ]:
            del self._asked[old]
        return asked
