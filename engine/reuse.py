"""What a prompt reuses of the cache, and why not more: plain data for events and reports."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Reason(str, Enum):
    """Why a request did not reuse all of its prompt. One cause each; never "other"."""

    NONE = "none"
    FIRST_SIGHT = "first sight"
    NEW_TOKENS = "new tokens"
    DIVERGED = "diverged"
    TEMPLATE_DROPPED_THINKING = "template dropped thinking"
    ANSWER_RETOKENISED = "answer re-tokenised"
    MESSAGE_EDITED = "message edited"
    NO_CHECKPOINT = "no checkpoint on the path"
    CHECKPOINT_EVICTED = "checkpoint evicted"
    NOT_EXACT = "checkpoint not usable in exact mode"
    COMPRESSED = "checkpoint compressed, not usable in exact mode"
    QUARANTINED = "checkpoint quarantined"
    DAMAGED_FILE = "checkpoint on a damaged file"
    CACHE_OFF = "cache not used"


@dataclass(frozen=True, slots=True)
class ReusePlan:
    """The three parts of a prompt of `total` tokens, and the reason.

    `reused + replayed + computed == total`; reused is [0, r), replayed [r, m), computed [m, n).

    Attributes:
        checkpoint: node id of the checkpoint resumed from, None where there is none.
        provenance: how that checkpoint was written: "prefill", "decode", "branch" or "".
        detail: one plain sentence for the user.
        predicted_seconds: to the first token, from measured rates; None before any measurement.
    """

    total: int
    reused: int
    replayed: int
    computed: int
    reason: Reason
    detail: str
    checkpoint: int | None = None
    provenance: str = ""
    predicted_seconds: float | None = None


@dataclass(frozen=True, slots=True)
class RequestReport:
    """What one request did, in tokens and seconds.

    Attributes:
        first_token_s: from the start of the run to the first token (None: none came).
        skipped_checkpoints: checkpoints not taken because every state slot was locked.
    """

    plan: ReusePlan
    generated: int
    first_token_s: float | None
    total_s: float
    decode_tok_s: float | None
    lookup_ms: float
    restore_ms: float
    prefill_ms: float
    skipped_checkpoints: int = 0
