"""The start page: who plays, in which order, on which fare card."""

from itertools import chain, repeat
from typing import NamedTuple, Self

from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from botq.bots import BOTS, NEVER_SOLVED, check_bots
from botq.fares import FARES, BadFare, Fare
from botq.heat import LONGEST_NAME, Player, draw_lots
from botq.notation import Match
from botq.rules import MAX_SEATS, Refused
from botq.web.heats import link
from botq.web.house import keeps_rooms
from botq.web.keys import new_key
from botq.web.pages import page

NAMES = ("Jo", "Kit", "Ada", "Sam", "Lee", "Max")  # to begin with, and for whoever joins
SEATS = 2
OWN = "own"  # the fare that is spelled out


class Filled(NamedTuple):
    """What is filled in on the start page; players front of the queue first."""

    players: tuple[Player, ...]
    fare: str = "standard"
    spelled: str = ""

    @classmethod
    def read(cls, query: QueryParams) -> Self:
        names = [name.strip() for name in query.getlist("name")[: MAX_SEATS + 1]]  # one too many is told so
        by = chain(query.getlist("by"), repeat(""))  # who was not told is a person
        players = tuple(Player(name, bot or None) for name, bot in zip(names or NAMES[:SEATS], by, strict=False))
        return cls(players, query.get("fare", "standard"), query.get("spelled", "").strip())

    def match(self) -> Match:
        """The unplayed match it asks for; raises `Refused`."""
        if self.fare == OWN and not self.spelled:
            raise BadFare("your own fare card is not spelled out yet: write its sets, such as ABC5-AA1")
        card = Fare.parse(self.spelled if self.fare == OWN else self.fare)
        match = Match(card, self.players)
        check_bots(match)
        return match

    def changed(self, how: str) -> Self:
        """After one of the buttons beside the names: `lots`, `add`, `remove-SEAT` or `forward-SEAT`."""
        what, _, seat = how.partition("-")
        at = int(seat) if seat.isdecimal() and len(seat) == 1 else 0
        players = list(self.players)
        if what == "lots":
            players = list(draw_lots(players))
        elif what == "add" and len(players) < MAX_SEATS:
            names = [player.name for player in players]
            players.append(Player(next(n for n in (*NAMES, f"Player {len(names) + 1}") if n not in names)))
        elif what == "remove" and len(players) > 1 and at < len(players):
            del players[at]
        elif what == "forward" and 0 < at < len(players):
            players.insert(at - 1, players.pop(at))
        return self._replace(players=tuple(players))


async def start(request: Request) -> Response:
    """The form; `do` says which of its buttons was pressed."""
    filled, do = Filled.read(request.query_params), request.query_params.get("do", "")
    wrong = ""
    if do == "start":
        try:
            return RedirectResponse(link(filled.match()), 303)
        except Refused as refusal:
            wrong = str(refusal)
    return page(
        request,
        "start.html",
        400 if wrong else 200,
        filled=filled.changed(do),
        wrong=wrong,
        lots=do == "lots",
        longest_name=LONGEST_NAME,
        most_seats=MAX_SEATS,
        own=OWN,
        fares=FARES,
        key=new_key() if keeps_rooms(request) else "",
        bots=BOTS,
        never_solved=NEVER_SOLVED,
    )


routes = (Route("/", start),)
