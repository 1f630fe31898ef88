"""The game in PettingZoo: its own conformance tests, and the rules."""

import random
import re
import warnings
from typing import Any

import numpy as np
import pettingzoo
import pytest

from botq.adapters.pettingzoo import env, raw_env
from botq.heat import Heat
from botq.rules import IllegalJump, Refused

with warnings.catch_warnings():  # importing the tests loads one of PettingZoo's own games by a way it has deprecated
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, performance_benchmark, render_test, seed_test

# The mask travels in a dictionary, as in all of PettingZoo's own board games, which its test exempts by name.
dictionary_observations = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
]


@pytest.mark.parametrize("made", [env, raw_env])
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
class TestPettingZoosOwn:
    pytestmark = dictionary_observations

    def test_api_test_passes(self, made: Any, seats: int) -> None:
        api_test(made(seats=seats, fare="local"), num_cycles=200)


@pytest.mark.filterwarnings("ignore:Observation numpy array is all zeros")  # a lone pawn on 0, seen by itself
class TestPettingZoosOwnAlone:
    pytestmark = dictionary_observations

    def test_api_test_passes(self) -> None:
        api_test(env(seats=1), num_cycles=200)


def test_its_seed_test_passes() -> None:
    seed_test(lambda: env(seats=3))


def test_its_render_test_passes(capsys: pytest.CaptureFixture[str]) -> None:
    render_test(lambda render_mode: env(seats=3, render_mode=render_mode))
    assert "player_0  on  0  A0 B0 C0  stamps  0  score  0  acts next" in capsys.readouterr().out


def test_its_performance_benchmark_runs(capsys: pytest.CaptureFixture[str]) -> None:
    performance_benchmark(env(seats=4))
    assert re.search(r"\d+\.\d+ turns per second", capsys.readouterr().out)


def test_pettingzoos_make_knows_the_game() -> None:
    made = pettingzoo.make("aec", "botq/BackOfTheQueue-v0", seats=3)
    made.reset()
    assert made.agents == ["player_0", "player_1", "player_2"]


@pytest.mark.parametrize("heats", [300, pytest.param(100_000, marks=pytest.mark.soak)])
def test_random_heats_score_as_the_rules_say(heats: int) -> None:
    rng = random.Random(8)
    games = {seats: env(seats=seats, fare="express", utility="score") for seats in range(1, 7)}
    for _ in range(heats):
        game, jumps = games[rng.randint(1, 6)], ""
        game.reset()
        for _agent in game.agent_iter():
            seen, _, over, _, _ = game.last()
            if over:
                break
            jump = rng.choice([n + 1 for n in range(3) if seen["action_mask"][n]])
            jumps += str(jump)
            game.step(jump - 1)
        assert game.rewards == Heat.of("express", game.agents, jumps).scores


def test_the_players_act_in_queue_order_and_see_it_so() -> None:
    game = raw_env(seats=3)
    game.reset()
    game.step(1)
    game.step(1)  # player_1 lands behind player_0 on 2
    assert game.agent_selection == "player_2"
    assert game.observe("player_2")["observation"].tolist() == [
        [0, 0, 0, 0, 0, 0],
        [1, 2, 0, 1, 0, 1],
        [2, 2, 0, 1, 0, 0],
    ]
    assert game.infos["player_2"]["action_mask"].tolist() == [1, 1, 1]
    assert game.infos["player_0"]["action_mask"].tolist() == [0, 0, 0]


def test_near_the_end_only_jumps_that_fit_are_offered() -> None:
    game = _played(raw_env(seats=1), "3332")
    assert game.observe("player_0")["action_mask"].tolist() == [1, 0, 0]


def test_an_illegal_jump_is_refused_in_the_games_words() -> None:
    game = _played(raw_env(seats=1), "3332")
    with pytest.raises(IllegalJump, match="player_0 is on 11: only a jump of 1 fits, not 2"):
        game.step(1)
    assert game.heat.jumps == "3332"


@pytest.mark.parametrize("action", [None, 1.5, "1"])
def test_what_is_no_action_is_refused(action: object) -> None:
    with pytest.raises(Refused, match="an action is 0, 1 or 2"):
        _played(raw_env(), "").step(action)


def test_the_wrapped_game_is_lost_by_an_illegal_jump_as_pettingzoos_own_games_are() -> None:
    game = _played(env(seats=2), "33333323")  # player_0 is on 11, player_1 finished
    game.step(2)
    assert game.rewards == {"player_0": -1, "player_1": 0}
    assert all(game.terminations.values())


def test_nobody_acts_after_the_end() -> None:
    game = _played(raw_env(seats=1), "3333")
    assert game.terminations == {"player_0": True}
    with pytest.raises(ValueError, match="None"):
        game.step(0)


@pytest.mark.parametrize(
    ("parameters", "says"),
    [
        ({"seats": 0}, "a heat has 1 to 6 seats, not 0"),
        ({"seats": 7}, "a heat has 1 to 6 seats, not 7"),
        ({"seats": True}, "a heat has 1 to 6 seats, not True"),
        ({"seats": None}, "a heat has 1 to 6 seats, not None"),
        ({"fare": 3}, "a fare is the name of a card or its spelling, such as standard or ABC5-AA1, not 3"),
        ({"seats": -1}, "a heat has 1 to 6 seats, not -1"),
        ({"fare": "gold"}, "there is no fare card 'gold'"),
        ({"utility": "luck"}, "there is no utility 'luck'"),
        ({"seats": 3, "utility": "margin"}, "a margin is between two seats, not 3"),
        ({"render_mode": "film"}, "there is no render mode 'film': human, ansi or rgb_array"),
    ],
)
def test_parameters_that_cannot_be_are_refused(parameters: dict[str, Any], says: str) -> None:
    with pytest.raises(Refused, match=re.escape(says)):
        env(**parameters)


def test_rendering_without_a_mode_is_refused() -> None:
    with pytest.raises(Refused, match="no render mode was chosen"):
        _played(raw_env(), "").render()


def test_pictures_differ_when_the_pawns_have_moved_and_fit_one_film() -> None:
    before = _played(raw_env(render_mode="rgb_array"), "").render()
    after = _played(raw_env(render_mode="rgb_array"), "3").render()
    assert before.shape == after.shape
    assert np.any(before != after)


def _played(game: Any, jumps: str) -> Any:
    game.reset()
    for jump in jumps:
        game.step(int(jump) - 1)
    return game
