"""The table of a comparison: shares, scores, and a rating of every strategy by all results together."""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import log
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from botq.arena.sampled import Block, Bound, seatings_of
from botq.rules import Refused

ELO = 400 / log(10)  # points of rating for a factor e of odds
DRAWS = 200  # blocks are drawn anew so often to see how far a rating may be off
LIKE_HEATS = 1000  # an exact result weighs as much as so many heats

Matrix = NDArray[np.float64]


class Row(NamedTuple):
    """A strategy's line: `share` of the win with its bounds, heats, mean score, and its rating with bounds.

    A rating of 0 is the mean of all; 400 more is odds of ten to one.
    """

    bot: str
    share: float
    low: float
    high: float
    heats: int
    score: float
    rating: float
    rating_low: float
    rating_high: float


@dataclass(frozen=True)
class Group:
    """One choice of strategies over all their seatings: `low` and `high` bound each share on its own,
    `wide` so that the bounds of all groups hold at once."""

    bots: list[str]
    method: str
    shares: list[float]
    low: list[float]
    high: list[float]
    wide: list[tuple[float, float]]
    scores: list[float]
    heats: int
    blocks: list[Matrix] = field(repr=False)  # by block, who beat whom in what part of its heats
    a_block: int = 1
    seatings: list[dict[str, Any]] = field(default_factory=list)

    @classmethod
    def weighed(cls, bots: list[str], outcomes: Sequence[Sequence[Any]]) -> "Group":
        """From the outcomes of both seatings, the first strategy in front and then the second."""
        (front, front_scores, some), (back, back_scores, more) = outcomes
        shares = [(front[0] + back[1]) / 2, (front[1] + back[0]) / 2]
        scores = [(front_scores[0] + back_scores[1]) / 2, (front_scores[1] + back_scores[0]) / 2]
        seatings = [
            {"seats": bots, "shares": front, "scores": front_scores},
            {"seats": bots[::-1], "shares": back, "scores": back_scores},
        ]
        beaten = np.array([[0, shares[0]], [shares[1], 0]])
        wide = [(share, share) for share in shares]
        return cls(bots, "exact", shares, shares, shares, wide, scores, some + more, [beaten], LIKE_HEATS, seatings)

    @classmethod
    def played(
        cls, bots: list[str], blocks: Sequence[Block], bounds: Sequence[Bound], wide: Sequence[Bound]
    ) -> "Group":
        a_block = seatings_of(len(bots))
        return cls(
            bots,
            "sampled",
            np.mean([block.shares for block in blocks], axis=0).tolist(),
            [bound.low for bound in bounds],
            [bound.high for bound in bounds],
            [(bound.low, bound.high) for bound in wide],
            np.mean([block.scores for block in blocks], axis=0).tolist(),
            len(blocks) * a_block,
            [np.array(block.beaten) for block in blocks],
            a_block,
        )

    @property
    def told_apart(self) -> bool:
        leader = int(np.argmax(self.low))
        return all(self.low[leader] > high for n, high in enumerate(self.high) if n != leader)

    def as_json(self) -> dict[str, Any]:
        return {
            "bots": self.bots,
            "method": self.method,
            "shares": self.shares,
            "low": self.low,
            "high": self.high,
            "scores": self.scores,
            "heats": self.heats,
            "told_apart": self.told_apart,
            "seatings": self.seatings,
        }


def standings(names: Sequence[str], groups: Mapping[tuple[int, ...], Group]) -> tuple[Row, ...]:
    """A row for every strategy with a result, the best share first."""
    ratings = rate(len(names), groups)
    rows = []
    for who, name in enumerate(names):
        own = [(group, choice.index(who)) for choice, group in groups.items() if who in choice]
        if own:
            share, low, high, score = np.mean(
                [(group.shares[n], *group.wide[n], group.scores[n]) for group, n in own], axis=0
            ).tolist()
            rows.append(Row(name, share, low, high, sum(group.heats for group, _ in own), score, *ratings[who]))
    return tuple(sorted(rows, key=lambda row: -row.share))


def rate(count: int, groups: Mapping[tuple[int, ...], Group]) -> list[tuple[float, float, float]]:
    """By strategy its Bradley-Terry rating on the Elo scale, and where 95 of 100 draws of the blocks put it."""
    best = _rating(_beaten(count, groups, None))
    if all(group.method == "exact" for group in groups.values()):
        return [(rating, rating, rating) for rating in best.tolist()]
    luck = np.random.default_rng(0)
    drawn = np.array([_rating(_beaten(count, groups, luck)) for _ in range(DRAWS)])
    low, high = np.quantile(drawn, (0.025, 0.975), axis=0)
    return list(zip(best.tolist(), low.tolist(), high.tolist(), strict=True))


def _beaten(count: int, groups: Mapping[tuple[int, ...], Group], luck: np.random.Generator | None) -> Matrix:
    """Who beat whom in how many heats; every pair shared one more, so that no rating is endless."""
    beaten = np.full((count, count), 0.5)
    for choice, group in groups.items():
        blocks = np.array(group.blocks)
        if luck and len(blocks) > 1:
            blocks = luck.choice(blocks, len(blocks))
        beaten[np.ix_(choice, choice)] += blocks.sum(axis=0) * group.a_block
    np.fill_diagonal(beaten, 0)
    return beaten


def _rating(beaten: Matrix) -> Matrix:
    import choix  # half a second to import, for the table alone

    return np.asarray(choix.ilsr_pairwise_dense(beaten, max_iter=10_000)) * ELO


def write_table(rows: Sequence[Row], path: Path) -> None:
    """Writes the table as CSV, a line for each strategy; raises `Refused` where it cannot."""
    try:
        with path.open("w", encoding="utf-8", newline="") as file:
            out = csv.writer(file)
            out.writerow(Row._fields)
            out.writerows(rows)
    except OSError as fault:
        raise Refused(f"{path} cannot be written: {fault.strerror}") from None
