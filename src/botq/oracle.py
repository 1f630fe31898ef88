"""The exact worth of a position wherever it can be had in a few seconds, kept for whoever asks next.

A heat is solved from as early in its jumps as the work allows, so that one solution answers all that
follows: the whole of a heat with few seats, the later part of one with many.
"""

from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING

from botq.fares import Fare
from botq.heat import Heat
from botq.rules import FINISH, Refused

if TYPE_CHECKING:  # loaded by whoever asks first: Numba takes a second
    from botq.solver import Solution, Worth

EQUAL = 1e-9  # shares that differ by less are equal, as in kernel.py
QUICK = 2_000_000  # positions solved while somebody waits: some seconds
KEPT = 3 * QUICK  # positions remembered in all: about a gigabyte


def positions_estimated(fare: Fare, seats: int, after: str) -> int:
    """About how many positions can follow these jumps and have to be solved."""
    left = FINISH * seats - sum(map(int, after))
    return round(20 * 10 ** (left / 8))


class _Solutions:
    """The solutions asked for last.  One is made at a time; who waits for it may find that it answers them too."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[Fare, int, str, str], Solution] = OrderedDict()
        self._making = Lock()

    def known(self, heat: Heat, objective: str) -> "Solution | None":
        """A solution made before that covers the position this heat has reached."""
        seats = len(heat.players)
        starts = ((heat.fare, seats, heat.jumps[:length], objective) for length in range(len(heat.jumps) + 1))
        return next((self._kept[start] for start in starts if start in self._kept), None)

    def made(self, heat: Heat, objective: str, most: int) -> "Solution | None":
        """A solution that covers the position this heat has reached, None where that is too much work."""
        from botq.solver import solve

        seats = len(heat.players)
        with self._making:
            if known := self.known(heat, objective):
                return known
            for length in range(len(heat.jumps) + 1):
                after = heat.jumps[:length]
                if positions_estimated(heat.fare, seats, after) <= most:
                    solution = solve(heat.fare, seats, after, objective)
                    return self._keep((heat.fare, seats, after, objective), solution)
            return None

    def _keep(self, start: "tuple[Fare, int, str, str]", solution: "Solution") -> "Solution":
        self._kept = OrderedDict(self._kept)  # a copy: others may be looking something up in the old one
        self._kept[start] = solution
        while len(self._kept) > 1 and sum(kept.positions for kept in self._kept.values()) > KEPT:
            self._kept.popitem(last=False)
        return solution


class TooFar(Refused):
    """This position is too far from the end to be solved while somebody waits."""


def solved(fare: Fare, seats: int, after: str, objective: str, most: int = QUICK) -> "Solution":
    """The solution of a heat from the position after these jumps; raises `TooFar`, and what `solve` refuses."""
    from botq.solver import House, solve

    House(fare, seats, objective)  # refuses what no amount of work would answer
    jumps = Heat.of(fare, [f"Player {seat}" for seat in range(1, seats + 1)], after).jumps
    estimate = positions_estimated(fare, seats, jumps)
    if estimate > most:
        raise TooFar(
            f"from here about {estimate:,} positions would have to be solved, and {most:,} are what is done while "
            "somebody waits: ask for a position later in the heat, or run botq solve"
        )
    return solve(fare, seats, jumps, objective)


_solutions = _Solutions()


def worth(heat: Heat, objective: str = "share", most: int = QUICK) -> "Worth | None":
    """What the position this heat has reached is worth, None where that would need more than `most` positions."""
    solution = _solutions.known(heat, objective) or _solutions.made(heat, objective, most)
    return solution.at(heat) if solution else None
