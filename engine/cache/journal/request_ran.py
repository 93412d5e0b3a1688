"""What a request required of the cache and what it got: everything needed to replay it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import numpy.typing as npt

from engine.drafted import NO_DRAFTS, Drafted
from engine.stored_state import StoredState

RequestKind = Literal["generate", "logits"]
TokenArray = npt.NDArray[np.int64]
NO_TOKENS: TokenArray = np.empty(0, np.int64)


@dataclass(frozen=True, slots=True)
class DiskOffer:
    """What the disk tier offered for a prompt: a checkpoint, and whether it could be read.

    A recording cannot know what is stored on a disk. What the disk returned is all that ever
    affects the other tiers.

    `outcome` is an Intake.
    """

    outcome: str
    state: StoredState


@dataclass(frozen=True, slots=True, eq=False)
class RequestRan:
    """One finished request, as the cache saw it.

    Attributes:
        request: the caller's number, 0 if it has none.
        kind: "generate" stores the state at its end; "logits" only reads a prompt.
        reuse: False if the cache was neither read nor written.
        prompt: `[n] int64` token ids.
        decoded: `[generated] int64` token ids: those applied, and possibly one more.
        anchors: the positions that its cuts were planned with.
        headroom: KV slots requested beyond the prompt.
        position: tokens applied to the state when it ended; below n if it was cancelled during
            prefill.
        stop: a StopReason, or "refused" (no room for its KV) or "failed" (it raised).
        drops: positions at which the whole cache was dropped while it ran.
        reused, replayed, computed: tokens of the prompt's match; they sum to n. If the prompt was
            cancelled, only those before `position` ran.
        offers: what the disk tier offered, in order.
        resumed_from: tier of the checkpoint it resumed from, "" if none.
        provenance: of that checkpoint.
        reason: why no more was reused.
        text: the answer; "" if text is not recorded.
        first_token_s: None if there was no token.
        owner: the prompt's owner, 0 for none; see Submit.
        one_shot: not expected to be continued; see Submit.
        drafts: what they did for the answer.
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
    owner: int = 0
    one_shot: bool = False
    drafts: Drafted = NO_DRAFTS

    @property
    def sequence(self) -> TokenArray:
        """`[n + generated] int64`, the prompt and the answer."""
        return np.concatenate([self.prompt, self.decoded])

    def without_tokens(self) -> RequestRan:
        """A copy without ids and text, small enough to keep."""
        return replace(self, prompt=NO_TOKENS, decoded=NO_TOKENS, text="")


def bare_request(prompt: TokenArray, decoded: TokenArray, request: int = 1) -> RequestRan:
    """A request with known tokens only, as if it had computed its whole prompt."""
    return RequestRan(
        request=request,
        kind="generate",
        reuse=True,
        prompt=prompt,
        decoded=decoded,
        anchors=(),
        headroom=len(decoded),
        # The last sampled token is not applied.
        position=len(prompt) + max(len(decoded) - 1, 0),
        stop="end",
        drops=(),
        offers=(),
        reused=0,
        replayed=0,
        computed=len(prompt),
        resumed_from="",
        provenance="",
        reason="",
        lookup_ms=0.0,
        restore_ms=0.0,
        prefill_ms=0.0,
        first_token_s=None,
        total_s=0.0,
    )
