"""The command line: parse, call, print.  What each command does lives in the other rooms."""

import json
import os
import sys
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from botq.fares import Fare, checked_stamps, score_as_json
from botq.notation import Match
from botq.rules import Refused

BAD_INPUT = 2
LONGEST_LINE = 400

app = typer.Typer(
    help="Back of the Queue: play it, keep score, print it, solve it.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit status: 0 fine, 2 bad input, 1 anything else."""
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
def serve(
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port to listen on; 0 takes a free one.")] = 8000,
    lan: Annotated[bool, typer.Option("--lan", help="Listen on the local network, and print a QR code.")] = False,
    open_page: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
) -> None:
    """Serve the web app."""
    from botq.web import create_app
    from botq.web.serving import serve as run  # here, so that the other commands start without a web server

    run(create_app(), host, port, lan=lan, open_page=open_page)


def print_json(what: dict[str, Any]) -> None:
    print(json.dumps(what))


def _one_line(refusal: Exception) -> str:
    message = refusal.format_message() if isinstance(refusal, typer.TyperException) else str(refusal)
    line = " ".join(message.split())
    return line if len(line) <= LONGEST_LINE else line[:LONGEST_LINE] + "…"
