"""Whole games in arrays, against the rules and the solver."""

import numpy as np
import pytest

from botq import FARES, Heat, kernel, solve
from botq.adapters.whole import packed, unpacked, whole_game
from botq.rules import Pawn, Queue, Tickets, legal_jumps, play

LATE = "22233333"  # 4,975 positions can still follow


def as_queue(columns: list[list[int]]) -> Queue:
    return tuple(Pawn(seat, Tickets(*tickets), stamps) for seat, _, *tickets, stamps in columns)


def test_three_pawns_come_back_from_one_integer() -> None:
    pawns = [[5, 12, 12, 0, 0, 11], [0, 12, 0, 6, 0, 0], [3, 12, 0, 0, 4, 3]]  # the most of everything
    queues = kernel.packed_pawns(np.array([pawns, pawns[::-1]], np.int8)).T
    keys = packed(queues)
    assert (keys > 0).all()
    assert (unpacked(keys, 3) == queues).all()


@pytest.mark.parametrize("fare", FARES)
def test_all_that_can_follow_a_late_position_of_three_is_there_once_and_worth_what_the_solver_says(fare: str) -> None:
    late = Heat.of(fare, ["Ann", "Bea", "Cy"], LATE).queue
    follow, unplayed = {late}, [late]
    while unplayed:
        queue = unplayed.pop()
        new = {play(queue, jump) for jump in legal_jumps(queue)} - follow
        follow |= new
        unplayed += new
    solution = solve(fare, 3, LATE)
    found = []
    for layer in whole_game(FARES[fare], late):
        for columns, values, jump_values, best in zip(*(array.tolist() for array in layer), strict=True):
            worth = solution.at(as_queue(columns))
            assert values == pytest.approx(worth.values)
            told = [worth.jumps[n].values[columns[0][0]] if n < len(worth.jumps) else np.nan for n in range(3)]
            assert jump_values == pytest.approx(told, nan_ok=True)
            assert tuple(np.flatnonzero(best) + 1) == worth.best
            found.append(as_queue(columns))
    assert len(found) == len(follow)
    assert set(found) == follow
    assert found[-1] == late
