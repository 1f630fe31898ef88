"""The same facts as `botq replay --json` and `botq score --json`, for programs."""

from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import BaseModel

from botq.fares import Fare, score_as_json
from botq.notation import Match


class Refusal(BaseModel):
    """What is wrong, in the game's words."""

    detail: str


router = APIRouter(prefix="/api/v1", responses={400: {"model": Refusal}})
Number = Annotated[int, Query(ge=-99, le=99)]  # wider than the game's bounds, whose refusals say more


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
