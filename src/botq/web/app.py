"""Puts the rooms of the web app together."""

from fastapi import FastAPI
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route

from botq.web import api, heats, refusals, rulebook, start
from botq.web.pages import STATIC, StaticFiles
from botq.web.safety import SafetyHeaders, SmallBodies

PAGES = (*start.routes, *heats.routes, *rulebook.routes)


def create_app() -> FastAPI:
    """The ASGI app; it stores nothing, so any number of it may run side by side."""
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
        ],
        exception_handlers=refusals.HANDLERS,
    )
    app.include_router(api.router)
    return app


async def healthz(request: Request) -> Response:
    """Answers as long as the server runs."""
    return JSONResponse({"status": "ok"})
