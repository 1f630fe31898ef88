"""The PettingZoo environment `back_of_the_queue_v0`: `env(...)`, or `raw_env(...)` without the usual wrappers."""

from botq.adapters.pettingzoo.back_of_the_queue_v0 import env, raw_env

__all__ = ["env", "raw_env"]
