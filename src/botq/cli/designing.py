"""The designer's commands: compare strategies, report on fare cards, search for better ones."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from botq.cli.saying import AsJson, bar, print_json
from botq.fares import Fare
from botq.rules import Refused

if TYPE_CHECKING:
    from botq.arena import Comparison
    from botq.lab import Space

MANY, FAR_TOO_MANY = {2: 20_000, 3: 200}, 5_000_000  # cards: ask first; refuse
AIMS = ("fair", "even", "deep", "varied", "used", "open")  # where none are named
SHOWN = 20  # cards of a front printed; the file has all

commands = typer.Typer()
lab_app = typer.Typer(help="What a fare card does to the game.", no_args_is_help=True)
commands.add_typer(lab_app, name="lab")


@commands.command()
def arena(
    bots: Annotated[list[str], typer.Argument(metavar="BOT BOT...", help="Bots, or package.module:function.")],
    fare: Annotated[str, typer.Option(help="The fare card.")] = "standard",
    seats: Annotated[int, typer.Option(help="Seats in a heat.")] = 2,
    heats: Annotated[
        int, typer.Option(help="The most heats of each choice of strategies, where they are drawn.")
    ] = 1000,
    seed: Annotated[int, typer.Option(help="The same seed draws the same heats.")] = 0,
    resume: Annotated[Path | None, typer.Option(help="Keeps what was played here, and goes on from it.")] = None,
    csv: Annotated[Path | None, typer.Option(help="Also writes the table here.")] = None,
    limit: Annotated[float, typer.Option(help="Seconds that a function of yours may take over a jump.")] = 5.0,
    as_json: AsJson = False,
) -> None:
    """Compare strategies fairly: on the same fare, in every seating."""
    from botq.arena import compare, write_table

    with bar("comparing") as watch:
        found = compare(bots, fare, seats, heats=heats, seed=seed, resume=resume, limit=limit, watch=watch)
    if csv:
        write_table(found.table, csv)
    for bot, why in found.stopped.items():
        print(f"{bot} was stopped: it {why}", file=sys.stderr)
    if as_json:
        print_json(found.as_json())
    else:
        _print_comparison(found)
    if found.interrupted:
        print("broken off: this is what was done by then", file=sys.stderr)
        raise typer.Exit(1)


@lab_app.command("report")
def report(
    fares: Annotated[list[str], typer.Argument(metavar="FARE...", help="Fare cards.")],
    seats: Annotated[str, typer.Option(help="Numbers of seats, 2 to 4; four take minutes.")] = "2,3",
    stamp: Annotated[int, typer.Option(help="Points a stamp.")] = 1,
    compensation: Annotated[
        str | None, typer.Option(help="Points each seat starts with, such as 0,1 (with one number of seats).")
    ] = None,
    playtests: Annotated[
        Path | None, typer.Option(help="Seconds a jump are taken from this log (botq playtests export --json).")
    ] = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="An HTML file that needs nothing else.")] = None,
    as_json: AsJson = False,
) -> None:
    """Tell what fare cards do to the game: who wins, how deep, how varied, how long."""
    from botq.lab import HouseRules, as_html, reports
    from botq.lab.space import numbers
    from botq.lab.study import SECONDS_A_JUMP

    start = tuple(int(n) for n in compensation.split(",")) if compensation and _whole(compensation) else ()
    rules = HouseRules(stamp, start)
    seconds = _seconds_a_jump(playtests) if playtests else SECONDS_A_JUMP
    cards = [Fare.parse(fare) for fare in fares]
    with bar("reporting") as watch:
        told = reports(cards, numbers(seats, "--seats"), rules, seconds, watch=watch)
        if output:
            _write(output, as_html(told))
    if as_json:
        print_json(told)
    elif not output:
        _print_reports(told)


# Long for its options alone: a line and a sentence for each thing that a search can be asked.
@lab_app.command("search")
def search(
    output: Annotated[Path, typer.Option("--output", "-o", help="The file of all cards: .csv or .parquet.")],
    seats: Annotated[int, typer.Option(help="Seats in a heat: 2 or 3; 4 for the aim fair alone.")] = 2,
    sets: Annotated[str, typer.Option(help="How many sets a card has.")] = "2",
    letters: Annotated[str, typer.Option(help="How many letters a set has.")] = "2-3",
    points: Annotated[str, typer.Option(help="What a set may pay.")] = "1-6",
    stamps: Annotated[str, typer.Option(help="What a stamp may pay.")] = "1",
    compensation: Annotated[str, typer.Option(help="What each later seat may start with.")] = "0",
    sample: Annotated[int | None, typer.Option(help="Takes so many cards at random, instead of all.")] = None,
    seed: Annotated[int, typer.Option(help="The same seed takes the same sample.")] = 0,
    aim: Annotated[
        list[str] | None, typer.Option(help="What is wished of a card; may be repeated: see docs/lab.md.")
    ] = None,
    like: Annotated[str, typer.Option(help="The card that others should be as good as.")] = "standard",
    jobs: Annotated[int | None, typer.Option(help="Processes at work; else one a core.")] = None,
    scheduler: Annotated[str | None, typer.Option(help="A Dask scheduler to work for us.", metavar="ADDRESS")] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Starts however many cards there are.")] = False,
    as_json: AsJson = False,
) -> None:
    """Score every card of a space, and show which no other beats.

    Broken off, the same command goes on where it was.
    """
    from botq.lab import HouseRules, Space, scores
    from botq.lab.search import check_output
    from botq.lab.space import numbers
    from botq.lab.workers import search_with

    aims = scores.aims(aim or AIMS)
    model = Fare.parse(like)
    space = Space(
        seats,
        numbers(sets, "--sets"),
        numbers(letters, "--letters"),
        numbers(points, "--points"),
        numbers(stamps, "--stamps"),
        numbers(compensation, "--compensation"),
        sample,
        seed,
    )
    depth = scores.needed(aims.values())
    check_output(output)
    _confirm(space, yes)
    with bar("scoring") as watch:
        lines = search_with(space, output, depth, jobs, scheduler, watch)
    front = scores.front(lines, aims.values())
    model_line = scores.line(model, seats, HouseRules(), depth)
    better = scores.as_good_as(model_line, lines, aims.values())
    if as_json:
        told = {"space": space.as_json(), "size": space.size, "scored": len(lines), "aims": list(aims)}
        print_json(told | {"like": model_line, "as_good_as": better, "front": front})
    else:
        print(f"{len(lines):,} cards are in {output}.")
        _print_cards(f"{model.title} itself", [model_line], aims)
        _print_cards(f"fairer than {model.title}, and no worse by more than a twentieth", better, aims)
        _print_cards("no other card is better in one aim and as good in all", front, aims)


def _confirm(space: "Space", yes: bool) -> None:
    """Asks before a search of many cards; raises `Refused` where nobody can answer, or for far too many."""
    count = min(space.sample or space.size, space.size)
    if count > FAR_TOO_MANY:
        raise Refused(f"the space holds {space.size:,} cards, and {FAR_TOO_MANY:,} is the most: take a --sample")
    if yes or count <= MANY.get(space.seats, 20):
        return
    if not sys.stdin.isatty():
        raise Refused(f"that is {count:,} cards: say --yes, or take a --sample")
    if not typer.confirm(f"That is {count:,} cards. Score them all?", err=True):
        raise typer.Abort


def _whole(text: str) -> bool:
    if not all(piece.isdecimal() and len(piece) < 4 for piece in text.split(",")):
        raise Refused(f"--compensation reads {text!r}: write the points of each seat, such as 0,1")
    return True


def _seconds_a_jump(log: Path) -> float:
    """The mean seconds a jump in an exported log; raises `Refused` where it holds none."""
    try:
        heats = json.loads(log.read_text(encoding="utf-8"))["heats"]
        known = [float(second) for heat in heats for second in heat["seconds"] if second is not None]
    except OSError as fault:
        raise Refused(f"{log} cannot be read: {fault.strerror}") from None
    except (ValueError, KeyError, TypeError):
        raise Refused(f"{log} is no log of playtests: write one with botq playtests export --json") from None
    if not known:
        raise Refused(f"{log} holds no timed jump")
    return sum(known) / len(known)


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as fault:
        raise Refused(f"{path} cannot be written: {fault.strerror}") from None


def _table(title: str, *columns: str) -> Any:
    from rich.table import Table

    table = Table(*columns, title=title, title_justify="left", box=None, pad_edge=False)
    for column in table.columns[1:]:
        column.justify = "right"
    return table


def _print(table: Any) -> None:
    from rich.console import Console

    Console(highlight=False).print(table)


def _print_comparison(found: "Comparison") -> None:
    how = "exact, every heat weighed" if found.method == "exact" else f"drawn, {found.seatings} seatings, 95% bounds"
    table = _table(
        f"{found.fare.title}, {found.seats} seats: {how}", "bot", "share", "low", "high", "score", "rating", "heats"
    )
    for row in found.table:
        table.add_row(
            row.bot,
            f"{row.share:.3f}",
            f"{row.low:.3f}",
            f"{row.high:.3f}",
            f"{row.score:.2f}",
            f"{row.rating:+.0f}",
            f"{row.heats:,}",
        )  # fmt: skip  (as the columns stand)
    _print(table)


def _print_reports(told: dict[str, Any]) -> None:
    for card in told["cards"]:
        for seats, one in card["seats"].items():
            places = range(1, int(seats) + 1)
            table = _table(
                f"{card['title']}, {seats} seats: share of the win", "players", *map(str, places), "jumps", "minutes"
            )
            for kind, play in one["play"].items():
                shares = one["fairness"]["perfect"] if kind == "perfect" else play["shares"]
                table.add_row(
                    kind, *(f"{share:.3f}" for share in shares), f"{play['jumps']:.1f}", f"{play['minutes']:.1f}"
                )
            evened = one["fairness"]["compensation"]
            table.add_row(
                f"perfect, given {','.join(map(str, evened['points']))}",
                *(f"{s:.3f}" for s in evened["shares"]),
                "",
                "",
            )
            _print(table)


def _print_cards(title: str, lines: list[dict[str, Any]], aims: dict[str, Any]) -> None:
    table = _table(f"{title} ({len(lines):,})", "card", *aims)
    for one in lines[:SHOWN]:
        house = (
            ""
            if one["stamp"] == 1 and not one["compensation"].strip("0,")
            else f" stamps {one['stamp']}, start {one['compensation']}"
        )
        table.add_row(one["fare"] + house, *(f"{one[aim.column]:.3f}" for aim in aims.values()))
    _print(table)
