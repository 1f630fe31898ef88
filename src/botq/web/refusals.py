"""What is said when something cannot be: a page that links home, or JSON under /api."""

import logging
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from botq.changes import NotYours
from botq.rules import Refused
from botq.store import StoreDown
from botq.store.rooms import NoSuchRoom
from botq.web.pace import TooOften
from botq.web.pages import page
from botq.web.safety import HEADERS

logger = logging.getLogger(__name__)

WORDS = {
    404: "There is no page here. Perhaps the link was cut short.",
    405: "This page can be looked at, but nothing can be sent to it that way.",
}


def _answer(request: Request, status: int, sentence: str, headers: Mapping[str, str] | None = None) -> Response:
    if request.url.path.startswith("/api/"):
        return JSONResponse({"detail": sentence}, status, headers)
    response = page(request, "refusal.html", status, sentence=sentence)
    response.headers.update(headers or {})
    return response


async def refused(request: Request, refusal: Exception) -> Response:
    """400, with what is wrong in the game's words."""
    return _answer(request, 400, str(refusal))


async def no_such_room(request: Request, refusal: Exception) -> Response:
    """404, for a code that leads to no room."""
    return _answer(request, 404, str(refusal))


async def not_yours(request: Request, refusal: Exception) -> Response:
    """403, for what only the holder of a seat or the host may do."""
    return _answer(request, 403, str(refusal))


async def too_often(request: Request, refusal: Exception) -> Response:
    """429, with how long to wait."""
    assert isinstance(refusal, TooOften)  # noqa: S101  (registered for nothing else)
    return _answer(request, 429, str(refusal), {"Retry-After": str(refusal.wait)})


async def store_down(request: Request, trouble: Exception) -> Response:
    """503: nothing was acknowledged, so nothing is lost; the reason is for the log alone."""
    logger.error("the database cannot be used: %s", trouble)
    sentence = "The room cannot be reached just now. Nothing is lost: try again in a moment."
    return _answer(request, 503, sentence, {"Retry-After": "5"})


async def not_served(request: Request, error: Exception) -> Response:
    """A status of HTTP, in a sentence."""
    assert isinstance(error, HTTPException)  # noqa: S101  (registered for nothing else)
    plain = error.detail == HTTPStatus(error.status_code).phrase
    return _answer(
        request,
        error.status_code,
        WORDS.get(error.status_code, error.detail) if plain else error.detail,
        error.headers,
    )


async def broken(request: Request, error: Exception) -> Response:
    """500: our mistake; nothing was stored, so nothing is lost.  Starlette logs the error itself."""
    return _answer(
        request, 500, "Something broke on our side. Your link still holds the whole game: try it again.", HEADERS
    )


HANDLERS: dict[int | type[Exception], Any] = {
    Refused: refused,
    NoSuchRoom: no_such_room,
    NotYours: not_yours,
    TooOften: too_often,
    StoreDown: store_down,
    HTTPException: not_served,
    Exception: broken,
}
