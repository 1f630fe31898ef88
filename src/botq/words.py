"""How lists, and text that somebody typed, are put into one plain sentence."""

from collections.abc import Iterable


def listed(words: Iterable[object], last: str = "and") -> str:
    """Words as a person lists them.

    >>> listed(["A"]), listed("AC"), listed([1, 2, 3], "or")
    ('A', 'A and C', '1, 2 or 3')
    """
    *most, final = map(str, words)
    return f"{', '.join(most)} {last} {final}" if most else final


def shown(text: str, most: int = 40) -> str:
    """Somebody's text, quoted: cut where long, characters that don't print spelled out.

    >>> print(shown("Jo\\n" + "o" * 50))
    'Jo\\nooooooooooooooooooooooooooooooooooooo…'
    """
    cut = text if len(text) <= most else text[:most] + "…"
    return "'" + "".join(c if c.isprintable() else ascii(c)[1:-1] for c in cut) + "'"


def roughly(number: float) -> str:
    """A large number to two digits.

    >>> roughly(2_648_123_456)
    '2,600,000,000'
    """
    return f"{float(f'{number:.2g}'):,.0f}"
