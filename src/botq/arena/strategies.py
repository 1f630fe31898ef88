"""Strategies by name: our own bots, and anybody's function of a heat, kept where it can do no harm.

A function from elsewhere runs in a process of its own.  It may raise, loop for ever, print or exit:
the arena names it, ends it, and goes on with the others.
"""

import os
import random
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

from botq.bots import BOTS
from botq.heat import Heat
from botq.rules import JUMPS, Refused
from botq.words import listed, shown

SECONDS_A_JUMP = 5.0
SECONDS_TO_START = 30.0

Chances = dict[int, float]


class UnknownStrategy(Refused):
    """There is no bot of this name, and no function to be had under it."""


class Misplay(Refused):
    """A strategy failed in a heat: it raised, hung, or did not answer with a legal jump."""

    def __init__(self, strategy: str, why: str) -> None:
        super().__init__(f"{strategy} {why}")
        self.strategy, self.why = strategy, why


@dataclass(frozen=True)
class Strategy:
    """A named function of a heat: `chances(heat, seed)` is how likely it takes each legal jump.

    `trusted` strategies are our own bots, known to look at nothing but the queue and the fare.
    Raises `Misplay` where the function does not answer as it should.
    """

    name: str
    chances: Callable[[Heat, int], Chances]
    trusted: bool = False
    close: Callable[[], None] = field(default=lambda: None, repr=False)


def load(name: str, limit: float = SECONDS_A_JUMP) -> Strategy:
    """The bot of this name, or the function `package.module:function`; raises `UnknownStrategy`.

    `limit` is how many seconds a function from elsewhere may take over a jump.
    """
    if bot := BOTS.get(name):
        return Strategy(name, lambda heat, seed: dict(bot.chances(heat)), trusted=True)
    if ":" not in name:
        raise UnknownStrategy(f"there is no bot {shown(name)}: name {listed(BOTS, 'or')}, or package.module:function")
    guarded = Guarded(name, limit)
    return Strategy(name, guarded.chances, close=guarded.close)


class Guarded:
    """A function from elsewhere in a process of its own, ended when it takes too long."""

    def __init__(self, name: str, limit: float) -> None:
        self._name, self._limit = name, limit
        here, there = get_context("spawn").Pipe()
        self._pipe: Connection = here
        self._process: BaseProcess = get_context("spawn").Process(target=_serve, args=(name, there), daemon=True)
        self._process.start()
        there.close()
        if (fault := self._started()) is not None:
            self.close()
            raise UnknownStrategy(f"{shown(name, 200)} cannot be used: {fault}")

    def _started(self) -> str | None:
        """Why the function cannot be had, or None."""
        try:
            fault: str | None = self._receive(SECONDS_TO_START)
        except TimeoutError:
            return f"its module took more than {SECONDS_TO_START:g} seconds to import"
        except EOFError:
            return "its module ends the process that imports it"
        return fault

    def chances(self, heat: Heat, seed: int) -> Chances:
        try:
            self._pipe.send((heat, seed))
            chances, fault = self._receive(self._limit)
        except (OSError, TimeoutError):
            self.close()
            raise Misplay(
                self._name, f"took more than {self._limit:g} seconds over jump {len(heat.jumps) + 1}"
            ) from None
        except EOFError:
            self.close()
            raise Misplay(self._name, "ended its own process") from None
        if fault:
            raise Misplay(self._name, fault)
        found: Chances = chances
        return found

    def close(self) -> None:
        """Ends the process."""
        self._process.kill()
        self._process.join()
        self._pipe.close()

    def _receive(self, limit: float) -> Any:
        if not self._pipe.poll(limit):
            raise TimeoutError
        return self._pipe.recv()


def checked(name: str, heat: Heat, answer: Any) -> Chances:
    """The chances a function answered with, be it a jump or chances by jump; raises `Misplay`."""
    where = f"at jump {len(heat.jumps) + 1}"
    chances = list(answer.items()) if isinstance(answer, Mapping) else [(answer, 1.0)]
    for jump, chance in chances:
        if type(jump) is not int or jump not in JUMPS:
            raise Misplay(name, f"answered {shown(repr(jump))} {where}: a jump is 1, 2 or 3")
        if not isinstance(chance, float | int) or not 0 <= chance <= 1:
            raise Misplay(name, f"gave a jump the chance {shown(repr(chance))} {where}: a chance is 0 to 1")
        if chance and jump not in heat.legal:
            raise Misplay(name, f"jumped {jump} {where}, where only {listed(heat.legal, 'or')} fits")
    total = sum(float(chance) for _, chance in chances)
    if not abs(total - 1) < 1e-9:
        raise Misplay(name, f"gave chances that add up to {total:g} {where}: they must add up to 1")
    return {jump: float(chance) for jump, chance in chances if chance}


def _serve(name: str, pipe: Connection) -> None:
    """Answers heats with jumps for as long as it is asked; runs in the process of its own."""
    os.dup2(2, 1)  # what it prints must not get between our lines
    sys.path.insert(0, os.getcwd())
    try:
        function = _found(name)
    except BaseException as fault:
        pipe.send(str(fault.args[0]) if type(fault) is LookupError else _said(fault, type(fault).__name__))
        return
    pipe.send(None)
    with suppress(EOFError, KeyboardInterrupt):
        while True:
            heat, seed = pipe.recv()
            random.seed(seed)
            try:
                # checked here, so that nothing but numbers goes back: what else it answers with stays in this process
                pipe.send((checked(name, heat, function(heat)), None))
            except Misplay as fault:
                pipe.send((None, fault.why))
            except Exception as fault:
                pipe.send((None, _said(fault, f"raised {type(fault).__name__} at jump {len(heat.jumps) + 1}")))


def _said(fault: BaseException, so: str) -> str:
    """What happened and what the exception says of it, if it says anything."""
    try:
        return f"{so}: {fault}"
    except Exception:  # its own words fail too
        return so


def _found(name: str) -> Callable[[Heat], Any]:
    module, _, function = name.partition(":")
    if not module or not function:
        raise LookupError("write package.module:function")
    found = getattr(import_module(module), function, None)
    if not callable(found):
        raise LookupError(f"{module} has no function {function}")
    return found  # type: ignore[no-any-return]  # callable, but getattr cannot say of what
