"""Back of the Queue: the game, its exact solution, and everything to play it with."""

from typing import TYPE_CHECKING, Any

from botq.fares import FARES, Fare
from botq.heat import Heat
from botq.notation import Match
from botq.rules import IllegalJump, Refused

if TYPE_CHECKING:
    from botq.solver import solve

__all__ = ["FARES", "Fare", "Heat", "IllegalJump", "Match", "Refused", "solve"]


def __getattr__(name: str) -> Any:
    """The solver on first use: importing it, and Numba with it, would slow every start."""
    if name == "solve":
        from botq.solver import solve

        return solve
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
