"""A card's line in a search: as many measures as were asked for, and the aims by which cards are compared."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from botq.fares import Fare
from botq.lab.expectations import spread
from botq.lab.study import HouseRules, Study, shares_alone
from botq.rules import Refused
from botq.words import listed

Line = dict[str, Any]

SHARES, MARGIN, ALL = DEPTHS = ("shares", "margin", "all")  # how much is measured, each with what stands before it


class Aim(NamedTuple):
    """A wish about cards: a column, whether more of it is wished, and how deep one must measure to have it."""

    column: str
    more: bool
    needs: str
    wish: str


AIMS = {
    "fair": Aim("spread", False, SHARES, "perfect play is worth the same in every opening place"),
    "level": Aim("unevenness", False, MARGIN, "few points of compensation would make perfect play a tie"),
    "even": Aim("medium.spread", False, ALL, "medium players win as often from every place"),
    "deep": Aim("depth.greedy.share", True, ALL, "looking ahead beats grabbing points"),
    "choice": Aim("medium.matters", True, ALL, "it matters which jump one takes"),
    "varied": Aim("medium.hand_entropy", True, ALL, "heats end with many different hands"),
    "used": Aim("medium.rarest_set", True, ALL, "every set of the card is gone for"),
    "open": Aim("medium.decided_before_end", False, ALL, "the win stays open to the last jumps"),
    "swinging": Aim("medium.lead_changes", True, ALL, "the lead changes often"),
    "thrifty": Aim("medium.wasted_tickets", False, ALL, "few tickets are left over"),
}
PLAYED = ("shares", "lengths", "final_hands", "sets", "rare_sets", "look_ahead", "jump_use")  # told otherwise below


def line(fare: Fare, seats: int, rules: HouseRules, depth: str = ALL) -> Line:
    """The measures of a card with these house rules, flat: names are those of docs/lab.md joined by dots."""
    told: Line = {
        "fare": fare.spelling,
        "stamp": rules.stamp,
        "compensation": ",".join(map(str, rules.start or (0,) * seats)),
    }
    if depth == SHARES:
        shares = shares_alone(fare, seats, rules)
        return told | {f"share.{n}": share for n, share in enumerate(shares, 1)} | {"spread": spread(shares)}
    study = Study(fare, seats, rules)
    fairness = study.fairness()
    told |= {f"share.{n}": share for n, share in enumerate(fairness["perfect"], 1)}
    evened = fairness["compensation"]
    told |= {
        "spread": fairness["spread"],
        "reversed.spread": fairness["reversed"]["spread"],
        "evened.by": ",".join(map(str, evened["points"])),
        "evened.spread": evened["spread"],
        "unevenness": max(evened["points"]),
    }
    if seats == 2:
        told["margin"] = fairness["margin"]
    return told if depth == MARGIN else told | _played(study)


def _played(study: Study) -> Line:
    told: Line = {}
    perfect = study.plan("perfect")
    for opponent, beaten in study.depth(perfect).items():
        told[f"depth.{opponent}.share"] = beaten["share"]
    for name, play in study.plays(perfect).items():
        told |= {f"{name}.{key}": value for key, value in play.items() if key not in PLAYED}
        told |= {f"{name}.share.{n}": share for n, share in enumerate(play["shares"], 1)}
        told |= {f"{name}.jump_use.{jump}": use for jump, use in play["jump_use"].items()}
        told[f"{name}.rarest_set"] = min(use["pawns"] for use in play["sets"].values())
        if study.seats == 2:
            told[f"{name}.look_ahead"] = (play["look_ahead"] or {}).get("mean")
    return told


def aims(names: Iterable[str]) -> dict[str, Aim]:
    """The aims of these names; raises `Refused` for one there is not."""
    told = list(names)
    for name in told:
        if name not in AIMS:
            raise Refused(f"there is no aim {name!r}: name {listed(AIMS, 'or')}")
    return {name: AIMS[name] for name in dict.fromkeys(told)}


def needed(chosen: Iterable[Aim]) -> str:
    """How deep one must measure for these aims."""
    return max((aim.needs for aim in chosen), key=DEPTHS.index, default=SHARES)


def front(lines: Sequence[Line], chosen: Iterable[Aim]) -> list[Line]:
    """The Pareto front: the lines than which no other is better in one of the aims and as good in all.

    >>> [one["spread"] for one in front([{"spread": 1.0}, {"spread": 0.0}], [AIMS["fair"]])]
    [0.0]
    """
    if not lines:
        return []
    wanted = np.array([[_wanted(one, aim) for aim in chosen] for one in lines])
    order = np.lexsort(wanted.T[::-1])[::-1]  # a line is never behind one that stands after it in this order
    kept: list[int] = []
    for n in order:
        better = wanted[kept]
        if not ((better >= wanted[n]).all(axis=1) & (better > wanted[n]).any(axis=1)).any():
            kept.append(int(n))
    return [lines[n] for n in sorted(kept)]


def as_good_as(model: Line, lines: Sequence[Line], chosen: Iterable[Aim], leeway: float = 0.05) -> list[Line]:
    """The lines with a smaller spread than the model's, and in no aim worse by more than a twentieth."""
    told = [aim for aim in chosen if aim.column != "spread"]

    def good(one: Line) -> bool:
        return one["spread"] < model["spread"] - 1e-9 and all(
            _wanted(one, aim) >= (wanted := _wanted(model, aim)) - leeway * abs(wanted) - 1e-9 for aim in told
        )

    return sorted(filter(good, lines), key=lambda one: (one["spread"], [-_wanted(one, aim) for aim in told]))


def _wanted(one: Line, aim: Aim) -> float:
    """Round, so that dust in the last digit doesn't make one card better than another."""
    value = round(float(one[aim.column]), 9)
    return value if aim.more else -value
