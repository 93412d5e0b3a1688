"""The engine: a hybrid model, the two-plane prefix cache, and the run loop.

Importing this package is light: torch is imported on the engine's own thread when a model opens.
"""

import logging

import kernels  # noqa: F401  (sets how threads wait, before anything imports torch)
from engine.api import Engine
from engine.config import EngineConfig, Sampling
from engine.errors import BiplaneError, CacheError, InvariantError, ModelError, PromptError
from engine.logits import LogitsResult
from engine.message import Message, PromptOptions
from engine.reuse import Reason, ReusePlan

# The embedding program decides where the log goes; by default nowhere.
logging.getLogger(__name__).addHandler(logging.NullHandler())

__all__ = [
    "BiplaneError",
    "CacheError",
    "Engine",
    "EngineConfig",
    "InvariantError",
    "LogitsResult",
    "Message",
    "ModelError",
    "PromptError",
    "PromptOptions",
    "Reason",
    "ReusePlan",
    "Sampling",
]
