"""The rules page, with the rule sheet's worked example and a calculator for tallies kept on paper."""

from typing import Any

from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from botq.fares import FARES, BadHand, Fare, checked_stamps
from botq.heat import Heat
from botq.rules import Refused
from botq.web.glossary import GLOSSARY
from botq.web.pages import page

TALLIES = ("a", "b", "c", "stamps")
EXAMPLE = Heat.of("standard", ["Jo", "Kit"], "31313")  # Jo on 3, Kit on 4, then the three jumps of the rule sheet
EXAMPLE_HAND = (4, 1, 2)
EXAMPLE_STAMPS = 3


async def rules(request: Request) -> Response:
    """The rules; with tallies in the link, the calculator's answer too."""
    tally = Tally(request.query_params)
    return page(
        request,
        "rules.html",
        400 if tally.wrong else 200,
        tally=tally,
        example=EXAMPLE,
        example_hand=EXAMPLE_HAND,
        example_receipt=FARES["standard"].receipt(*EXAMPLE_HAND),
        example_stamps=EXAMPLE_STAMPS,
        glossary=GLOSSARY,
    )


class Tally:
    """What was typed into the calculator, and the receipt or what is wrong with it; neither before it is used."""

    def __init__(self, query: QueryParams) -> None:
        self.fare = query.get("fare", "standard").strip()
        self.typed = {name: query.get(name, "").strip() for name in TALLIES}
        self.answer: dict[str, Any] | None = None
        self.wrong = ""
        if any(name in query for name in ("fare", *TALLIES)):
            try:
                self._count()
            except Refused as refusal:
                self.wrong = str(refusal)

    def _count(self) -> None:
        card = Fare.parse(self.fare)
        a, b, c, stamps = (self._number(name) for name in TALLIES)
        receipt = card.receipt(a, b, c)
        self.answer = {
            "fare": card,
            "receipt": receipt,
            "stamps": checked_stamps(stamps),
            "score": receipt.points + stamps,
        }

    def _number(self, name: str) -> int:
        typed = self.typed[name] or "0"
        if not (typed.isascii() and typed.isdigit() and len(typed) <= 2):
            what = "the stamp tally" if name == "stamps" else f"the tally of {name.upper()} tickets"
            raise BadHand(f"{what} is a whole number such as 3, not {typed[:20]!r}")
        return int(typed)


routes = (Route("/rules", rules),)
