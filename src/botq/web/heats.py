"""The shared-phone game.  Nothing is stored: the link is the game, and undo is a shorter link."""

from dataclasses import dataclass, replace
from functools import cached_property, partial
from urllib.parse import urlencode

from starlette.convertors import Convertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from botq.board import marks
from botq.bots import check_bots, moved_by_bot, taken_back
from botq.heat import Heat, Jump
from botq.hints import Hint, advice, hints
from botq.notation import BadNotation, Match
from botq.rules import JUMPS, Refused
from botq.web.house import keeps_rooms
from botq.web.pages import bdi, page
from botq.web.thinking import MOMENT, takes_long, thinking

PREFIX = "/heat/"
PATIENCE = 10.0  # seconds a link waits for its bot before the page says that it is thinking


class Anything(Convertor[str]):
    """The rest of a path, line breaks included: what is wrong with it is for the notation to say."""

    regex = r"[\s\S]*"

    def convert(self, value: str) -> str:
        return value

    def to_string(self, value: str) -> str:
        return value


register_url_convertor("anything", Anything())


class HeatView:
    """One heat of a match as the page shows it."""

    def __init__(self, match: Match, number: int = 0) -> None:
        """`number` is the heat's, 0 or 1."""
        self.match, self.number = match, number
        self.heat: Heat = match.heats[number]

    @cached_property
    def shapes(self) -> tuple[int, ...]:
        """Which pawn each seat has: a player keeps it when the queue is reversed."""
        seats = range(len(self.heat.players))
        return tuple(seats if self.number == 0 else reversed(seats))

    @cached_property
    def marks(self) -> tuple[str, ...]:
        """What is written on each seat's pawn."""
        return marks(self.heat.names)

    @property
    def answers(self) -> list[Jump]:
        """The jumps before the last that came since a person looked at the board: theirs, and what bots answered."""
        story, bots = self.heat.story, {player.name for player in self.heat.players if player.bot}
        since = len(story)
        while since and story[since - 1].name in bots:
            since -= 1
        return list(story[max(since - 1, 0) : -1]) if since < len(story) else []

    @property
    def queue_order(self) -> list[int]:
        """The seats as they stand in the queue, while the heat is being played."""
        return [pawn.seat for pawn in self.heat.queue]

    @property
    def score_order(self) -> list[int]:
        """The seats from the highest score down; equal scores as they sat at the start."""
        scores = list(self.heat.scores.values())
        return sorted(range(len(scores)), key=lambda seat: -scores[seat])


def link(match: Match, hint: bool = False) -> str:
    """The page of this match, with hints where they are switched on."""
    return PREFIX + match.notation + ("?hint=on" if hint else "")


def restart_link(match: Match) -> str:
    """The start page with these players and this fare filled in."""
    fare = {"fare": match.fare.name} if match.fare.name else {"fare": "own", "spelled": match.fare.spelling}
    seats = [(key, word or "") for player in match.players for key, word in zip(("name", "by"), player, strict=True)]
    return "/?" + urlencode(seats + list(fare.items()))


def read(request: Request, prefix: str = PREFIX) -> Match:
    """The match in the raw path, where an encoded comma in a name is not yet a comma; raises `Refused`."""
    raw = request.scope["raw_path"]
    try:
        path = raw.decode()
    except UnicodeError:
        raise BadNotation("the link is not UTF-8") from None
    if not path.startswith(prefix):
        raise HTTPException(404)
    return Match.parse(path.removeprefix(prefix))


@dataclass(frozen=True)
class Advice:
    """The hints on a heat page: whether they are on, and what they say once that is worked out."""

    on: bool
    hints: tuple[Hint, ...] | None = None

    @property
    def by_jump(self) -> dict[int, Hint]:
        return {hint.length: hint for hint in self.hints or ()}

    @property
    def sentence(self) -> str:
        return advice(self.hints) if self.hints else ""


async def heat(request: Request) -> Response:
    """The heat in the link; POST with `jump` answers with the link that is one jump longer.

    Where a bot is to jump, answers with the link that has its jump, or says that it is thinking.
    """
    match, hint = read(request), request.query_params.get("hint") == "on"
    check_bots(match)
    if request.method == "POST":
        return RedirectResponse(link(match.jump(await _jump(request)), hint), 303)
    thinks = match.heat.head is not None and match.heat.head.bot is not None
    if thinks:
        wait = MOMENT if "hx-request" in request.headers else PATIENCE  # a script looks again, whoever has none waits
        work = partial(moved_by_bot, match)
        if moved := await thinking(request).about(match.notation, work, wait, long=takes_long(match.heat)):
            return RedirectResponse(link(moved, hint), 303)
    told = Advice(hint)
    if hint and not thinks and not match.heat.over:
        weigh = partial(hints, match.heat, bdi)
        told = Advice(hint, await thinking(request).about(("hint", match.notation), weigh, long=takes_long(match.heat)))
    return page(
        request,
        "heat.html",
        match=match,
        view=HeatView(match, len(match.heats) - 1),
        views=[HeatView(match, number) for number in range(len(match.heats))],
        link=partial(link, hint=hint),
        hinted=partial(link, match),
        after=lambda jump: link(match.jump(jump), hint),
        again=replace(match, jumps=("",)),
        undone=taken_back(match),
        restart_link=restart_link(match),
        earlier=_earlier(match),
        keeps_rooms=keeps_rooms(request),
        thinks=thinks,
        advice=told,
    )


def _earlier(match: Match) -> list[tuple[Match | None, Jump]]:
    """The jumps of the heat being played, first jump first, each with the match before it; None before a bot's."""
    back = [match]
    for _ in match.heat.jumps:
        back.append(back[-1].undone())
    before = [one if one.heat.head and not one.heat.head.bot else None for one in reversed(back[1:])]
    return list(zip(before, match.heat.story, strict=True))


async def _jump(request: Request) -> int:
    async with request.form(max_files=0, max_fields=4) as form:
        typed = form.get("jump")
    for jump in JUMPS:
        if typed == str(jump):
            return jump
    raise Refused("a jump is 1, 2 or 3")


routes = (Route(PREFIX + "{notation:anything}", heat, methods=["GET", "POST"]),)
