"""Back of the Queue: the game, its exact solution, and everything to play it with."""

from botq.fares import FARES, Fare
from botq.heat import Heat
from botq.notation import Match
from botq.rules import IllegalJump, Refused

__all__ = ["FARES", "Fare", "Heat", "IllegalJump", "Match", "Refused"]
