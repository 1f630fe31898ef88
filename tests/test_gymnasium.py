"""The game for one learner in Gymnasium: its own checks, and the rules."""

import random
import re
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from botq.adapters.gymnasium import ID, BackOfTheQueueEnv
from botq.heat import Heat
from botq.rules import IllegalJump, Refused


def longest(heat: Heat) -> int:
    return heat.legal[-1]


@pytest.mark.parametrize(("seats", "seat"), [(seats, seat) for seats in range(1, 7) for seat in range(seats)])
def test_gymnasiums_own_check_passes(seats: int, seat: int) -> None:
    check_env(gymnasium.make(ID, seats=seats, seat=seat, render_mode="ansi").unwrapped)


@pytest.mark.parametrize("heats", [300, pytest.param(100_000, marks=pytest.mark.soak)])
def test_random_heats_score_as_the_rules_say(heats: int) -> None:
    rng = random.Random(9)
    seated = [(seats, seat) for seats in range(1, 7) for seat in range(seats)]
    games = {(seats, seat): BackOfTheQueueEnv(seats, "local", seat, utility="score") for seats, seat in seated}
    for game in games.values():
        game.reset(seed=rng.randrange(1000))
    for _ in range(heats):
        seats, seat = rng.choice(seated)
        game = games[seats, seat]
        _, info = game.reset()
        over = False
        while not over:
            action = rng.choice([n for n in range(3) if info["action_mask"][n]])
            _, reward, over, _, info = game.step(action)
        scores = Heat.of("local", [f"seat {n}" for n in range(seats)], info["jumps"]).scores
        assert reward == scores[f"seat {seat}"]


def test_the_other_seats_jump_until_it_is_the_learners_turn() -> None:
    game = BackOfTheQueueEnv(seats=3, seat=2, opponents=longest)
    seen, info = game.reset()
    assert info["jumps"] == "33"
    assert seen.tolist() == [[0, 0, 0, 0, 0, 0], [1, 3, 0, 0, 1, 1], [2, 3, 0, 0, 1, 0]]


def test_each_other_seat_can_have_its_own_bot() -> None:
    def shortest(heat: Heat) -> int:
        return heat.legal[0]

    game = BackOfTheQueueEnv(seats=3, seat=1, opponents=[longest, shortest])
    game.reset()
    _, _, _, _, info = game.step(2)
    assert info["jumps"] == "331113"  # seat 2 creeps up behind the others on 3, then seat 0 is the head there


def test_the_learner_who_wins_alone_gets_its_share_less_the_even_one() -> None:
    game = BackOfTheQueueEnv(seats=2, opponents=longest)
    _, info = game.reset()
    rewards = []
    over = False
    while not over:
        _, reward, over, _, info = game.step(0)
        rewards.append(reward)
    heat = Heat.of("standard", ["Jo", "Kit"], info["jumps"])
    assert heat.winners == ("Jo",)
    assert rewards == [0.0] * (len(rewards) - 1) + [0.5]


def test_the_same_seed_brings_the_same_opponents() -> None:
    def heat(seed: int) -> str:
        game = BackOfTheQueueEnv(seats=4)
        _, info = game.reset(seed=seed)
        over = False
        while not over:
            _, _, over, _, info = game.step(0)
        return str(info["jumps"])

    assert heat(1) == heat(1)
    assert len({heat(seed) for seed in range(10)}) > 1


def test_against_perfect_play_the_rear_seat_never_wins() -> None:
    """The front seat of Standard wins for certain (1, 0), and the bot called perfect plays it so."""
    game = BackOfTheQueueEnv(seats=2, seat=1, opponents="perfect")
    for seed in range(5):
        _, info = game.reset(seed=seed)
        over = False
        while not over:
            _, reward, over, _, info = game.step(int(game.np_random.choice(np.flatnonzero(info["action_mask"]))))
        assert reward == -0.5


def test_action_masks_say_what_fits() -> None:
    game = BackOfTheQueueEnv(seats=1)
    game.reset()
    for _ in range(3):
        game.step(2)
    game.step(1)
    assert game.action_masks().tolist() == [True, False, False]


def test_an_illegal_jump_is_refused_and_nothing_is_lost() -> None:
    game = BackOfTheQueueEnv(seats=1)
    game.reset()
    for _ in range(3):
        game.step(2)
    game.step(1)
    with pytest.raises(IllegalJump, match="player_0 is on 11: only a jump of 1 fits, not 3"):
        game.step(2)
    game.step(0)
    with pytest.raises(IllegalJump, match="no jump is left"):
        game.step(0)


def test_acting_before_the_first_reset_is_refused() -> None:
    with pytest.raises(Refused, match="no heat is under way: reset first"):
        BackOfTheQueueEnv().step(0)


@pytest.mark.parametrize(
    ("parameters", "says"),
    [
        ({"seats": 0}, "a heat has 1 to 6 seats, not 0"),
        ({"fare": "gold"}, "there is no fare card 'gold'"),
        ({"seats": 3, "seat": 3}, "with 3 seats the learner's is 0 to 2, not 3"),
        ({"seat": -1}, "with 2 seats the learner's is 0 to 1, not -1"),
        ({"seat": True}, "with 2 seats the learner's is 0 to 1, not True"),
        ({"seats": "two"}, "a heat has 1 to 6 seats, not 'two'"),
        ({"fare": None}, "a fare is the name of a card or its spelling, such as standard or ABC5-AA1, not None"),
        ({"opponents": None}, "opponents are a bot, or one for each other seat, not None"),
        ({"opponents": [7]}, "there is no bot '7'"),
        ({"opponents": "genius"}, "there is no bot 'genius'"),
        ({"seats": 4, "opponents": ["random"] * 2}, "3 seats need a bot, and 2 were named"),
        ({"utility": "luck"}, "there is no utility 'luck'"),
        ({"render_mode": "film"}, "there is no render mode 'film'"),
    ],
)
def test_parameters_that_cannot_be_are_refused(parameters: dict[str, Any], says: str) -> None:
    with pytest.raises(Refused, match=re.escape(says)):
        BackOfTheQueueEnv(**parameters)
