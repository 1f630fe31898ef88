"""Threads find and value the same positions as one thread does, however a key is spread over words."""

import numpy as np
import pytest

from botq import FARES, layers
from botq.layers import Table, TooMany, sweep, sweep_small
from botq.rules import form_queue
from botq.solver import House, NotSolved, estimate, solve

EXPRESS = House(FARES["express"], 3)
ROOT = EXPRESS.read(form_queue(3)).key


def by_key(table: Table) -> list[dict[tuple[int, ...], tuple[float, ...]]]:
    return [
        dict(zip(map(tuple, keys.tolist()), map(tuple, values.tolist()), strict=True))
        for keys, values in zip(table.keys, table.values, strict=True)
    ]


def threaded(words: int = 1, memory: float = 1e9) -> Table:
    return sweep(ROOT, 0, 3, words, EXPRESS.card, memory, 150_000, lambda share: None)


@pytest.mark.parametrize("pile", [1 << 15, 1 << 9])
def test_threads_find_the_same_positions_and_values_as_one(pile: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layers, "THREADED", 500)
    monkeypatch.setattr(layers, "PILE", pile)
    alone = sweep_small(ROOT, 0, 3, 1, EXPRESS.card)
    assert alone is not None
    together = threaded()
    assert by_key(together) == by_key(alone)
    assert together.faults(EXPRESS.card) == 0


def test_keys_of_two_words_tell_the_same_positions_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layers, "THREADED", 500)
    one, two = sweep_small(ROOT, 0, 3, 1, EXPRESS.card), sweep_small(ROOT, 0, 3, 2, EXPRESS.card)
    assert one is not None
    assert two is not None
    assert [len(keys) for keys in two.keys] == [len(keys) for keys in one.keys]
    assert np.array_equal(np.concatenate(two.values), np.concatenate(one.values))
    assert threaded(words=2).positions == one.positions
    assert two.faults(EXPRESS.card) == 0


def test_a_sweep_stops_where_memory_ends() -> None:
    with pytest.raises(TooMany, match=r"\d+"):
        threaded(memory=1e6)


def test_a_sweep_says_how_far_it_has_come() -> None:
    told: list[float] = []
    sweep(ROOT, 0, 3, 1, EXPRESS.card, 1e9, 150_000, told.append)
    assert told == sorted(told)
    assert told[-1] == 1


@pytest.mark.parametrize("seats", [5, 6])
def test_what_is_too_large_is_refused_before_it_is_begun(seats: int) -> None:
    hostile = "AAA7-BC11-AB3-CC9-ABC17-BBB8-AAC2-A1"
    with pytest.raises(NotSolved, match=r"seats from here are about .* positions, .* GB: more than the limit of 16 GB"):
        solve(hostile, seats)


def test_less_memory_can_be_asked_for() -> None:
    with pytest.raises(NotSolved, match=r"more than the limit of 0.1 GB"):
        solve("standard", 4, memory=0.1e9)


@pytest.mark.parametrize(("fare", "positions"), [("standard", 4_598_515), ("local", 8_000_463)])
def test_an_estimate_is_near_what_was_counted_in_full(fare: str, positions: int) -> None:
    guess = estimate(House(FARES[fare], 4), form_queue(4))
    assert positions / 1.5 < guess.positions < positions * 1.5
