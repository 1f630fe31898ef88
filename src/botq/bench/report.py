"""A run as Markdown, which reads as well in a terminal; docs/benchmarks.md is one."""

from botq.bench import Run, Timed

PREFACE = """# Benchmarks

Made by `botq bench`, all in one run: each thing once without counting, then all in turns, so that a busy machine is
busy for everybody. The figure is the median, with the lowest and the highest beside it. A heat is a whole random
game, every legal jump (or move) equally likely. The games are not the same: tic-tac-toe takes 5 to 9 moves, a heat of
two seats 8 to 24 jumps. So the table says what a minute of machine brings, not whose loops are better. Peers are
measured where they are installed: `pip install 'botq[rl]' pgx jax pygame`.
"""


def page(run: Run) -> str:
    """The page for docs/."""
    return f"{PREFACE}\n{table(run)}"


def table(run: Run) -> str:
    """The machine, the figures, the ratios, and what was not measured."""
    about = run.machine
    lines = [
        f"{about['processor']}, {about['cores']} cores, {about['system']}, {about['python']}; {run.began:%d %B %Y};"
        f" {run.load:.1f} processes wanted a core when it began.",
        "",
        *_aligned(
            ["measured", "by", "median", "lowest", "highest", "unit"],
            [
                [one.measurement.name, one.version, *_figures(one), one.measurement.unit]
                for one in sorted(run.timed, key=lambda one: one.measurement.unit)
            ],
        ),
    ]
    if run.ratios:
        rows = [[t.ours, t.peer, f"{measured:,.1f} times", f"{t.times:,g} times"] for t, measured in run.ratios]
        lines += ["", *_aligned(["faster", "than", "measured", "aim"], rows)]
    if run.absent:
        lines += ["", "Not measured: " + "; ".join(f"{one.name} ({one.why})" for one in run.absent) + "."]
    return "\n".join(lines) + "\n"


def _figures(one: Timed) -> list[str]:
    return [_told(figure) for figure in (one.median, min(one.figures), max(one.figures))]


def _told(figure: float) -> str:
    return f"{figure:,.0f}" if figure >= 100 else f"{figure:.3g}"


def _aligned(heads: list[str], rows: list[list[str]]) -> list[str]:
    """A Markdown table whose columns line up, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    right = [all(row[n][0].isdigit() for row in rows) for n in range(len(heads))]

    def line(cells: list[str]) -> str:
        padded = [c.rjust(w) if r else c.ljust(w) for c, w, r in zip(cells, widths, right, strict=True)]
        return f"| {' | '.join(padded)} |"

    rule = "|".join("-" * (width + 1) + (":" if r else "-") for width, r in zip(widths, right, strict=True))
    return [line(heads), f"|{rule}|", *map(line, rows)]
