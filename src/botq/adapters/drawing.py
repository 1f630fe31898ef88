"""A heat drawn for `render()`: as text for terminals, as pixels for films of a learner's play."""

from io import BytesIO
from typing import Any

import numpy as np
import typst
from numpy.typing import NDArray
from PIL import Image

from botq.board import draw_heat
from botq.heat import Heat
from botq.rules import LETTERS, Refused

RENDER_MODES = ["human", "ansi", "rgb_array"]
PAGE = b'#set page(width: auto, height: auto, margin: 0pt)\n#image("track.svg")'
FONT = "Libertinus Serif"  # the one that comes with Typst, so that pixels are the same everywhere


def checked_render_mode(mode: str | None) -> str | None:
    """The mode if there is one of this name; raises `Refused`."""
    if mode is not None and mode not in RENDER_MODES:
        raise Refused(f"there is no render mode {mode!r}: human, ansi or rgb_array")
    return mode


def render(heat: Heat, mode: str | None) -> str | NDArray[np.uint8] | None:
    """The heat by render mode: printed, as text, or as an array (height, width, 3); raises `Refused` without one."""
    if mode is None:
        raise Refused("no render mode was chosen: make the environment with human, ansi or rgb_array")
    if mode == "rgb_array":
        return picture(heat)
    if mode == "ansi":
        return text(heat)
    print(text(heat))  # the terminal is the window
    return None


def text(heat: Heat) -> str:
    """The queue, head first, one pawn a line, and who acts next.

    >>> print(text(Heat.of("standard", ["player_0", "player_1"], "2")))
    player_1  on  0  A0 B0 C0  stamps  0  score  0  acts next
    player_0  on  2  A0 B1 C0  stamps  1  score  1
    """
    lines = []
    for pawn in heat.queue:
        name = heat.names[pawn.seat]
        tickets = " ".join(f"{letter}{n}" for letter, n in zip(LETTERS, pawn.tickets, strict=True))
        line = f"{name}  on {pawn.space:2}  {tickets}  stamps {pawn.stamps:2}  score {heat.scores[name]:2}"
        lines.append(line + "  acts next" * (name == heat.turn))
    return "\n".join(lines)


def picture(heat: Heat) -> NDArray[np.uint8]:
    """The track as pixels, uint8 of shape (height, width, 3); the size depends on the number of seats alone."""
    drawing = draw_heat(heat, font=FONT).encode()
    files: Any = {"main.typ": PAGE, "track.svg": drawing}  # Any: Typst's types don't know several files yet
    png = typst.compile(files, format="png", ignore_system_fonts=True)
    return np.array(Image.open(BytesIO(png)).convert("RGB"))
