"""What the live rooms of one server share: its database, its streams, its bots, and its patience."""

from typing import Any, NamedTuple

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from botq.bots import BOTS
from botq.store import Database
from botq.store.rooms import hashed
from botq.web.botmoves import BotMoves
from botq.web.live import Live
from botq.web.pace import Pace

COOKIE = "botq-"
A_MONTH = 30 * 24 * 60 * 60  # seconds


class House(NamedTuple):
    """Everything a route of the live rooms needs."""

    database: Database
    live: Live
    bots: BotMoves
    pace: Pace
    figures: dict[bool, Any]  # what /stats showed last, with and without bots

    @classmethod
    def on(cls, database: Database) -> "House":
        return cls(database, Live(database), BotMoves(database, BOTS), Pace(), {})


def keeps_rooms(request: Request) -> bool:
    """Whether this server has a database for rooms."""
    return hasattr(request.app.state, "house")


def house(request: Request) -> House:
    """The house of this server; 503 where it keeps no rooms."""
    if not keeps_rooms(request):
        raise HTTPException(503, "This server keeps no rooms: play on one shared phone.")
    found: House = request.app.state.house
    return found


def held(request: Request) -> set[str]:
    """The hashes of the tokens this browser holds for the room it asks for."""
    return {hashed(token) for name, token in request.cookies.items() if name.startswith(COOKIE)}


def give(response: Response, request: Request, code: str, seat: int | None, token: str) -> None:
    """Hands a seat's token, or the host's where `seat` is None, to this browser, for this room alone."""
    response.set_cookie(_cookie(seat), token, max_age=A_MONTH, **_bounds(request, code))


def take(response: Response, request: Request, code: str, seat: int) -> None:
    """Has this browser forget the token of a seat."""
    response.delete_cookie(_cookie(seat), **_bounds(request, code))


def _cookie(seat: int | None) -> str:
    return COOKIE + ("host" if seat is None else f"seat-{seat}")


def _bounds(request: Request, code: str) -> dict[str, Any]:
    return {"path": f"/room/{code}", "secure": request.url.scheme == "https", "httponly": True, "samesite": "lax"}
