"""The commands of players: a match told and played, a hand scored, a heat looked back on, the pack printed."""

from pathlib import Path
from typing import Annotated

import typer

from botq.cli.saying import AsJson, print_json
from botq.fares import Fare, checked_stamps, score_as_json
from botq.notation import Match
from botq.rules import Refused

commands = typer.Typer()


@commands.command()
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


@commands.command()
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


@commands.command(
    context_settings={"ignore_unknown_options": True}
)  # so that -1 is read as a number, and refused as one
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


@commands.command()
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


@commands.command("print")
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
