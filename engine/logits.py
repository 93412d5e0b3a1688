"""The result of a logits request, and its cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.reuse import ReusePlan

if TYPE_CHECKING:
    import torch


@dataclass(frozen=True, slots=True)
class LogitsResult:
    """The logits after a prompt, and their cost.

    Attributes:
        logits: float32 [vocab], of the last position.
        reused, replayed, computed: tokens; they sum to the prompt's length.
        plan: the same with the reason.
    """

    logits: torch.Tensor
    reused: int
    replayed: int
    computed: int
    plan: ReusePlan
