"""Back of the Queue as an AEC environment.  https://pettingzoo.farama.org/api/aec/

Agents are `player_0` (front of the opening queue) to `player_5`.  Action n is a jump of n + 1.
An observation is a dictionary of `observation` (see `botq.adapters.views.observation`) and
`action_mask` (int8 of shape (3,)); the mask is in the info as well.  Rewards are 0 until the heat
ends, then each seat's utility.
"""

from typing import Any, ClassVar

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from gymnasium.utils import EzPickle
from numpy.typing import NDArray
from pettingzoo import AECEnv, register
from pettingzoo.utils import wrappers

from botq.adapters.drawing import RENDER_MODES, checked_render_mode, render
from botq.adapters.views import (
    action_mask,
    checked_fare,
    checked_seats,
    checked_utility,
    jump_of,
    observation,
    observation_box,
    utilities,
)
from botq.heat import Heat
from botq.rules import JUMPS


def env(**parameters: Any) -> Any:
    """The environment in PettingZoo's own wrappers: an illegal jump ends the heat with reward -1 for its player."""
    wrapped: Any = raw_env(**parameters)
    wrapped = wrappers.TerminateIllegalWrapper(wrapped, illegal_reward=-1)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)


class raw_env(AECEnv, EzPickle):  # noqa: N801  (the ecosystem's name for it)
    """The environment bare: an illegal jump raises `IllegalJump`.

    `seats` is 1 to 6, `fare` a name or a spelled card, `utility` one of share, score and margin;
    anything else raises `Refused`.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "back_of_the_queue_v0",
        "render_modes": RENDER_MODES,
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self, seats: int = 2, fare: str = "standard", utility: str = "share", render_mode: str | None = None
    ) -> None:
        EzPickle.__init__(self, seats, fare, utility, render_mode)
        super().__init__()
        self.possible_agents = [f"player_{seat}" for seat in range(checked_seats(seats))]
        self.opening = Heat.of(checked_fare(fare), self.possible_agents)
        self.utility = checked_utility(utility, seats)
        self.render_mode = checked_render_mode(render_mode)
        self.observation_spaces = {
            agent: Dict({"observation": observation_box(seats), "action_mask": Box(0, 1, (len(JUMPS),), np.int8)})
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: Discrete(len(JUMPS)) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Forms the opening queue; nothing here is random, so the seed changes nothing."""
        self.heat = self.opening
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.agent_selection = self.agents[0]
        self._tell_masks()

    def observe(self, agent: str) -> dict[str, NDArray[np.int8]]:
        return {
            "observation": observation(self.heat.queue, self.possible_agents.index(agent)),
            "action_mask": self._mask(agent),
        }

    def step(self, action: int | None) -> None:
        """Makes the head's jump; raises `IllegalJump`."""
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self.heat = self.heat.jump(jump_of(action))
        self._cumulative_rewards[self.agent_selection] = 0.0
        if self.heat.over:
            by_seat = utilities(tuple(self.heat.scores.values()), self.utility)
            self.rewards = dict(zip(self.agents, by_seat, strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self.heat.names[self.heat.queue[0].seat]
        self._accumulate_rewards()
        self._tell_masks()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | NDArray[np.uint8] | None:
        """The track by `render_mode`: printed (human), as text (ansi) or as pixels (rgb_array)."""
        return render(self.heat, self.render_mode)

    def close(self) -> None:
        """Nothing to release: no window is ever opened."""

    def _mask(self, agent: str) -> NDArray[np.int8]:
        return action_mask(self.heat.queue) if agent == self.heat.turn else np.zeros(len(JUMPS), np.int8)

    def _tell_masks(self) -> None:
        self.infos = {agent: {"action_mask": self._mask(agent)} for agent in self.agents}


register("aec", "botq/BackOfTheQueue-v0", entry_point=env)
