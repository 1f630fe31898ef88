"""A match looked back on, jump by jump, against exact values: where it was won and what it cost."""

from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, takewhile
from typing import TYPE_CHECKING, Any

from botq.heat import Heat, Jump
from botq.notation import Match
from botq.oracle import EQUAL, worth

if TYPE_CHECKING:
    from botq.solver import Worth

# What a jump is called by the part of the win its mover gave away with it: nothing, less than
# `SLIP`, less than `BLUNDER`, or that and more.
SLIP, BLUNDER = 0.05, 0.25
LABELS = ("best", "fine", "slip", "blunder")
SIGNS = {"best": "★", "fine": "✓", "slip": "▽", "blunder": "✕"}  # tell them apart without colours


def labelled(loss: float) -> str:
    """The label of a jump that gave away this part of the win.

    >>> [labelled(loss) for loss in (0, 0.01, 0.05, 0.25, 1)]
    ['best', 'fine', 'slip', 'blunder', 'blunder']
    """
    return LABELS[(loss > 0) + (loss >= SLIP) + (loss >= BLUNDER)]


@dataclass(frozen=True)
class Verdict:
    """What a jump cost: the mover's share of the win before and after it, and the jumps none was better than."""

    share_before: float
    share_after: float
    best: tuple[int, ...]

    @property
    def loss(self) -> float:
        """The part of the win given away; exactly 0 where no jump was better."""
        loss = self.share_before - self.share_after
        return loss if loss > EQUAL else 0.0

    @property
    def label(self) -> str:
        return labelled(self.loss)


@dataclass(frozen=True)
class ReviewedJump:
    """A jump as it happened, with its verdict; None where its position is too far from the end to be solved."""

    jump: Jump
    verdict: Verdict | None

    def as_json(self) -> dict[str, Any]:
        told = self.verdict
        return {
            "ply": self.jump.number,
            "name": self.jump.name,
            "jump": self.jump.length,
            "share_before": told and told.share_before,
            "share_after": told and told.share_after,
            "loss": told and told.loss,
            "best": told and list(told.best),
            "label": told and told.label,
        }


@dataclass(frozen=True)
class ReviewedHeat:
    """A heat, over or under way, with what every position of it was worth.

    `worths` has one for the opening and one for the position after each jump, None where unsolved.
    """

    heat: Heat
    worths: "tuple[Worth | None, ...]"

    @cached_property
    def shares(self) -> tuple[tuple[float, ...] | None, ...]:
        """By seat, the shares of the win at the opening and after each jump."""
        return tuple(one.values if one else None for one in self.worths)

    @cached_property
    def jumps(self) -> tuple[ReviewedJump, ...]:
        return tuple(
            ReviewedJump(jump, _verdict(jump, before) if before else None)
            for jump, before in zip(self.heat.story, self.worths, strict=False)
        )

    @property
    def solved(self) -> bool:
        """Whether every position of it is solved."""
        return None not in self.worths

    @property
    def turning_point(self) -> ReviewedJump | None:
        """The jump that moved most of the win to where it ended, None if none moved 5 % or the heat is not over.

        It may be somebody's mistake or, with three and more, a choice that cost its mover nothing.
        """
        swings = {one: self.swing(one) for one in self.jumps} if self.heat.over else {}
        turn = max(swings, key=lambda one: swings[one], default=None)
        return turn if turn and swings[turn] >= SLIP else None

    def swing(self, one: ReviewedJump) -> float:
        """The part of the win that a jump moved to those who had it in the end; 0 where it is not known.

        With one winner that is what it added to the winner's share; a shared win can also be
        turned by who loses the rest of it.
        """
        before, after, final = *self.shares[one.jump.number - 1 : one.jump.number + 1], self.shares[-1]
        return _apart(before, final) - _apart(after, final) if before and after and final else 0.0

    def as_json(self) -> dict[str, Any]:
        turn = self.turning_point
        return {
            "jumps": [one.as_json() for one in self.jumps],
            "names": list(self.heat.names),
            "shares": [shares and list(shares) for shares in self.shares],
            "turning_point": turn and turn.jump.number,
        }


@dataclass(frozen=True)
class Review:
    """A match with its heats reviewed."""

    match: Match
    heats: tuple[ReviewedHeat, ...]

    def as_json(self) -> dict[str, Any]:
        """The review in the shape that `botq review --json` prints."""
        return {"notation": self.match.notation, "heats": [heat.as_json() for heat in self.heats]}


def review(match: Match) -> Review:
    """Every jump of a match against exact values, as far back as they can be had in a few seconds."""
    return Review(match, tuple(map(_reviewed, match.heats)))


def _reviewed(heat: Heat) -> ReviewedHeat:
    stages = list(accumulate(map(int, heat.jumps), Heat.jump, initial=Heat(heat.fare, heat.players)))
    known = list(takewhile(lambda one: one is not None, map(worth, reversed(stages))))  # later ones are nearer the end
    return ReviewedHeat(heat, (*[None] * (len(stages) - len(known)), *reversed(known)))


def _apart(shares: tuple[float, ...], final: tuple[float, ...]) -> float:
    """The part of the win that still has to move for these shares to become the final ones."""
    return sum(max(0.0, ended - share) for share, ended in zip(shares, final, strict=True))


def _verdict(jump: Jump, before: "Worth") -> Verdict:
    assert before.turn is not None  # noqa: S101  (it had a jump after it)
    after = next(told.values for told in before.jumps if told.jump == jump.length)
    best = max(told.values[before.turn] for told in before.jumps)
    return Verdict(best, after[before.turn], before.best)
