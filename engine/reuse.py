"""What a prompt reuses from the cache, and why no more: plain data for events and reports."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from engine.drafted import NO_DRAFTS, Drafted
from engine.sentence import Sentence, in_turn, say
from engine.stored_state import StoredState


class Reason(str, Enum):
    """Why a request did not reuse its whole prompt. Exactly one each; never "other"."""

    NONE = "none"
    FIRST_SIGHT = "first sight"
    NEW_TOKENS = "new tokens"
    DIVERGED = "diverged"
    TEMPLATE_DROPPED_THINKING = "template dropped thinking"
    ANSWER_RETOKENISED = "answer re-tokenised"
    RENDERED_DIFFERENTLY = "template rendered it differently"
    MESSAGE_EDITED = "message edited"
    SYSTEM_TEXT_CHANGED = "system text changed"
    TOOLS_CHANGED = "tool list changed"
    OLDEST_DROPPED = "oldest turns left out"
    TEXT_LEFT_OUT = "text left out of the middle"
    SYSTEM_TEXT_SHARED = "another chat with part of the system text"
    ANOTHER_CHAT = "another chat with the same beginning"
    NO_CHECKPOINT = "no checkpoint on the path"
    CHECKPOINT_EVICTED = "checkpoint evicted"
    NOT_EXACT = "checkpoint not usable in exact mode"
    COMPRESSED = "checkpoint compressed, not usable in exact mode"
    QUARANTINED = "checkpoint quarantined"
    DAMAGED_FILE = "checkpoint on a damaged file"
    FILE_GONE = "cache file deleted"
    OTHER_FILES = "files of other weights or kernels"
    READ_BEFORE = "earlier run not in the cache"
    CACHE_OFF = "cache not used"
    NOT_REPORTED = "the engine does not say"


# What had happened, as a clause that can end a sentence; the other reasons need none.
CLAUSES = {
    Reason.ANSWER_RETOKENISED: say("the template does not reproduce the answer as it was"),
    Reason.OLDEST_DROPPED: say("the oldest turns of the conversation were left out"),
    Reason.TEXT_LEFT_OUT: say("a text that was there before was left out"),
    Reason.SYSTEM_TEXT_SHARED: say("a different chat with the same beginning of its system text"),
    Reason.MESSAGE_EDITED: say("an earlier message changed"),
    Reason.SYSTEM_TEXT_CHANGED: say("the system prompt changed"),
    Reason.TOOLS_CHANGED: say("the list of tools changed"),
    Reason.ANOTHER_CHAT: say("a different chat with the same beginning"),
    Reason.RENDERED_DIFFERENTLY: say("the template rendered the same text differently"),
    Reason.NO_CHECKPOINT: say("no state was stored"),
    Reason.CHECKPOINT_EVICTED: say("the state had been evicted"),
    Reason.NOT_EXACT: say("the state is not bit-exact for this prompt"),
    Reason.COMPRESSED: say("the state was computed from a compressed one"),
    Reason.QUARANTINED: say("an audit had found the state to be wrong"),
    Reason.DAMAGED_FILE: say("the file with the state was damaged"),
    Reason.FILE_GONE: say("the file with the state had been deleted"),
    Reason.OTHER_FILES: say("the cache files are of other weights or kernels"),
    Reason.READ_BEFORE: say("the earlier run is not in the cache"),
}


@dataclass(frozen=True, slots=True)
class Divergence:
    """Where a prompt diverges from the cache.

    Attributes:
        token: the first position that differs.
        message: index of the message it is in, None outside all of them (or for raw token ids).
        role: of that message, "" if there is none.
        cached, prompt: the text with which each side continues.
    """

    token: int
    message: int | None
    role: str
    cached: str
    prompt: str


@dataclass(frozen=True, slots=True)
class StateMissing:
    """Why known tokens had to be replayed.

    Attributes:
        position: where the missing state was, or would have been, in tokens.
        why: NO_CHECKPOINT (never taken), CHECKPOINT_EVICTED, QUARANTINED, DAMAGED_FILE, NOT_EXACT
            or COMPRESSED.
        by: the eviction's cause; "" if it was not evicted.
        seconds_ago: since the eviction; None if it was not evicted.
    """

    position: int
    why: Reason
    by: str = ""
    seconds_ago: float | None = None


@dataclass(frozen=True, slots=True)
class ReusePlan:
    """The three parts of a prompt of `total` tokens, and the reason.

    `reused + replayed + computed + unknown == total`; reused is [0, r), replayed [r, m), computed
    [m, n), and the checkpoint resumed from is at `reused`. Our own engine knows all parts.

    Attributes:
        checkpoint: node id of the checkpoint resumed from, None if there is none, or if it first
            has to be promoted from a lower tier.
        state: that checkpoint's state, and the tier where it was; None if there is none.
        detail: one plain sentence for the user.
        predicted_seconds: to the first token, from measured rates; None before any measurement.
        divergence: where the prompt diverges from the cache; None if it extends it.
        missing: why [r, m) has to be replayed; None if it is empty.
        unknown: tokens for which a remote engine does not report what happened.
        reported_by: that engine's name; "" for our own.
        expected: tokens that it should have reused according to its published events; None if they
            were not followed.
        again: tokens among the replayed and computed ones that this chat had run before; those of
            an ordinary turn, such as an answer without its thinking, do not count.
        reread_for_thinking: tokens that ran again because the template left out the thinking before
            them, as it does at every turn; not counted in `again`.
    """

    total: int
    reused: int
    replayed: int
    computed: int
    reason: Reason
    detail: str
    checkpoint: int | None = None
    state: StoredState | None = None
    predicted_seconds: float | None = None
    divergence: Divergence | None = None
    missing: StateMissing | None = None
    unknown: int = 0
    reported_by: str = ""
    expected: int | None = None
    again: int = 0
    reread_for_thinking: int = 0

    def unquoted(self) -> ReusePlan:
        """The plan without the cache's continuation text, which may be from another chat.

        For storage on disk: a deleted chat must not survive in the reports of others.
        """
        if self.divergence is None or not self.divergence.cached:
            return self
        told = ""
        # A plain text does not show which part of it is quoted.
        if isinstance(self.detail, Sentence):
            told = self.detail.retold(cached=say("another text"))
        return replace(self, detail=told, divergence=replace(self.divergence, cached=""))

    def cut_at(self, position: int) -> ReusePlan:
        """The plan as carried out if the request was cancelled after `position` prompt tokens."""
        if position >= self.total:
            return self
        assert position >= self.reused, "reuse precedes anything that runs"
        replayed = min(position - self.reused, self.replayed)
        where = (
            say("token {position:,} of {total:,}", position=position, total=self.total)
            if position
            else say("its first token")
        )
        return replace(
            self,
            total=position,
            replayed=replayed,
            computed=position - self.reused - replayed,
            again=min(self.again, position - self.reused),
            reread_for_thinking=min(self.reread_for_thinking, position - self.reused),
            detail=in_turn(say("Cancelled at {where} of the prompt.", where=where), self.detail),
        )


@dataclass(frozen=True, slots=True)
class ReuseReport:
    """What one request did, in tokens and seconds.

    Attributes:
        plan: the plan as carried out: for a cancelled prompt, the part that ran.
        generated: new tokens; those of a continued answer are part of the prompt.
        first_token_s: from the start of the run to the first token (None: there was none).
        lookup_ms: rendering the prompt, matching it, and promoting it from a lower tier.
        restore_ms: allocating slots and copying the checkpoint.
        replay_ms, prefill_ms: running known and new tokens. One pass runs both, so its time is
        divided by tokens.
        skipped_checkpoints: checkpoints not taken because every state slot was locked.
        drafts: what they did; nothing where they are off or not reported.
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
    replay_ms: float = 0.0
    drafts: Drafted = NO_DRAFTS
