"""Draws each seat's share of the win over a heat, as an SVG file for an `<img>`.

Matplotlib is loaded with the first picture: it takes half a second that no other page should pay.
"""

from functools import lru_cache
from io import BytesIO
from threading import Lock
from typing import TYPE_CHECKING, Any

from botq.board import FADED, INK, PAPER, SHAPES
from botq.review import ReviewedHeat

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MARKERS = {"circle": "o", "square": "s", "triangle": "^", "diamond": "D", "cross": "P", "hexagon": "h"}
DASHES = ("-", (0, (5, 1.5)), (0, (1.5, 1)), (0, (6, 1.5, 1.5, 1.5)), (0, (3, 1)), (0, (1, 2.5)))
DARK_INK, DARK_FADED, DARK_PAPER = "#f4e9d6", "#c3b298", "#2a231b"  # as in botq.css
WIDTH, HEIGHT = 5.0, 3.0  # inches
SETTINGS: Any = {"svg.fonttype": "none", "svg.hashsalt": "botq", "font.family": "serif", "font.size": 11}

_drawing = Lock()  # Matplotlib's settings are one for all threads


Shares = tuple[tuple[float, ...] | None, ...]  # by seat, at the opening and after each jump, None where unsolved


@lru_cache(maxsize=128)
def draw_shares(shares: Shares, shapes: tuple[int, ...], turn: int | None, *, dark: bool = False) -> bytes:
    """The SVG file: a line for each seat from the opening to the last jump, by pawn shape and dash, not colour alone.

    What is unsolved is shaded; `shapes` by seat; `turn` is the number of the jump to mark.
    """
    with _drawing:
        import matplotlib
        from matplotlib.figure import Figure

        paper = DARK_PAPER if dark else PAPER
        with matplotlib.rc_context():
            matplotlib.rcParams.update(SETTINGS)
            figure = Figure(figsize=(WIDTH, HEIGHT), facecolor=paper, layout="constrained")
            axes = figure.add_subplot(facecolor=paper)
            _draw_lines(axes, shares, shapes, dark)
            _mark(axes, shares, turn, dark)
            _frame(axes, last=len(shares) - 1, dark=dark)
            file = BytesIO()
            figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    return file.getvalue()


def _draw_lines(axes: "Axes", shares: Shares, shapes: tuple[int, ...], dark: bool) -> None:
    solved = [(ply, values) for ply, values in enumerate(shares) if values]
    for seat, shape in enumerate(shapes):
        axes.plot(
            [ply for ply, _ in solved],
            [values[seat] for _, values in solved],
            color=_lightened(SHAPES[shape].colour) if dark else SHAPES[shape].colour,
            linestyle=DASHES[shape],
            linewidth=1.8,
            marker=MARKERS[SHAPES[shape].name],
            markersize=8 - seat,  # one upon another, all can be seen
            markeredgecolor=DARK_PAPER if dark else PAPER,
            markeredgewidth=0.6,
            clip_on=False,
            zorder=3,
        )


def _mark(axes: "Axes", shares: Shares, turn: int | None, dark: bool) -> None:
    """Shades what is unsolved, and marks the turning point."""
    ink, faded = (DARK_INK, DARK_FADED) if dark else (INK, FADED)
    if unsolved := sum(values is None for values in shares):
        axes.axvspan(-0.5, unsolved - 0.5, facecolor="none", edgecolor=faded, hatch="//", linewidth=0, alpha=0.5)
    if turn:
        axes.axvline(turn, color=ink, linewidth=1, linestyle=":")
        side = _side(turn, len(shares) - 1)
        axes.annotate("turning point", (turn, 1.07), ha=side, color=ink, annotation_clip=False)


def _frame(axes: "Axes", last: int, dark: bool) -> None:
    """Draws the axes, which say what is across and what is up."""
    from matplotlib.ticker import MaxNLocator, PercentFormatter

    ink, faded = (DARK_INK, DARK_FADED) if dark else (INK, FADED)
    axes.set(xlim=(-0.5, max(last, 1) + 0.5), ylim=(-0.02, 1.02), xlabel="after jump", ylabel="share of the win")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.yaxis.set_major_formatter(PercentFormatter(1))
    axes.grid(axis="y", color=faded, linewidth=0.4, alpha=0.6)
    axes.tick_params(colors=ink)
    axes.xaxis.label.set_color(ink)
    axes.yaxis.label.set_color(ink)
    for side, spine in axes.spines.items():
        spine.set(color=faded, visible=side in ("left", "bottom"))


def chart(heat: ReviewedHeat, shapes: tuple[int, ...], *, dark: bool = False) -> bytes:
    """The picture of a reviewed heat."""
    turn = heat.turning_point
    return draw_shares(heat.shares, shapes, turn.jump.number if turn else None, dark=dark)


def _side(turn: int, last: int) -> str:
    """Where the words about the turning point have room."""
    return "left" if turn < last / 4 else "right" if turn > 3 * last / 4 else "center"


def _lightened(colour: str) -> str:
    """A pawn's colour as it can be seen on dark paper: half way to white."""
    return "#" + "".join(f"{(int(colour[at : at + 2], 16) + 255) // 2:02x}" for at in (1, 3, 5))
