"""The report on paper and on the page: it says all, loads nothing, and refuses nonsense."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from starlette.testclient import TestClient

from botq import FARES, Fare
from botq.cli import main
from botq.lab import Study, as_html, reports
from botq.lab.pictures import draw, pictures_of, said
from botq.web import create_app

DOCS = Path(__file__).parent.parent / "docs"
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def told() -> dict[str, Any]:
    return reports([FARES["standard"]], (2,))


@pytest.fixture(scope="module")
def web() -> Iterator[TestClient]:
    with TestClient(create_app(), follow_redirects=False) as client:
        yield client


def keys(told: Any) -> Iterator[str]:
    """Every name in a report, but for those that are numbers, hands and sets."""
    if isinstance(told, dict):
        for key, value in told.items():
            if not re.fullmatch(r"\d+|[ABC]+", key):
                yield key
            yield from keys(value)
    elif isinstance(told, list):
        for one in told:
            yield from keys(one)


def test_the_docs_tell_every_key_of_a_report(told: dict[str, Any]) -> None:
    text = (DOCS / "lab.md").read_text(encoding="utf-8")
    assert [key for key in dict.fromkeys(keys(told)) if f"`{key}`" not in text] == []


def listed_shares(shares: list[float]) -> str:
    return ", ".join(f"{share:.3f}".removesuffix(".000") for share in shares)


@pytest.mark.parametrize("fare", FARES.values(), ids=str)
def test_the_balance_report_says_what_the_lab_says(fare: Fare) -> None:
    rows = {}
    for row in re.findall(
        r"^\| (\w+, \w+) \| (.*) \|$", (DOCS / "balance.md").read_text(encoding="utf-8"), re.MULTILINE
    ):
        rows[row[0]] = row[1].split(" | ")
    two, three = Study(fare, 2), Study(fare, 3)
    perfect = [listed_shares(study.perfect_shares()) for study in (two, three)]
    medium = [listed_shares(study.shares(study.plan("medium"))) for study in (two, three)]
    assert rows[f"{fare.title}, perfect"][:2] == perfect
    assert rows[f"{fare.title}, medium"][:2] == medium


def test_the_report_is_one_file_that_loads_nothing(told: dict[str, Any]) -> None:
    page = as_html(told)
    assert re.findall(r"(?:src|href)=\"(?!data:)", page) == []
    assert re.findall(r"url\((?!#)", page) == []
    assert "default-src 'none'" in page
    pictures = re.findall(r"<img[^>]*>", page)
    assert len(pictures) == len(pictures_of(told["cards"][0]["seats"]["2"])) == 6
    assert all(re.search(r'alt="[^"]{20,}"', picture) for picture in pictures)


def test_a_picture_is_the_same_svg_each_time_and_says_its_title(told: dict[str, Any]) -> None:
    one = told["cards"][0]["seats"]["2"]
    for name, title in pictures_of(one).items():
        svg = draw(one, name)
        assert svg == draw(one, name)
        assert ElementTree.fromstring(svg).findtext(f"{SVG}title") == title
        assert b"http" not in re.sub(rb"xmlns(:\w+)?=\"[^\"]*\"|\"-//W3C[^>]*|rdf:resource=\"[^\"]*\"", b"", svg)


def test_what_a_picture_shows_is_said_in_words(told: dict[str, Any]) -> None:
    one = told["cards"][0]["seats"]["2"]
    assert said(one, "fairness").startswith("Shares of the win: perfect players front 1.00 and second 0.00; medium")
    assert said(one, "lengths").startswith("Perfect players need 11.5 jumps on average")


def test_botq_lab_report_prints_json_and_nothing_else(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    log = tmp_path / "log.json"
    log.write_text(json.dumps({"heats": [{"seconds": [None, 8.0, 4.0]}]}))
    output = tmp_path / "report.html"
    arguments = ["report", "aa1-ABC5", "--seats", "2", "--json", "--playtests", str(log), "-o", str(output)]
    assert main(["lab", *arguments]) == 0
    printed = json.loads(capsys.readouterr().out)
    one = printed["cards"][0]
    assert one["fare"] == {"name": "standard", "spelling": "AA1-ABC5"}
    assert printed["seconds_a_jump"] == 6
    perfect = one["seats"]["2"]["play"]["perfect"]
    assert perfect["minutes"] == pytest.approx(perfect["jumps"] / 10)
    assert output.read_text().startswith("<!doctype html>")


def test_a_log_without_timed_jumps_or_of_something_else_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    log = tmp_path / "log.json"
    for text, why in (('{"heats": []}', "holds no timed jump"), ("[1]", "is no log of playtests")):
        log.write_text(text)
        assert main(["lab", "report", "standard", "--playtests", str(log)]) == 2
        assert why in capsys.readouterr().err


def patiently(web: TestClient, link: str) -> Any:
    """The page once the lab is done; until then it looks again by itself."""
    while "The lab is at work" in (page := web.get(link)).text:
        assert 'http-equiv="refresh"' in page.text
    assert page.status_code == 200
    return page


def test_the_lab_page_shows_a_card_and_sends_it_to_print_and_play(web: TestClient) -> None:
    page = patiently(web, "/lab?fare=BB4-ACC5&seats=2")
    assert 'href="/print?fare=BB4-ACC5"' in page.text
    assert 'href="/?fare=own&amp;spelled=BB4-ACC5"' in page.text
    assert "style=" not in page.text
    pictures = re.findall(r'<img class="plot" src="([^"]+)"', page.text)
    assert len(pictures) == 6
    for link in pictures:
        picture = web.get(link.replace("&amp;", "&"))
        assert picture.headers["content-type"].startswith("image/svg+xml")
        ElementTree.fromstring(picture.content)


def test_the_lab_page_shows_two_cards_side_by_side(web: TestClient) -> None:
    page = patiently(web, "/lab?fare=standard&with=local")
    assert re.findall(r"<section aria-label=\"(\w+)\"", page.text) == ["Standard", "Local"]


def test_the_lab_page_opens_with_nothing_asked(web: TestClient) -> None:
    page = web.get("/lab")
    assert page.status_code == 200
    assert "<section" not in page.text


@pytest.mark.parametrize(
    ("link", "said"),
    [
        ("/lab?fare=XYZ", "There is no fare card &#39;XYZ&#39;"),
        ("/lab?fare=standard&with=ABC", "There is no fare card"),
        ("/lab?fare=standard&seats=4", "The lab shows a card with 2 or 3 seats, not &#39;4&#39;"),
        ("/lab?fare=%00%ff<script>", "There is no fare card"),
        ("/lab/picture?fare=standard&with=local&picture=jumps", "a picture is of one fare card"),
    ],
)
def test_the_lab_page_refuses_in_words(web: TestClient, link: str, said: str) -> None:
    page = web.get(link)
    assert page.status_code == 400
    assert said.casefold() in page.text.casefold()
    assert "<script>" not in page.text


def test_a_picture_there_is_not_is_not_found(web: TestClient) -> None:
    assert web.get("/lab/picture?fare=standard&picture=sunset").status_code == 404
