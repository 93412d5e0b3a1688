"""What an audit found out about a checkpoint: the stamp that it carries from then on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

VerdictStatus = Literal["verified", "drifted", "quarantined"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """A resumed run compared with a cold one.

    Attributes:
        status: "verified" within the bound of its kind; "drifted" beyond it, but harmless: the same
            likeliest token; "quarantined": wrong, never to be used again.
        largest: the largest difference of two logits over the largest cold logit.
        kl: divergence of the resumed distribution from the cold one, in nats.
        time: of the audit, seconds on the cache's clock.
    """

    status: VerdictStatus
    largest: float
    kl: float
    time: float
