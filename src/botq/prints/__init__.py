"""The printable pack: everything to play with paper and pencils, as one PDF set by Typst.

What is on the sheets and where is told by the Typst sources beside this file; this module says
what goes in, as one JSON object, and refuses what cannot be printed.
"""

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, NamedTuple

import typst

from botq import board
from botq.fares import FARES, Fare
from botq.heat import Heat, Player, check_names
from botq.notation import Match
from botq.prints.lettering import can_print, printed
from botq.rules import LETTERS, MAX_SEATS, Refused
from botq.words import listed, shown

SOURCES = Path(__file__).parent
FONT = "Alegreya Sans"
DRAWN_IN = f"{FONT}, sans-serif"  # a browser that shows a page as SVG has no part in our font
MOST_FARES = 24
SEAM = 7  # the larger track is cut on the left edge of this space
BODY, SAVING_BODY, LARGE_BODY = 12.0, 10.5, 18.0  # points; smaller letters take less ink
PRINTED_ON = 1_767_225_600  # 1 January 2026, UTC: a fixed date, so that the same pack is the same file
TICKET_COLOURS = {"A": "#0d6558", "B": "#85530a", "C": "#8a2a5b"}
CARD_COLOURS = {"standard": "#a8321a", "express": "#1d5a96", "local": "#2a6b3c", None: "#6c3a94"}


class CannotPrint(Refused):
    """This pack cannot be printed, or not there."""


class Paper(NamedTuple):
    """A sheet, standing: its name, how it is spoken of, and its size in mm."""

    name: str
    said: str
    width: float
    height: float


PAPERS = {
    "a4": Paper("a4", "A4", 210, 297),
    "letter": Paper("letter", "Letter", 215.9, 279.4),
    "both": Paper("both", "A4 and Letter", 210, 279.4),  # as narrow as the one, as short as the other
}


@dataclass(frozen=True)
class Pack:
    """What somebody wants printed; raises `Refused` for what cannot be.

    `names`, front of the queue first, are written on pawns and record sheets.  With a `match`
    the pack is its filled-in record sheets and nothing else.
    """

    fares: tuple[Fare, ...] = tuple(FARES.values())
    paper: str = "a4"
    seats: int = MAX_SEATS
    names: tuple[str, ...] = ()
    low_ink: bool = False
    large: bool = False
    match: Match | None = None

    @classmethod
    def ordered(
        cls,
        fares: Sequence[str] = (),
        *,
        paper: str = "a4",
        seats: int | None = None,
        names: str | None = None,
        low_ink: bool = False,
        large: bool = False,
        match: str | None = None,
    ) -> "Pack":
        """The pack that these words ask for: names joined by commas, cards and a match as they are spelled."""
        if match is not None:
            if fares or seats is not None or names is not None:
                raise CannotPrint("a match brings its own fare card, seats and names: give the match alone")
            return cls(paper=paper, low_ink=low_ink, large=large, match=Match.parse(match))
        called = () if names is None else tuple(name.strip() for name in names.split(","))
        if called and seats not in (None, len(called)):
            raise CannotPrint(f"{len(called)} name{'s' * (len(called) > 1)} but {seats} seats: leave the seats out")
        cards = tuple(map(Fare.parse, fares)) or tuple(FARES.values())
        return cls(cards, paper, len(called) or (MAX_SEATS if seats is None else seats), called, low_ink, large)

    def __post_init__(self) -> None:
        if self.paper not in PAPERS:
            raise CannotPrint(f"there is no paper {shown(self.paper)}: write {listed(PAPERS, 'or')}")
        if not 1 <= self.seats <= MAX_SEATS:
            raise CannotPrint(f"a heat has 1 to {MAX_SEATS} seats, not {self.seats}")
        if len(self.fares) > MOST_FARES:
            raise CannotPrint(f"a pack holds at most {MOST_FARES} fare cards, not {len(self.fares)}")
        if len(set(self.fares)) < len(self.fares):
            twice = next(card for card in self.fares if self.fares.count(card) > 1)
            raise CannotPrint(f"the fare card {twice.title} is asked for twice: one copy is all you need")
        if self.names:
            check_names(self.names)

    def pdf(self) -> bytes:
        """The pack as PDF 1.7 and PDF/UA-1; the same pack is always the same bytes."""
        pdf = _compiled(self._data, format="pdf", pdf_standards=["1.7", "ua-1"], timestamp=PRINTED_ON)
        return pdf[0]

    def pictures(self) -> tuple[str, ...]:
        """Each page as an SVG picture."""
        return tuple(page.decode() for page in _compiled(self._data, format="svg"))

    def rasters(self, dots_per_inch: float) -> tuple[bytes, ...]:
        """Each page as a PNG."""
        return _compiled(self._data, format="png", ppi=dots_per_inch)

    def contents(self) -> tuple[str, ...]:
        """What is on each page: the name of its sheet, or that it is left empty."""
        return tuple(json.loads(_compiler(self._data).query("<contents>", field="value", one=True)))

    def write(self, path: Path, *, force: bool = False) -> None:
        """Writes the PDF whole or not at all; raises `CannotPrint` where it cannot, or must not."""
        where = shown(str(path), most=120)
        try:
            if path.exists() and not path.is_file():
                raise CannotPrint(f"{where} is no file to write to")
            if path.exists() and not force:
                raise CannotPrint(f"{where} is there already: --force writes over it")
            _write_whole(path, self.pdf())
        except OSError as wrong:
            raise CannotPrint(f"{where} cannot be written: {wrong.strerror}") from None

    @cached_property
    def _data(self) -> str:
        """Everything the Typst sources need to know, as JSON."""
        return json.dumps(
            {
                "title": "Back of the Queue",
                "description": "Rules, track, fare cards, pawns and record sheets to print",
                "paper": PAPERS[self.paper]._asdict(),
                "low_ink": self.low_ink,
                "large": self.large,
                "body": LARGE_BODY if self.large else SAVING_BODY if self.low_ink else BODY,
                "colours": {
                    "ink": board.INK,
                    "accent": board.ACCENT,
                    "paper": board.PAPER,
                    "tint": board.TILE_FILL,
                    "tickets": TICKET_COLOURS,
                },
                "match": self.match is not None,
                "named": bool(self._players),
                "replaced": [printed(name, seat) for seat, name in enumerate(self._players, 1) if not can_print(name)],
                "track": {
                    "picture": board.draw_empty_track(seats=self.seats, low_ink=self.low_ink, font=DRAWN_IN),
                    "alt": board.EMPTY_TRACK,
                    "seam": (board.MARGIN + board.COLUMN * SEAM) / board.WIDTH,
                    "aspect": board.height(self.seats) / board.WIDTH,
                },
                "cards": [_card(fare) for fare in self.fares],
                "pawns": [] if self.match else [self._pawn(seat) for seat in range(self.seats)],
                "records": self._records,
            }
        )

    @property
    def _players(self) -> tuple[str, ...]:
        """The names as typed, in the opening order of heat 1; none where nobody gave any."""
        return tuple(player.name for player in self.match.players) if self.match else self.names

    @cached_property
    def _printed(self) -> tuple[str, ...]:
        return tuple(map(printed, self._players, range(1, MAX_SEATS + 1)))

    def _pawn(self, seat: int) -> dict[str, Any]:
        shape = board.SHAPES[seat]
        name = self._printed[seat] if self._printed else ""
        mark = board.marks(self._printed)[seat] if self._printed else ""
        return {
            "name": name,
            "colour": shape.colour,
            "picture": board.draw_pawn(seat, mark, low_ink=self.low_ink, font=DRAWN_IN),
            "alt": f"A pawn marked with a {shape.name}" + (f" and {mark}." if mark else "."),
        }

    @property
    def _records(self) -> list[dict[str, Any]]:
        if self.match:
            return [self._played(number, heat) for number, heat in enumerate(self.match.heats, 1)]
        return [self._unplayed(number) for number in (1, 2)]

    def _unplayed(self, number: int) -> dict[str, Any]:
        """An empty record sheet; whoever is known stands on it in the opening order of that heat."""
        names = self._printed[::-1] if number == 2 else self._printed
        card = self.fares[0] if len(self.fares) == 1 else None
        return {
            "number": number,
            "fare": card.title if card else None,
            "sets": _card(card)["sets"] if card else [],
            "jumps": None,
            "rows": [
                {"place": place + 1 if names else None, "name": names[place] if names else ""}
                for place in range(self.seats)
            ],
        }

    def _played(self, number: int, heat: Heat) -> dict[str, Any]:
        """A record sheet as the heat stands, its names made printable."""
        order = range(len(heat.players)) if number == 1 else range(len(heat.players))[::-1]
        shown_as = Heat(heat.fare, tuple(Player(self._printed[seat]) for seat in order), heat.jumps)
        rows = zip(shown_as.names, heat.pawns, heat.receipts, heat.scores.values(), strict=True)
        return {
            "number": number,
            "fare": heat.fare.title,
            "jumps": " ".join(heat.jumps),
            "standing": _standing(shown_as),
            "picture": board.draw_heat(shown_as, shapes=order, low_ink=self.low_ink, font=DRAWN_IN),
            "alt": board.describe(shown_as),
            "rows": [
                {
                    "place": place,
                    "name": name,
                    "tickets": pawn.tickets,
                    "stamps": pawn.stamps,
                    "score": score,
                    "receipt": str(receipt),
                    "points": receipt.points,
                }
                for place, (name, pawn, receipt, score) in enumerate(rows, 1)
            ],
        }


def _write_whole(path: Path, pdf: bytes) -> None:
    """Writes beside the file first, so that nobody ever finds half a pack in its place."""
    unfinished = path.with_name(f".botq-{os.getpid()}")
    try:
        unfinished.write_bytes(pdf)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def _standing(heat: Heat) -> str:
    if not heat.over:
        return f"{heat.turn} is next." if heat.jumps else f"Nobody has jumped yet; {heat.turn} is first."
    return f"{heat.winners[0]} wins." if len(heat.winners) == 1 else f"{listed(heat.winners)} share the win."


def _card(fare: Fare) -> dict[str, Any]:
    return {
        "title": fare.title if fare.name else "Fare card",
        "colour": CARD_COLOURS[fare.name],
        "sets": [
            {"letters": one.letters, "counts": dict(zip(LETTERS, one.takes, strict=True)), "points": one.points}
            for one in fare.sets
        ],
    }


@cache
def _fonts() -> typst.Fonts:
    """The bundled font and no other, so that a pack is the same everywhere."""
    return typst.Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=[str(SOURCES / "fonts")])


def _compiler(data: str) -> typst.Compiler:
    return typst.Compiler(SOURCES / "pack.typ", root=SOURCES, font_paths=_fonts(), sys_inputs={"pack": data})


def _compiled(data: str, **how: Any) -> tuple[bytes, ...]:
    """What Typst makes of the sources with this data, a file for each page or one for all."""
    made = _compiler(data).compile(**how)
    return (made,) if isinstance(made, bytes) else tuple(made or ())
