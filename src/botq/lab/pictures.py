"""The pictures of a card: each an SVG that says the same in light and dark, on screen and paper.

Matplotlib draws them.  It is loaded with the first picture, not before: it takes half a second.
"""

from collections.abc import Callable, Mapping
from io import BytesIO
from threading import Lock
from typing import TYPE_CHECKING, Any

from botq.lab.study import POPULATION
from botq.words import listed

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Told = Mapping[str, Any]  # what a report tells of one card with one number of seats

PAPER, INK, FADED, LINE = "#fffaf0", "#2b2118", "#655848", "#cdb98f"  # board.py's colours
TICKETS = {"1": "#0d6558", "2": "#85530a", "3": "#8a2a5b"}  # A, B and C
PLAYS = ("perfect", *reversed(POPULATION))
FILLS = dict(zip(PLAYS, ("#a8321a", "#2b2118", "#8a7a63", "#cdb98f"), strict=True))
HATCHES = dict(zip(PLAYS, ("", "//", "\\\\", "xx"), strict=True))  # to be told apart without colour
PLACES = ("front", "second", "third", "fourth", "fifth", "sixth")

_one_at_a_time = Lock()  # matplotlib's settings belong to the whole process


def _fairness(axes: "Axes", told: Told) -> None:
    seats = len(told["fairness"]["perfect"])
    for n, play in enumerate(PLAYS):
        shares = told["fairness"]["perfect"] if play == "perfect" else told["play"][play]["shares"]
        places = [seat + (n - 1.5) * 0.2 for seat in range(seats)]
        axes.bar(places, shares, 0.2, label=play, color=FILLS[play], hatch=HATCHES[play], edgecolor=PAPER)
    axes.axhline(1 / seats, color=INK, linewidth=1, linestyle="--")
    axes.text(seats - 0.5, 1 / seats, " fair", va="center", color=INK)
    axes.set_xticks(range(seats), PLACES[:seats])
    axes.set_ylim(0, 1)
    axes.set_ylabel("share of the win")
    axes.legend(frameon=False, title="players")


def _jumps(axes: "Axes", told: Told) -> None:
    for n, play in enumerate(PLAYS):
        left = 0.0
        for jump, use in told["play"][play]["jump_use"].items():
            axes.barh(n, use, left=left, color=TICKETS[jump], edgecolor=PAPER)
            if use > 0.06:
                axes.text(left + use / 2, n, f"{jump}: {use:.0%}", ha="center", va="center", color=PAPER)
            left += use
    axes.set_yticks(range(len(PLAYS)), PLAYS)
    axes.invert_yaxis()
    axes.set_xlim(0, 1)
    axes.xaxis.set_major_formatter("{x:.0%}")
    axes.set_xlabel("of all jumps")


def _hands(axes: "Axes", told: Told) -> None:
    uses = {play: told["play"][play]["final_hands"] for play in ("perfect", "medium")}
    shown = sorted(uses["medium"], key=lambda hand: -max(use[hand] for use in uses.values()))[:10]
    for n, (play, use) in enumerate(uses.items()):
        places = [row + (n - 0.5) * 0.4 for row in range(len(shown))]
        axes.barh(
            places,
            [use[hand] for hand in shown],
            0.4,
            label=play,
            color=FILLS[play],
            hatch=HATCHES[play],
            edgecolor=PAPER,
        )
    axes.set_yticks(range(len(shown)), shown)
    axes.invert_yaxis()
    axes.xaxis.set_major_formatter("{x:.0%}")
    axes.set_xlabel("of all pawns")
    axes.legend(frameon=False, title="players", loc="lower right")


def _sets(axes: "Axes", told: Told) -> None:
    letters = list(told["play"]["perfect"]["sets"])
    for n, play in enumerate(PLAYS):
        places = [row + (n - 1.5) * 0.2 for row in range(len(letters))]
        used = [told["play"][play]["sets"][one]["pawns"] for one in letters]
        axes.barh(places, used, 0.2, label=play, color=FILLS[play], hatch=HATCHES[play], edgecolor=PAPER)
    axes.set_yticks(range(len(letters)), letters)
    axes.invert_yaxis()
    axes.set_xlim(0, 1)
    axes.xaxis.set_major_formatter("{x:.0%}")
    axes.set_xlabel("of all pawns claim it")
    axes.legend(frameon=False, title="players")


def _lengths(axes: "Axes", told: Told) -> None:
    for n, play in enumerate(("perfect", "medium")):
        lengths = {int(jumps): chance for jumps, chance in told["play"][play]["lengths"].items() if chance > 5e-4}
        places = [jumps + (n - 0.5) * 0.4 for jumps in lengths]
        axes.bar(
            places, list(lengths.values()), 0.4, label=play, color=FILLS[play], hatch=HATCHES[play], edgecolor=PAPER
        )
    axes.locator_params(axis="x", integer=True)
    axes.yaxis.set_major_formatter("{x:.0%}")
    axes.set_xlabel("jumps a heat")
    axes.set_ylabel("of all heats")
    axes.legend(frameon=False, title="players")


def _foresight(axes: "Axes", told: Told) -> None:
    for play in PLAYS:
        seen = told["play"][play]["look_ahead"]
        if seen:
            depths = range(1, max(map(int, seen["jumps"])) + 1)
            enough = [sum(part for n, part in seen["jumps"].items() if int(n) <= depth) for depth in depths]
            style = dict(zip(PLAYS, ("-", "--", "-.", ":"), strict=True))[play]
            axes.step(
                [*depths],
                enough,
                where="post",
                label=play,
                color=INK if play == "easy" else FILLS[play],
                linestyle=style,
            )
    axes.set_ylim(0, 1.02)
    axes.locator_params(axis="x", integer=True)
    axes.yaxis.set_major_formatter("{x:.0%}")
    axes.set_xlabel("jumps looked ahead")
    axes.set_ylabel("of turns that matter, found")
    axes.legend(frameon=False, title="players", loc="lower right")


PICTURES: dict[str, tuple[str, Callable[["Axes", Told], None]]] = {
    "fairness": ("Who wins, by opening place", _fairness),
    "jumps": ("Which jumps are made", _jumps),
    "sets": ("Which sets are claimed", _sets),
    "hands": ("The hands heats end with", _hands),
    "lengths": ("How long a heat is", _lengths),
    "foresight": ("How far ahead one must look", _foresight),
}


def pictures_of(told: Told) -> dict[str, str]:
    """The titles of the pictures there are of this report, by name; foresight is known for two seats alone."""
    known = told["play"]["perfect"]["look_ahead"] is not None
    return {name: title for name, (title, _) in PICTURES.items() if known or name != "foresight"}


def draw(told: Told, name: str) -> bytes:
    """The picture of this name, an SVG file; the same report always gives the same bytes."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    title, paint = PICTURES[name]
    settings: Any = {  # too many kinds for its type
        "font.family": "serif",
        "font.size": 11,
        "svg.hashsalt": "botq",
        "svg.fonttype": "none",
        "hatch.color": PAPER,
        "axes.edgecolor": FADED,
        "axes.labelcolor": INK,
        "xtick.color": INK,
        "ytick.color": INK,
    }
    out = BytesIO()
    with _one_at_a_time, rc_context(settings):
        figure = Figure(figsize=(6.4, 3.6), layout="constrained", facecolor=PAPER)
        axes = figure.add_subplot(facecolor=PAPER)
        axes.spines[["top", "right"]].set_visible(False)
        paint(axes, told)
        figure.suptitle(title, color=INK, weight="bold", x=0.02, ha="left")
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None, "Title": title})
    return out.getvalue()


def said(told: Told, name: str) -> str:
    """What a picture shows, in words for who does not see it."""
    play = told["play"]
    perfect, medium = play["perfect"], play["medium"]
    if name == "fairness":
        return "Shares of the win: " + "; ".join(
            f"{kind} players {listed(f'{place} {share:.2f}' for place, share in zip(PLACES, shares, strict=False))}"
            for kind, shares in (("perfect", told["fairness"]["perfect"]), ("medium", medium["shares"]))
        )
    if name == "jumps":
        return "; ".join(
            f"{kind} players jump {listed(f'{jump} in {use:.0%}' for jump, use in uses.items())}"
            for kind, uses in ((kind, one["jump_use"]) for kind, one in play.items())
        )
    if name == "sets":
        uses = {one: {kind: them["sets"][one]["pawns"] for kind, them in play.items()} for one in perfect["sets"]}
        return "; ".join(
            f"{one} is claimed by {listed(f'{used:.0%} of {kind} players' for kind, used in kinds.items())}"
            for one, kinds in uses.items()
        )
    if name == "hands":
        most = sorted(medium["final_hands"].items(), key=lambda one: -one[1])[:3]
        return f"Medium players most often end with {listed(f'{hand} ({use:.0%})' for hand, use in most)}"
    if name == "lengths":
        return f"Perfect players need {perfect['jumps']:.1f} jumps on average, medium players {medium['jumps']:.1f}"
    seen = medium["look_ahead"]
    return f"Medium players must look {seen['mean']:.1f} jumps ahead on average, at most {max(map(int, seen['jumps']))}"
