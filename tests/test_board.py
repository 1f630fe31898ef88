"""The drawn track: whoever looks at it, or hears it, knows the whole heat."""

import re
from xml.etree import ElementTree as Svg  # the pictures are our own, and hold no entities

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botq.board import SHAPES, describe, draw_empty_track, draw_heat, draw_pawn, marks
from botq.heat import Heat

NS = "{http://www.w3.org/2000/svg}"
SIX = ["Jo", "Kit", "Ada", "Sam", "Lee", "Max"]


def pawns(picture: str) -> dict[str, tuple[float, float]]:
    """Where each pawn is drawn, by what is written on it."""
    found = {}
    for group in Svg.fromstring(picture).iter(f"{NS}g"):
        x, y = re.findall(r"[\d.]+", group.attrib["transform"])
        found[str(group.findtext(f"{NS}text"))] = (float(x), float(y))
    return found


def test_the_front_pawn_of_a_queue_stands_lowest_and_the_others_behind_it() -> None:
    drawn = pawns(draw_heat(Heat.of("standard", SIX)))
    assert [mark for mark, (_, y) in sorted(drawn.items(), key=lambda one: -one[1][1])] == list("JKASLM")
    assert len({x for x, _ in drawn.values()}) == 1


def test_a_pawn_that_jumps_further_is_drawn_further_to_the_right() -> None:
    drawn = pawns(draw_heat(Heat.of("standard", ["Jo", "Kit", "Ada"], "31")))
    assert drawn["A"][0] < drawn["K"][0] < drawn["J"][0]


def test_only_the_pawn_that_acts_next_has_the_bold_ring() -> None:
    picture = Svg.fromstring(draw_heat(Heat.of("standard", ["Jo", "Kit", "Ada"], "31")))
    ringed = [group for group in picture.iter(f"{NS}g") if group.find(f"{NS}circle[@class='head']") is not None]
    assert [group.findtext(f"{NS}text") for group in ringed] == ["A"]


def test_a_finished_heat_rings_nobody() -> None:
    picture = draw_heat(Heat.of("standard", ["Jo"], "3333"))
    assert 'class="head"' not in picture
    assert 'class="front"' not in picture


def test_stamps_that_were_taken_are_crossed_out_though_nobody_stands_there_now() -> None:
    picture = draw_heat(Heat.of("standard", ["Jo"], "12"))  # on 1, then on 3
    assert picture.count('class="stamp taken"') == picture.count('class="crossed"') == 2
    assert picture.count('class="stamp open"') == 9


def test_the_track_is_told_in_words_too() -> None:
    heat = Heat.of("standard", ["Jo", "Kit", "Ada"], "222")
    told = "On space 2: Jo in front, then Kit, then Ada. Stamps left on 1, 3, 4, 5, 6, 7, 8, 9, 10 and 11."
    assert describe(heat) == told
    assert Svg.fromstring(draw_heat(heat)).findtext(f"{NS}desc") == told
    assert describe(Heat.of("standard", ["Jo"], "3333")).startswith("Finished on 12: Jo.")


def test_a_player_keeps_the_pawn_when_the_queue_is_reversed() -> None:
    reversed_heat = draw_heat(Heat.of("standard", ["Kit", "Jo"], "3"), shapes=(1, 0))
    shape_of = {
        str(group.findtext(f"{NS}text")): next(iter(group.findall(f"{NS}path"))).attrib["class"]
        for group in Svg.fromstring(reversed_heat).iter(f"{NS}g")
    }
    assert shape_of == {"J": "circle", "K": "square"}


def test_pawns_differ_by_shape_and_not_only_by_colour() -> None:
    assert len({shape.outline for shape in SHAPES}) == len({shape.name for shape in SHAPES}) == 6


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_white_letters_can_be_read_on_every_pawn(shape: object) -> None:
    colour = shape.colour  # type: ignore[attr-defined]  # parametrize hands over plain objects
    channels = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    assert 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05) >= 4.5  # WCAG 2.2, 1.4.3


def test_names_with_the_same_initial_get_marks_that_differ() -> None:
    assert marks(["Jo", "Jill"]) == ("Jo", "Ji")
    assert marks(["Al", "Ala"]) == ("A1", "A2")
    assert marks(["A", "A1"]) == ("A1", "A2")
    assert marks(["Player 1", "Player 2"]) == ("P1", "P2")
    assert marks(["jo", "Ömer", "李"]) == ("J", "Ö", "李")


@pytest.mark.parametrize("low_ink", [False, True])
def test_the_empty_track_has_every_space_eleven_stamp_circles_and_room_for_a_queue(low_ink: bool) -> None:
    picture = Svg.fromstring(draw_empty_track(seats=4, low_ink=low_ink))
    words = [text.text for text in picture.iter(f"{NS}text")]
    assert [word for word in words if str(word).isdigit()] == [str(space) for space in range(13)]
    assert len(picture.findall(f"{NS}circle[@class='stamp open']")) == 11
    assert len(picture.findall(f"{NS}rect[@class='lane']")) == 13


def test_low_ink_fills_nothing_with_colour() -> None:
    picture = draw_heat(Heat.of("standard", SIX, "123123"), low_ink=True) + draw_empty_track(low_ink=True)
    fills = set(re.findall(r'<(?:rect|path|circle)[^>]* fill="([^"]+)"', picture))
    assert fills <= {"none", "#ffffff", "#fffaf0"}


def test_colours_are_plain_attributes_so_that_paper_shows_them() -> None:
    picture = draw_heat(Heat.of("standard", SIX, "123123")) + draw_pawn(0, "J") + draw_empty_track()
    assert not re.search(r"style=|<style|var\(|url\(|href", picture)


@given(
    st.lists(st.text(min_size=1, max_size=20) | st.text("aAb1", min_size=1, max_size=4), min_size=1, max_size=6),
    st.text(alphabet="123", max_size=12),
)
def test_any_name_there_can_be_makes_a_well_formed_picture_and_marks_that_differ(names: list[str], jumps: str) -> None:
    try:
        heat = Heat.of("standard", names, jumps)
    except ValueError:
        return
    assert len(set(marks(heat.names))) == len(names)
    assert len(pawns(draw_heat(heat))) == len(names)
