"""The fare-card lab: what a card does to the game, and two cards side by side."""

import asyncio
from typing import Any
from urllib.parse import urlencode

from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from botq.fares import Fare
from botq.rules import Refused
from botq.web.pages import page
from botq.web.thinking import thinking

SEATS = (2, 3)  # four seats take minutes: they are left to the command line
PATIENCE = 3  # seconds a page waits before it says that the lab is at work


def _report(fare: Fare, seats: int) -> dict[str, Any]:
    from botq.lab import report  # with the compiled loops, which other pages start without

    return report(fare, seats)


def _asked(request: Request) -> tuple[list[Fare], int]:
    """The cards and the number of seats in the link; raises `Refused`."""
    query = request.query_params
    fares = [Fare.parse(text.strip()) for text in (query.get("fare", ""), query.get("with", "")) if text.strip()]
    if (seats := query.get("seats", "2")) not in map(str, SEATS):
        raise Refused(f"the lab shows a card with {' or '.join(map(str, SEATS))} seats, not {seats[:9]!r}")
    return fares, int(seats)


async def _done(request: Request, fare: Fare, seats: int, patience: float = PATIENCE) -> dict[str, Any] | None:
    """The report on this card, or None where it is still being made."""
    return await thinking(request).about(("lab", fare, seats), lambda: _report(fare, seats), patience, long=True)


async def lab(request: Request) -> Response:
    """The form, and what it asked for; while the lab is at work, a page that looks again by itself."""
    query = request.query_params
    typed = {"fare": query.get("fare", "")[:200], "with": query.get("with", "")[:200], "seats": query.get("seats", "2")}
    try:
        fares, seats = _asked(request)
    except Refused as refusal:
        return page(request, "lab.html", 400, typed=typed, wrong=str(refusal), cards=[], waiting=False)
    told = [await _done(request, fare, seats) for fare in dict.fromkeys(fares)]
    waiting = None in told
    cards = (
        []
        if waiting
        else [_shown(fare, seats, one) for fare, one in zip(dict.fromkeys(fares), told, strict=True) if one]
    )
    return page(request, "lab.html", typed=typed, wrong="", cards=cards, waiting=waiting)


def _shown(fare: Fare, seats: int, told: dict[str, Any]) -> dict[str, Any]:
    from botq.lab.pictures import pictures_of, said
    from botq.lab.report import tables

    fairness, measures = tables(told)
    return {
        "fare": fare,
        "fairness": Markup(fairness),  # noqa: S704  (both are a template's, which escapes)
        "measures": Markup(measures),  # noqa: S704  (likewise)
        "pictures": [
            {
                "link": "/lab/picture?" + urlencode({"fare": str(fare), "seats": seats, "picture": name}),
                "title": title,
                "said": said(told, name),
            }
            for name, title in pictures_of(told).items()
        ],
        "play": "/?" + urlencode({"fare": fare.name} if fare.name else {"fare": "own", "spelled": fare.spelling}),
        "print": "/print?" + urlencode({"fare": str(fare)}),
    }


async def picture(request: Request) -> Response:
    """One picture of a report, an SVG."""
    from botq.lab.pictures import draw, pictures_of

    fares, seats = _asked(request)
    if len(fares) != 1:
        raise Refused("a picture is of one fare card")
    told = await _done(request, fares[0], seats, 60)
    if told is None:
        raise HTTPException(503, "The lab has its hands full. Try again in a minute.", {"Retry-After": "60"})
    name = request.query_params.get("picture", "")
    if name not in pictures_of(told):
        raise HTTPException(404)
    drawn = await asyncio.to_thread(draw, told, name)
    return Response(drawn, media_type="image/svg+xml", headers={"Cache-Control": "public, max-age=3600"})


routes = (Route("/lab", lab), Route("/lab/picture", picture))
