"""Fare cards judged by the lab, on every core: how many a second, by how much is measured."""

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from os import cpu_count
from time import perf_counter

from botq.bench import Measurement

WHAT = {"shares": "share values alone", "margin": "with margin and compensation", "all": "with every measure"}
TARGETS = ()  # nothing else judges cards: the figures stand for themselves
CARDS = {("shares", 2): 4000, ("margin", 2): 1000, ("all", 2): 200, ("shares", 3): 40}


def measurements() -> Iterator[Measurement]:
    """Cards of the usual space a second, once the processes are up and the loops compiled."""
    for (depth, seats), count in CARDS.items():
        yield Measurement(f"botq lab, {seats} seats, {WHAT[depth]}", "cards/s", partial(_rate, depth, seats, count))


def _rate(depth: str, seats: int, count: int) -> float:
    from botq.lab.search import PIECE, score_piece
    from botq.lab.space import Space

    space = Space(seats=seats, sample=count)
    numbers, size = list(space.numbers()), PIECE[seats]
    pieces = [numbers[n : n + size] for n in range(0, count, size)]
    workers = cpu_count() or 1
    with ProcessPoolExecutor(workers, get_context("spawn")) as executor:
        for warming in [executor.submit(score_piece, space, depth, numbers[:2]) for _ in range(2 * workers)]:
            warming.result()
        began = perf_counter()
        for scored in [executor.submit(score_piece, space, depth, piece) for piece in pieces]:
            scored.result()
        return count / (perf_counter() - began)
