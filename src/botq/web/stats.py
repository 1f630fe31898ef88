"""What heats really played say about balance and timing; and keeping one of the shared phone."""

import asyncio
import time
from functools import lru_cache

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from botq.fares import Fare
from botq.notation import Match
from botq.rules import Refused
from botq.store.figures import Figures, figures
from botq.store.playtests import checked_over, keep_heat, read_playtests
from botq.web.heats import link
from botq.web.house import House, house
from botq.web.keys import checked_key, new_key
from botq.web.pages import page

FRESH = 30.0  # seconds for which figures once made are shown again
MOST_SOLVED = 3  # seats up to which the printed cards are solved here; one less for others, which anybody can make up

Shown = tuple[list[tuple[Figures, list[float] | None]], int, int]


async def stats(request: Request) -> Response:
    """The figures, of heats among people alone or, with `?bots=with`, of all."""
    with_bots = request.query_params.get("bots") == "with"
    shown, counted, left_out = await _figures(house(request), with_bots)
    kept = request.query_params.get("kept") == "yes"
    return page(request, "stats.html", figures=shown, heats=counted, left_out=left_out, with_bots=with_bots, kept=kept)


async def keep(request: Request) -> Response:
    """Asks whether to keep a finished heat of the shared phone; POST keeps it, without names."""
    home = house(request)
    if request.method != "POST":
        match = Match.parse(request.query_params.get("notation", ""))
        checked_over(match, len(match.heats))
        return page(request, "keep.html", match=match, number=len(match.heats), back=link(match), key=new_key())
    await home.pace.hit("keep", request)
    async with request.form(max_files=0, max_fields=4) as form:
        notation, number, key = (str(form.get(name, "")) for name in ("notation", "heat", "key"))
    if number not in ("1", "2"):
        raise Refused("a match has heat 1 and heat 2")
    await keep_heat(home.database, Match.parse(notation), int(number), checked_key(key))
    home.figures.clear()
    return RedirectResponse("/stats?kept=yes", 303)


async def _figures(home: House, with_bots: bool) -> Shown:
    """The figures beside what perfect play expects, how many heats they count, and how many they leave out."""
    found: Shown
    made, found = home.figures.get(with_bots, (0.0, ([], 0, 0)))
    if time.monotonic() - made > FRESH or not made:
        heats = await read_playtests(home.database)
        counted = [one for one in heats if with_bots or one.among_people]
        listed = await asyncio.to_thread(lambda: [(one, _expected(one.fare, one.seats)) for one in figures(counted)])
        found = (listed, len(counted), len(heats) - len(counted))
        home.figures[with_bots] = (time.monotonic(), found)
    return found


@lru_cache(maxsize=256)
def _expected(fare: Fare, seats: int) -> list[float] | None:
    """The share of the win by place when all play perfectly, where that is known in a moment."""
    if seats > MOST_SOLVED or (seats == MOST_SOLVED and not fare.name):
        return None
    from botq.solver import solve  # here, so that the server starts without compiling loops

    return list(solve(fare, seats).values)


routes = (Route("/stats", stats), Route("/stats/keep", keep, methods=["GET", "POST"]))
