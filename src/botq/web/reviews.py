"""The page that looks back on a match, its pictures, and the way from any jump back into the game."""

from dataclasses import replace
from functools import partial

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from botq.notation import Match
from botq.review import BLUNDER, LABELS, SIGNS, SLIP, Review, review
from botq.web.chart import chart
from botq.web.heats import HeatView, link, read
from botq.web.pages import page
from botq.web.thinking import takes_long, thinking

PREFIX, PICTURES = "/review/", "/shares/"
PATIENCE = 2.0  # seconds this page waits before it says that it is thinking
PICTURE_PATIENCE = 30.0  # seconds for a picture, which nobody has to look at meanwhile
A_DAY = "private, max-age=86400"


async def reviewed(request: Request) -> Response:
    """The review of the match in the link, or word that it is being worked out."""
    match = read(request, PREFIX)
    work = partial(review, match)
    found: Review | None = await thinking(request).about(
        ("review", match.notation), work, PATIENCE, long=takes_long(match.heat)
    )
    return page(
        request,
        "review.html",
        match=match,
        views=[HeatView(match, number) for number in range(len(match.heats))],
        review=found,
        link=link,
        picture=lambda number, look: f"{PICTURES}{look}/{number}/{match.notation}",
        played_on=partial(_before, match),
        labels=LABELS,
        signs=SIGNS,
        slip=SLIP,
        blunder=BLUNDER,
    )


async def picture(request: Request) -> Response:
    """The shares of one heat as an SVG file; `look` is light or dark."""
    number, look = int(request.path_params["number"]), request.path_params["look"]
    match = read(request, f"{PICTURES}{look}/{number}/")
    if number >= len(match.heats) or look not in ("light", "dark"):
        raise HTTPException(404)

    def draw() -> bytes:
        return chart(review(match).heats[number], HeatView(match, number).shapes, dark=look == "dark")

    drawn = await thinking(request).about(
        ("shares", look, number, match.notation), draw, PICTURE_PATIENCE, long=takes_long(match.heat)
    )
    if drawn is None:
        raise HTTPException(503, "The picture is still being worked out.", {"Retry-After": "5"})
    return Response(drawn, media_type="image/svg+xml", headers={"Cache-Control": A_DAY})


def _before(match: Match, number: int, ply: int) -> Match:
    """The match as it stood before this jump of this heat."""
    jumps = match.jumps[: number + 1]
    return replace(match, jumps=(*jumps[:-1], jumps[-1][: ply - 1]))


routes = (
    Route(PREFIX + "{notation:anything}", reviewed),
    Route(PICTURES + "{look:str}/{number:int}/{notation:anything}", picture),
)
