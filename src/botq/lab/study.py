"""What a fare card does to the game: every measure of one card with one number of seats.

All is exact for two and three seats, summed over every position there is; nothing is sampled.
docs/lab.md tells each measure key by key.
"""

from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from botq.bots import TEMPERATURES, promise
from botq.fares import Fare
from botq.kernel import FIRST_HAND, Floats, Ints
from botq.lab import counts, plans, sweeps
from botq.lab.expectations import over_both_heats, spread, told
from botq.lab.positions import MOST_SEATS, Bytes, Flags, Positions, positions
from botq.rules import FINISH, HANDS, JUMPS
from botq.solver import solve

SECONDS_A_JUMP = 15.0  # a guess, for want of measured heats: docs/lab.md
MOST_COMPENSATION = {3: 6, 4: 1}  # by seats, the points tried for each later seat: a solution each
FINAL = int(FIRST_HAND[FINISH])
POPULATION = tuple(TEMPERATURES)  # the fallible players: the bots of these names

Plan = Floats


class HouseRules(NamedTuple):
    """Points for a stamp, and by seat the points each starts with; the rule sheet has 1, and none."""

    stamp: int = 1
    start: tuple[int, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return {"stamp": self.stamp, "compensation": list(self.start)}


BY_THE_SHEET = HouseRules()


@dataclass(frozen=True)
class Study:
    """A card under study, with a number of seats and house rules; raises `Refused` for more than three seats."""

    fare: Fare
    seats: int
    rules: HouseRules = BY_THE_SHEET
    seconds: float = field(default=SECONDS_A_JUMP, kw_only=True)

    @property
    def start(self) -> tuple[int, ...]:
        """By seat, the points it starts with."""
        return self.rules.start or (0,) * self.seats

    @cached_property
    def positions(self) -> Positions:
        return positions(self.seats, self.rules.stamp, self.start)

    @cached_property
    def points(self) -> Ints:
        """By hand, what the card pays for it."""
        points = np.empty(len(HANDS), np.int64)
        takes = np.array([one.takes for one in self.fare.sets])
        sweeps.pay_all(takes, np.array([one.points for one in self.fare.sets]), _TICKETS, _NUMBER, points)
        return points

    @cached_property
    def values(self) -> Floats:
        """By position and place in the queue, the share of the win under perfect play."""
        p = self.positions
        values = np.empty((len(p.hands), self.seats))
        sweeps.value_all(p.hands, p.ahead, p.after, p.place, self.points, values)
        return values

    @cached_property
    def margins(self) -> Ints:
        """By position, the head's margin under perfect play for margin; two seats."""
        p = self.positions
        margins = np.empty(len(p.hands), np.int64)
        sweeps.margin_all(p.hands, p.ahead, p.after, p.place, self.points, margins)
        return margins

    @cached_property
    def turns(self) -> int:
        """How many positions have a jump left; the others come after them."""
        return int(np.searchsorted(self.positions.layers, FINISH * self.seats))

    @cached_property
    def _ends(self) -> Floats:
        return self.values[self.turns :]

    def plan(self, name: str) -> Plan:
        """By position and jump, the chance that a player of this name takes it: `perfect`, `random`,
        `greedy` or one of the population."""
        p = self.positions
        plan = np.zeros((len(p.hands), len(JUMPS)))
        if name == "random":
            plans.plan_evenly(p.after, plan)
        elif name == "greedy":
            promises = np.array([promise(self.fare, hand) for hand in HANDS])
            plans.plan_greedily(p.hands, p.after, p.place, p.first, p.stamp, promises, plan)
        elif name in TEMPERATURES:
            plans.plan_softly(p.after, p.place, self.values, TEMPERATURES[name] / self.seats, plan)
        elif self.seats == 2:
            hopes = self._blank()
            sweeps.hope_all(p.after, p.place, self.turns, hopes)
            plans.plan_winner(p.after, p.place, self.values, self.margins, hopes, plan)
        else:
            plans.plan_best(p.after, p.place, self.values, plan)
        return plan

    def _blank(self) -> Floats:
        """Values with only the finished positions filled in."""
        values = np.empty_like(self.values)
        values[self.turns :] = self._ends
        return values

    def shares(self, plan: Plan) -> list[float]:
        """By seat, the share of the win when everybody follows this plan."""
        values = self._blank()
        sweeps.follow(self.positions.after, self.positions.place, plan, self.turns, values)
        return _floats(values[0])

    def alone(self, plan: Plan, others: Plan) -> list[float]:
        """By seat, the share of the win of a player who follows `plan` there while everybody else follows `others`."""
        values = self._blank()
        sweeps.follow_alone(self.positions.after, self.positions.place, plan, others, self.turns, values)
        return _floats(values[0])

    def perfect_shares(self) -> list[float]:
        """By seat, the share of the win under perfect play."""
        return _floats(self.values[0]) if self.seats <= MOST_SEATS else shares_alone(self.fare, self.seats, self.rules)

    def fairness(self) -> dict[str, Any]:
        """What each opening place is worth, what makes it even, and what a second heat repairs."""
        perfect = self.perfect_shares()
        return {
            "perfect": perfect,
            "spread": spread(perfect),
            "margin": int(self.margins[0]) if self.seats == 2 else None,
            "reversed": over_both_heats(perfect),
            "compensation": self.compensation(),
        }

    def compensation(self) -> dict[str, Any] | None:
        """The whole points for later seats, on top of any already given, that bring perfect play nearest to even.

        With two seats the margin itself makes it a tie: who can be sure to lead by m is sure of just a tie
        once the other seat has m points more.  With three the best of all vectors tried is told.
        """
        if self.seats == 1:
            return None
        if self.seats == 2:
            margin = int(self.margins[0])
            tried: list[tuple[int, ...]] = [(0, margin) if margin >= 0 else (-margin, 0)]
        else:
            most = MOST_COMPENSATION[self.seats]
            tried = [(0, *later) for later in product(range(most + 1), repeat=self.seats - 1)]

        def rules(extra: tuple[int, ...]) -> HouseRules:
            return HouseRules(self.rules.stamp, tuple(map(sum, zip(self.start, extra, strict=True))))

        best: tuple[float, list[float], tuple[int, ...]] = (2.0, [], ())
        for extra in sorted(tried, key=sum):
            shares = shares_alone(self.fare, self.seats, rules(extra))
            best = min(best, (round(spread(shares), 9), shares, extra), key=lambda one: one[0])
            if best[0] == 0:
                break
        _, shares, points = best
        return {"points": list(points), "shares": shares, "spread": spread(shares)}

    def depth(self, perfect: Plan) -> dict[str, Any]:
        """How much better perfect play is than greedy and random play."""
        against = {name: self.alone(perfect, self.plan(name)) for name in ("random", "greedy")}
        return {name: {"by_place": shares, "share": sum(shares) / self.seats} for name, shares in against.items()}

    @cached_property
    def _decided(self) -> Flags:
        decided = np.empty(len(self.values), np.bool_)
        counts.decide_all(self.positions.after, self.positions.place, self.values, self.turns, decided)
        return decided

    @cached_property
    def look_ahead(self) -> Bytes:
        """By position, how far the head must look ahead; two seats."""
        p = self.positions
        needed = np.zeros(len(p.hands), np.uint8)
        if self.seats == 2:
            counts.foresee(p.hands, p.ahead, p.after, p.place, self.points, self.values, needed)
        return needed

    def expectations(self, plan: Plan) -> dict[str, Any]:
        """What a heat looks like in which everybody follows this plan."""
        p = self.positions
        reached, sums = np.empty(len(p.hands)), np.zeros(counts.SUMS)
        counts.tally(
            p.hands,
            p.ahead,
            p.after,
            p.place,
            p.first,
            plan,
            self.values,
            self.points,
            self._decided,
            self.look_ahead,
            p.stamp,
            FINAL,
            reached,
            sums,
        )  # fmt: skip  (what the sweep reads stands in its own order)
        tickets = _TICKETS.sum(axis=1)[p.hands[self.turns :]].sum(axis=1)
        lengths = np.bincount(tickets, weights=reached[self.turns :])
        return told(self, self.shares(plan), sums, {n: float(x) for n, x in enumerate(lengths) if x > 0})

    def plays(self, perfect: Plan) -> dict[str, dict[str, Any]]:
        """Expectations under perfect play and, by name, those of the fallible players."""
        return {
            "perfect": self.expectations(perfect),
            **{name: self.expectations(self.plan(name)) for name in POPULATION},
        }


_TICKETS = np.array(HANDS)
_NUMBER = np.zeros((FINISH + 1,) * 3, np.int64)  # by tickets, the number of the hand
_NUMBER[tuple(_TICKETS.T)] = range(len(HANDS))


def shares_alone(fare: Fare, seats: int, rules: HouseRules = BY_THE_SHEET) -> list[float]:
    """By seat, the share of the win under perfect play, with none of the other measures.

    >>> shares_alone(Fare.parse("local"), 2)
    [1.0, 0.0]
    """
    if seats <= 2:  # all positions are valued faster than the few a card needs are found
        return _floats(Study(fare, seats, rules).values[0])
    return list(solve(fare, seats, stamp=rules.stamp, start=rules.start or (0,) * seats).values)


def _floats(values: Floats) -> list[float]:
    return [float(value) for value in values]
