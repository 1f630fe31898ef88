"""The game in OpenSpiel: its own conformance tests, its own solvers, and the rules."""

import random
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pyspiel
import pytest
from absl import flags
from open_spiel.python.algorithms import generate_playthrough
from open_spiel.python.algorithms.minimax import alpha_beta_search

import botq.adapters.openspiel  # noqa: F401  (registers the game)
from botq.heat import Heat
from botq.rules import IllegalJump, Refused

GAME = "python_back_of_the_queue"
PLAYTHROUGHS = sorted((Path(__file__).parent / "playthroughs").glob("openspiel_*.txt"))
KINDS = [
    "(players=1)",
    "(players=2)",
    "(players=3,fare=express)",
    "(players=4,fare=local,utility=score)",
    "(players=5,fare=ABC7-AB2)",
    "(players=6,random_queue=True)",
    "(players=2,utility=margin)",
]


@pytest.mark.parametrize("parameters", KINDS)
def test_openspiels_own_random_simulations_pass(parameters: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(GAME + parameters), num_sims=10, serialize=True, verbose=False)


@pytest.mark.parametrize("path", PLAYTHROUGHS, ids=lambda path: path.stem)
def test_a_recorded_game_plays_through_as_it_did(path: Path) -> None:
    flags.FLAGS.mark_as_parsed()
    was, now = generate_playthrough.replay(str(path))
    assert now == was


def test_there_are_recorded_games() -> None:
    assert len(PLAYTHROUGHS) == 2


@pytest.mark.parametrize("heats", [300, pytest.param(100_000, marks=pytest.mark.soak)])
def test_random_heats_score_as_the_rules_say(heats: int) -> None:
    rng = random.Random(7)
    games = {
        players: pyspiel.load_game(f"{GAME}(players={players},utility=score,fare=local,random_queue=True)")
        for players in range(1, 7)
    }
    for _ in range(heats):
        players = rng.randint(1, 6)
        state = games[players].new_initial_state()
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
        drawn, *actions = state.history()
        order = re.findall("[0-9]", games[players].new_initial_state().action_to_string(-1, drawn))
        scores = Heat.of("local", [f"seat {p}" for p in order], "".join(str(a + 1) for a in actions)).scores
        assert state.returns() == [scores[f"seat {player}"] for player in range(players)]


def test_jo_of_the_worked_example_scores_nine() -> None:
    """From 3 Jo jumps 1 behind Kit on 4, Kit jumps 3 to 7; Jo ends with 4 A, 1 B, 2 C and 3 stamps."""
    state = _played("(utility=score)", "111112133221311")
    assert "player 0 on 12: A4 B1 C2, stamps 3" in str(state)
    assert state.returns()[0] == 9


def test_the_queue_reads_head_first() -> None:
    assert str(_played("(players=3)", "22")).splitlines() == [
        "player 2 on 0: A0 B0 C0, stamps 0",
        "player 0 on 2: A0 B1 C0, stamps 1",
        "player 1 on 2: A0 B1 C0, stamps 0",
    ]


def test_every_player_sees_itself_as_seat_zero() -> None:
    state = _played("(players=3)", "22")
    tensors = [state.observation_tensor(player) for player in range(3)]
    assert [[tensor[row * 6] for row in range(3)] for tensor in tensors] == [[2, 0, 1], [1, 2, 0], [0, 1, 2]]
    assert tensors[0][-3:] == [1, 1, 1]


def test_a_drawn_queue_seats_the_players_in_that_order() -> None:
    state = pyspiel.load_game(f"{GAME}(players=3,random_queue=True)").new_initial_state()
    assert [state.action_to_string(-1, way) for way, _ in state.chance_outcomes()][4] == "queue 2 0 1"
    state.apply_action(4)
    assert [state.current_player(), state.observation_tensor(0)[::6][:3]] == [2, [2, 0, 1]]


def test_a_state_comes_back_from_its_text_and_a_copy_goes_its_own_way() -> None:
    state = _played("(players=4,random_queue=True)", "", [17])
    state.apply_action(2)
    _, read = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(state.get_game(), state))
    copy = state.clone()
    copy.apply_action(0)
    assert (str(read), read.history()) == (str(state), [17, 2])
    assert str(copy) != str(state)


@pytest.mark.parametrize(
    ("parameters", "says"),
    [
        ("(players=0)", "a heat has 1 to 6 seats, not 0"),
        ("(players=7)", "a heat has 1 to 6 seats, not 7"),
        ("(players=30000000)", "a heat has 1 to 6 seats, not 30000000"),  # at once, without naming them all
        ("(players=-1)", "a heat has 1 to 6 seats, not -1"),
        ("(fare=ABC5-ABC5)", "set 2 of the fare card repeats ABC"),
        ("(utility=luck)", "there is no utility 'luck': share, score or margin"),
        ("(players=3,utility=margin)", "a margin is between two seats, not 3"),
    ],
)
def test_parameters_that_cannot_be_are_refused_in_the_games_words(parameters: str, says: str) -> None:
    with pytest.raises(Refused, match=re.escape(says)):
        pyspiel.load_game(GAME + parameters)


@pytest.mark.parametrize("parameters", ["(seats=3)", "(players=two)"])
def test_parameters_it_does_not_have_are_refused_by_openspiel(parameters: str) -> None:
    with pytest.raises(pyspiel.SpielError, match="parameter"):
        pyspiel.load_game(GAME + parameters)


@pytest.mark.parametrize("action", [3, -2, 99])
def test_a_jump_that_does_not_fit_changes_nothing(action: int) -> None:
    state = _played("", "12")
    before = str(state)
    with pytest.raises(IllegalJump, match="a jump of 1, 2 or 3 fits"):
        state.apply_action(action)
    assert (str(state), state.history()) == (before, [0, 1])


@pytest.mark.parametrize("action", [3, -2, 17])
def test_what_is_no_action_has_no_name(action: int) -> None:
    with pytest.raises(Refused, match=f"an action is 0, 1 or 2, for a jump of 1, 2 or 3, not {action}"):
        _played("", "").action_to_string(0, action)


def test_nobody_jumps_after_the_end() -> None:
    state = _played("(players=1)", "3333")
    assert state.legal_actions() == []
    with pytest.raises(IllegalJump, match="no jump is left"):
        state.apply_action(0)


def test_a_queue_that_cannot_be_drawn_is_refused() -> None:
    state = pyspiel.load_game(f"{GAME}(players=3,random_queue=True)").new_initial_state()
    for way in (6, -2):
        with pytest.raises(Refused, match=f"there is no way {way}"):
            state.apply_action(way)


def test_nothing_is_won_before_the_end_and_the_front_seat_can_share_a_win_at_it() -> None:
    state = pyspiel.load_game(f"{GAME}(players=3)").new_initial_state()
    while not state.is_terminal():
        assert state.returns() == [0, 0, 0]
        state.apply_action(state.legal_actions()[-1])
    assert sum(state.returns()) == pytest.approx(0)
    assert max(state.returns()) > 0


@pytest.mark.parametrize("fare", ["standard", "express", "local"])
def test_openspiels_alpha_beta_finds_the_win_of_the_front_seat(fare: str) -> None:
    value, _ = alpha_beta_search(pyspiel.load_game(f"{GAME}(fare={fare})"))
    assert value == 1 - 1 / 2


def test_openspiels_alpha_beta_finds_the_known_margin_on_local() -> None:
    value, _ = alpha_beta_search(pyspiel.load_game(f"{GAME}(fare=local,utility=margin)"))
    assert value == 3


def test_importing_botq_imports_no_framework() -> None:
    frameworks = {"pyspiel", "pettingzoo", "gymnasium", "pyarrow", "PIL"}
    program = f"import sys, botq.cli; print(sorted({frameworks} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout == "[]\n"


def _played(parameters: str, jumps: str, drawn: Sequence[int] = ()) -> pyspiel.State:
    state = pyspiel.load_game(GAME + parameters).new_initial_state()
    for action in (*drawn, *(int(jump) - 1 for jump in jumps)):
        state.apply_action(action)
    return state
