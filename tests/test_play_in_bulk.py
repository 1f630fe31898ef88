"""The kernel's heats in bulk against the rules."""

import random
from collections import Counter
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from botq import FARES, Heat, kernel
from botq.rules import Queue, Refused, Tickets, form_queue, legal_jumps, play


def as_columns(queue: Queue) -> list[list[int]]:
    return [[pawn.seat, pawn.space, *pawn.tickets, pawn.stamps] for pawn in queue]


def test_pawns_come_back_from_their_packing() -> None:
    columns = np.array([[5, 12, 12, 0, 0, 11], [0, 12, 0, 6, 0, 0], [3, 12, 0, 0, 4, 3], [1, 4, 2, 1, 0, 2]], np.int8)
    packed = kernel.packed_pawns(columns)
    assert packed.dtype == np.int32
    assert kernel.pawn_columns(packed).tolist() == columns.tolist()


def test_every_jump_from_every_two_seat_position_is_as_the_rules_say() -> None:
    """36,901 positions have a jump left: so many stand in the table of OpenSpiel's minimax solver."""
    seen, unplayed = {form_queue(2)}, [form_queue(2)]
    told: list[tuple[list[list[int]], int, list[list[int]]]] = []
    while unplayed:
        queue = unplayed.pop()
        for jump in legal_jumps(queue):
            after = play(queue, jump)
            told.append((as_columns(queue), jump, as_columns(after)))
            if after not in seen:
                seen.add(after)
                unplayed.append(after)
    before, jumps, after = (np.array(column, np.int8) for column in zip(*told, strict=True))
    queues = np.ascontiguousarray(kernel.packed_pawns(before).T)
    kernel.advance(queues, jumps.astype(np.int32), *np.empty((2, len(jumps)), np.int32))
    assert len(np.unique(before, axis=0)) == 36_901
    assert (kernel.pawn_columns(queues.T) == after).all()


def test_random_heats_share_the_win_as_often_as_the_odds_say() -> None:
    """Exact odds by a slow walk over all two-seat positions; a million heats stray from them by four sigmas at most."""
    heats = 1_000_000
    played = kernel.random_heats(FARES["local"], 2, heats, seed=3)
    odds = front_share(form_queue(2))
    assert abs(played.shares[0] - odds) < 4 * (odds * (1 - odds) / heats) ** 0.5
    assert played.shares.sum() == pytest.approx(1)


@cache
def front_share(queue: Queue) -> float:
    jumps = legal_jumps(queue)
    if jumps:
        return sum(front_share(play(queue, jump)) for jump in jumps) / len(jumps)
    front, rear = (FARES["local"].pays(pawn.tickets).points + pawn.stamps for pawn in sorted(queue))
    return 0.5 if front == rear else float(front > rear)


def hoarder(hand: Tickets) -> tuple[float, float, float]:
    """Likes what it has: each jump weighs 1 and as much again for every ticket of its letter."""
    return (1.0 + hand.a, 1.0 + hand.b, 1.0 + hand.c)


def hurried(hand: Tickets) -> tuple[float, float, float]:
    return (0.0, 0.5, 2.0) if hand.spaces < 10 else (1.0, 3.0, 0.0)


def test_policies_share_the_win_as_often_as_their_chances_say() -> None:
    """Exact odds by a slow walk over all two-seat positions; a million heats stray from them by four sigmas at most."""
    heats = 1_000_000
    played = kernel.policy_heats(FARES["local"], [hoarder, hurried], heats, seed=4)
    odds = hoarders_share(form_queue(2))
    assert abs(odds - front_share(form_queue(2))) > 0.05  # so that random play would be noticed
    assert abs(played.shares[0] - odds) < 4 * (odds * (1 - odds) / heats) ** 0.5
    assert played.shares.sum() == pytest.approx(1)


@cache
def hoarders_share(queue: Queue) -> float:
    if jumps := legal_jumps(queue):
        weights = (hoarder, hurried)[queue[0].seat](queue[0].tickets)[: len(jumps)]
        shares = (weight * hoarders_share(play(queue, jump)) for jump, weight in zip(jumps, weights, strict=True))
        return sum(shares) / sum(weights)
    return front_share(queue)


def test_a_policy_that_likes_no_jump_is_refused() -> None:
    with pytest.raises(Refused, match="the policy of seat 1 weighs the jumps from"):
        kernel.policy_heats(FARES["local"], [hoarder, lambda _hand: (0, 1, 1)], 10)  # on 11 only 1 fits


def test_alone_a_pawn_takes_each_ticket_as_often_as_the_odds_say() -> None:
    """On a card that pays 1 for each C, the mean score less stamps is the mean number of C tickets."""
    fare = Heat.of("C1", ["Jo"]).fare
    odds: Counter[tuple[int, int]] = Counter({(0, 0): Fraction(1)})  # by space and points: C tickets and stamps
    for space in range(12):
        for points in range(30):
            chance = odds.pop((space, points), Fraction())
            fits = min(3, 12 - space)
            for jump in range(1, fits + 1):
                odds[space + jump, points + (jump == 3) + (space + jump < 12)] += chance / fits
    mean = sum(points * chance for (_, points), chance in odds.items())
    assert kernel.random_heats(fare, 1, 1_000_000, seed=5).scores[0] == pytest.approx(float(mean), abs=0.01)


def test_the_same_seed_and_threads_play_the_same_heats_and_every_heat_is_played() -> None:
    once, again = (kernel.random_heats(FARES["local"], 3, 10_001, seed=9, threads=2) for _ in range(2))
    assert (once.jumps, once.scores.tolist()) == (again.jumps, again.scores.tolist())
    assert once.shares.sum() == pytest.approx(1)
    assert once.jumps != kernel.random_heats(FARES["local"], 3, 10_001, seed=10, threads=2).jumps


@pytest.mark.parametrize("heats", [600, pytest.param(1_000_000, marks=pytest.mark.soak)])
def test_random_heats_of_one_to_six_seats_go_jump_by_jump_as_the_rules_say(heats: int) -> None:
    """The kernel is told each jump the rules made, drawn by lot, and must show the same queue after it."""
    draw = random.Random(heats)
    for seats in range(1, 7):
        for first in range(0, heats // 6, 1000):
            together = min(1000, heats // 6 - first)
            queues = np.empty((seats, together), np.int32)
            kernel.form_queues(queues)
            told = [form_queue(seats)] * together
            while any(map(legal_jumps, told)):
                jumps = [draw.choice(legal_jumps(queue) or (0,)) for queue in told]
                over = np.array([jump == 0 for jump in jumps])
                kernel.advance(queues, np.array(jumps, np.int32), *np.empty((2, together), np.int32))
                told = [play(queue, jump) if jump else queue for queue, jump in zip(told, jumps, strict=True)]
                shown = kernel.pawn_columns(queues.T)
                assert (shown[~over] == np.array(list(map(as_columns, told)), np.int8)[~over]).all()
