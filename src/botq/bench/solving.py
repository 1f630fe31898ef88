"""Exact solutions: ours, and OpenSpiel's minimax solver on our game in its framework."""

from collections.abc import Iterator
from functools import partial

from botq.bench import Absent, Measurement, Target, absent, duration

OURS = "botq solve, 2 seats, share"
OPENSPIEL = "OpenSpiel MinimaxSolver on botq, 2 seats, share"
TARGETS = (Target(OURS, OPENSPIEL, 1),)


def measurements() -> Iterator[Measurement | Absent]:
    """Seconds from nothing to every value; five seats take minutes and gigabytes, and are left to `botq solve`."""
    for seats in (2, 3, 4):
        yield Measurement(f"botq solve, {seats} seats, share", "s", partial(_solve, seats), once=seats > 3)
    why = absent("pyspiel")
    yield Absent(OPENSPIEL, why) if why else Measurement(OPENSPIEL, "s", _openspiel, "open_spiel", once=True)


def _solve(seats: int) -> float:
    from botq.solver import solve

    return solve("standard", seats, keep=False).seconds  # not read from disk, but solved


def _openspiel() -> float:
    from open_spiel.python.algorithms.minimax_solver import MinimaxSolver

    import botq.adapters.openspiel  # noqa: F401  (registers the game)

    return duration(MinimaxSolver("python_back_of_the_queue").solve)
