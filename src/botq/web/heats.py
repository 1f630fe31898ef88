"""The shared-phone game.  Nothing is stored: the link is the game, and undo is a shorter link."""

from dataclasses import replace
from functools import cached_property
from urllib.parse import urlencode

from starlette.convertors import Convertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from botq.board import marks
from botq.heat import Heat, Jump
from botq.notation import BadNotation, Match
from botq.rules import JUMPS, Refused
from botq.web.house import keeps_rooms
from botq.web.pages import page

PREFIX = "/heat/"


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
    def queue_order(self) -> list[int]:
        """The seats as they stand in the queue, while the heat is being played."""
        return [pawn.seat for pawn in self.heat.queue]

    @property
    def score_order(self) -> list[int]:
        """The seats from the highest score down; equal scores as they sat at the start."""
        scores = list(self.heat.scores.values())
        return sorted(range(len(scores)), key=lambda seat: -scores[seat])


def link(match: Match) -> str:
    """The page of this match."""
    return PREFIX + match.notation


def restart_link(match: Match) -> str:
    """The start page with these players and this fare filled in."""
    fare = {"fare": match.fare.name} if match.fare.name else {"fare": "own", "spelled": match.fare.spelling}
    return "/?" + urlencode([("name", player.name) for player in match.players] + list(fare.items()))


def read(request: Request) -> Match:
    """The match in the raw path, where an encoded comma in a name is not yet a comma; raises `Refused`."""
    raw = request.scope["raw_path"]
    try:
        path = raw.decode()
    except UnicodeError:
        raise BadNotation("the link is not UTF-8") from None
    if not path.startswith(PREFIX):
        raise HTTPException(404)
    match = Match.parse(path.removeprefix(PREFIX))
    check_playable(match)
    return match


def check_playable(match: Match) -> None:
    """Raises `Refused` where a seat is to be played by something that does not play here."""
    for player in match.players:
        if player.bot is not None:
            raise Refused(f"{player.name} is to be played by the bot {player.bot!r}, and no bot plays here yet")


async def heat(request: Request) -> Response:
    """The heat in the link; POST with `jump` answers with the link that is one jump longer."""
    match = read(request)
    if request.method == "POST":
        return RedirectResponse(link(match.jump(await _jump(request))), 303)
    return page(
        request,
        "heat.html",
        match=match,
        view=HeatView(match, len(match.heats) - 1),
        views=[HeatView(match, number) for number in range(len(match.heats))],
        link=link,
        after=lambda jump: link(match.jump(jump)),
        again=replace(match, jumps=("",)),
        restart_link=restart_link(match),
        earlier=_earlier(match),
        keeps_rooms=keeps_rooms(request),
    )


def _earlier(match: Match) -> list[tuple[Match, Jump]]:
    """The match before each jump of the heat being played, first jump first, for undoing any number of them."""
    back = [match]
    for _ in match.heat.jumps:
        back.append(back[-1].undone())
    return list(zip(reversed(back[1:]), match.heat.story, strict=True))


async def _jump(request: Request) -> int:
    async with request.form(max_files=0, max_fields=4) as form:
        typed = form.get("jump")
    for jump in JUMPS:
        if typed == str(jump):
            return jump
    raise Refused("a jump is 1, 2 or 3")


routes = (Route(PREFIX + "{notation:anything}", heat, methods=["GET", "POST"]),)
