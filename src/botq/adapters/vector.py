"""Thousands of heats at once as NumPy arrays: `botq/BackOfTheQueueSelfPlay-v0` for Gymnasium's vector API.

Every seat of every heat is played by the caller: an action is the jump of whoever is at the head.
https://gymnasium.farama.org/api/vector/
"""

from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from botq import kernel
from botq.adapters.views import checked_fare, checked_seats, checked_utility, checked_whole, observation_box, shares
from botq.rules import JUMPS, IllegalJump, Refused

ID = "botq/BackOfTheQueueSelfPlay-v0"
MOST_HEATS = 1 << 22  # at six seats the arrays of one step then take 800 MB
Result = tuple[NDArray[np.int8], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]


class BackOfTheQueueVectorEnv(VectorEnv[Any, Any, Any]):
    """So many heats at once, each with so many seats.

    | array                 | shape               | dtype                                              |
    |-----------------------|---------------------|----------------------------------------------------|
    | actions               | (heats,)            | any integer: a jump less 1                         |
    | observations          | (heats, seats, 6)   | int8: a row a pawn, head first; seat, space, A, B, C, stamps |
    | rewards               | (heats,)            | float64: the utility of the seat that jumped, at the end |
    | terminations          | (heats,)            | bool                                               |
    | truncations           | (heats,)            | bool, never set                                    |
    | infos["action_mask"]  | (heats, 3)          | int8                                               |
    | infos["scores"]       | (heats, seats)      | int16, by seat; 0 but where infos["_scores"] is set|
    | infos["utilities"]    | (heats, seats)      | float32, by seat; 0 but where infos["_utilities"] is set |

    Seats are those of the opening queue.  A heat that ended forms its queue again at the next
    step, whatever its action then (Gymnasium's `NEXT_STEP`).  All arrays are the caller's to keep.
    Raises `Refused` for parameters that cannot be, `IllegalJump` for actions that do not fit, and
    then no heat has changed.
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012  (as Gymnasium declares it)

    def __init__(self, num_envs: int = 1, seats: int = 2, fare: str = "standard", utility: str = "share") -> None:
        rule = f"1 to {MOST_HEATS} heats are played at once"
        self.num_envs = checked_whole(num_envs, rule, range(1, MOST_HEATS + 1))
        self.seats = checked_seats(seats)
        self.utility = checked_utility(utility, seats)
        self.pays = kernel.pays_by_hand(checked_fare(fare))
        self.single_observation_space = observation_box(seats)
        self.single_action_space = Discrete(len(JUMPS))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.queues: NDArray[np.int32] | None = None
        self.room = (np.empty(num_envs, np.int32), np.empty(num_envs, np.int32))

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.int8], dict[str, Any]]:
        """Forms every queue; nothing here is random, so the seed changes nothing.  There are no options."""
        if options:
            raise Refused(f"heats are reset all together and without options, not with {sorted(options)}")
        super().reset(seed=seed)
        self.queues = np.empty((self.seats, self.num_envs), np.int32)
        kernel.form_queues(self.queues)
        return self._told(self.queues, np.zeros(self.num_envs, np.bool_), self._by_seat(np.int16))

    def step(self, actions: Any) -> Result:
        """One jump in every heat."""
        if self.queues is None:
            raise Refused("no heats are under way: reset first")
        jumps = self._checked(actions, self.queues)
        movers = self.queues[0] >> kernel.SEAT & 7
        over, scores = np.zeros(self.num_envs, np.bool_), self._by_seat(np.int16)
        kernel.play_on(self.queues, jumps, *self.room, self.pays, over, scores)
        shown, infos = self._told(self.queues, over, scores)
        rewards = np.zeros(self.num_envs)
        ended = np.flatnonzero(over)
        rewards[ended] = infos["utilities"][ended, movers[ended]]
        return shown, rewards, over, np.zeros(self.num_envs, np.bool_), infos

    def _checked(self, actions: Any, queues: NDArray[np.int32]) -> NDArray[np.int32]:
        given = np.asarray(actions)
        if given.shape != (self.num_envs,) or given.dtype.kind not in "iu":
            raise Refused(
                f"actions are {self.num_envs} whole numbers, one for each heat,"
                f" not {given.dtype} of shape {given.shape}"
            )
        jumps = np.empty(self.num_envs, np.int32)
        heat = kernel.first_misfit(queues[0], given.astype(np.int64), jumps)
        if heat >= 0:
            space = queues[0, heat] >> kernel.AHEAD
            raise IllegalJump(f"heat {heat}: the head is on {space}, and a jump of {given[heat] + 1} does not fit")
        return jumps

    def _told(
        self, queues: NDArray[np.int32], over: NDArray[np.bool_], scores: NDArray[np.int16]
    ) -> tuple[NDArray[np.int8], dict[str, Any]]:
        shown = np.empty((self.num_envs, self.seats, len(kernel.PAWN_COLUMNS)), np.int8)
        fits = np.empty((self.num_envs, len(JUMPS)), np.int8)
        kernel.show(queues, shown, fits)
        worth = self._by_seat(np.float32)
        ended = np.flatnonzero(over)
        worth[ended] = self._utilities(scores[ended])
        infos = {"scores": scores, "_scores": over.copy(), "utilities": worth, "_utilities": over.copy()}
        return shown, {"action_mask": fits} | infos

    def _utilities(self, final: NDArray[np.int16]) -> NDArray[np.float64]:
        """What final scores, a row a heat, are worth to each seat; see `botq.adapters.views.utilities`."""
        if self.utility == "score":
            return final.astype(np.float64)
        if self.utility == "margin":
            return (final - final[:, ::-1]).astype(np.float64)
        return shares(final) - 1 / self.seats

    def _by_seat(self, dtype: type) -> NDArray[Any]:
        return np.zeros((self.num_envs, self.seats), dtype)


gymnasium.register(ID, vector_entry_point="botq.adapters.vector:BackOfTheQueueVectorEnv")
