"""The exact worth of a position wherever it can be had in a few seconds, kept for whoever asks next.

A heat is solved from as early in its jumps as the work allows, so that one solution answers all that
follows: the whole of a heat with few seats, the later part of one with many.
"""

from bisect import bisect_left
from collections import OrderedDict
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING

from botq.fares import Fare
from botq.heat import Heat, Player
from botq.rules import Refused
from botq.words import roughly

if TYPE_CHECKING:  # loaded by whoever asks first: Numba takes a second
    from botq.solver import Solution, Worth

EQUAL = 1e-9  # shares that differ by less are equal, as in kernel.py
QUICK = 10_000_000  # positions solved while somebody waits: four seats from the opening, in some seconds
KEPT = 2 * QUICK  # positions remembered in all: about a gigabyte
ALWAYS = 3  # so few seats are solved from the opening on any card


@lru_cache(maxsize=4096)
def positions_estimated(fare: Fare, seats: int, after: str) -> int:
    """About how many positions can follow these jumps and would have to be solved."""
    from botq.solver import House, estimate

    players = tuple(Player(f"Player {seat}") for seat in range(1, seats + 1))
    return estimate(House(fare, seats), Heat(fare, players, after).queue).positions


_few, _many = Lock(), Lock()


def _turn(seats: int) -> Lock:
    """Held while something is solved: a large heat fills the memory, and a small one need not wait for it."""
    return _few if seats <= ALWAYS else _many


class _Solutions:
    """The solutions made last.  One is made at a time; who waits for it may find that it answers them too."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[Fare, int, str, str], Solution] = OrderedDict()

    def known(self, heat: Heat, objective: str) -> "Solution | None":
        """A solution made before that covers the position this heat has reached."""
        seats = len(heat.players)
        starts = ((heat.fare, seats, heat.jumps[:length], objective) for length in range(len(heat.jumps) + 1))
        return next((self._kept[start] for start in starts if start in self._kept), None)

    def made(self, heat: Heat, objective: str, most: int) -> "Solution | None":
        """A solution that covers the position this heat has reached, None where that is too much work."""
        from botq.solver import solve

        seats = len(heat.players)
        with _turn(seats):
            if known := self.known(heat, objective):
                return known
            start = _earliest(heat, most)
            if start is None:
                return None
            after = heat.jumps[:start]
            return self._keep((heat.fare, seats, after, objective), solve(heat.fare, seats, after, objective))

    def _keep(self, start: "tuple[Fare, int, str, str]", solution: "Solution") -> "Solution":
        self._kept = OrderedDict(self._kept)  # a copy: others may be looking something up in the old one
        self._kept[start] = solution
        while len(self._kept) > 1 and sum(kept.positions for kept in self._kept.values()) > KEPT:
            self._kept.popitem(last=False)
        return solution


def _earliest(heat: Heat, most: int) -> int | None:
    """How many of its jumps have to be made before a heat can be solved within so many positions, None if more."""
    seats = len(heat.players)
    if seats <= ALWAYS:
        return 0

    def near(jumps: int) -> bool:
        return positions_estimated(heat.fare, seats, heat.jumps[:jumps]) <= most

    return bisect_left(range(len(heat.jumps) + 1), True, key=near) if near(len(heat.jumps)) else None


class TooFar(Refused):
    """This position is too far from the end to be solved while somebody waits."""


def solved(fare: Fare, seats: int, after: str, objective: str, most: int = QUICK) -> "Solution":
    """The solution of a heat from the position after these jumps; raises `TooFar`, and what `solve` refuses."""
    from botq.solver import House, solve

    House(fare, seats, objective)  # refuses what no amount of work would answer
    jumps = Heat.of(fare, [f"Player {seat}" for seat in range(1, seats + 1)], after).jumps
    if seats > ALWAYS and (estimate := positions_estimated(fare, seats, jumps)) > most:
        raise TooFar(
            f"from here about {roughly(estimate)} positions would have to be solved, and {roughly(most)} are what is "
            "done while somebody waits: ask for a position later in the heat, or run botq solve"
        )
    with _turn(seats):
        return solve(fare, seats, jumps, objective)


_solutions = _Solutions()


def worth(heat: Heat, objective: str = "share", most: int = QUICK) -> "Worth | None":
    """What the position this heat has reached is worth, None if that needs more than about `most` positions solved."""
    solution = _solutions.known(heat, objective) or _solutions.made(heat, objective, most)
    return solution.at(heat) if solution else None
