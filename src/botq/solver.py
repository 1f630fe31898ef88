"""What a position is worth: exact values, jump by jump, under perfect play.

The rule sheet names only winning, ties sharing it.  So the value of a position is every seat's
expected *share* of the win.  The head takes a jump that maximises its own share; equally good
jumps (within 1e-9) it takes equally often.  With two seats this is minimax; with more it is the
Max^n family (Luckhardt and Irani, "An algorithmic solution of N-person games", AAAI 1986).  The
other objective, for two seats, is *margin*: own score less the other's, minimax.

The house a heat is solved for, its solution and the solving stand together, long as the file is:
whoever reads or changes one of them has the other two open.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cached_property
from numbers import Integral
from os import cpu_count
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from botq import kernel, tables
from botq.fares import Fare
from botq.heat import Heat
from botq.kernel import EQUAL, Floats, Ints
from botq.layers import Report, Table, TooMany, count, position_bytes, prepare, sweep, sweep_small
from botq.rules import FINISH, Queue, Refused, form_queue, legal_jumps, play
from botq.words import roughly

GB = 1e9
MEMORY = 16 * GB
COUNTED = 20_000_000  # positions counted out for an estimate
SOLVABLE = 5  # seats: with more, rougher estimates do
KEPT = GB  # bytes of a table of an opening that is kept unasked
POINTS = 99  # the most that a stamp pays, as with the sets of a card
FIRST_FACTOR = 100.0  # what a third pawn multiplies positions by, where that could not be counted out
FALL = 0.87  # how fast the factor falls that a pawn more multiplies positions by
OVERHEAD = 1.08  # of memory while a table is made


class NotSolved(Refused):
    """This position is not among those solved, or too many would have to be."""


class JumpValue(NamedTuple):
    """A legal jump: the values, by seat, of the position it leads to, and whether no jump is better."""

    jump: int
    values: tuple[float, ...]
    best: bool


@dataclass(frozen=True)
class Worth:
    """What one position is worth: values by seat, and those of each legal jump, shortest first.

    `turn` is the seat whose turn it is, None once the heat is over.
    """

    turn: int | None
    values: tuple[float, ...]
    jumps: tuple[JumpValue, ...]

    @property
    def over(self) -> bool:
        return self.turn is None

    @property
    def best(self) -> tuple[int, ...]:
        """The jumps no other is better than, shortest first; none once the heat is over."""
        return tuple(jump.jump for jump in self.jumps if jump.best)


@dataclass(frozen=True)
class House:
    """The card and house rules a position is valued under: points a stamp, and by seat the points
    it starts with; seats and objective."""

    fare: Fare
    seats: int
    objective: str = "share"  # or "margin"
    stamp: int = 1
    start: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        form_queue(self.seats)
        if self.objective not in ("share", "margin"):
            raise Refused(f"a heat is solved for share or for margin, not {self.objective!r}")
        if self.objective == "margin" and self.seats != 2:
            raise Refused(f"margin is own score less the other's: it needs 2 seats, not {self.seats}")
        if self.start and len(self.start) != self.seats:
            raise Refused(f"{self.seats} seats need {self.seats} starting scores, not {len(self.start)}")
        if self.stamp not in range(POINTS + 1):
            raise Refused(f"a stamp pays a whole number of points from 0 to {POINTS}, not {self.stamp}")
        if not all(isinstance(points, Integral) for points in self.start):
            raise Refused(f"starting scores are whole numbers, not {self.start}")

    @cached_property
    def card(self) -> Ints:
        """The card as the kernel reads it."""
        return kernel.compile_card(kernel.card_points(self.fare), self.stamp, self.objective == "margin")

    def read(self, queue: Queue) -> "Reading":
        """The position as the kernel sees it."""
        margin = self.objective == "margin"
        hands = [kernel.HAND[pawn.tickets] for pawn in queue]
        start = self.start or (0,) * self.seats
        floors = [
            int(self.card[kernel.FLOOR + hand]) + self.stamp * pawn.stamps + start[pawn.seat]
            for hand, pawn in zip(hands, queue, strict=True)
        ]
        highest = max(floors)
        unfinished = sum(pawn.space < FINISH for pawn in queue)
        leaders = [n for n in range(unfinished, len(queue)) if margin or floors[n] == highest]
        desk = np.zeros(kernel.DESK, np.int64)
        for n in range(unfinished):
            desk[kernel.NEW_CLASS + n] = self.card[kernel.CLASS + hands[n]]
            desk[kernel.NEW_BEHIND + n] = 0 if margin else highest - floors[n]
            desk[kernel.NEW_SPACE + n] = queue[n].space
        return Reading(kernel.pack(unfinished, len(leaders), self.card, desk), unfinished, leaders, floors)

    def label(self, queue: Queue, after: str) -> tables.Label:
        """What the table of all that can follow this position is kept under."""
        rules = [f"stamp {self.stamp}"] * (self.stamp != 1) + [f"start {self.start}"] * any(self.start)
        house = ", ".join(rules + [f"after {after}"] * bool(after))
        key = self.read(queue).key
        return tables.Label(str(self.fare), self.seats, self.objective, house, self.card, key, _layer(queue))

    def words(self, queue: Queue) -> int:
        """How many words the keys of what can follow this position take: 1 or 2."""
        tail = sum(pawn.space < FINISH for pawn in queue) - 1
        fit = self.card[kernel.FIT + queue[0].space : kernel.FIT + FINISH]
        return 1 if all(tail <= room for room in fit) else 2


class Reading(NamedTuple):
    """A position as the kernel sees it; pawns are told by their place in the queue."""

    key: tuple[int, int]  # both words, or what kernel.py says of a decided position, below zero, and 0
    unfinished: int
    leaders: list[int]  # the finished pawns nobody is sure to beat; for margin, all finished
    floors: list[int]  # the least each pawn can still score


@dataclass(frozen=True)
class Solution:
    """A solved heat: what its first position is worth, and any that can follow it.

    >>> solution = solve("standard", 2)
    >>> solution.values, [jump.jump for jump in solution.jumps if jump.best]
    ((1.0, 0.0), [1])
    >>> solution.at(Heat.of("standard", ["Jo", "Kit"], "31")).turn
    1
    """

    house: House
    after: str
    queue: Queue
    table: Table | None  # None where the first position is decided
    seconds: float  # the solving alone
    positions: int = field(init=False)  # how many positions had to be valued

    def __post_init__(self) -> None:
        object.__setattr__(self, "positions", self.table.positions if self.table else 1)

    @cached_property
    def worth(self) -> Worth:
        """What the first position is worth."""
        return self.at(self.queue)

    @property
    def values(self) -> tuple[float, ...]:
        return self.worth.values

    @property
    def jumps(self) -> tuple[JumpValue, ...]:
        return self.worth.jumps

    @property
    def turn(self) -> int | None:
        return self.worth.turn

    @property
    def over(self) -> bool:
        return self.worth.over

    def at(self, position: Queue | Heat) -> Worth:
        """What a position is worth that can follow the first; raises `NotSolved` for any other."""
        queue = position.queue if isinstance(position, Heat) else position
        if sorted(pawn.seat for pawn in queue) != list(range(self.house.seats)):
            raise NotSolved(f"this heat was solved for {self.house.seats} seats, not for {len(queue)}")
        jumps = legal_jumps(queue)
        after = [self.value(play(queue, jump)) for jump in jumps]
        head = queue[0].seat
        best = max((values[head] for values in after), default=0.0)
        told = [
            JumpValue(jump, values, values[head] >= best - EQUAL) for jump, values in zip(jumps, after, strict=True)
        ]
        return Worth(head if jumps else None, self.value(queue), tuple(told))

    def value(self, queue: Queue) -> tuple[float, ...]:
        """The values by seat of a position that can follow the first; raises `NotSolved`."""
        values = [0.0] * len(queue)
        (key, more), unfinished, leaders, floors = self.house.read(queue)
        if self.house.objective == "margin":
            margin = floors[0] - floors[1] + (float(self._row(queue, key, more)[0]) if key >= 0 else 0.0)
            values[queue[0].seat], values[queue[1].seat] = margin, 0.0 - margin  # level is 0, not -0
        elif key >= 0:
            row = self._row(queue, key, more)
            for n in range(unfinished):
                values[queue[n].seat] = float(row[n])
            for n in leaders:
                values[queue[n].seat] = float(row[unfinished]) / len(leaders)
        elif key == kernel.REST:
            for n in leaders:
                values[queue[n].seat] = 1 / len(leaders)
        else:
            values[queue[kernel.WINS - key].seat] = 1.0
        return tuple(values)

    def _row(self, queue: Queue, key: int, more: int) -> Floats:
        row = self.table.value(_layer(queue), key, more) if self.table else None
        if row is None:
            raise NotSolved("this position cannot follow the one that was solved")
        return row

    def __str__(self) -> str:
        house = self.house
        whose = "over" if self.turn is None else f"seat {self.turn} is next"
        seats = f"{house.seats} seat{'s' * (house.seats > 1)}"
        lines = [
            f"{house.fare.title}, {seats}, {house.objective}, after {self.after or 'no jump'}: {whose}",
            f"values by seat: {_told(self.values)}",
            *(f"jump {j.jump}: {_told(j.values)}{' (best)' * j.best}" for j in self.jumps),
            f"{self.positions:,} positions in {self.seconds:.3f} s",
        ]
        return "\n".join(lines)

    def check(self) -> None:
        """Raises `RuntimeError` unless every value of the table is what the rule makes of those after it."""
        if self.table and (faults := self.table.faults(self.house.card)):
            raise RuntimeError(f"{faults} of {self.positions} positions do not follow the rule")

    def as_json(self) -> dict[str, Any]:
        """The solution in the shape that `botq solve --json` prints."""
        return {
            "fare": self.house.fare.as_json(),
            "seats": self.house.seats,
            "objective": self.house.objective,
            "after": self.after,
            "over": self.over,
            "turn": self.turn,
            "values": list(self.values),
            "jumps": [{"jump": j.jump, "values": list(j.values), "best": j.best} for j in self.jumps],
            "positions": self.positions,
            "seconds": self.seconds,
        }


def _layer(queue: Queue) -> int:
    return sum(pawn.space for pawn in queue)


def _told(values: tuple[float, ...]) -> str:
    return "  ".join(f"{value:.9g}" for value in values)


def solve(
    fare: Fare | str,
    seats: int,
    after: str = "",
    objective: str = "share",
    *,
    stamp: int = 1,
    start: tuple[int, ...] = (),
    memory: float = MEMORY,
    keep: bool | None = None,
    report: Report = lambda share: None,
) -> Solution:
    """The exact solution of a heat from its opening, or from the position after these jumps.

    `stamp` (points a stamp) and `start` (points by seat at the start) are house rules.  Raises
    `Refused` for a fare, seats, jumps or objective that cannot be, and `NotSolved` for what would
    take more than `memory` bytes.  `report` is told now and then, between 0 and 1, how far it is.
    Tables of openings are kept on disk (tables.py) where they take less than a gigabyte, and read
    from there the next time; `keep` keeps any, or with False neither keeps nor reads one.
    """
    house = House(Fare.parse(fare) if isinstance(fare, str) else fare, seats, objective, stamp, start)
    queue = Heat.of(house.fare, [f"Player {seat + 1}" for seat in range(seats)], after).queue
    if not memory > 0:  # which no comparison with nan is
        raise Refused(f"the limit of memory is more than 0 GB, not {memory / GB:g}")
    prepare()
    began = perf_counter()
    table, fresh = _table(house, after, queue, keep is not False, memory, report)
    seconds = perf_counter() - began
    unasked = keep is None and not after and table and table.positions * position_bytes(seats, 1) < KEPT
    if table and fresh and (keep or unasked):
        tables.write(house.label(queue, after), table, bool(keep))
    return Solution(house, after, queue, table, seconds)


def _table(
    house: House, after: str, queue: Queue, kept: bool, memory: float, report: Report
) -> tuple[Table | None, bool]:
    """The table of what can follow, None for a decided position; and whether it was made just now."""
    key, layer, seats, words, card = house.read(queue).key, _layer(queue), house.seats, house.words(queue), house.card
    if key[0] < 0:
        return None, False
    if after and (table := sweep_small(key, layer, seats, words, card)):
        return table, True
    if kept and (table := tables.read(house.label(queue, after))):
        return table, False
    if table := sweep_small(key, layer, seats, words, card):
        return table, True
    if kept and after and (table := tables.read(house.label(form_queue(seats), ""))):
        return table, False
    expected = estimate(house, queue)
    if expected.bytes > memory:
        raise NotSolved(
            f"{seats} seats from here are {expected}: more than the limit of {memory / GB:.3g} GB, so it is not solved"
        )
    try:
        return sweep(key, layer, seats, words, card, memory, expected.positions, report), True
    except TooMany as reached:
        raise NotSolved(
            f"{reached} positions were found and no end: they take more than the limit of {memory / GB:.3g} GB, "
            "so it is not solved"
        ) from None


class Estimate(NamedTuple):
    """How much there would be to solve."""

    positions: int
    bytes: int

    def __str__(self) -> str:
        return f"about {roughly(self.positions)} positions, {float(f'{self.bytes / GB:.2g}'):g} GB"


def estimate(house: House, queue: Queue) -> Estimate:
    """How many positions can follow one, before they are looked for.

    The position is counted out with fewer pawns, two, three, ... from the head of its queue, as
    far as that is quick; from then on each pawn more multiplies the count by a factor that
    falls as it did in heats that were counted out (docs/solver.md tells how well it guesses).
    """
    unfinished = sum(pawn.space < FINISH for pawn in queue)
    counts: list[float] = [1]
    for pawns in range(2, unfinished + 1):
        factor = FIRST_FACTOR if pawns < 4 else counts[-1] / counts[-2] * ((pawns - 2) / (pawns - 1)) ** FALL
        guess = counts[-1] * max(factor, 1)
        quick = pawns <= 3 or (pawns < unfinished <= SOLVABLE and guess < COUNTED / 2)
        found = _count(house, queue[:pawns] + queue[unfinished:]) if quick else None
        counts.append(found or guess)
    positions = int(counts[-1])
    size = position_bytes(house.seats, house.words(queue))
    return Estimate(positions, int(positions * size * OVERHEAD))


def _count(house: House, queue: Queue) -> int | None:
    """How many positions can follow one in a heat with these pawns alone; None if it takes long."""
    seats = sorted(pawn.seat for pawn in queue)
    alone = tuple(pawn._replace(seat=seats.index(pawn.seat)) for pawn in queue)
    start = tuple(house.start[seat] for seat in seats) if house.start else ()
    fewer = replace(house, seats=len(seats), start=start)
    key = fewer.read(alone).key
    return count(key, _layer(alone), len(seats), fewer.words(alone), fewer.card, COUNTED) if key[0] >= 0 else 1


def opening_values(
    cards: Ints | Sequence[Ints], seats: int, objective: str = "share", *, stamp: int = 1, start: tuple[int, ...] = ()
) -> Floats:
    """The values, by card and seat, of the opening position under many cards: for 1 to 3 seats.

    `cards` has a row for each: its points for the 19 final hands, in the order of
    `kernel.FINAL_HANDS` (`kernel.card_points` makes one).  Uses every core; gives the same
    numbers as `solve`.  House rules as there.
    """
    House(Fare(()), seats, objective, stamp, start)  # refuses what it would refuse
    if seats > 3:
        raise NotSolved(f"many cards at once are valued for 1 to 3 seats, not {seats}")
    values = np.zeros((len(cards), seats))
    bonus = np.array(start or (0,) * seats, dtype=np.int64)

    def value(part: slice) -> None:
        rows, out, room = np.array(cards[part], dtype=np.int64), values[part], 1 << 14
        done = 0
        while done < len(rows):
            done += kernel.value_cards(
                rows[done:], stamp, bonus, objective == "margin", out[done:],
                np.empty((room, 1), np.int64), np.empty((room, 3), np.int32), np.empty((room, seats)),
            )  # fmt: skip
            room *= 2

    threads = min(cpu_count() or 1, max(len(cards), 1))
    cuts = np.linspace(0, len(cards), threads + 1).astype(int)
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(value, map(slice, cuts[:-1], cuts[1:])))
    return values
