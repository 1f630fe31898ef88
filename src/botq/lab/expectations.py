"""What a heat looks like, put into the names of docs/lab.md from the sums that were counted."""

from collections.abc import Mapping, Sequence
from math import log2
from typing import TYPE_CHECKING, Any

import numpy as np

from botq.fares import Receipt
from botq.kernel import FINAL_HANDS, Floats
from botq.lab import counts
from botq.rules import JUMPS, LETTERS, Tickets

if TYPE_CHECKING:
    from botq.lab.study import Study

RARE = 0.01  # a set that fewer pawns claim is not worth going for


def told(study: "Study", shares: list[float], sums: Floats, lengths: Mapping[int, float]) -> dict[str, Any]:
    """A heat's expectations from the sums of `counts.tally`."""
    seats, turns = study.seats, float(sums[counts.TURNS])
    jumped = sums[counts.JUMPED : counts.JUMPED + 3]
    ended = sums[counts.ENDED :] / seats
    receipts = [study.fare.pays(hand) for hand in FINAL_HANDS]
    points = seats * sum(p * receipt.points for p, receipt in zip(ended, receipts, strict=True))
    stamps = float(sums[counts.STAMPS]) * study.rules.stamp
    matters = float(sums[counts.MATTERS])
    sets = {one.letters: _use(one.letters, receipts, ended) for one in study.fare.sets}
    return {
        "shares": shares,
        "spread": spread(shares),
        "jumps": float(jumped.sum()),
        "lengths": {str(n): chance for n, chance in lengths.items()},
        "minutes": float(jumped.sum()) * study.seconds / 60,
        "jump_use": {str(jump): float(n / jumped.sum()) for jump, n in zip(JUMPS, jumped, strict=True)},
        "jump_entropy": _entropy(jumped / jumped.sum()),
        "final_hands": {_letters(h): float(p) for h, p in zip(FINAL_HANDS, ended, strict=True)},
        "hand_entropy": _entropy(ended),
        "sets": sets,
        "rare_sets": [letters for letters, use in sets.items() if use["pawns"] < RARE],
        "ticket_points": float(points) / seats,
        "stamp_points": stamps / seats,
        "stamp_part": stamps / (points + stamps) if points + stamps else 0.0,
        "wasted_tickets": float(sum(p * sum(r.leftover) for p, r in zip(ended, receipts, strict=True))),
        "decided_before_end": float(sums[counts.DECIDED]),
        "lead_changes": float(sums[counts.TAKES_LEAD]),
        "shared_wins": float(sums[counts.SHARED]),
        "choices": turns,
        "matters": matters / turns,
        "one_best": float(sums[counts.ONE_BEST]) / matters if matters else None,
        "stakes": float(sums[counts.SPREAD]) / turns,
        "look_ahead": _look_ahead(sums[counts.NEEDED : counts.ENDED], matters) if seats == 2 else None,
    }


def _use(letters: str, receipts: Sequence[Receipt], ended: Floats) -> dict[str, float]:
    """How often a pawn claims this set, and how many pawns do, by the receipts of the final hands."""
    times = [sum(claim.times for claim in receipt.claims if claim.letters == letters) for receipt in receipts]
    return {
        "claims": float(np.dot(ended, times)),
        "pawns": float(sum(p for p, n in zip(ended, times, strict=True) if n)),
    }


def over_both_heats(shares: list[float]) -> dict[str, Any]:
    """What a player who stands at each place gets over two heats, the second with the queue reversed."""
    mean = [(here + there) / 2 for here, there in zip(shares, reversed(shares), strict=True)]
    return {"shares": mean, "spread": spread(mean)}


def _look_ahead(needed: Floats, matters: float) -> dict[str, Any] | None:
    """Of the turns that matter, how many need a look of so many jumps ahead."""
    if not matters:
        return None
    part = needed / matters
    seen = {str(n): float(x) for n, x in enumerate(part) if x > 0}
    return {"mean": float(np.dot(part, np.arange(len(part)))), "jumps": seen}


def spread(values: list[float]) -> float:
    """How far the best value is above the worst."""
    return max(values) - min(values)


def _entropy(chances: Floats) -> float:
    """In bits: 0 where one thing always happens."""
    return sum(float(-p * log2(p)) for p in chances if p > 0)


def _letters(hand: Tickets) -> str:
    return "".join(letter * n for letter, n in zip(LETTERS, hand, strict=True))
