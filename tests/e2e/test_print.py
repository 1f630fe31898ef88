"""The print page on paper: the browser's own Print command."""

import io
from collections.abc import Callable

import pytest
from playwright.sync_api import Page
from pypdf import PdfReader

from botq.prints import Pack


@pytest.mark.parametrize(("paper", "format_"), [("a4", "A4"), ("letter", "Letter")])
def test_the_browser_prints_the_pages_of_the_pack_at_their_size_and_nothing_else(
    open_page: Callable[..., Page], paper: str, format_: str
) -> None:
    page = open_page(f"/print?paper={paper}&fare=standard&fare=local&seats=3")
    assert page.evaluate("[...document.images].every(image => image.complete && image.naturalWidth > 0)")
    printed = PdfReader(io.BytesIO(page.pdf(format=format_, prefer_css_page_size=True))).pages
    pack = Pack.ordered(("standard", "local"), paper=paper, seats=3)
    ours = PdfReader(io.BytesIO(pack.pdf())).pages
    assert len(printed) == len(ours)
    for theirs, own in zip(printed, ours, strict=True):
        assert [float(side) for side in theirs.mediabox] == pytest.approx([float(side) for side in own.mediabox], abs=2)
    assert "Show the pages" not in " ".join(one.extract_text() for one in printed)
