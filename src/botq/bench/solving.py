"""Exact solutions: ours, and OpenSpiel's minimax solver on our game in its framework."""

import os
from collections.abc import Iterator
from functools import partial

from botq.bench import Absent, Measurement, Target, absent, duration

OURS = "botq solve, 2 seats, share"
OPENSPIEL = "OpenSpiel MinimaxSolver on botq, 2 seats, share"
TARGETS = (Target(OURS, OPENSPIEL, 1),)
FIVE = "botq solve, 5 seats, share"
ROOM = 12  # GB of memory a machine should have for it: the table takes 7.3


def measurements() -> Iterator[Measurement | Absent]:
    """Seconds from nothing to every value; five seats take a minute or two, and so are solved once."""
    for seats in (2, 3, 4):
        yield Measurement(f"botq solve, {seats} seats, share", "s", partial(_solve, seats))
    if _memory() < ROOM:
        yield Absent(FIVE, f"wants {ROOM} GB of memory")
    else:
        yield Measurement(FIVE, "s", partial(_solve, 5), once=True)
    why = absent("pyspiel")
    yield Absent(OPENSPIEL, why) if why else Measurement(OPENSPIEL, "s", _openspiel, "open_spiel", once=True)


def _solve(seats: int) -> float:
    from botq.solver import solve

    return solve("standard", seats, keep=False).seconds  # not read from disk, but solved


def _memory() -> float:
    """GB of memory that this machine has; 0 where it cannot be told."""
    names = getattr(os, "sysconf_names", {})
    if not {"SC_PAGE_SIZE", "SC_PHYS_PAGES"} <= names.keys():
        return 0
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9


def _openspiel() -> float:
    from open_spiel.python.algorithms.minimax_solver import MinimaxSolver

    import botq.adapters.openspiel  # noqa: F401  (registers the game)

    return duration(MinimaxSolver("python_back_of_the_queue").solve)
