"""How commands answer: as JSON, and with a bar while they work."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Annotated, Any, Protocol

import typer

PATIENCE = 2  # seconds without a sign of life
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]


def print_json(what: dict[str, Any]) -> None:
    print(json.dumps(what))


class Moves(Protocol):
    """Moves a bar to how much is done, of 1 or of what is said."""

    def __call__(self, done: float, of: float = 1) -> None: ...


@contextmanager
def bar(doing: str) -> Iterator[Moves]:
    """A bar on a terminal's stderr for what takes longer than two seconds, and what moves it."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    began = monotonic()
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task(doing, visible=False)

        def move(done: float, of: float = 1) -> None:
            progress.update(task, completed=done, total=of, visible=monotonic() - began > PATIENCE)

        yield move
