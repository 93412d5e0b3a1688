"""What a request asked of the cache and what it got: all that is needed to run it once more."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import numpy.typing as npt

from engine.stored_state import StoredState

RequestKind = Literal["generate", "logits"]
TokenArray = npt.NDArray[np.int64]
NO_TOKENS: TokenArray = np.empty(0, np.int64)


@dataclass(frozen=True, slots=True)
class DiskOffer:
    """What the disk tier had for a prompt: a checkpoint, and whether it could be read.

    What lies on a disk, no recording can know; what came back from it is all of it that ever has
    an effect on the other tiers.

    `outcome` is an Intake.
    """

    outcome: str
    state: StoredState


@dataclass(frozen=True, slots=True, eq=False)
class RequestRan:
    """One request at its end, seen from the cache.

    Attributes:
        request: the caller's number, 0 for one that has none.
        kind: "generate" stores the state at its end; "logits" only reads a prompt.
        reuse: False: the cache was neither read nor fed.
        prompt: `[n] int64` token ids.
        decoded: `[generated] int64` token ids: those applied, perhaps one more.
        anchors: positions that the plan of its cuts was made with.
        headroom: KV slots asked for beyond the prompt.
        position: tokens applied to the state when it ended; below n where it was cancelled before.
        stop: a StopReason, or "refused" (its KV had no room) or "failed" (it broke on the way).
        drops: positions at which the whole cache was dropped while it ran.
        reused, replayed, computed: tokens of the prompt's match; they sum to n. Of a prompt that
            was cancelled, only those before `position` ran.
        offers: what the disk tier offered, in order.
        resumed_from: tier of the checkpoint that it resumed from, "" where there was none.
        provenance: of that checkpoint.
        reason: why not more was reused.
        text: the answer; "" where text is not wanted.
        first_token_s: None where none came.
    """

    request: int
    kind: RequestKind
    reuse: bool
    prompt: TokenArray
    decoded: TokenArray
    anchors: tuple[int, ...]
    headroom: int
    position: int
    stop: str
    drops: tuple[int, ...]
    offers: tuple[DiskOffer, ...]
    reused: int
    replayed: int
    computed: int
    resumed_from: str
    provenance: str
    reason: str
    lookup_ms: float
    restore_ms: float
    prefill_ms: float
    first_token_s: float | None
    total_s: float
    text: str = ""

    @property
    def sequence(self) -> TokenArray:
        """`[n + generated] int64`, the prompt and the answer."""
        return np.concatenate([self.prompt, self.decoded])

    def without_tokens(self) -> RequestRan:
        """The same with no ids and no text, small enough to keep."""
        return replace(self, prompt=NO_TOKENS, decoded=NO_TOKENS, text="")
