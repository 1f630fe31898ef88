"""Random play, ours: in plain Python, compiled, and in each framework's environment."""

import random
from collections.abc import Iterator
from functools import cache, partial
from typing import Any

from botq.bench import Absent, Measurement, absent, rate
from botq.fares import FARES
from botq.rules import form_queue, legal_jumps, play

BULK = 200_000  # heats of one call of the kernel
BATCH = 16384  # heats at once in the vector environment
KERNEL = "botq kernel, 2 seats, 1 thread"
VECTOR = "botq vector environment, 2 seats"


def measurements() -> Iterator[Measurement | Absent]:
    """Heats a second, and of the vector environment jumps a second, every legal jump equally likely."""
    yield Measurement("botq rules.py, 2 seats", "heats/s", partial(rate, _plain_heat))
    for seats in (2, 3, 4):
        for threads in (1, 2):
            yield Measurement(
                f"botq kernel, {seats} seats, {threads} thread{'s' * (threads > 1)}",
                "heats/s",
                partial(rate, partial(_compiled_heats, seats, threads)),
            )
    for name, unit, package, measure in (
        (VECTOR, "jumps/s", "gymnasium", partial(rate, _vector_steps)),
        ("botq in OpenSpiel, 2 seats", "heats/s", "pyspiel", partial(rate, _openspiel_heat)),
        ("botq in PettingZoo, 2 seats", "heats/s", "pettingzoo", partial(rate, _pettingzoo_heat)),
    ):
        why = absent(package)
        yield Absent(name, why) if why else Measurement(name, unit, measure)


def _plain_heat() -> int:
    queue = form_queue(2)
    while jumps := legal_jumps(queue):
        queue = play(queue, random.choice(jumps))  # noqa: S311  (a game, not a secret)
    return 1


def _compiled_heats(seats: int, threads: int) -> int:
    from botq.kernel import random_heats

    random_heats(FARES["standard"], seats, BULK, threads=threads)
    return BULK


@cache
def _vector() -> Any:
    from botq.adapters.vector import BackOfTheQueueVectorEnv

    game = BackOfTheQueueVectorEnv(BATCH)
    game.reset()
    return game


def _vector_steps() -> int:
    """A hundred jumps in every heat; NumPy chooses them, and that is counted in."""
    import numpy as np

    game, rng = _vector(), np.random.default_rng()
    shown, _ = game.reset()
    for _ in range(100):
        fits = np.minimum(3, 12 - shown[:, 0, 1])
        shown, *_ = game.step((rng.random(BATCH, np.float32) * fits).astype(np.int8))
    return 100 * BATCH


@cache
def _openspiel_game() -> Any:
    import pyspiel

    import botq.adapters.openspiel  # noqa: F401  (registers the game)

    return pyspiel.load_game("python_back_of_the_queue")


def _openspiel_heat() -> int:
    state = _openspiel_game().new_initial_state()
    while not state.is_terminal():
        state.apply_action(random.choice(state.legal_actions()))  # noqa: S311  (a game, not a secret)
    return 1


@cache
def _pettingzoo_env() -> Any:
    from botq.adapters.pettingzoo import env

    return env()


def _pettingzoo_heat() -> int:
    from botq.bench.peers import agents_play

    return agents_play(_pettingzoo_env())
