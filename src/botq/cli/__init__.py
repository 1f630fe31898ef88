"""The command line: parse, call, print.  What each command does lives in the other rooms."""

import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper

import typer

from botq.cli import designing, exact, playing, serving
from botq.rules import Refused

BAD_INPUT = 2
STOPPED = 130  # what Typer makes of Ctrl-C
LONGEST_LINE = 400

app = typer.Typer(
    help="Back of the Queue: play it, keep score, print it, solve it.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
for commands in (playing, serving, exact, designing):
    app.add_typer(commands.commands)


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
    if status == STOPPED:
        return 1
    return status if isinstance(status, int) else 0


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
