"""The start page: who plays, in which order, on which fare card."""

from typing import NamedTuple, Self

from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from botq.fares import FARES, BadFare, Fare
from botq.heat import LONGEST_NAME, Player, draw_lots
from botq.notation import Match
from botq.rules import MAX_SEATS, Refused
from botq.web.heats import check_playable, link
from botq.web.house import keeps_rooms, new_key
from botq.web.pages import page

NAMES = ("Jo", "Kit", "Ada", "Sam", "Lee", "Max")  # to begin with, and for whoever joins
SEATS = 2
OWN = "own"  # the fare that is spelled out


class Filled(NamedTuple):
    """What is filled in on the start page; names front of the queue first."""

    names: tuple[str, ...]
    fare: str = "standard"
    spelled: str = ""

    @classmethod
    def read(cls, query: QueryParams) -> Self:
        names = tuple(name.strip() for name in query.getlist("name")[: MAX_SEATS + 1])  # one too many is told so
        return cls(names or NAMES[:SEATS], query.get("fare", "standard"), query.get("spelled", "").strip())

    def match(self) -> Match:
        """The unplayed match it asks for; raises `Refused`."""
        if self.fare == OWN and not self.spelled:
            raise BadFare("your own fare card is not spelled out yet: write its sets, such as ABC5-AA1")
        card = Fare.parse(self.spelled if self.fare == OWN else self.fare)
        match = Match(card, tuple(map(Player, self.names)))
        check_playable(match)
        return match

    def changed(self, how: str) -> Self:
        """After one of the buttons beside the names: `lots`, `add`, `remove-SEAT` or `forward-SEAT`."""
        what, _, seat = how.partition("-")
        at = int(seat) if seat.isdecimal() and len(seat) == 1 else 0
        names = list(self.names)
        if what == "lots":
            names = list(draw_lots(names))
        elif what == "add" and len(names) < MAX_SEATS:
            names.append(next(name for name in (*NAMES, f"Player {len(names) + 1}") if name not in names))
        elif what == "remove" and len(names) > 1 and at < len(names):
            del names[at]
        elif what == "forward" and 0 < at < len(names):
            names.insert(at - 1, names.pop(at))
        return self._replace(names=tuple(names))


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
    )


routes = (Route("/", start),)
