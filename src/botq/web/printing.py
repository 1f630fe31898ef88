"""The print page: what to print, a picture of each page, and the PDF."""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple, Self, TypeVar
from urllib.parse import urlencode

from anyio import CapacityLimiter, to_thread
from starlette.datastructures import QueryParams
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from botq.fares import FARES
from botq.prints import PAPERS, Pack
from botq.rules import MAX_SEATS, Refused
from botq.web.pages import page

KEPT = 16  # packs, about a megabyte each
LONGEST_CARD, LONGEST_NAMES, MOST_FARES = 120, 200, 8
A_WHILE = {"Cache-Control": "public, max-age=600"}
_SIZE = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')
_one_at_a_time = CapacityLimiter(1)  # setting pages keeps one core busy; the other goes on answering
Made = TypeVar("Made")


class Order(NamedTuple):
    """What is ticked and typed on the print page."""

    fares: tuple[str, ...]
    own: str
    paper: str
    seats: str
    names: str
    low_ink: bool
    large: bool

    @classmethod
    def read(cls, query: QueryParams) -> Self:
        ticked = tuple(dict.fromkeys(query.getlist("fare")[: MOST_FARES + 1]))
        return cls(
            ticked if "paper" in query else tuple(FARES),  # the form always tells the paper
            query.get("own", "").strip(),
            query.get("paper", "a4"),
            query.get("seats", str(MAX_SEATS)).strip(),
            query.get("names", "").strip(),
            "low_ink" in query,
            "large" in query,
        )

    @property
    def query(self) -> str:
        """The order as the query of a link."""
        fields = [("fare", fare) for fare in self.fares]
        fields += [("own", self.own), ("paper", self.paper), ("seats", self.seats), ("names", self.names)]
        fields += [(name, "1") for name, ticked in (("low_ink", self.low_ink), ("large", self.large)) if ticked]
        return urlencode([(name, value) for name, value in fields if value])

    def pack(self) -> Pack:
        """The pack it asks for; raises `Refused`."""
        cards = (*self.fares, *([self.own] if self.own else []))
        if not cards:
            raise Refused("no fare card is chosen: tick one, or spell your own")
        if len(cards) > MOST_FARES or len(self.own) > LONGEST_CARD:
            raise Refused(f"that is more than a pack from this page holds: at most {MOST_FARES} fare cards")
        if len(self.names) > LONGEST_NAMES:
            raise Refused(f"the names are longer than {LONGEST_NAMES} characters together")
        if self.seats not in map(str, range(1, MAX_SEATS + 1)):
            raise Refused(f"the number of seats is 1 to {MAX_SEATS}")
        seats, names = (None, self.names) if self.names else (int(self.seats), None)
        return Pack.ordered(cards, paper=self.paper, seats=seats, names=names, low_ink=self.low_ink, large=self.large)


class Page(NamedTuple):
    """One page of a pack: its picture as SVG, what is on it, and its size in mm."""

    picture: str
    name: str
    width: float
    height: float

    @property
    def lying(self) -> bool:
        return self.width > self.height


@lru_cache(maxsize=KEPT)
def _pages(order: Order) -> tuple[Page, ...]:
    pack = order.pack()
    return tuple(Page(svg, name, *_size(svg)) for svg, name in zip(pack.pictures(), pack.contents(), strict=True))


@lru_cache(maxsize=KEPT)
def _pdf(order: Order) -> bytes:
    return order.pack().pdf()


def _size(svg: str) -> tuple[float, float]:
    found = _SIZE.search(svg)
    assert found  # noqa: S101  (Typst begins every page with it)
    return float(found[1]) * 25.4 / 72, float(found[2]) * 25.4 / 72


async def _made(make: Callable[[Order], Made], order: Order) -> Made:
    """What is made of an order, beside the pages that are being served."""
    return await to_thread.run_sync(make, order, limiter=_one_at_a_time)


async def choose(request: Request) -> Response:
    """The form, and below it every page of the pack it asks for."""
    order = Order.read(request.query_params)
    wrong = ""
    pages: tuple[Page, ...] = ()
    try:
        pages = await _made(_pages, order)
    except Refused as refusal:
        wrong = str(refusal)
    return page(
        request,
        "print.html",
        400 if wrong else 200,
        order=order,
        pages=pages,
        wrong=wrong,
        fares=FARES,
        papers=PAPERS.values(),
        most_seats=MAX_SEATS,
    )


async def picture(request: Request) -> Response:
    """One page as it will be printed."""
    pages = await _made(_pages, Order.read(request.query_params))
    number = request.path_params["number"]
    if not 1 <= number <= len(pages):
        raise HTTPException(404, f"This pack has pages 1 to {len(pages)}.")
    return Response(pages[number - 1].picture, media_type="image/svg+xml", headers=A_WHILE)


async def pdf(request: Request) -> Response:
    """The pack to keep and to print."""
    made = await _made(_pdf, Order.read(request.query_params))
    named = {"Content-Disposition": 'attachment; filename="back-of-the-queue.pdf"'}
    return Response(made, media_type="application/pdf", headers=A_WHILE | named)


routes = (
    Route("/print", choose),
    Route("/print/{number:int}.svg", picture),
    Route("/print/back-of-the-queue.pdf", pdf),
)
