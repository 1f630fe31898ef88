"""What the live rooms of one server share: its database, its streams, its bots, and its patience."""

import base64
import hashlib
import re
import secrets
from typing import Any, NamedTuple

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from botq.bots import BOTS
from botq.rules import Refused
from botq.store import Database
from botq.store.rooms import hashed
from botq.web.botmoves import BotMoves
from botq.web.live import Live
from botq.web.pace import Pace

COOKIE = "botq-"
A_MONTH = 30 * 24 * 60 * 60  # seconds
_KEY = re.compile(r"[A-Za-z0-9_-]{22}")


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


def new_key() -> str:
    """A key for one form: 128 bits, so that pressing it twice is known to be the same wish."""
    return secrets.token_urlsafe(16)


def checked_key(key: str) -> str:
    """The key, if it can be one of ours; raises `Refused`."""
    if not _KEY.fullmatch(key):
        raise Refused("this form was not made here: load the page again")
    return key


def token_from(key: str) -> str:
    """The token of the seat that was taken with the form of this key, 128 bits.

    It follows from the key, so that a form pressed again because the answer was lost brings the
    same seat.  The key itself is kept only as a hash, so nobody can follow it from the database.
    """
    return base64.urlsafe_b64encode(hashlib.sha256(b"seat " + key.encode()).digest()[:16]).rstrip(b"=").decode()


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
