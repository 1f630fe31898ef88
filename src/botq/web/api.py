"""The same facts as `botq replay`, `score`, `solve` and `review` tell with `--json`, for programs."""

from collections.abc import Callable, Hashable
from functools import partial
from re import fullmatch
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, HTTPException, Query, Request
from pydantic import BaseModel, BeforeValidator

from botq.fares import Fare, score_as_json
from botq.notation import Match
from botq.oracle import ALWAYS, solved
from botq.review import review as reviewed
from botq.web.thinking import thinking

PATIENCE = 20.0  # seconds before a program is told to come back
Answer = TypeVar("Answer")


class Refusal(BaseModel):
    """What is wrong, in the game's words."""

    detail: str


router = APIRouter(prefix="/api/v1", responses={400: {"model": Refusal}})


def plain(text: object) -> object:
    """A number in digits alone; nothing is guessed from `1_0`, `1.0` or `+1`."""
    if isinstance(text, str) and not fullmatch("-?[0-9]+", text):
        raise ValueError("write a whole number in digits, such as 4")
    return text


# Wider than the game's bounds, whose refusals say more.
Number = Annotated[int, Query(ge=-99, le=99), BeforeValidator(plain)]


@router.get("/replay")
async def replay(notation: Annotated[str, Query(examples=["standard/Jo,Kit/3121"])]) -> dict[str, Any]:
    """Where a match stands."""
    return Match.parse(notation).as_json()


@router.get("/score")
async def score(
    fare: Annotated[str, Query(examples=["standard"])], a: Number, b: Number, c: Number, stamps: Number = 0
) -> dict[str, Any]:
    """The receipt of a hand: the best sets, stamps and the score."""
    return score_as_json(Fare.parse(fare), a, b, c, stamps)


@router.get("/solve", responses={503: {"model": Refusal}})
async def solve(
    request: Request,
    fare: Annotated[str, Query(examples=["standard"])],
    seats: Number,
    after: Annotated[str, Query(examples=["31"])] = "",
    objective: str = "share",
) -> dict[str, Any]:
    """Exact values of an opening, or of the position after these jumps; refused where it would take long."""
    card = Fare.parse(fare)

    def work() -> dict[str, Any]:  # the answer alone: a solution kept for the next who asks may take a gigabyte
        return {**solved(card, seats, after, objective).as_json(), "after": after}

    return await _thought(request, ("solve", card.spelling, seats, after, objective), work, seats)


@router.get("/review", responses={503: {"model": Refusal}})
async def review(
    request: Request, notation: Annotated[str, Query(examples=["standard/Jo,Kit/3121"])]
) -> dict[str, Any]:
    """Every jump of a match against exact values; null where they would take long."""
    match = Match.parse(notation)
    told = await _thought(request, ("review", match.notation), partial(reviewed, match), len(match.players))
    return told.as_json()


async def _thought(request: Request, key: Hashable, work: Callable[[], Answer], seats: int) -> Answer:
    """What this work gives; a 503 that says when to come back where it is not done in time."""
    answer = await thinking(request).about(key, work, PATIENCE, long=seats > ALWAYS)
    if answer is None:
        raise HTTPException(503, "This is still being worked out: ask again.", {"Retry-After": "5"})
    return answer
