"""A sampled comparison: blocks of heats, one for every seating, and intervals that hold at any time.

A *block* seats the same strategies in every order (five and six of them: in a balanced sample of
orders) with the same luck, and only its mean counts: so starting first favours nobody.  Blocks
are drawn alike and one by one, so their means bound the true share by *betting* (Waudby-Smith and
Ramdas, "Estimating means of bounded random variables by betting", JRSS B 86, 2024): whoever bets
against a wrong share grows rich.  The interval holds however often one looks, so it is fair to stop
as soon as the leader is told apart, and it needs no spread in the results: a strategy that wins
every block is told apart too.
"""

from collections.abc import Sequence
from itertools import permutations
from math import factorial, log, sqrt
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from botq.arena.exact import shares
from botq.arena.strategies import Chances, Strategy
from botq.fares import Fare
from botq.heat import Heat, Player

ALL_SEATINGS = 4  # up to so many seats every seating is played
GRID = 1000  # shares are bounded to a thousandth, rounded outwards
BOLDNESS = 0.5  # the most of its wealth a bet may stake against a share

Seating = tuple[int, ...]  # by seat, which of the strategies sits there


class Block(NamedTuple):
    """By strategy: the mean share and score over the seatings; and `beaten[i][j]`, in what part of the
    heats strategy i scored more than j, ties counting half."""

    shares: list[float]
    scores: list[float]
    beaten: list[list[float]]


def seatings(seats: int, luck: Random) -> list[Seating]:
    """Every seating up to four seats; with more, a random order, its rotations, and all of them reversed:
    there everybody sits in each seat equally often."""
    if seats <= ALL_SEATINGS:
        return list(permutations(range(seats)))
    order = luck.sample(range(seats), seats)
    turned = [tuple(order[n:] + order[:n]) for n in range(seats)]
    return turned + [tuple(reversed(one)) for one in turned]


def seatings_of(seats: int) -> int:
    """How many seatings a block has."""
    return factorial(seats) if seats <= ALL_SEATINGS else 2 * seats


def play_block(fare: Fare, strategies: Sequence[Strategy], seed: str) -> Block:
    """One heat for each seating; raises `Misplay`.

    Each strategy brings its own luck, the same in every seating: its n-th jump is drawn with its n-th number.
    """
    count = len(strategies)
    orders = seatings(count, Random(f"{seed}/seatings"))  # noqa: S311  (a draw, no secret)
    won, scored, beaten = np.zeros(count), np.zeros(count), np.zeros((count, count))
    for order in orders:
        heat = play_heat(fare, [strategies[who] for who in order], [f"{seed}/{who}" for who in order])
        scores = np.empty(count)
        scores[list(order)] = list(heat.scores.values())
        won[list(order)] += shares(heat)
        scored += scores
        beaten += (np.sign(scores[:, None] - scores) + 1) / 2
    np.fill_diagonal(beaten, 0)
    return Block(*((sums / len(orders)).tolist() for sums in (won, scored, beaten)))


def play_heat(fare: Fare, seated: Sequence[Strategy], seeds: Sequence[str]) -> Heat:
    """The heat these strategies play, each with the luck of its seed; raises `Misplay`."""
    lucks = [Random(seed) for seed in seeds]  # noqa: S311  (a draw, no secret)
    heat = Heat(fare, tuple(Player(f"Seat {'ABCDEF'[seat]}") for seat in range(len(seated))))
    while not heat.over:
        seat = heat.queue[0].seat
        number = lucks[seat].random()
        heat = heat.jump(drawn(seated[seat].chances(heat, int(number * 2**53)), number))
    return heat


def drawn(chances: Chances, number: float) -> int:
    """The jump that a number from 0 to 1 draws, longer jumps for higher numbers."""
    *others, longest = sorted(chances)
    for jump in others:
        number -= chances[jump]
        if number < 0:
            return jump
    return longest


class Bound:
    """An interval around the mean of values from 0 to 1, tightened value by value; see this file's head.

    At every time at once it holds the true mean with a chance of at least 1 - `risk`.
    """

    def __init__(self, risk: float = 0.05) -> None:
        self._risk = risk
        self._grid: NDArray[np.float64] = np.linspace(0, 1, GRID + 1)
        self._above = np.zeros(GRID + 1)  # log of the wealth of who bets that the mean is above
        self._below = np.zeros(GRID + 1)
        self._in: NDArray[np.bool_] = np.ones(GRID + 1, np.bool_)
        self.count, self._sum, self._squares = 0, 0.5, 0.25  # as if one value of 1/2 was seen

    def add(self, value: float) -> None:
        self.count += 1
        variance = self._squares / self.count
        bet = sqrt(2 * log(2 / self._risk) / (variance * self.count * log(self.count + 1)))
        with np.errstate(divide="ignore"):
            up, down = BOLDNESS / self._grid, BOLDNESS / (1 - self._grid)
        self._above += np.log1p(np.minimum(bet, up) * (value - self._grid))
        self._below += np.log1p(-np.minimum(bet, down) * (value - self._grid))
        still = self._in & (np.maximum(self._above, self._below) + log(0.5) < log(1 / self._risk))
        if still.any():  # or else this was the unlucky run that the risk allows for
            self._in = still
        self._sum += value
        self._squares += (value - self._sum / (self.count + 1)) ** 2

    @property
    def low(self) -> float:
        return float(max(0.0, self._grid[self._in][0] - 1 / GRID))

    @property
    def high(self) -> float:
        return float(min(1.0, self._grid[self._in][-1] + 1 / GRID))


def told_apart(bounds: Sequence[Bound]) -> bool:
    """Whether one strategy's share is surely above every other's."""
    leader = max(bounds, key=lambda bound: bound.low)
    return all(bound is leader or leader.low > bound.high for bound in bounds)
