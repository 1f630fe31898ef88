"""Puts the rooms of the web app together."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

from fastapi import FastAPI
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route

from botq.store import Database
from botq.web import api, devices, heats, lab, printing, refusals, reviews, rooms, rulebook, start, stats
from botq.web.house import House
from botq.web.pages import STATIC, StaticFiles
from botq.web.safety import OwnFormsOnly, SafetyHeaders, SmallBodies
from botq.web.thinking import Thinking

PAGES = (
    *start.routes,
    *heats.routes,
    *reviews.routes,
    *rooms.routes,
    *devices.routes,
    *rulebook.routes,
    *printing.routes,
    *stats.routes,
    *lab.routes,
)


def create_app(database: str | None = None) -> FastAPI:
    """The ASGI app; with the address of a database it keeps live rooms, else it stores nothing.

    Any number of it may run side by side over one PostgreSQL.  Raises `Refused` for a wrong address.
    """
    store = None if database is None else Database(database)
    app = FastAPI(
        title="Back of the Queue",
        description="Where a match stands, and what a hand is worth.",
        version="1",
        openapi_url="/api/v1/openapi.json",
        docs_url=None,  # both call a CDN
        redoc_url=None,
        redirect_slashes=False,
        routes=[*PAGES, Route("/healthz", healthz), Mount("/static", StaticFiles(directory=STATIC), name="static")],
        middleware=[
            Middleware(SafetyHeaders),
            Middleware(GZipMiddleware, minimum_size=500),
            Middleware(SmallBodies),
            Middleware(OwnFormsOnly),
        ],
        lifespan=partial(_open_house, store),
        exception_handlers=refusals.HANDLERS,
    )
    app.include_router(api.router)
    return app


@asynccontextmanager
async def _open_house(store: Database | None, app: FastAPI) -> AsyncIterator[None]:
    """Holds open, as long as the server runs, what its pages need: the thinking, and the rooms of a store."""
    app.state.thinking = Thinking()
    app.state.thinking.warm_up()
    try:
        if store is None:
            yield
            return
        async with store:
            app.state.house = House.on(store)
            yield
            await app.state.house.bots.close()
    finally:
        app.state.thinking.close()


async def healthz(request: Request) -> Response:
    """Answers as long as the server runs."""
    return JSONResponse({"status": "ok"})
