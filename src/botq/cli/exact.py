"""The commands of whoever wants exact values: solve, the tables kept on disk, our speed."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from botq.cli.saying import AsJson, bar, print_json
from botq.rules import Refused

commands = typer.Typer()
tables_app = typer.Typer(help="The solved tables on disk.", no_args_is_help=True)
commands.add_typer(tables_app, name="tables")


@commands.command()
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

    with bar("Solving") as report:
        solution = solved(fare, seats, after, objective, memory=memory * GB, keep=keep or None, report=report)
        if verify:
            solution.check()
    if as_json:
        print_json(solution.as_json() | ({"verified": True} if verify else {}))
    else:
        print(solution)
        if verify:
            print("Every value is what the rule makes of those after it.")


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


@commands.command()
def bench(
    only: Annotated[str, typer.Option(help="Only what has this in its name.")] = "",
    rounds: Annotated[int, typer.Option(help="How often each is measured.")] = 5,
    page: Annotated[Path | None, typer.Option(help="Also write docs/benchmarks.md here.")] = None,
    as_json: AsJson = False,
) -> None:
    """Time ourselves beside our peers, whichever are installed."""
    from botq.bench import report, take

    if page:
        try:
            page.open("a").close()  # known now, not after minutes of timing
        except OSError as trouble:
            raise Refused(f"{page} cannot be written: {trouble.strerror}") from None
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
