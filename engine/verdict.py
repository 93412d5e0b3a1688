"""An audit's verdict on a checkpoint, which the checkpoint carries from then on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

VerdictStatus = Literal["verified", "unclear", "drifted", "quarantined"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """The state a resumed run starts from and how it continues, compared with a cold run.

    Attributes:
        status: "verified": as close as its kind can be; "unclear": within what rounding can cause
        in this model, which is too far to be sure; "drifted": further, but harmless, with the
        same choice of the next token; "quarantined": wrong, never to be used again.
        largest: the largest relative difference found in a layer's state, in a token's key or
        value, or in two logits.
        kl: divergence of the resumed distribution of the next token from the cold one, in nats.
        time: of the audit, seconds on the cache's clock.
    """

    status: VerdictStatus
    largest: float
    kl: float
    time: float
