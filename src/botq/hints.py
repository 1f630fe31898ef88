"""What each jump is worth to the player whose turn it is, and why, in sentences for everybody."""

from collections.abc import Callable, Collection
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from botq.fares import Fare
from botq.heat import Choice, Heat
from botq.oracle import EQUAL, worth
from botq.review import SIGNS, labelled
from botq.rules import FINISH, HANDS, LETTERS, STAMPED, Queue, Tickets, legal_jumps, play
from botq.words import listed

if TYPE_CHECKING:
    from botq.solver import Worth


class Hint(NamedTuple):
    """One jump weighed for the player whose turn it is."""

    length: int
    label: str  # as in a review; "" where all jumps are worth the same, or none could be weighed
    share: float | None  # of the win; None where the position cannot be solved
    margin: int | None  # points ahead at the end, two seats only
    why: tuple[str, ...]  # sentences about ticket, stamp and queue
    most: int | None = None  # the points a lone player can still end with, one seat only

    @property
    def sign(self) -> str:
        return SIGNS.get(self.label, "=") if self.share is not None else ""

    @property
    def worth(self) -> str:
        """The share, or a lone player's points, in a word or two.

        >>> [Hint(1, "best", share, None, ()).worth for share in (1.0, 0.771, 0.0)]
        ['wins', '77 in 100', 'loses']
        """
        if self.share is None:
            return ""
        if self.most is not None:
            return _points(self.most)
        ends = {1.0: "wins", 0.0: "loses"} | ({0.5: "shares"} if self.margin is not None else {})
        word = next((word for share, word in ends.items() if abs(share - self.share) < EQUAL), None)
        return word or f"{min(max(round(100 * self.share), 1), 99)} in 100"


def hints(heat: Heat, named: Callable[[str], str] = str) -> tuple[Hint, ...]:
    """A hint for each jump that fits, shortest first; `named` writes a name the way its reader needs it."""
    if len(heat.players) == 1:
        return _alone(heat, named)
    told = worth(heat)
    margins = worth(heat, "margin") if told and len(heat.players) == 2 else None
    return tuple(_hint(heat, choice, told, margins, named) for choice in heat.choices if choice.jump)


def _alone(heat: Heat, named: Callable[[str], str]) -> tuple[Hint, ...]:
    """Hints for a lone player, who wins anyway: by the points that can still be had."""
    plain = [_hint(heat, choice, None, None, named) for choice in heat.choices if choice.jump]
    most = [_most(heat.fare, play(heat.queue, hint.length)) for hint in plain]
    return tuple(
        hint._replace(label=_label(points, most, max(*most, 1)), share=1.0, most=points)
        for hint, points in zip(plain, most, strict=True)
    )


@lru_cache(maxsize=4096)
def _most(fare: Fare, queue: Queue) -> int:
    """The most points a lone pawn can end with."""
    (pawn,) = queue
    jumps = legal_jumps(queue)
    return max((_most(fare, play(queue, jump)) for jump in jumps), default=fare.pays(pawn.tickets).points + pawn.stamps)


def advice(weighed: tuple[Hint, ...]) -> str:
    """The hints in one sentence or two.

    >>> print(advice(hints(Heat.of("standard", ["Jo", "Kit"]))))
    Jump 1 is best: it wins if you go on playing well.
    """
    if not weighed or weighed[0].share is None:
        return "This is too far from the end to be worked out, so here is only what each jump does."
    best = [hint for hint in weighed if hint.label in ("best", "")]
    jumps, means = listed(hint.length for hint in best), _means(best[0])
    if len(weighed) == 1:
        return f"Only jump {jumps} fits: it {means}."
    if len(best) == 1:
        return f"Jump {jumps} is best: it {means}."
    said = (
        f"{'All jumps are worth the same' if len(best) == len(weighed) else f'Jumps {jumps} are best'}: each {means}."
    )
    return f"{said}{_by_points(best)}"


def _means(hint: Hint) -> str:
    """What follows a jump."""
    if hint.most is not None:
        return f"can bring you to {_points(hint.most)}"
    sentences = {
        "wins": "wins if you go on playing well",
        "loses": "loses if everybody plays well",
        "shares": "shares the win if everybody plays well",
    }
    wins, _, _ = hint.worth.partition(" ")
    return sentences.get(hint.worth, f"is worth {wins} wins in 100 heats if everybody plays well")


def _by_points(best: list[Hint]) -> str:
    """Which of some jumps with the same share ends on most points, where that tells them apart."""
    margins = {hint.length: hint.margin for hint in best if hint.margin is not None}
    most = [length for length, margin in margins.items() if margin == max(margins.values())]
    if not margins or len(most) == len(best):
        return ""
    jumps = f"Jump {most[0]} leaves" if len(most) == 1 else f"Jumps {listed(most)} leave"
    return f" {jumps} you {_ahead(max(margins.values()))}, which is as good as it gets."


def _hint(
    heat: Heat, choice: Choice, told: "Worth | None", margins: "Worth | None", named: Callable[[str], str]
) -> Hint:
    seat = heat.queue[0].seat
    why: tuple[str, ...] = (_ticket(heat, choice), _stamp(choice), _queue(heat, choice, named))
    if not told:
        return Hint(choice.length, "", None, None, why)
    shares = {one.jump: one.values[seat] for one in told.jumps}
    share, margin = shares[choice.length], None
    if margins:
        margin = round(next(one.values[seat] for one in margins.jumps if one.jump == choice.length))
        why = (*why, f"Played well by both, you end {_ahead(margin)}.")
    return Hint(choice.length, _label(share, shares.values()), share, margin, why)


def _label(mine: float, all_jumps: Collection[float], whole: float = 1.0) -> str:
    """As in a review, by the part of the whole that a jump gives away; "" where no jump is worth more than another."""
    best = max(all_jumps)
    if len(all_jumps) > 1 and best - min(all_jumps) < EQUAL:
        return ""
    return labelled((best - mine) / whole if best - mine > EQUAL else 0.0)


def _ticket(heat: Heat, choice: Choice) -> str:
    head, letter = heat.queue[0], LETTERS[choice.length - 1]
    hand = head.tickets.plus(choice.length)
    before, after = heat.fare.pays(head.tickets), heat.fare.pays(hand)
    if gain := after.points - before.points:
        return f"The {letter} is worth {_points(gain)} at once."
    worths = {
        more: heat.fare.pays(_sum(hand, more)).points - heat.fare.pays(_sum(head.tickets, more)).points
        for more in sorted(HANDS)  # of equally good ones, the first is told
        if more.spaces <= FINISH - hand.spaces
    }
    more = max(worths, key=lambda more: (worths[more], -more.spaces))
    if not worths[more]:
        return f"The {letter} pays nothing, and no set is left to make with it."
    need = [letter if n == 1 else f"{n} {letter}" for letter, n in zip(LETTERS, more, strict=True) if n]
    return f"The {letter} pays nothing yet: with {listed(need)} it is worth {_points(worths[more])}."


def _sum(hand: Tickets, more: Tickets) -> Tickets:
    return Tickets(*(a + b for a, b in zip(hand, more, strict=True)))


def _stamp(choice: Choice) -> str:
    assert choice.jump  # noqa: S101  (only jumps that fit are weighed)
    landing = choice.jump.landing
    if landing == FINISH:
        return f"Space {FINISH} has no stamp."
    return f"The stamp on {landing} is 1 point." if choice.jump.stamp else f"The stamp on {landing} is gone already."


def _queue(heat: Heat, choice: Choice, named: Callable[[str], str]) -> str:
    assert choice.jump  # noqa: S101  (likewise)
    after = heat.jump(choice.length)
    if after.over:
        return "It ends the heat."
    name = named(choice.jump.name)
    if choice.jump.then == choice.jump.name:
        return f"{name} is still last on the track and jumps again."
    space = after.queue[0].space
    free = [landing for landing in after.open_stamps if space < landing <= space + 3 and landing in STAMPED]
    rest = f" and can get the stamp on {listed(free, 'or')}" if free else " and finds no stamp in reach"
    return f"{named(choice.jump.then or '')} is next{rest}."


def _ahead(points: int) -> str:
    return f"{_points(abs(points))} {'ahead' if points > 0 else 'behind'}" if points else "level"


def _points(points: int) -> str:
    return f"{points} point" + "s" * (points != 1)
