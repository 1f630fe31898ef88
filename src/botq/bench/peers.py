"""Random play, our peers': small games of theirs, each played the way its own documents show."""

import random
import warnings
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any

from botq.bench import Absent, Measurement, Target, absent, rate
from botq.bench.playing import KERNEL

BATCH = 4096  # games at once in Pgx; the fastest of 256, 4096 and 65536 where this was written
PGX = "Pgx tic-tac-toe, batched, CPU"
OPENSPIEL = "OpenSpiel C++ tic-tac-toe, loop in Python"
PETTINGZOO = "PettingZoo connect four"
TARGETS = (Target(KERNEL, PGX, 10), Target(KERNEL, OPENSPIEL, 50), Target(KERNEL, PETTINGZOO, 5000))


def measurements() -> Iterator[Measurement | Absent]:
    """Whole random games a second, whichever peers are installed."""
    for name, game in (
        (OPENSPIEL, "tic_tac_toe"),
        ("OpenSpiel C++ connect four, loop in Python", "connect_four"),
        ("OpenSpiel Python tic-tac-toe", "python_tic_tac_toe"),
    ):
        yield _peer(name, "open_spiel", ("pyspiel",), partial(rate, partial(_openspiel_game, game)))
    yield _peer(PGX, "pgx", ("pgx", "jax"), lambda: rate(_pgx_games("tic_tac_toe")))
    yield _peer("Pgx connect four, batched, CPU", "pgx", ("pgx", "jax"), lambda: rate(_pgx_games("connect_four")))
    yield _peer(PETTINGZOO, "pettingzoo", ("pettingzoo", "pygame"), lambda: rate(lambda: agents_play(_connect_four())))


def _peer(
    name: str, distribution: str, packages: tuple[str, ...], measure: Callable[[], float]
) -> Measurement | Absent:
    why = absent(*packages)
    return Absent(name, why) if why else Measurement(name, "heats/s", measure, distribution)


@cache
def _loaded(game: str) -> Any:
    import pyspiel
    from open_spiel.python.games import tic_tac_toe  # noqa: F401  (registers their Python game)

    return pyspiel.load_game(game)


def _openspiel_game(game: str) -> int:
    state = _loaded(game).new_initial_state()
    while not state.is_terminal():
        state.apply_action(random.choice(state.legal_actions()))  # noqa: S311  (a game, not a secret)
    return 1


@cache
def _pgx_games(game: str) -> Callable[[], int]:
    """A function that plays a batch to the end of its last game, compiled whole, on all cores JAX takes."""
    import jax
    import jax.numpy as jnp
    import pgx

    env = pgx.make(game)

    def play(key: Any) -> Any:
        def choose_and_step(carried: Any) -> Any:
            state, key = carried
            key, here = jax.random.split(key)
            logits = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
            return jax.vmap(env.step)(state, jax.random.categorical(here, logits, axis=1)), key

        first, rest = jax.random.split(key)
        opening = jax.vmap(env.init)(jax.random.split(first, BATCH))
        state, _ = jax.lax.while_loop(lambda carried: ~carried[0].terminated.all(), choose_and_step, (opening, rest))
        return state.rewards.sum(0)

    compiled, keys = jax.jit(play), iter(range(1 << 30))

    def one_batch() -> int:
        compiled(jax.random.PRNGKey(next(keys))).block_until_ready()
        return BATCH

    one_batch()  # compiles
    return one_batch


@cache
def _connect_four() -> Any:
    import pettingzoo

    with warnings.catch_warnings():  # pygame brings warnings about its own packaging
        warnings.simplefilter("ignore")
        return pettingzoo.make("aec", "classic/connect_four-v3")


def agents_play(env: Any) -> int:
    """Plays one game of a PettingZoo environment to its end, masks from the observation."""
    import numpy as np

    env.reset()
    for _ in env.agent_iter():
        seen, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            break
        env.step(random.choice(np.flatnonzero(seen["action_mask"])))  # noqa: S311  (a game, not a secret)
    return 1
