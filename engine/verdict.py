"""What an audit found out about a checkpoint: the stamp that it carries from then on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

VerdictStatus = Literal["verified", "unclear", "drifted", "quarantined"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a resumed run starts from, compared with a cold run's own, and how either goes on.

    Attributes:
        status: "verified" as near as its kind can be; "unclear" no farther than rounding can take
            this model, which is too far to tell; "drifted" farther, but harmless: the same choice
            of the next token; "quarantined": wrong, never to be used again.
        largest: the largest relative difference that was found, of the state of a layer, of the
            key or value of a token, or of two logits.
        kl: divergence of the resumed distribution of the next token from the cold one, in nats.
        time: of the audit, seconds on the cache's clock.
    """

    status: VerdictStatus
    largest: float
    kl: float
    time: float
