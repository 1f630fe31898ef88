"""The command line: parse, call, print.  What each command does lives in the other rooms."""

import json
import os
import sys
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from io import TextIOWrapper
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from botq import designer
from botq.fares import Fare, checked_stamps, score_as_json
from botq.notation import Match
from botq.rules import Refused

if TYPE_CHECKING:
    from botq.store import Database

BAD_INPUT = 2
LONGEST_LINE = 400
PATIENCE = 2  # seconds without a sign of life

app = typer.Typer(
    help="Back of the Queue: play it, keep score, print it, solve it.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
rooms_app = typer.Typer(help="Care for the live rooms.", no_args_is_help=True)
tables_app = typer.Typer(help="The solved tables on disk.", no_args_is_help=True)
playtests_app = typer.Typer(help="The log of finished heats.", no_args_is_help=True)
app.add_typer(rooms_app, name="rooms")
app.add_typer(playtests_app, name="playtests")
app.add_typer(tables_app, name="tables")
designer.add_to(app)
Answer = TypeVar("Answer")
Code = Annotated[str, typer.Argument(help="The code of the room.")]
Where = Annotated[
    str | None,
    typer.Option("--database", help="sqlite:///FILE or postgresql://...; else a file of yours.", metavar="URL"),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit status: 0 fine, 2 bad input, 1 anything else."""
    _prepare_streams()
    try:
        status = app(args=arguments, prog_name="botq", standalone_mode=False)
        sys.stdout.flush()
    except (Refused, typer.TyperException) as refusal:
        print(_one_line(refusal), file=sys.stderr)
        return BAD_INPUT
    except (KeyboardInterrupt, typer.Abort):
        return 1
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or the last flush complains
        return 1
    return status if isinstance(status, int) else 0


@app.command()
def replay(
    notation: Annotated[str, typer.Argument(help="A match, such as standard/Jo,Kit/3121.")], as_json: AsJson = False
) -> None:
    """Tell where a match stands."""
    match = Match.parse(notation)
    if as_json:
        print_json(match.as_json())
    else:
        from botq.terminal import page, screen  # with Rich, which the rest of the command line does without

        console = screen()
        console.print(page(match, console.width))


@app.command()
def play(
    fare: Annotated[str, typer.Argument(help="A fare card; or a whole match to take up again.")] = "standard",
    names: Annotated[str | None, typer.Argument(help="Jo,Kit, front of the queue first; or a number of seats.")] = None,
    lots: Annotated[bool, typer.Option("--lots", help="Draw lots for the opening queue.")] = False,
) -> None:
    """Play a match in the terminal.

    Leaving prints the notation that takes the match up again: botq play NOTATION.
    """
    from botq.terminal import play, screen

    if "/" not in fare:
        match = Match.opening(Fare.parse(fare), 2 if names is None else names)
    elif names is None:
        match = Match.parse(fare)
    else:
        raise Refused("a match in notation already says who plays: leave out the names after it")
    if lots:
        match = match.with_lots_drawn()
    left = play(match, screen())
    print(f"Take this match up again with:\nbotq play {left.notation}")


@app.command(context_settings={"ignore_unknown_options": True})  # so that -1 is read as a number, and refused as one
def score(
    fare: Annotated[str, typer.Argument(help="standard, express, local or a spelled card such as ABC5-AA1.")],
    a: Annotated[int, typer.Argument(help="A tickets.")],
    b: Annotated[int, typer.Argument(help="B tickets.")],
    c: Annotated[int, typer.Argument(help="C tickets.")],
    stamps: Annotated[int, typer.Option(help="The stamp tally.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Write the receipt of a hand: the best sets, stamps and the score."""
    card = Fare.parse(fare)
    if as_json:
        print_json(score_as_json(card, a, b, c, stamps))
        return
    receipt = card.receipt(a, b, c)
    total = receipt.points + checked_stamps(stamps)
    print(f"{card.title}: {receipt} = {receipt.points}, stamps {stamps}, score {total}")


@app.command()
def review(
    notation: Annotated[str, typer.Argument(help="A match, such as standard/Jo,Kit/3121.")], as_json: AsJson = False
) -> None:
    """Tell what every jump of a match was worth, against exact values."""
    from botq.review import review  # with the solver, which the rest of the command line does without

    told = review(Match.parse(notation))
    if as_json:
        print_json(told.as_json())
        return
    from botq.terminal import reviewed, screen

    console = screen()
    for heat in told.heats:
        console.print(reviewed(heat))


@app.command()
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
    _with_database(address, care.sweep)  # a database that is away is told here, in one line
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
) -> None:
    """Write the log of finished heats, without names: CSV, or JSON with --json."""
    from botq.store.playtests import as_csv, read_playtests

    heats = _with_database(database, read_playtests)
    text = json.dumps({"heats": [heat.as_json() for heat in heats]}) + "\n" if as_json else as_csv(heats)
    if output is None:
        print(text, end="")
    else:
        try:
            output.write_text(text, encoding="utf-8", newline="")
        except OSError as trouble:
            raise Refused(f"cannot write {output}: {trouble.strerror}") from None


@tables_app.command("export")
def export_table(
    to: Annotated[Path, typer.Option("-o", "--output", help="The Parquet file to write.")],
    fare: Annotated[str, typer.Argument(help="A fare card.")] = "standard",
    seats: Annotated[int, typer.Option(help="How many seats.")] = 2,
    objective: Annotated[str, typer.Option(help="share or margin.")] = "share",
    heats: Annotated[int | None, typer.Option(help="Only the positions met in so many random heats.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over a file that is there.")] = False,
) -> None:
    """Write exact values as a Parquet file, described in docs/tables.md."""
    _need_extra("pyarrow", "gymnasium")
    from botq.adapters.parquet import export

    written = export(to, fare, seats, objective, heats, force)
    print(f"{to}: {written:,} positions")


@app.command()
def bench(
    only: Annotated[str, typer.Option(help="Only what has this in its name.")] = "",
    rounds: Annotated[int, typer.Option(help="How often each is measured.")] = 5,
    page: Annotated[Path | None, typer.Option(help="Also write docs/benchmarks.md here.")] = None,
    as_json: AsJson = False,
) -> None:
    """Time ourselves beside our peers, whichever are installed."""
    from botq.bench import report, take

    run = take(rounds, only, lambda line: print(line, file=sys.stderr))
    if page:
        page.write_text(report.page(run), encoding="utf-8")
    if as_json:
        print_json(run.as_json())
    else:
        print(report.table(run), end="")


def _need_extra(*packages: str) -> None:
    """Refuses what needs the extra `rl` where it is not installed."""
    from importlib.util import find_spec

    if missing := [package for package in packages if find_spec(package) is None]:
        raise Refused(f"{' and '.join(missing)} must be installed for this: pip install 'botq[rl]'")


def _with_database(address: str | None, ask: Callable[["Database"], Awaitable[Answer]]) -> Answer:
    """The answer of the database at this address; raises `Refused` where there is none."""
    import asyncio  # here like every other import that most commands do without

    from botq.store import Database, StoreDown

    async def asked() -> Answer:
        async with Database(address) as database:
            return await ask(database)

    try:
        return asyncio.run(asked())
    except StoreDown as trouble:
        raise Refused(f"the database cannot be used: {trouble}") from None


@app.command()
def solve(
    fare: Annotated[str, typer.Argument(help="standard, express, local or a spelled card such as ABC5-AA1.")],
    seats: Annotated[int, typer.Option(help="How many seats.")],
    after: Annotated[str, typer.Option(help="The jumps made before, such as 3121.")] = "",
    objective: Annotated[str, typer.Option(help="share (of the win), or margin with two seats.")] = "share",
    verify: Annotated[bool, typer.Option("--verify", help="Work out every value again from those after it.")] = False,
    memory: Annotated[float, typer.Option(help="The most memory it may take, in GB.")] = 16,
    keep: Annotated[bool, typer.Option("--keep", help="Keep the table on disk, however large it is.")] = False,
    as_json: AsJson = False,
) -> None:
    """Tell exactly what a position and each jump in it is worth."""
    from botq.solver import GB  # not above: Numba would slow the start of every command
    from botq.solver import solve as solved

    with _bar("Solving") as report:
        solution = solved(fare, seats, after, objective, memory=memory * GB, keep=keep or None, report=report)
        if verify:
            solution.check()
    if as_json:
        print_json(solution.as_json() | ({"verified": True} if verify else {}))
    else:
        print(solution)
        if verify:
            print("Every value is what the rule makes of those after it.")


@contextmanager
def _bar(what: str) -> Iterator[Callable[[float], None]]:
    """A bar on stderr for what takes longer than two seconds, and how to move it."""
    from rich.console import Console
    from rich.progress import Progress

    began = monotonic()
    with Progress(console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as progress:
        bar = progress.add_task(what, total=1, visible=False)
        yield lambda share: progress.update(bar, completed=share, visible=monotonic() - began > PATIENCE)


@tables_app.command("list")
def list_tables(as_json: AsJson = False) -> None:
    """Tell what solved tables are kept, and their size."""
    from botq import tables

    files = [file.as_json() for file in tables.kept()]
    if as_json:
        print_json({"folder": str(tables.folder()), "tables": files})
        return
    for file in files:
        of = (
            f"{file['fare']}, {file['seats']} seats, {file['objective']} {file['house']}"
            if file["usable"]
            else "unusable"
        )
        print(f"{file['bytes'] / 1e6:10.1f} MB  {of}  {file['file']}")
    print(f"{len(files)} tables in {tables.folder()}")


@tables_app.command("clear")
def clear_tables(as_json: AsJson = False) -> None:
    """Remove every solved table from the disk; what is needed again is solved again."""
    from botq import tables

    freed = tables.clear()
    print_json({"freed": freed}) if as_json else print(f"{freed / 1e6:.1f} MB freed")


@app.command("print")
def print_pack(
    output: Annotated[Path, typer.Option("--output", "-o", help="The PDF to write.", metavar="FILE.pdf")],
    fares: Annotated[
        list[str] | None, typer.Argument(help="The fare cards; all three if none is named.", metavar="FARE")
    ] = None,
    paper: Annotated[str, typer.Option(help="a4, letter, or both for pages that fit either.")] = "a4",
    seats: Annotated[int | None, typer.Option(help="How many play, 1 to 6.", show_default="6")] = None,
    names: Annotated[str | None, typer.Option(help="Names for pawns and record sheets: Ada,Bo.")] = None,
    match: Annotated[str | None, typer.Option(help="Print this match as a filled-in record sheet.")] = None,
    low_ink: Annotated[bool, typer.Option("--low-ink", help="Outlines only, nothing filled.")] = False,
    large: Annotated[bool, typer.Option("--large", help="Large print, 18 points and more.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Write over a file that is there already.")] = False,
    as_json: AsJson = False,
) -> None:
    """Make the printable pack: rules, track, fare cards, record sheets and pawns in one PDF."""
    from botq.prints import Pack

    pack = Pack.ordered(fares or (), paper=paper, seats=seats, names=names, match=match, low_ink=low_ink, large=large)
    pack.write(output, force=force)
    if as_json:
        print_json({"file": str(output), "pages": len(pack.contents())})


def print_json(what: dict[str, Any]) -> None:
    print(json.dumps(what))


def _one_line(refusal: Exception) -> str:
    message = refusal.format_message() if isinstance(refusal, typer.TyperException) else str(refusal)
    if isinstance(refusal, typer.BadParameter) and refusal.param and "valid integer" in message:
        message = f"'{refusal.param.name}' takes a whole number, such as 4"
    line = " ".join(message.split()) or "Missing command."  # which Typer leaves unsaid below its help
    return line if len(line) <= LONGEST_LINE else line[:LONGEST_LINE] + "…"


def _prepare_streams() -> None:
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:  # closed before we came
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115  (stays open as long as we run)
        elif isinstance(stream, TextIOWrapper) and name != "stderr":
            stream.reconfigure(errors="replace")  # a name that this terminal cannot write is no reason to stop
