"""The game `python_back_of_the_queue` for OpenSpiel; importing this room registers it.

Parameters: `players` (1 to 6), `fare` (a name or a spelled card), `random_queue` (a chance node
draws the opening queue) and `utility` (`share` of the win less 1/players, `score` or `margin`).
Action n is a jump of n + 1.  https://openspiel.readthedocs.io
"""

from itertools import permutations
from math import factorial
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from botq.adapters.views import (
    ACTIONS,
    COLUMNS,
    action_mask,
    checked_utility,
    checked_whole,
    jump_of,
    observation,
    utilities,
)
from botq.fares import Fare
from botq.heat import Heat
from botq.rules import FINISH, JUMPS, LETTERS, MAX_SEATS, Refused, Tickets, form_queue

DEFAULTS: dict[str, Any] = {"players": 2, "fare": "standard", "random_queue": False, "utility": "share"}


def _game_type(random_queue: bool, utility: str) -> pyspiel.GameType:
    kind = pyspiel.GameType
    return kind(
        short_name="python_back_of_the_queue",
        long_name="Back of the Queue",
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC if random_queue else kind.ChanceMode.DETERMINISTIC,
        information=kind.Information.PERFECT_INFORMATION,
        utility=kind.Utility.GENERAL_SUM if utility == "score" else kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=MAX_SEATS,
        min_num_players=1,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=DEFAULTS,
    )


class BackOfTheQueueGame(pyspiel.Game):
    """The game with its parameters; raises `Refused` where one of them cannot be."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        chosen = DEFAULTS | (params or {})
        players = chosen["players"]
        form_queue(players)  # refuses a number that cannot be, before so many are named
        self.opening = Heat.of(Fare.parse(chosen["fare"]), [f"player {player}" for player in range(players)])
        self.random_queue = chosen["random_queue"]
        self.utility = checked_utility(chosen["utility"], players)
        low, high = _bounds(self.opening.fare, players, self.utility)
        info = pyspiel.GameInfo(
            num_distinct_actions=len(JUMPS),
            max_chance_outcomes=factorial(players) if self.random_queue else 0,
            num_players=players,
            min_utility=low,
            max_utility=high,
            utility_sum=None if self.utility == "score" else 0.0,
            max_game_length=FINISH * players,
        )
        super().__init__(_game_type(self.random_queue, self.utility), info, params or {})

    def new_initial_state(self) -> "BackOfTheQueueState":
        return BackOfTheQueueState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: dict[str, Any] | None = None) -> Any:
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return QueueObserver(self.num_players(), params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class BackOfTheQueueState(pyspiel.State):
    """A position; `order[seat]` is the player who was drawn into that seat, `heat` is None before the draw."""

    def __init__(self, game: BackOfTheQueueGame) -> None:
        super().__init__(game)
        self._opening, self._utility = game.opening, game.utility
        self.order = tuple(range(game.num_players()))
        self.heat = None if game.random_queue else game.opening

    def current_player(self) -> int:
        if self.heat is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.heat.over else self.order[self.heat.queue[0].seat]

    def is_terminal(self) -> bool:
        return self.heat is not None and self.heat.over

    def _legal_actions(self, player: int) -> list[int]:
        return [jump - 1 for jump in self.heat.legal] if self.heat else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        ways = factorial(self.num_players())
        return [(way, 1 / ways) for way in range(ways)]

    def _apply_action(self, action: int) -> None:
        if self.heat is None:
            self.order = self._order(action)
            self.heat = Heat(self._opening.fare, tuple(self._opening.players[player] for player in self.order))
        else:
            self.heat = self.heat.jump(jump_of(action))

    def _order(self, way: int) -> tuple[int, ...]:
        """The players front first; ways are counted in dictionary order."""
        ways = list(permutations(range(self.num_players())))
        if way not in range(len(ways)):
            raise Refused(f"the queue forms in {len(ways)} ways, numbered from 0: there is no way {way}")
        return ways[way]

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return "queue " + " ".join(map(str, self._order(action)))
        return f"player {player} jumps {checked_whole(action, ACTIONS, range(len(JUMPS))) + 1}"

    def returns(self) -> list[float]:
        if self.heat is None or not self.heat.over:
            return [0.0] * self.num_players()
        by_seat = utilities(tuple(self.heat.scores.values()), self._utility)
        return [by_seat[self.order.index(player)] for player in range(self.num_players())]

    def __str__(self) -> str:
        """The position, head first.  Solvers merge states with the same text, so the path is left out."""
        if self.heat is None:
            return "the queue is not formed yet"
        return "\n".join(
            f"{self.heat.names[pawn.seat]} on {pawn.space}: "
            + " ".join(f"{letter}{n}" for letter, n in zip(LETTERS, pawn.tickets, strict=True))
            + f", stamps {pawn.stamps}"
            for pawn in self.heat.queue
        )


class QueueObserver:
    """What a player sees: `queue` of shape (players, 6), as in `botq.adapters.views.observation`, and `jumps` (3,)."""

    def __init__(self, players: int, params: dict[str, Any] | None) -> None:
        if params:
            raise ValueError(f"this observer takes no parameters, not {params}")
        pawns = players * len(COLUMNS)
        self.tensor = np.zeros(pawns + len(JUMPS), np.float32)
        self.dict = {"queue": self.tensor[:pawns].reshape(players, len(COLUMNS)), "jumps": self.tensor[pawns:]}

    def set_from(self, state: BackOfTheQueueState, player: int) -> None:
        self.tensor.fill(0)
        if state.heat is not None:
            self.dict["queue"][:] = observation(state.heat.queue, state.order.index(player))
            self.dict["jumps"][:] = action_mask(state.heat.queue)

    def string_from(self, state: BackOfTheQueueState, player: int) -> str:
        return str(state)


def _bounds(fare: Fare, players: int, utility: str) -> tuple[float, float]:
    """No heat is worth less or more than this to a player: a pawn lands on 12 with its last jump, without a stamp."""
    if utility == "share":
        return -1 / players, 1 - 1 / players
    hands = (Tickets(FINISH - 2 * b - 3 * c, b, c) for c in range(5) for b in range(7) if 2 * b + 3 * c <= FINISH)
    most = float(max(fare.pays(hand).points + sum(hand) - 1 for hand in hands))
    return (0.0 if utility == "score" else -most), most


pyspiel.register_game(_game_type(False, "share"), BackOfTheQueueGame)
