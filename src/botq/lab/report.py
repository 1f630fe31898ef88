"""The report on fare cards: every measure as JSON, and as one HTML file that needs nothing else."""

from base64 import b64encode
from collections.abc import Callable, Sequence
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from botq.fares import Fare
from botq.lab.pictures import PLACES, draw, pictures_of, said
from botq.lab.positions import MOST_SEATS
from botq.lab.sampling import Sample
from botq.lab.study import BY_THE_SHEET, MOST_COMPENSATION, POPULATION, SECONDS_A_JUMP, HouseRules, Study
from botq.rules import Refused

SEATS = (2, 3)
MOST = max(MOST_COMPENSATION)

Watch = Callable[[int, int], None]


def report(fare: Fare, seats: int, rules: HouseRules = BY_THE_SHEET, seconds: float = SECONDS_A_JUMP) -> dict[str, Any]:
    """Every measure of a card with so many seats, in the shape that docs/lab.md tells; raises `Refused`
    for fewer than two or more than four seats."""
    check_seats([seats])
    study = Study(fare, seats, rules, seconds=seconds)
    told: dict[str, Any] = {
        "method": "exact" if seats <= MOST_SEATS else "sampled",
        "house": HouseRules(rules.stamp, study.start).as_json(),
        "fairness": study.fairness(),
    }
    if seats > MOST_SEATS:
        sample = Sample(study)
        return told | {"depth": None, "play": {name: sample.expectations(name) for name in ("perfect", *POPULATION)}}
    perfect = study.plan("perfect")
    return told | {"depth": study.depth(perfect), "play": study.plays(perfect)}


def check_seats(seats: Sequence[int]) -> None:
    """Raises `Refused` for a number of seats that no report is made for."""
    for number in seats:
        if not min(SEATS) <= number <= MOST:
            raise Refused(f"a card is reported on with {min(SEATS)} to {MOST} seats, not {number}")


def reports(
    fares: Sequence[Fare],
    seats: Sequence[int] = SEATS,
    rules: HouseRules = BY_THE_SHEET,
    seconds: float = SECONDS_A_JUMP,
    watch: Watch = lambda done, of: None,
) -> dict[str, Any]:
    """The reports on these cards, in the shape that `botq lab report --json` prints."""
    check_seats(seats)
    cards = []
    for n, fare in enumerate(fares):
        told = {}
        for m, number in enumerate(seats):
            watch(n * len(seats) + m, len(fares) * len(seats))
            told[str(number)] = report(fare, number, rules, seconds)
        cards.append({"fare": fare.as_json(), "title": fare.title, "seats": told})
    return {"cards": cards, "seconds_a_jump": seconds}


def as_html(told: dict[str, Any]) -> str:
    """The same as one HTML file with its pictures in it, which loads nothing."""
    return _templates.get_template("report.html").render(told=told)


def tables(told: dict[str, Any]) -> tuple[str, str]:
    """The tables of one report as HTML: shares by opening place, and what a heat looks like."""
    macros: Any = _templates.get_template("_tables.html").module
    return str(macros.fairness(told)), str(macros.measures(told))


def _pictures(told: dict[str, Any]) -> list[dict[str, str]]:
    return [
        {"title": title, "said": said(told, name), "data": b64encode(draw(told, name)).decode()}
        for name, title in pictures_of(told).items()
    ]


_templates = Environment(
    loader=PackageLoader("botq.lab", "."),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_templates.globals.update(pictures=_pictures, PLACES=PLACES)
_templates.filters.update(
    share=lambda value: f"{value:.3f}" if value is not None else "–",
    part=lambda value: f"{value:.0%}" if value is not None else "–",
    some=lambda value: f"{value:.1f}" if value is not None else "–",
)
