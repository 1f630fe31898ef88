"""How a page is made: the templates, what they may call, and the files they load."""

import hashlib
import os
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette import staticfiles
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.types import Scope

from botq.board import draw_heat, draw_pawn
from botq.fares import FARES
from botq.heat import Jump
from botq.rules import LETTERS
from botq.words import listed

STATIC = Path(__file__).parent / "static"
A_YEAR = "public, max-age=31536000, immutable"


def page(request: Request, template: str, status: int = 200, **context: Any) -> Response:
    """The answer that shows this template; `context` is what the template reads."""
    return HTMLResponse(_templates.get_template(template).render(path=request.url.path, **context), status)


def part(template: str, **context: Any) -> str:
    """A part of a page, as HTML."""
    return _templates.get_template(template).render(**context)


class StaticFiles(staticfiles.StaticFiles):
    """Files kept by the browser for a year where the link names their contents, as `static_link` does."""

    def file_response(
        self, full_path: staticfiles.PathLike, stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        response = super().file_response(full_path, stat_result, scope, status_code)
        if b"v=" in scope["query_string"]:
            response.headers["Cache-Control"] = A_YEAR
        return response


@cache
def static_link(name: str) -> str:
    """The link to one of our files, which changes when its contents do."""
    return f"/static/{name}?v={hashlib.sha256((STATIC / name).read_bytes()).hexdigest()[:12]}"


def bdi(name: str) -> Markup:
    """A name kept from turning the words around it, whichever way it is written."""
    return Markup("<bdi>{}</bdi>").format(name)


def told(jump: Jump) -> Markup:
    """A jump announced, its names kept from turning the sentence around."""
    named = jump._replace(name=bdi(jump.name), then=jump.then and bdi(jump.then))
    return Markup(str(named))  # noqa: S704  (the sentence is ours, its names were escaped in the line above)


def whole(refusal: str) -> str:
    """A refusal as a sentence of its own.

    >>> whole("no bot plays here yet")
    'No bot plays here yet.'
    """
    return refusal[:1].upper() + refusal[1:] + ("" if refusal.endswith((".", "!", "?")) else ".")


def trusted(sentence: str) -> Markup:
    """A sentence of ours whose names went through `bdi` already."""
    return Markup(sentence)  # noqa: S704  (made by hints.py, from numbers, letters and escaped names)


def names_listed(names: tuple[str, ...]) -> Markup:
    """Names as a person lists them."""
    return Markup(listed(map(bdi, names)))  # noqa: S704  (escaped by bdi)


def picture(svg: str) -> Markup:
    """A picture by board.py, which escapes what is written on it."""
    return Markup(svg)  # noqa: S704  (board.py escapes)


_templates = Environment(
    loader=PackageLoader("botq.web"),
    autoescape=True,
    undefined=StrictUndefined,
    auto_reload=False,
    trim_blocks=True,
    lstrip_blocks=True,
)
_templates.globals.update(
    FARES=FARES,
    LETTERS=LETTERS,
    draw_heat=lambda *args, **kwargs: picture(draw_heat(*args, **kwargs)),
    draw_pawn=lambda *args, **kwargs: picture(draw_pawn(*args, **kwargs)),
    static=static_link,
    zip=zip,
)
_templates.filters.update(bdi=bdi, told=told, names_listed=names_listed, trusted=trusted, whole=whole)
