"""Back of the Queue for one learner: Gymnasium's `botq/BackOfTheQueue-v0`, registered when this room is imported.

The learner plays one seat, bots play the others.  https://gymnasium.farama.org/api/env/

>>> import gymnasium
>>> import botq.adapters.gymnasium
>>> env = gymnasium.make("botq/BackOfTheQueue-v0", seats=2, fare="local")
>>> observation, info = env.reset(seed=7)
>>> env.get_wrapper_attr("action_masks")()
array([ True,  True,  True])
"""

from collections.abc import Callable, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Discrete
from numpy.typing import NDArray

from botq.adapters.drawing import RENDER_MODES, checked_render_mode, render
from botq.adapters.views import (
    action_mask,
    checked_fare,
    checked_seats,
    checked_utility,
    checked_whole,
    jump_of,
    observation,
    observation_box,
    utilities,
)
from botq.bots import BOTS
from botq.heat import Heat
from botq.rules import JUMPS, Refused
from botq.words import listed, shown

Bot = Callable[[Heat], int]
ID = "botq/BackOfTheQueue-v0"


class BackOfTheQueueEnv(gymnasium.Env[Any, Any]):
    """One seat of a heat, from when it is that seat's turn until it is again.

    `seat` is the learner's, 0 at the front of the opening queue; `opponents` is a bot, or one for
    each other seat in queue order: a name from `botq.bots`, or a function of a heat that gives a
    jump.  Action n is a jump of n + 1.  Observations are `botq.adapters.views.observation`; the reward is 0 until
    the heat ends, then the seat's utility (see `utilities`).  Raises `Refused` for a parameter
    that cannot be, `IllegalJump` for a jump that does not fit.
    """

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": 2}  # noqa: RUF012  (as Gymnasium declares it)

    def __init__(
        self,
        seats: int = 2,
        fare: str = "standard",
        seat: int = 0,
        opponents: str | Bot | Sequence[str | Bot] = "random",
        utility: str = "share",
        render_mode: str | None = None,
    ) -> None:
        self.opening = Heat.of(checked_fare(fare), [f"player_{number}" for number in range(checked_seats(seats))])
        self.seat = checked_whole(seat, f"with {seats} seats the learner's is 0 to {seats - 1}", range(seats))
        self.utility = checked_utility(utility, seats)
        self.bots = self._seated(opponents)
        self.render_mode = checked_render_mode(render_mode)
        self.observation_space = observation_box(seats)
        self.action_space = Discrete(len(JUMPS))
        self.heat: Heat | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.int8], dict[str, Any]]:
        """Forms a queue and lets the bots jump until it is the learner's turn."""
        super().reset(seed=seed)
        self.heat = self._until_my_turn(self.opening)
        return self._seen(self.heat)

    def step(self, action: int) -> tuple[NDArray[np.int8], float, bool, bool, dict[str, Any]]:
        """Makes the learner's jump, then the bots'; raises `IllegalJump`, and `Refused` before the first reset."""
        self.heat = self._until_my_turn(self._under_way().jump(jump_of(action)))
        reward = utilities(tuple(self.heat.scores.values()), self.utility)[self.seat] if self.heat.over else 0.0
        seen, info = self._seen(self.heat)
        return seen, reward, self.heat.over, False, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal now: bool of shape (3,), under the name that masking learners look for."""
        return action_mask(self._under_way().queue).astype(bool)

    def render(self) -> str | NDArray[np.uint8] | None:
        """The track by `render_mode`: printed (human), as text (ansi) or as pixels (rgb_array)."""
        return render(self._under_way(), self.render_mode)

    def _under_way(self) -> Heat:
        if self.heat is None:
            raise Refused("no heat is under way: reset first")
        return self.heat

    def _until_my_turn(self, heat: Heat) -> Heat:
        while not heat.over and heat.queue[0].seat != self.seat:
            heat = heat.jump(self.bots[heat.queue[0].seat](heat))
        if self.render_mode == "human":
            render(heat, self.render_mode)
        return heat

    def _seen(self, heat: Heat) -> tuple[NDArray[np.int8], dict[str, Any]]:
        return observation(heat.queue, self.seat), {"action_mask": action_mask(heat.queue), "jumps": heat.jumps}

    def _seated(self, opponents: str | Bot | Sequence[str | Bot]) -> dict[int, Bot]:
        """The bot of every seat but the learner's."""
        others = [seat for seat in range(len(self.opening.players)) if seat != self.seat]
        if isinstance(opponents, str) or callable(opponents):
            opponents = [opponents] * len(others)
        if not isinstance(opponents, Sequence):
            raise Refused(f"opponents are a bot, or one for each other seat, not {opponents!r}")
        if len(opponents) != len(others):
            raise Refused(f"{len(others)} seats need a bot, and {len(opponents)} were named: name one, or one for each")
        return dict(zip(others, map(self._bot, opponents), strict=True))

    def _bot(self, bot: str | Bot) -> Bot:
        if callable(bot):
            return bot
        if bot not in BOTS:
            raise Refused(f"there is no bot {shown(str(bot))}: {listed(BOTS, 'or')}, or a function of a heat")
        return lambda heat: BOTS[bot](heat, int(self.np_random.integers(1 << 32)))


gymnasium.register(ID, entry_point="botq.adapters.gymnasium:BackOfTheQueueEnv")
