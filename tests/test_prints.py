"""The printable pack, read back with pypdf, pdfplumber and poppler as a print shop would."""

import hashlib
import io
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pdfplumber
import pytest
from fontTools.ttLib import TTFont
from PIL import Image, ImageStat
from pypdf import PdfReader
from pypdf.generic import DictionaryObject, IndirectObject

from botq.cli import main
from botq.fares import FARES
from botq.heat import Heat
from botq.prints import SOURCES, Pack
from botq.prints.lettering import COVERS

MM = 72 / 25.4
NASTY = [
    "太郎",
    "🎲🎲",
    "שלום",
    "Z̷̢̛͓a̴̹͐lgo",
    "W" * 20,
    "\u2028x".strip("\u2028") + "\u200b" * 9,
    "‰" * 20,
    "Ångström Ένα Пётр",
]
VARIANTS = [
    {},
    {"low_ink": True},
    {"large": True},
    {"paper": "letter"},
    {"paper": "both", "large": True},
    {"seats": 2, "fares": ("standard",)},
    {"names": "Jo,Kit,Ada", "paper": "both"},
    {"match": "standard/Jo,Kit/33333333/312"},
    {"match": "local/Jo,Kit,Ada,Sam,Lee,Max/3121", "large": True, "low_ink": True},
]


@cache
def _pdf(order: tuple[tuple[str, Any], ...]) -> bytes:
    return Pack.ordered(**dict(order)).pdf()


def pdf(**order: Any) -> bytes:
    return _pdf(tuple(order.items()))


@cache
def _pages(order: tuple[tuple[str, Any], ...]) -> list[Any]:
    return list(pdfplumber.open(io.BytesIO(_pdf(order))).pages)


def pages(**order: Any) -> list[Any]:
    return _pages(tuple(order.items()))


def sheet(name: str, **order: Any) -> Any:
    """The first page of the sheet of this name."""
    return pages(**order)[Pack.ordered(**order).contents().index(name)]


def size(thing: dict[str, Any]) -> tuple[float, float]:
    return round(thing["width"] / MM, 1), round(thing["height"] / MM, 1)


def words(page: Any) -> list[str]:
    return [word["text"] for word in page.extract_words()]


@pytest.mark.parametrize(
    ("paper", "standing"), [("a4", (210, 297)), ("letter", (215.9, 279.4)), ("both", (210, 279.4))]
)
def test_every_page_has_the_size_of_the_paper_and_only_the_track_lies(
    paper: str, standing: tuple[float, float]
) -> None:
    names = Pack.ordered(paper=paper).contents()
    for name, page in zip(names, PdfReader(io.BytesIO(pdf(paper=paper))).pages, strict=True):
        across, down = (float(side) / MM for side in page.mediabox[2:])
        assert (across, down) == pytest.approx(standing[::-1] if name == "Track" else standing, abs=0.01)


@pytest.mark.parametrize("order", VARIANTS, ids=str)
def test_ten_millimetres_stay_white_around_every_page(order: dict[str, Any]) -> None:
    for raster in Pack.ordered(**order).rasters(50.8):  # two pixels a millimetre
        left, top, right, bottom = Image.eval(Image.open(io.BytesIO(raster)).convert("L"), lambda v: 255 - v).getbbox()
        across, down = Image.open(io.BytesIO(raster)).size
        assert min(left, top, across - right, down - bottom) >= 19


@pytest.mark.parametrize("order", VARIANTS, ids=str)
def test_the_pack_is_tagged_titled_in_english_and_of_a_version_every_printer_knows(order: dict[str, Any]) -> None:
    made = pdf(**order)
    reader = PdfReader(io.BytesIO(made))
    root = reader.root_object
    assert made.startswith(b"%PDF-1.7")
    assert root["/MarkInfo"]["/Marked"]
    assert root["/StructTreeRoot"]["/K"]
    assert root["/Lang"] == "en"
    assert root["/ViewerPreferences"]["/DisplayDocTitle"]
    assert reader.metadata
    assert reader.metadata.title == "Back of the Queue"
    assert b"<pdfuaid:part>1</pdfuaid:part>" in root["/Metadata"].get_data()
    assert len(made) <= 300_000


def test_the_outline_leads_to_every_sheet_and_every_card() -> None:
    reader = PdfReader(io.BytesIO(pdf()))
    titles = [one.title for entry in reader.outline for one in (entry if isinstance(entry, list) else [entry])]
    for name in ("Rules", "Large track, left half", "Fare cards", "Record sheet, heat 2", "Pawns", *FARES):
        assert name.capitalize() in [title.capitalize() for title in titles]


def alternatives(reader: PdfReader) -> Iterator[str]:
    """Every alternative text in the structure tree."""

    def walk(node: Any) -> Iterator[str]:
        node = node.get_object() if isinstance(node, IndirectObject) else node
        if isinstance(node, DictionaryObject):
            if "/Alt" in node:
                yield str(node["/Alt"])
            if "/K" in node:
                yield from walk(node["/K"])
        elif isinstance(node, list):
            for child in node:
                yield from walk(child)

    yield from walk(reader.root_object["/StructTreeRoot"]["/K"])


def test_the_track_is_told_in_words() -> None:
    told = list(alternatives(PdfReader(io.BytesIO(pdf()))))
    assert sum("Thirteen spaces from 0 to 12" in one for one in told) == 3
    [running] = alternatives(PdfReader(io.BytesIO(pdf(match="standard/Jo,Kit/313"))))
    assert running.startswith("On space 3: Jo. On space 4: Kit.")


@pytest.mark.parametrize("order", [VARIANTS[0], *VARIANTS[-2:]], ids=str)
def test_all_letters_are_of_the_bundled_font_and_inside_the_file(order: dict[str, Any]) -> None:
    used = {char["fontname"].partition("+")[2] for page in pages(**order) for char in page.chars}
    assert used <= {"AlegreyaSans-Regular", "AlegreyaSans-Bold"}
    reader = PdfReader(io.BytesIO(pdf(**order)))
    fonts = [one.get_object() for one in (reader.get_object(n + 1) for n in range(len(reader.xref[0]))) if one]
    described = [one for one in fonts if isinstance(one, DictionaryObject) and one.get("/Type") == "/FontDescriptor"]
    assert described
    assert all("/FontFile2" in one for one in described)


def test_the_same_pack_is_the_same_file_byte_for_byte(tmp_path: Path) -> None:
    for file in ("one.pdf", "two.pdf"):
        command = [sys.executable, "-m", "botq", "print", "--names", "Jo,Kit", "-o", str(tmp_path / file)]
        subprocess.run(command, check=True)
    one, two = (hashlib.sha256((tmp_path / file).read_bytes()).hexdigest() for file in ("one.pdf", "two.pdf"))
    assert one == two
    assert hashlib.sha256(pdf(names="Jo,Ada")).hexdigest() != one


@pytest.mark.parametrize("order", [{}, {"low_ink": True}, {"large": True}, {"paper": "letter"}], ids=str)
def test_cards_are_of_poker_size_and_cut_marks_stay_off_them_and_off_each_other(order: dict[str, Any]) -> None:
    page = sheet("Fare cards", **order)
    cards = [rect for rect in page.rects if size(rect) == (63.0, 88.0)]
    assert len(cards) == 3
    coloured = [rect for rect in page.rects if size(rect) == (69.0, 94.0)]
    assert len(coloured) == (0 if order.get("low_ink") else 3)
    marks = [line for line in page.lines if size(line) in ((3.0, 0.0), (0.0, 3.0))]
    assert len(marks) == 8 * len(cards)
    for mark in marks:
        for card in cards:
            off = 3.2 * MM
            assert (
                mark["x1"] < card["x0"] - off
                or mark["x0"] > card["x1"] + off
                or mark["bottom"] < card["top"] - off
                or mark["top"] > card["bottom"] + off
            )
    for card in cards:  # two marks in line with each of its edges
        assert sum(abs(mark["x0"] - card["x0"]) < 0.1 and mark["width"] < 0.1 for mark in marks) >= 2
        assert sum(abs(mark["top"] - card["bottom"]) < 0.1 and mark["height"] < 0.1 for mark in marks) >= 2


def test_neighbouring_cards_leave_room_for_the_colour_and_the_marks_of_both() -> None:
    cards = [rect for rect in sheet("Fare cards").rects if size(rect) == (63.0, 88.0)]
    assert (cards[1]["x0"] - cards[0]["x1"]) / MM >= 2 * (3 + 3)
    assert (cards[2]["top"] - cards[0]["bottom"]) / MM >= 2 * (3 + 3)


@pytest.mark.parametrize("order", [{}, {"large": True, "paper": "both"}], ids=str)
def test_the_ruler_is_100_millimetres_long(order: dict[str, Any]) -> None:
    lines = sheet("Print, cut and fold", **order).lines
    [ruler] = [line for line in lines if abs(line["width"] / MM - 100) < 3 and line["height"] < 1]
    assert ruler["width"] / MM == pytest.approx(100, abs=0.1)
    ticks = sorted(line["x0"] for line in lines if line["width"] < 0.1 and abs(line["top"] - ruler["top"]) < 0.1)
    assert len(ticks) == 101
    assert (ticks[-1] - ticks[0]) / MM == pytest.approx(100, abs=0.1)


@pytest.mark.parametrize("order", [{}, {"low_ink": True}, {"paper": "both", "seats": 3}], ids=str)
def test_the_track_has_thirteen_spaces_eleven_circles_and_room_for_everybody(order: dict[str, Any]) -> None:
    page = sheet("Track", **order)
    assert [word for word in words(page) if word.isdigit()][:13] == [str(space) for space in range(13)]
    assert words(page).count("front") == 13
    assert "finished" in words(page)
    round_ones = Counter(
        round(curve["width"], 1) for curve in page.curves if abs(curve["width"] - curve["height"]) < 0.1
    )
    assert 11 in round_ones.values()
    assert 13 * order.get("seats", 6) in round_ones.values()


def test_the_halves_of_the_large_track_meet_at_their_marks_and_overlap() -> None:
    def stamps_and_seam(half: str) -> tuple[list[float], dict[str, Any]]:
        page = sheet(f"Large track, {half} half")
        [seam] = [line for line in page.lines if line["height"] / MM > 50]
        widths = Counter(round(curve["width"], 1) for curve in page.curves)
        [stamp] = [width for width, count in widths.items() if count == 11]
        return sorted(curve["x0"] for curve in page.curves if round(curve["width"], 1) == stamp), seam

    (left, seam_left), (right, seam_right) = stamps_and_seam("left"), stamps_and_seam("right")
    from_six, to_seven = seam_left["x0"] - left[5], right[6] - seam_right["x0"]
    assert from_six + to_seven == pytest.approx(left[1] - left[0], abs=0.05)  # as far apart as any two spaces
    assert seam_left["height"] == pytest.approx(seam_right["height"])
    assert (200 * MM - seam_left["x0"]) / MM == pytest.approx(6, abs=0.1)  # printed beyond the seam, on both
    assert (seam_right["x0"] - 10 * MM) / MM == pytest.approx(6, abs=0.1)


def coverage(**order: Any) -> float:
    """How much of the paper is black, were all ink black: 0 to 1, over the whole pack."""
    means = [
        ImageStat.Stat(Image.open(io.BytesIO(one)).convert("L")).mean[0] for one in Pack.ordered(**order).rasters(50)
    ]
    return 1 - sum(means) / len(means) / 255


@pytest.mark.parametrize(
    "order", [{}, {"paper": "letter"}, {"large": True}, {"large": True, "paper": "both"}, {"seats": 1}], ids=str
)
def test_low_ink_takes_under_a_tenth_of_the_ink(order: dict[str, Any]) -> None:
    assert coverage(**order, low_ink=True) < coverage(**order) / 10


@pytest.mark.parametrize("large", [False, True])
def test_low_ink_fills_nothing(large: bool) -> None:
    for page in pages(low_ink=True, large=large):
        for thing in (*page.rects, *page.curves):
            if thing["fill"]:  # a line may be drawn as a very thin area
                assert min(thing["width"], thing["height"]) < 0.5


def test_large_print_is_18_points_and_more() -> None:
    for name, page in zip(Pack(large=True).contents(), pages(large=True), strict=True):
        if "track" not in name.lower():  # a drawing, not text to read
            assert min(char["size"] for char in page.chars) >= 17.99


@pytest.mark.parametrize("fare", ["standard", "A1-B2-C3-AA4-BB5-CC6-AB7-AAAAAAAAAABC99", "AAAAAABBBCCC99"])
@pytest.mark.parametrize("large", [False, True])
def test_no_card_gets_illegible_or_runs_over_however_many_sets_it_has(fare: str, large: bool) -> None:
    order = {"fares": (fare,), "large": large}
    page = sheet("Fare cards", **order)
    assert min(char["size"] for char in page.chars) >= (18 if large else 8) - 0.01
    [card] = [rect for rect in page.rects if size(rect) == (63.0, 88.0)]
    body = [char for char in page.chars if card["top"] - 20 < char["top"] < page.height - 20 * MM]
    assert all(card["x0"] + 12 < char["x0"] and char["x1"] < card["x1"] - 12 for char in body)
    tops = sorted({round(char["top"]) for char in body if char["text"] in "ABC" and char["size"] > 8})
    assert all(below - above >= 8 for above, below in pairwise(tops) if below - above > 2)


@pytest.mark.parametrize("paper", ["a4", "letter", "both"])
def test_the_rules_fit_on_one_page_with_the_worked_example(paper: str) -> None:
    assert Pack(paper=paper).contents().count("Rules") == 1
    said = " ".join(words(sheet("Rules", paper=paper)))
    hand = (4, 1, 2)  # the rule sheet's: four A, one B and two C, and three stamps
    points = FARES["standard"].receipt(*hand).points
    assert "four A, one B and two C" in said
    assert f"makes {points} for tickets, and with three stamps Jo’s score is {points + 3}" in said
    kit = Heat.of("standard", ["Jo", "Kit"], "3131").jump(3).story[-1]  # on the example's position
    assert (kit.name, kit.landing, kit.ticket, kit.stamp) == ("Kit", 7, "C", True)
    assert "Kit is at the front of the lowest space, jumps 3 to 7 and takes a C" in said


@pytest.mark.parametrize("order", VARIANTS[:7], ids=str)
def test_two_sided_printing_puts_nothing_behind_what_is_cut(order: dict[str, Any]) -> None:
    names = [*Pack.ordered(**order).contents(), "the end"]
    for name in ("Large track, left half", "Large track, right half", "Fare cards", "Pawns", "Record sheet, heat 1"):
        assert names.index(name) % 2 == 0  # a front
    assert names[names.index("Large track, left half") + 1] == "Track"
    assert "Left empty" in names[names.index("Large track, right half") + 1]
    assert "Left empty" in names[names.index("Fare cards") + 1]
    assert names[names.index("Record sheet, heat 1") + 1] == "Record sheet, heat 2"
    assert names[names.index("Pawns") + 1] == "the end"


@pytest.mark.parametrize("seats", range(1, 7))
def test_everybody_gets_a_pawn_and_a_line_on_both_record_sheets(seats: int) -> None:
    strips = [rect for rect in sheet("Pawns", seats=seats).rects if size(rect) == (18.0, 101.0)]
    assert len(strips) == seats
    for heat in (1, 2):
        page = sheet(f"Record sheet, heat {heat}", seats=seats)
        assert words(page).count("set") == 3 * seats
        for heading in ("Name", "A", "B", "C", "Stamps", "Score"):
            assert heading in words(page)


def test_heat_2_stands_in_the_reversed_queue() -> None:
    told = [" ".join(words(sheet(f"Record sheet, heat {heat}", names="Jo,Kit,Ada"))) for heat in (1, 2)]
    assert [sorted(("Jo", "Kit", "Ada"), key=one.index) for one in told] == [["Jo", "Kit", "Ada"], ["Ada", "Kit", "Jo"]]


@pytest.mark.parametrize("name", NASTY, ids=ascii)
@pytest.mark.parametrize("large", [False, True])
def test_any_name_is_shown_or_replaced_with_a_note_and_stays_on_its_pawn(name: str, large: bool) -> None:
    order = {"names": f"Jo,{name}", "large": large}
    page = sheet("Pawns", **order)
    strips = [rect for rect in page.rects if rect["height"] / MM > 80]
    said = " ".join(words(page))
    replaced = "stands for a name in letters that this print has no type for" in said
    assert replaced == (name in NASTY[:4])
    assert ("Player 2*" in said) == replaced
    named = [char for char in page.chars if strips[0]["top"] < char["top"] and char["bottom"] < strips[0]["bottom"]]
    assert named
    for char in named:
        assert any(strip["x0"] <= char["x0"] and char["x1"] <= strip["x1"] for strip in strips)


def test_accents_greek_and_cyrillic_are_printed_as_they_are() -> None:
    said = " ".join(words(sheet("Record sheet, heat 1", names="Zoë Ångström,Ξένια,Пётр")))
    assert "Zoë Ångström" in said
    assert "Ξένια" in said
    assert "Пётр" in said


def test_the_list_of_letters_beside_the_font_is_the_fonts_own() -> None:
    files = [SOURCES / "fonts" / f"AlegreyaSans-{weight}.ttf" for weight in ("Regular", "Bold")]
    both = set.intersection(*(set(TTFont(file).getBestCmap()) for file in files))
    ranges = [line.split("-") for line in COVERS.read_text().splitlines()]
    assert {point for first, last in ranges for point in range(int(first, 16), int(last, 16) + 1)} == both


def test_a_running_match_is_printed_filled_in() -> None:
    page = sheet("Record sheet, heat 1", match="standard/Jo,Kit:longest/3121")  # counted by hand
    rows = [row for row in page.extract_tables()[0] if row[1] in ("Jo", "Kit")]
    assert rows == [["1", "Jo", "1", "0", "1", "2", "2"], ["2", "Kit", "1", "1", "0", "1", "1"]]


def test_a_finished_match_is_printed_with_both_heats_and_their_winners() -> None:
    order = {"match": "local/Jo,Kit/33333333/22222222222222"[:-2]}
    first, second = pages(**order)
    assert "Jo wins." in " ".join(words(first))  # 2 CC each, and Jo took the stamps of 3, 6 and 9
    assert "Kit wins." in " ".join(words(second))  # nothing for B, and Kit was first on 2, 4, 6, 8 and 10


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--paper", "a3"], "there is no paper 'a3'"),
        (["--seats", "7"], "a heat has 1 to 6 seats, not 7"),
        (["--seats", "0"], "a heat has 1 to 6 seats, not 0"),
        (["--seats", "3", "--names", "Jo,Kit"], "2 names but 3 seats"),
        (["--names", "Jo,jo"], "both named"),
        (["--names", "A,B,C,D,E,F,G"], "a heat has 1 to 6 seats, not 7"),
        (["--names", ""], "the name of seat 1 is empty"),
        (["standard", "ABC5-AA1"], "asked for twice"),
        (["ABX5"], "there is no fare card 'ABX5'"),
        (["--match", "standard/Jo/9"], "jump 1 reads '9'"),
        (["--match", "standard/Jo/3", "--seats", "1"], "give the match alone"),
        (["local", "--match", "standard/Jo/3"], "give the match alone"),
        ([f"A{points}" for points in range(25)], "at most 24 fare cards"),
    ],
)
def test_what_cannot_be_printed_is_refused_in_one_line(
    arguments: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["print", *arguments, "-o", str(tmp_path / "pack.pdf")]) == 2
    complaint = capsys.readouterr().err
    assert said in complaint
    assert complaint.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_a_file_that_is_there_stays_as_it_is_unless_forced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = tmp_path / "kept.pdf"
    kept.write_text("precious")
    assert main(["print", "-o", str(kept)]) == 2
    assert "--force writes over it" in capsys.readouterr().err
    assert kept.read_text() == "precious"
    assert main(["print", "--force", "-o", str(kept)]) == 0
    assert kept.read_bytes() == pdf()
    assert list(tmp_path.iterdir()) == [kept]


@pytest.mark.parametrize("where", ["", "nowhere/pack.pdf", "file/pack.pdf", "n" * 300])
@pytest.mark.parametrize("force", [[], ["--force"]], ids=str)
def test_a_place_that_cannot_be_written_is_refused_in_one_line(
    where: str, force: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("precious")
    assert main(["print", *force, "-o", str(tmp_path / where)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert [one.name for one in tmp_path.iterdir()] == ["file"]


@pytest.mark.skipif(not shutil.which("pdftotext"), reason="LOUDLY: poppler-utils is missing, its reading goes untested")
def test_poppler_reads_the_same_pack(tmp_path: Path) -> None:
    file = tmp_path / "pack.pdf"
    file.write_bytes(pdf())
    for tool, said in (("pdftotext", "The player furthest behind goes next."), ("pdffonts", "AlegreyaSans-Bold")):
        command = [tool, str(file), *(["-"] if tool == "pdftotext" else [])]
        assert said in subprocess.run(command, capture_output=True, text=True, check=True).stdout
