"""The commands of whoever runs the server: serve, care for the rooms, export the log of heats."""

import json
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from botq.cli.saying import AsJson, print_json
from botq.rules import Refused

if TYPE_CHECKING:
    from botq.store import Database

commands = typer.Typer()
rooms_app = typer.Typer(help="Care for the live rooms.", no_args_is_help=True)
playtests_app = typer.Typer(help="The log of finished heats.", no_args_is_help=True)
commands.add_typer(rooms_app, name="rooms")
commands.add_typer(playtests_app, name="playtests")
Answer = TypeVar("Answer")
Code = Annotated[str, typer.Argument(help="The code of the room.")]
Where = Annotated[
    str | None,
    typer.Option("--database", help="sqlite:///FILE or postgresql://...; else a file of yours.", metavar="URL"),
]


@commands.command()
def serve(
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port to listen on; 0 takes a free one.")] = 8000,
    lan: Annotated[bool, typer.Option("--lan", help="Listen on the local network, and print a QR code.")] = False,
    open_page: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
    database: Where = None,
    proxies: Annotated[
        str | None,
        typer.Option(
            "--behind-proxy", help="Addresses of the proxies to believe, joined by commas.", metavar="ADDRESS"
        ),
    ] = None,
) -> None:
    """Serve the web app."""
    from botq.store import care
    from botq.store.database import default_url
    from botq.web import create_app
    from botq.web.serving import serve as run  # here, so that the other commands start without a web server

    address = database or default_url()
    _with_database(address, care.sweep, make=True)  # a database that is away is told here, in one line
    run(create_app(address), host, port, lan=lan, open_page=open_page, proxies=proxies)


@rooms_app.command("list")
def list_rooms(database: Where = None, as_json: AsJson = False) -> None:
    """List every room, the one nobody touched for longest first."""
    from botq.store import care

    rooms = _with_database(database, care.list_rooms)
    if as_json:
        print_json({"rooms": rooms})
    for room in () if as_json else rooms:
        touched = f"{datetime.fromtimestamp(room['touched'] / 1000, UTC):%Y-%m-%d %H:%M}"
        print(f"{room['code']}  {room['seats']} seats  {room['matches']} matches  touched {touched}")


@rooms_app.command("export")
def export_room(code: Code, database: Where = None) -> None:
    """Print all that is kept of a room, as JSON."""
    from botq.store import care

    print_json(_with_database(database, lambda opened: care.export_room(opened, code.upper())))


@rooms_app.command("delete")
def delete_room(code: Code, database: Where = None) -> None:
    """Delete a room and every name in it; finished heats stay in the nameless log."""
    from botq.store import care

    _with_database(database, lambda opened: care.delete_room(opened, code.upper()))


@rooms_app.command("sweep")
def sweep_rooms(
    days: Annotated[int, typer.Option(min=1, max=36500, help="Days since anybody touched the room.")] = 30,
    database: Where = None,
) -> None:
    """Remove the rooms nobody has touched for a while, as every start of the server does."""
    from botq.store import care

    print(f"{_with_database(database, lambda opened: care.sweep(opened, days))} rooms removed")


@rooms_app.command("backup")
def back_up(to: Annotated[Path, typer.Argument(help="The file to write.")], database: Where = None) -> None:
    """Copy the SQLite database while it is being played on."""
    import asyncio

    from botq.store.database import back_up, default_url

    asyncio.run(back_up(database or default_url(), to))


@playtests_app.command("export")
def export_playtests(
    database: Where = None,
    as_json: AsJson = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The file to write, instead of printing.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over a file that is there.")] = False,
) -> None:
    """Write the log of finished heats, without names: CSV, or JSON with --json."""
    from botq.store.playtests import as_csv, read_playtests

    if output and output.exists() and not force:
        raise Refused(f"{output} is there already: choose another name, or --force")
    heats = _with_database(database, read_playtests)
    text = json.dumps({"heats": [heat.as_json() for heat in heats]}) + "\n" if as_json else as_csv(heats)
    if output is None:
        print(text, end="")
    else:
        try:
            output.write_text(text, encoding="utf-8", newline="")
        except OSError as trouble:
            raise Refused(f"cannot write {output}: {trouble.strerror}") from None


def _with_database(
    address: str | None, ask: Callable[["Database"], Awaitable[Answer]], *, make: bool = False
) -> Answer:
    """The answer of the database at this address; raises `Refused` where there is none, unless it is to be made."""
    import asyncio  # here like every other import that most commands do without

    from botq.store import Database, StoreDown

    async def asked() -> Answer:
        async with Database(address, make=make) as database:
            return await ask(database)

    try:
        return asyncio.run(asked())
    except StoreDown as trouble:
        raise Refused(f"the database cannot be used: {trouble}") from None
