"""Lists and quoted text in sentences."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botq.words import listed, shown


@pytest.mark.parametrize(
    ("words", "sentence"), [(["A"], "A"), (["A", "C"], "A and C"), (["2 A", "B", "C"], "2 A, B and C")]
)
def test_words_are_listed_as_a_person_lists_them(words: list[str], sentence: str) -> None:
    assert listed(words) == sentence


def test_alternatives_are_listed_with_or() -> None:
    assert listed([1, 2, 3], "or") == "1, 2 or 3"


def test_quoted_text_shows_what_cannot_be_seen() -> None:
    assert shown("Jo\u202e\x1b[2J") == r"'Jo\u202e\x1b[2J'"


def test_long_text_is_quoted_in_part() -> None:
    assert shown("a" * 41) == f"'{'a' * 40}…'"
    assert shown("a" * 40) == f"'{'a' * 40}'"


@given(st.text(st.characters()))
def test_quoted_text_is_always_one_short_printable_line(text: str) -> None:
    assert shown(text).isprintable()
    assert len(shown(text)) <= 40 * len(r"\U0001f468") + 3
