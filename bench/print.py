"""How long a pack takes, how large it is, and how much ink low ink saves: `python bench/print.py`."""

import io
import statistics
import time
from typing import Any

from PIL import Image, ImageStat

from botq.prints import Pack

PACKS: dict[str, dict[str, Any]] = {
    "all cards, A4": {},
    "low ink": {"low_ink": True},
    "large print": {"large": True},
    "large print, low ink": {"large": True, "low_ink": True},
    "a filled-in match": {"match": "standard/Jo,Kit,Ada/3121"},
}


def coverage(order: dict[str, Any]) -> float:
    """How much of the paper is black, were all ink black."""
    greys = [
        ImageStat.Stat(Image.open(io.BytesIO(one)).convert("L")).mean[0] for one in Pack.ordered(**order).rasters(75)
    ]
    return 1 - statistics.fmean(greys) / 255


def seconds(order: dict[str, Any]) -> float:
    began = time.perf_counter()
    Pack.ordered(**order).pdf()
    return time.perf_counter() - began


def main() -> None:
    print(f"{'pack':<22}{'first':>8}{'again':>8}{'KB':>6}{'ink':>8}")
    for name, order in PACKS.items():
        first = seconds(order)
        again = statistics.median(seconds(order) for _ in range(5))  # Typst remembers what has not changed
        kilobytes = len(Pack.ordered(**order).pdf()) / 1000
        print(f"{name:<22}{first:>7.3f}s{again:>7.3f}s{kilobytes:>6.0f}{coverage(order):>8.2%}")


if __name__ == "__main__":
    main()
