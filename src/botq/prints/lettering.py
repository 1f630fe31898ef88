"""Which names the bundled font can show, and what is printed where it cannot."""

import unicodedata
from functools import cache
from itertools import pairwise
from pathlib import Path

COVERS = Path(__file__).parent / "fonts" / "covers.txt"


def printed(name: str, seat: int) -> str:
    """A player's name as it is printed: what has no shape left out, a name the font lacks replaced.

    >>> printed("Zoe\u0308", 1), printed("Jo\u200b", 1), printed("\u592a\u90ce", 2)
    ('Zo\u00eb', 'Jo', 'Player 2*')
    """
    return " ".join(_visible(name).split()) if can_print(name) else f"Player {seat}*"


def can_print(name: str) -> bool:
    """Whether every character, and its upper case for the mark on a pawn, is in the font, with no heap of accents."""
    visible = _visible(name)
    heaped = any(unicodedata.combining(a) and unicodedata.combining(b) for a, b in pairwise(visible))
    return not heaped and all(ord(character) in _covered() for character in visible + visible.upper())


def _visible(name: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFC", name) if unicodedata.category(c) != "Cf")


@cache
def _covered() -> frozenset[int]:
    """The code points of the bundled font, out of the list of ranges beside it."""
    ranges = (line.split("-") for line in COVERS.read_text("ascii").splitlines())
    return frozenset(point for first, last in ranges for point in range(int(first, 16), int(last, 16) + 1))
