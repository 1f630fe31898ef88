"""Thousands of heats at once in Gymnasium's vector API, against the rules heat by heat."""

import re
from typing import Any

import gymnasium
import numpy as np
import pytest

from botq import FARES, Heat
from botq.adapters.vector import ID, MOST_HEATS, BackOfTheQueueVectorEnv
from botq.adapters.views import utilities
from botq.rules import FINISH, IllegalJump, Refused, form_queue, legal_jumps, play


@pytest.mark.parametrize("seats", range(1, 7))
@pytest.mark.parametrize("heats", [50, pytest.param(20_000, marks=pytest.mark.soak)])
def test_every_heat_goes_jump_by_jump_as_the_rules_say(seats: int, heats: int) -> None:
    """With the soak, 120,000 heats and more; each ends and forms its queue again once at least."""
    rng = np.random.default_rng(seats)
    game = BackOfTheQueueVectorEnv(heats, seats, "express", "score")
    shown, infos = game.reset()
    queues = [form_queue(seats)] * heats
    ended = 0
    for _ in range(FINISH * seats + 2):
        actions = (rng.random(heats) * np.maximum(infos["action_mask"].sum(1), 1)).astype(int)
        movers = [queue[0].seat for queue in queues]
        was_over = [not legal_jumps(queue) for queue in queues]
        queues = [
            form_queue(seats) if over else play(queue, int(action) + 1)
            for queue, over, action in zip(queues, was_over, actions, strict=True)
        ]
        shown, rewards, over, _, infos = game.step(actions)
        assert shown.tolist() == [[[p.seat, p.space, *p.tickets, p.stamps] for p in queue] for queue in queues]
        assert infos["action_mask"].sum(1).tolist() == [len(legal_jumps(queue)) for queue in queues]
        assert over.tolist() == [not legal_jumps(queue) for queue in queues]
        for heat in np.flatnonzero(over):
            scores = [FARES["express"].pays(p.tickets).points + p.stamps for p in sorted(queues[heat])]
            assert infos["scores"][heat].tolist() == scores
            assert rewards[heat] == scores[movers[heat]]
            ended += 1
        assert not rewards[~over].any()
    assert ended >= heats


@pytest.mark.parametrize(("seats", "utility"), [(1, "share"), (2, "share"), (2, "margin"), (2, "score"), (5, "share")])
def test_ends_are_worth_what_the_other_environments_say(seats: int, utility: str) -> None:
    rng = np.random.default_rng(4)
    game = BackOfTheQueueVectorEnv(300, seats, "local", utility)
    _, infos = game.reset()
    ends = 0
    for _ in range(FINISH * seats):
        actions = (rng.random(300) * np.maximum(infos["action_mask"].sum(1), 1)).astype(int)
        _, _, over, _, infos = game.step(actions)
        assert infos["_utilities"].tolist() == over.tolist()
        for heat in np.flatnonzero(over):
            assert infos["utilities"][heat].tolist() == pytest.approx(
                utilities(infos["scores"][heat].tolist(), utility), abs=1e-6
            )
            ends += 1
    assert ends > 100


def test_a_heat_that_ended_forms_its_queue_at_the_next_step_whatever_its_action() -> None:
    game = BackOfTheQueueVectorEnv(2, seats=1)
    game.reset()
    for actions in ([2, 0], [2, 0], [2, 0], [2, 0]):
        shown, _, over, _, _ = game.step(np.array(actions))
    assert (over.tolist(), shown[:, 0, 1].tolist()) == ([True, False], [12, 4])
    shown, rewards, over, _, infos = game.step(np.array([99, 0]))
    assert (over.tolist(), shown[:, 0, 1].tolist()) == ([False, False], [0, 5])
    assert rewards.tolist() == [0, 0]
    assert not infos["scores"].any()


def test_gymnasiums_make_vec_knows_it_and_its_spaces_hold_what_it_shows() -> None:
    game = gymnasium.make_vec(ID, num_envs=5, seats=3)
    shown, _ = game.reset(seed=1)
    assert game.observation_space.contains(shown)
    shown, rewards, over, cut, _ = game.step(game.action_space.sample())
    assert game.observation_space.contains(shown)
    assert [array.dtype for array in (shown, rewards, over, cut)] == [np.int8, np.float64, np.bool_, np.bool_]
    assert game.metadata["autoreset_mode"] is gymnasium.vector.AutoresetMode.NEXT_STEP


def test_what_was_shown_stays_as_it_was() -> None:
    game = BackOfTheQueueVectorEnv(3)
    before, infos = game.reset()
    kept, mask = before.copy(), infos["action_mask"].copy()
    for _ in range(4):
        game.step(np.full(3, 2))
    assert (before == kept).all()
    assert (infos["action_mask"] == mask).all()


def test_one_jump_that_does_not_fit_is_refused_and_no_heat_changes() -> None:
    game = BackOfTheQueueVectorEnv(3, seats=1)
    game.reset()
    for _ in range(3):
        game.step(np.array([2, 2, 0]))
    with pytest.raises(IllegalJump, match="heat 1: the head is on 9, and a jump of 4 does not fit"):
        game.step(np.array([0, 3, 0]))
    with pytest.raises(IllegalJump, match="heat 2: the head is on 3, and a jump of 0 does not fit"):
        game.step(np.array([0, 0, -1]))
    shown, *_ = game.step(np.array([0, 0, 0]))
    assert shown[:, 0, 1].tolist() == [10, 10, 4]


@pytest.mark.parametrize("actions", [[0, 1], [0.0, 1.0, 2.0], [[0, 1, 2]], [True, False, True], ["1", "2", "0"], 1])
def test_actions_of_the_wrong_shape_or_kind_are_refused(actions: Any) -> None:
    game = BackOfTheQueueVectorEnv(3)
    game.reset()
    with pytest.raises(Refused, match="actions are 3 whole numbers, one for each heat"):
        game.step(np.array(actions))


@pytest.mark.parametrize(
    ("parameters", "says"),
    [
        ({"num_envs": 0}, f"1 to {MOST_HEATS} heats are played at once, not 0"),
        ({"num_envs": -5}, "not -5"),
        ({"num_envs": 10**12}, "not 1000000000000"),
        ({"num_envs": "x"}, "heats are played at once, not 'x'"),
        ({"num_envs": 2.0}, "heats are played at once, not 2.0"),
        ({"seats": True}, "a heat has 1 to 6 seats, not True"),
        ({"fare": None}, "a fare is the name of a card or its spelling, such as standard or ABC5-AA1, not None"),
        ({"seats": 7}, "a heat has 1 to 6 seats, not 7"),
        ({"fare": "gold"}, "there is no fare card 'gold'"),
        ({"seats": 3, "utility": "margin"}, "a margin is between two seats, not 3"),
    ],
)
def test_parameters_that_cannot_be_are_refused(parameters: dict[str, Any], says: str) -> None:
    with pytest.raises(Refused, match=re.escape(says)):
        BackOfTheQueueVectorEnv(**parameters)


def test_stepping_before_a_reset_and_options_are_refused() -> None:
    with pytest.raises(Refused, match="reset first"):
        BackOfTheQueueVectorEnv(2).step(np.zeros(2, int))
    with pytest.raises(Refused, match="without options"):
        BackOfTheQueueVectorEnv(2).reset(options={"reset_mask": [True, False]})


def test_the_winner_is_who_the_heat_says() -> None:
    game = BackOfTheQueueVectorEnv(1, seats=2)
    game.reset()
    heat = Heat.of("standard", ["Jo", "Kit"])
    for jump in (3, 3, 3, 3, 3, 3, 1, 3, 2):
        heat = heat.jump(jump)
        _, _, _, _, infos = game.step(np.array([jump - 1]))
    assert infos["scores"][0].tolist() == list(heat.scores.values())
