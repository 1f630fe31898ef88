"""What is said when something cannot be: a page that links home, or JSON under /api."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from botq.rules import Refused
from botq.web.pages import page
from botq.web.safety import HEADERS

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


HANDLERS: dict[int | type[Exception], Any] = {Refused: refused, HTTPException: not_served, Exception: broken}
