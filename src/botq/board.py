"""Draws a heat: the one SVG track, for page, paper and README.

Colours are plain attributes, so that a printer which knows no style sheet shows them; every
part also has a class, so that a page can recolour it in the dark.  Space 0 is on the left:

    each queue stands on its space, front pawn lowest, the others behind it going up
    the spaces 0 to 12
    the stamp circles of 1 to 11, crossed out once taken
"""

import math
import re
import unicodedata
from collections.abc import Sequence
from html import escape
from itertools import groupby
from typing import NamedTuple

from botq.heat import Heat
from botq.rules import FINISH, MAX_SEATS, STAMPED
from botq.words import listed

COLUMN, PAWN = 26, 23  # the width of a space, and the height of a pawn in its queue
MARGIN, TILE, CIRCLE = 6, 24, 9  # around everything; the height of a space; the radius of a stamp
WIDTH = 2 * MARGIN + COLUMN * (FINISH + 1)

EMPTY_TRACK = (
    "Thirteen spaces from 0 to 12 with room for a queue above each, the place of its front pawn ringed, "
    "and a stamp circle below 1 to 11."
)

INK, FADED, PAPER, TILE_FILL, ACCENT = "#2b2118", "#6d6052", "#fffaf0", "#f3e3c3", "#a8321a"


class Shape(NamedTuple):
    """What a pawn looks like: outline, colour, and where its mark sits."""

    name: str
    outline: str  # SVG path around 0,0, within a radius of 10
    colour: str  # carries white text at 4.5 to 1 and more
    mark_y: float = 0.0
    mark_size: float = 11.0


def _polygon(corners: int, radius: float, turn: float = 0.0) -> str:
    angles = [math.radians(turn + 360 * corner / corners) for corner in range(corners)]
    return "M" + "L".join(f"{radius * math.sin(a):.1f} {-radius * math.cos(a):.1f}" for a in angles) + "Z"


SHAPES = (
    Shape("circle", "M-9 0a9 9 0 1 0 18 0a9 9 0 1 0 -18 0Z", "#1d5a96"),
    Shape("square", "M-8 -8H8V8H-8Z", "#9c3d0c"),
    Shape("triangle", "M0 -10L10.4 8.2H-10.4Z", "#2a6b3c", 2.6, 9.0),
    Shape("diamond", _polygon(4, 10.8), "#6c3a94", 0, 10.0),
    Shape("cross", "M-4.8 -10H4.8V-4.8H10V4.8H4.8V10H-4.8V4.8H-10V-4.8H-4.8Z", "#735400", 0, 10.0),
    Shape("hexagon", _polygon(6, 10, 30), "#37322c"),
)


def draw_heat(
    heat: Heat,
    *,
    shapes: Sequence[int] | None = None,
    ident: str = "track",
    low_ink: bool = False,
    font: str = "serif",
) -> str:
    """The SVG text of the track as the heat stands, with its description as alternative text.

    `shapes` holds by seat which of the six pawns it has (its own number unless told otherwise), so
    that a player keeps a pawn when the queue is reversed.  `ident` begins the ids in the picture:
    give each one on a page its own.  `low_ink` draws outlines only.  `font` is the family its
    numbers and marks are set in.
    """
    seats = len(heat.players)
    shapes = range(seats) if shapes is None else shapes
    letters = marks(heat.names)
    drawn = []
    for space, standing in groupby(heat.queue, key=lambda pawn: pawn.space):
        for place, pawn in enumerate(standing):
            x, y = _middle(space), _top(seats) - 1 - PAWN * (place + 0.5)
            ring = "" if place or space == FINISH else _ring(acts=pawn == heat.queue[0], low_ink=low_ink)
            drawn.append(
                f'<g class="pawn" id="{ident}-pawn-{shapes[pawn.seat]}" transform="translate({x:g} {y:g})">'
                f"{ring}{_pawn(shapes[pawn.seat], letters[pawn.seat], low_ink)}</g>"
            )
    track = _track(seats, low_ink, set(heat.open_stamps))
    return _svg(seats, ident, font, "The track", describe(heat), track + "".join(drawn))


def draw_empty_track(
    *, seats: int = MAX_SEATS, ident: str = "track", low_ink: bool = False, font: str = "serif"
) -> str:
    """The SVG text of the track before any pawn is on it, for paper: room for a queue above each space."""
    lanes = "".join(_lane(space, seats, low_ink) for space in range(FINISH + 1))
    return _svg(seats, ident, font, "The empty track", EMPTY_TRACK, lanes + _track(seats, low_ink, set(STAMPED)))


def draw_pawn(shape: int, mark: str, *, low_ink: bool = False, font: str = "serif") -> str:
    """The SVG text of one pawn alone, hidden from screen readers: it stands beside its player's name."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="pawn" viewBox="-12 -12 24 24" width="24" height="24" '
        f'font-family="{escape(font)}" aria-hidden="true">{_pawn(shape, mark, low_ink)}</svg>'
    )


def describe(heat: Heat) -> str:
    """The track in words: who stands where, front first, and which stamps are left."""
    standing = [
        (space, [heat.names[pawn.seat] for pawn in pawns])
        for space, pawns in groupby(heat.queue, key=lambda pawn: pawn.space)
    ]
    queues = [
        f"Finished on {FINISH}: {listed(names)}."
        if space == FINISH
        else f"On space {space}: {names[0]}" + (f" in front, then {', then '.join(names[1:])}." if names[1:] else ".")
        for space, names in standing
    ]
    stamps = f"Stamps left on {listed(heat.open_stamps)}." if heat.open_stamps else "No stamp is left."
    return " ".join((*queues, stamps))


def marks(names: Sequence[str]) -> tuple[str, ...]:
    """What is written on each pawn: the name's initial, with a second letter or the seat where initials clash.

    >>> marks(["Jo", "Kit"]), marks(["Ana", "Ben", "Aya"]), marks(["Al", "Ala"])
    (('J', 'K'), ('An', 'B', 'Ay'), ('A1', 'A2'))
    """
    letters = [_letters(name) for name in names]
    return tuple(_mark(letters, seat) for seat in range(len(names)))


def _mark(letters: list[list[str]], seat: int) -> str:
    initial = letters[seat][0]
    alike = [word for word in letters if word[0] == initial]
    if len(alike) == 1:
        return initial
    for place in range(1, min(map(len, alike))):
        if len({word[place].lower() for word in alike}) == len(alike):
            return initial + letters[seat][place].lower()
    return f"{initial}{seat + 1}"


def _letters(name: str) -> list[str]:
    """A name's visible characters, each with the marks that combine with it; the first is upper case."""
    whole: list[str] = []
    for character in name:
        kind = unicodedata.category(character)
        if kind[0] == "M" and whole:
            whole[-1] += character
        elif kind[0] in "LNPS":
            whole.append(character)
    return [whole[0].upper()[:1] + whole[0][1:], *whole[1:]]


def _middle(space: int) -> float:
    return MARGIN + COLUMN * (space + 0.5)


def _top(seats: int) -> int:
    """Where the spaces begin, below room for everybody's pawn on one of them."""
    return MARGIN + 1 + PAWN * seats


def height(seats: int) -> float:
    """How high the drawing is where `WIDTH` is its width."""
    return _top(seats) + TILE + 2 * (CIRCLE + 3) + MARGIN / 2


def _svg(seats: int, ident: str, font: str, title: str, text: str, inside: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="track" id="{ident}" viewBox="0 0 {WIDTH} {height(seats):g}" '
        f'role="img" aria-labelledby="{ident}-title {ident}-desc" font-family="{escape(font)}" text-anchor="middle">'
        f'<title id="{ident}-title">{_text(title)}</title><desc id="{ident}-desc">{_text(text)}</desc>{inside}</svg>'
    )


def _track(seats: int, low_ink: bool, open_stamps: set[int]) -> str:
    below = _top(seats) + TILE + CIRCLE + 4
    circles = "".join(_stamp(space, below, space in open_stamps, low_ink) for space in STAMPED)
    ends = "".join(
        f'<text class="end" x="{_middle(space):g}" y="{below + 3}" font-size="8" fill="{FADED}">{word}</text>'
        for space, word in ((0, "start"), (FINISH, "finished"))
    )
    return "".join(_tile(space, _top(seats), low_ink) for space in range(FINISH + 1)) + circles + ends


def _lane(space: int, seats: int, low_ink: bool) -> str:
    """Room for everybody on one space, the front place ringed and named: a queue grows upward from it."""
    x, floor = _middle(space), _top(seats) - 1
    fill = "none" if low_ink else TILE_FILL
    width, dashes = (0.3, "1 3") if low_ink else (0.6, "1 2")
    places = "".join(
        f'<circle class="place" cx="{x:g}" cy="{floor - PAWN * (place + 0.5):g}" r="10.5" fill="none" '
        f'stroke="{FADED}" stroke-width="{width}"' + (f' stroke-dasharray="{dashes}"/>' if place else "/>")
        for place in range(seats)
    )
    return (
        f'<rect class="lane" x="{x - COLUMN / 2 + 1:g}" y="{MARGIN}" width="{COLUMN - 2}" height="{floor - MARGIN}" '
        f'rx="4" fill="{fill}"/>{places}'
        f'<text class="front" x="{x:g}" y="{floor - PAWN / 2 + 2.4:g}" font-size="8" fill="{FADED}">front</text>'
    )


def _tile(space: int, top: int, low_ink: bool) -> str:
    last = space == FINISH
    fill, ink = (INK, PAPER) if last else (TILE_FILL, INK)
    line, width, weight = INK, 1.0, "bold"
    if low_ink:
        fill, ink, line, width, weight = "none", FADED, FADED, 0.4, "normal"
    kind = "finish" if last else "space"
    return (
        f'<rect class="{kind}" x="{_middle(space) - COLUMN / 2 + 1:g}" y="{top}" width="{COLUMN - 2}" height="{TILE}" '
        f'rx="4" fill="{fill}" stroke="{line}" stroke-width="{width:g}"/>'
        f'<text class="{kind}-number" x="{_middle(space):g}" y="{top + TILE / 2 + 4.3:g}" font-size="12" '
        f'font-weight="{weight}" fill="{ink}">{space}</text>'
    )


def _stamp(space: int, y: int, is_open: bool, low_ink: bool) -> str:
    x, reach = _middle(space), CIRCLE * 0.6
    if is_open:
        drawn = f'fill="none" stroke="{FADED}" stroke-width="0.4"' if low_ink else f'fill="{PAPER}" stroke="{INK}"'
        return f'<circle class="stamp open" cx="{x:g}" cy="{y}" r="{CIRCLE}" {drawn}/>'
    width, thick = (0.4, 0.8) if low_ink else (1, 2)
    cross = f"M{x - reach:g} {y - reach:g}l{2 * reach:g} {2 * reach:g}m0 {-2 * reach:g}l{-2 * reach:g} {2 * reach:g}"
    return (
        f'<circle class="stamp taken" cx="{x:g}" cy="{y}" r="{CIRCLE}" fill="none" stroke="{FADED}" '
        f'stroke-width="{width}" stroke-dasharray="2 2"/>'
        f'<path class="crossed" d="{cross}" stroke="{FADED}" stroke-width="{thick}" fill="none"/>'
    )


def _ring(*, acts: bool, low_ink: bool) -> str:
    """Around the front pawn of a queue; a bold one around the pawn that acts next."""
    kind, colour, width = ("head", INK if low_ink else ACCENT, 2.6) if acts else ("front", FADED, 0.8)
    return f'<circle class="{kind}" r="11.2" fill="none" stroke="{colour}" stroke-width="{width}"/>'


def _pawn(number: int, mark: str, low_ink: bool) -> str:
    shape = SHAPES[number]
    fill, ink = ("none", INK) if low_ink else (shape.colour, "#ffffff")
    line = f'stroke="{FADED}" stroke-width="0.4"' if low_ink else 'stroke="#ffffff" stroke-width="0.8"'
    size = shape.mark_size if len(mark) == 1 else shape.mark_size * 0.8
    return (
        f'<path class="{shape.name}" d="{shape.outline}" fill="{fill}" {line}/>'
        f'<text class="mark" y="{shape.mark_y + size * 0.36:g}" font-size="{size:g}" font-weight="bold" '
        f'text-anchor="middle" fill="{ink}">{_text(mark)}</text>'
    )


def _text(words: str) -> str:
    """Text as XML holds it: what would be markup escaped, what XML cannot hold replaced."""
    return escape(re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]", "\ufffd", words))
