"""A table learns the game by playing itself, and is judged against the exact values.  NumPy only.

    botq tables export standard --seats 2 -o standard.parquet
    python examples/tabular.py standard.parquet

Two seats, many heats at once.  The table holds, for each position and jump, what the head can
expect: the utility if the jump ends the heat, else what the best jump then promises whoever is
head, with the sign turned if that is the other seat.  Nothing in the game is random, so each
jump simply overwrites its entry (Q-learning with a learning rate of 1; Watkins and Dayan 1992,
Littman 1994).  Half the jumps are the table's best, so that it meets what good players meet, and
half are drawn, so that it meets what they don't.
"""

import argparse
from collections.abc import Iterator

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray

from botq.adapters.vector import BackOfTheQueueVectorEnv

HEATS = 4096  # at once
SHIFTS = np.array([0, 0, 1, 5, 8, 11])  # seat, space (told by the tickets), A, B, C, stamps


def positions(queues: NDArray[np.int8]) -> NDArray[np.int64]:
    """One number for each queue of two pawns, from the six columns of each."""
    numbers = queues.reshape(len(queues), 2, 6).astype(np.int64)
    numbers[:, :, 1] = 0
    front, rear = (numbers << SHIFTS).sum(2).T
    return front << 15 | rear


def learn(path: str, steps: int, tell_every: int) -> Iterator[tuple[int, float, float, float]]:
    """Jumps played so far; the mean error of the values, and the mean share given away by the best
    jumps of the table, in the positions just met; and the mean error over all positions there are."""
    truth = pq.read_table(path)
    fare = truth.schema.metadata[b"fare"].decode()
    numbers = positions(np.array(truth["queue"].to_pylist(), np.int8))
    order = np.argsort(numbers)
    numbers = numbers[order]
    exact = np.array(truth["jump_values"].to_pylist(), float)[order] - 1 / 2  # NaN where a jump does not fit
    exact = np.where(np.isnan(exact), -np.inf, exact)
    open_positions = np.flatnonzero(np.isfinite(exact).any(1))

    table = np.where(np.isfinite(exact), 0.0, -np.inf)
    game, rng = BackOfTheQueueVectorEnv(HEATS, seats=2, fare=fare), np.random.default_rng(1)
    shown, infos = game.reset()
    here = np.searchsorted(numbers, positions(shown))
    for step in range(1, steps + 1):
        fits = infos["action_mask"].sum(1)
        explored = (rng.random(HEATS) * fits).astype(int)
        preferred = (table[here] + rng.random((HEATS, 3)) / 1000).argmax(1)  # equals in turns
        actions = np.where(rng.random(HEATS) < 1 / 2, explored, preferred)
        heads, met = shown[:, 0, 0], np.flatnonzero(fits)
        if step % tell_every == 0:
            best, now = exact[here[met]].max(1), table[here[met]]
            given_away = best - exact[here[met], now.argmax(1)]
            everywhere = np.abs(table[open_positions].max(1) - exact[open_positions].max(1))
            yield step * HEATS, np.abs(now.max(1) - best).mean(), given_away.mean(), everywhere.mean()
        shown, rewards, over, _, infos = game.step(actions)
        there = np.searchsorted(numbers, positions(shown))
        promised = np.where(shown[:, 0, 0] == heads, 1, -1) * table[there].max(1)
        table[here[met], actions[met]] = np.where(over, rewards, promised)[met]
        here = there


def main() -> None:
    parser = argparse.ArgumentParser(description="Learn the game in a table, judged against its exact values.")
    parser.add_argument("truth", help="a Parquet file of botq tables export, two seats")
    parser.add_argument("--steps", type=int, default=2000, help=f"each is {HEATS} jumps")
    asked = parser.parse_args()
    print("     jumps   error where it plays   share given away   error everywhere")
    for jumps, error, given_away, everywhere in learn(asked.truth, asked.steps, max(asked.steps // 10, 1)):
        print(f"{jumps:10,} {error:22.4f} {given_away:18.4f} {everywhere:18.4f}")


if __name__ == "__main__":
    main()
