"""The print page, without a browser: the pictures, the PDF, and what it refuses."""

import re
from collections.abc import Iterator
from urllib.parse import urlencode

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from botq.prints import Pack
from botq.web import create_app


@pytest.fixture(scope="module")
def web() -> Iterator[TestClient]:
    with TestClient(create_app(), follow_redirects=False) as client:
        yield client


def test_the_page_shows_a_picture_of_every_page_and_says_what_is_on_it(web: TestClient) -> None:
    page = web.get("/print").text
    pictures = re.findall(r'<img src="([^"]*)"[^>]* alt="Page (\d+): ([^"]*)"', page)
    assert [name for _, _, name in pictures] == list(Pack().contents())
    for link, number, _ in pictures:
        answer = web.get(link.replace("&amp;", "&"))
        assert answer.headers["content-type"] == "image/svg+xml"
        assert answer.text == Pack().pictures()[int(number) - 1]


def test_the_pdf_is_the_pack_that_was_chosen(web: TestClient) -> None:
    chosen = {"fare": ["express", "local"], "paper": "letter", "seats": "4", "low_ink": "1", "large": "1"}
    link = re.search(r'id="pdf" href="([^"]*)"', web.get("/print", params=chosen).text)
    assert link
    answer = web.get(link[1].replace("&amp;", "&"))
    assert answer.headers["content-type"] == "application/pdf"
    assert "back-of-the-queue.pdf" in answer.headers["content-disposition"]
    pack = Pack.ordered(("express", "local"), paper="letter", seats=4, low_ink=True, large=True)
    assert answer.content == pack.pdf()


def test_what_was_ticked_and_typed_stays(web: TestClient) -> None:
    page = web.get("/print?fare=local&own=CC7-AB2&paper=both&seats=2&names=Jo,+Zoë&low_ink=1").text
    assert re.findall(r'name="(?:fare|low_ink|large)" value="(\w+)" checked', page) == ["local", "1"]
    assert 'value="CC7-AB2"' in page
    assert 'value="Jo, Zoë"' in page
    assert re.findall(r'<option(?: value="(\w+)")? selected>(\w+)', page) == [("", "2"), ("both", "A4")]


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("paper=a4", "No fare card is chosen"),
        ("paper=a3&fare=local", "There is no paper"),
        ("paper=a4&fare=local&seats=7", "The number of seats is 1 to 6"),
        ("paper=a4&fare=local&names=Jo,jo", "both named"),
        ("paper=a4&fare=" + "&fare=".join(f"A{n}" for n in range(30)), "at most 8 fare cards"),
        ("paper=a4&own=" + "A1-" * 50, "at most 8 fare cards"),
        ("paper=a4&fare=local&names=" + "x" * 500, "longer than 200 characters"),
        ("paper=a4&fare=nonsense", "there is no fare card"),
    ],
)
def test_what_cannot_be_printed_is_said_on_the_page(web: TestClient, query: str, said: str) -> None:
    answer = web.get("/print?" + query)
    assert answer.status_code == 400
    assert said.lower() in answer.text.lower()
    assert 'role="alert"' in answer.text
    assert "<img" not in answer.text
    assert web.get("/print/back-of-the-queue.pdf?" + query).status_code == 400
    assert web.get("/print/1.svg?" + query).status_code == 400


@pytest.mark.parametrize("number", ["0", "12", "99999999999999999999", "-1", "x"])
def test_a_page_that_the_pack_does_not_have_is_404(web: TestClient, number: str) -> None:
    assert web.get(f"/print/{number}.svg").status_code == 404


ANYTHING = st.text(max_size=40) | st.sampled_from(["a4", "standard", "2", "Jo,Kit", "ABC5", "<b>", "1"])
FIELDS = st.sampled_from(["fare", "own", "paper", "seats", "names", "low_ink", "large"])


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(fields=st.lists(st.tuples(FIELDS, ANYTHING), max_size=8))
def test_no_order_breaks_the_server(web: TestClient, fields: list[tuple[str, str]]) -> None:
    query = urlencode(fields, errors="replace")
    for path in ("/print", "/print/1.svg", "/print/back-of-the-queue.pdf"):
        assert web.get(f"{path}?{query}").status_code in (200, 400)
