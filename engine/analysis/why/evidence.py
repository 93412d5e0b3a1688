"""Collects all that is known about why a request of a tape ran what it ran."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass

from engine.analysis.ledger import KnownEviction, Ledger
from engine.analysis.why.cause import CHANGED, Cause, Obstacle
from engine.analysis.why.divergence import (
    FEW_TOKENS,
    LEAST_SAVED,
    MOST_OF_IT,
    SMALL_SHARE,
    Sides,
    is_slight,
    nearest_of,
    same_text_of,
    shared_with,
    sides_of,
    times_of,
)
from engine.analysis.why.lives import Lives
from engine.analysis.why.obstacles import known_before, last_chance
from engine.cache.journal.request_ran import TokenArray
from engine.journal.sessions import shared_tokens
from engine.journal.tape import Tape, TapedRequest
from engine.plan.cuts import plan_cuts
from engine.reuse import Reason

# How far back to look for a request of the same conversation.
RECENT = 64
NARROWEST, WIDEST = 64, 4096
# Tokens of a message's header, which distinguish whole turns from parts of one.
HEADER = 3
_NAMED = {
    Reason.TEMPLATE_DROPPED_THINKING: Cause.THINKING_DROPPED,
    Reason.ANSWER_RETOKENISED: Cause.ANSWER_RETOKENISED,
    Reason.RENDERED_DIFFERENTLY: Cause.RENDERED_DIFFERENTLY,
    Reason.MESSAGE_EDITED: Cause.MESSAGE_EDITED,
    Reason.SYSTEM_TEXT_CHANGED: Cause.SYSTEM_TEXT_CHANGED,
    Reason.TOOLS_CHANGED: Cause.TOOLS_CHANGED,
    Reason.OLDEST_DROPPED: Cause.OLDEST_DROPPED,
    Reason.TEXT_LEFT_OUT: Cause.TEXT_LEFT_OUT,
    Reason.SYSTEM_TEXT_SHARED: Cause.SYSTEM_TEXT_SHARED,
    Reason.ANOTHER_CHAT: Cause.ANOTHER_CHAT,
}
_STATES = {
    Reason.CHECKPOINT_EVICTED: Cause.CHECKPOINT_EVICTED,
    Reason.QUARANTINED: Cause.QUARANTINED,
    Reason.DAMAGED_FILE: Cause.DAMAGED_FILE,
    Reason.FILE_GONE: Cause.FILE_GONE,
    Reason.NOT_EXACT: Cause.NOT_EXACT,
    Reason.COMPRESSED: Cause.NOT_EXACT,
}
# The cause of a prompt whose beginning matches nothing in the cache, by the engine's reason.
_FILED: dict[Reason | None, Cause] = {
    Reason.RENDERED_DIFFERENTLY: Cause.RENDERED_DIFFERENTLY,
    Reason.SYSTEM_TEXT_CHANGED: Cause.SYSTEM_TEXT_CHANGED,
    Reason.MESSAGE_EDITED: Cause.MESSAGE_EDITED,
}
_UNSEEN = {
    Reason.FIRST_SIGHT: Cause.FIRST_SIGHT,
    Reason.OTHER_FILES: Cause.OTHER_FILES,
    Reason.READ_BEFORE: Cause.READ_BEFORE,
}
# Causes that a few common tokens do not prove: a common start of two chats, or an edited chat.
_OF_TWO_CHATS = (Cause.ANOTHER_CHAT, Cause.SYSTEM_TEXT_SHARED)
_OF_ONE_CHAT = (
    *(Cause.SYSTEM_TEXT_CHANGED, Cause.TOOLS_CHANGED),
    *(Cause.MESSAGE_EDITED, Cause.DIVERGED),
)
_DATED = (None, Cause.SYSTEM_TEXT_CHANGED, Cause.SYSTEM_TEXT_SHARED, Cause.MESSAGE_EDITED)


@dataclass(frozen=True, slots=True)
class Times:
    """Milliseconds of a request by part; `other`: the first token's own step, and the rest."""

    lookup: float
    restore: float
    replay: float
    prefill: float
    other: float
    first_token: float | None
    total: float


@dataclass(frozen=True, slots=True)
class Evidence:
    """One request, explained.

    Attributes:
        request: the request of the tape.
        reused, replayed, computed: as recorded; they sum to `total`.
        tier, provenance: of the checkpoint at `reused`, "" if none was used.
        known: how much of the prompt had run before, as far as the tape shows; at least
            `reused + replayed`.
        all_told: whether the tape has every request since the caches were empty.
        nearest: number of the earlier request whose sequence shares those tokens; None if none.
        in_answer: the shared tokens end inside that request's answer.
        sides: both texts where they diverge; None if one is a prefix of the other.
        cause: why.
        obstacle: what prevented it from resuming deeper; None if nothing did.
        again: tokens that had run before and were recomputed for lack of a state.
        times: where the time was spent.
    """

    request: TapedRequest
    total: int
    reused: int
    replayed: int
    computed: int
    tier: str
    provenance: str
    known: int
    all_told: bool
    nearest: int | None
    in_answer: bool
    sides: Sides | None
    cause: Cause
    obstacle: Obstacle | None
    again: int
    times: Times

    @property
    def ran(self) -> int:
        """Prompt tokens that ran."""
        return self.total - self.reused

    @property
    def needed(self) -> int | None:
        """Position of the checkpoint that would have been needed; None if none was missing."""
        return None if self.obstacle is None else self.obstacle.position


class Investigator:
    """Explains the requests of one tape; call `follow` before `explain`.

    Attributes:
        lives: the tape's checkpoints.
        ledger: its evictions, with their ranks.
    """

    def __init__(self, tape: Tape) -> None:
        self.tape = tape
        self.lives = Lives(tape)
        self.ledger = Ledger(tape)

    def follow(self, budget_s: float | None = None) -> bool:
        """Follow the tape for about `budget_s`; returns whether its end was reached."""
        return self.lives.follow(budget_s) and self.ledger.follow(budget_s)

    def eviction(self, evidence: Evidence) -> KnownEviction | None:
        """The tape's record of the eviction that was the obstacle; None if there was none."""
        obstacle = evidence.obstacle
        if obstacle is None or obstacle.index is None:
            return None
        evictions = self.ledger.evictions
        at = bisect_left(evictions, obstacle.index, key=lambda gone: gone.index)
        found = evictions[at] if at < len(evictions) else None
        return found if found is not None and found.index == obstacle.index else None

    def explain(self, number: int) -> Evidence:
        """The evidence about a request; Lives must have followed the tape up to its entry."""
        tape, request = self.tape, self.tape.requests[number]
        ran, total = request.ran, len(request.ran.prompt)
        shares: dict[int, int] = {}

        def shared(other: int) -> int:
            # The running request's own states are on its path, but were stored too late for it.
            if other >= number:
                return 0
            if other not in shares:
                shares[other] = shared_with(tape.requests[other], ran.prompt)
            return shares[other]

        nearest, seen = nearest_of(tape.requests[:number], ran.prompt)
        if nearest is not None:
            nearest = self._own(request, nearest, seen, shared)
            seen = shared(nearest)
        # A file of an earlier run of the program may cover more than the tape.
        offered = max((offer.state.position for offer in ran.offers), default=0)
        began = self._began(number)
        before = known_before(self.lives, ran.prompt, began)
        known = max(seen, ran.reused + ran.replayed, offered, before)
        other = None if nearest is None else tape.requests[nearest]
        sides = self._sides(request, other, known) if other is not None and known == seen else None
        obstacle = None
        if ran.reuse and known > ran.reused:
            obstacle = last_chance(self.lives, request, began, shared, ran.reused, known)
            obstacle = self._weighed(request, other, known, obstacle)
            if obstacle is not None and not _matters(obstacle.position, request, known):
                obstacle = None
        cause, again = self._cause(request, other, known, sides, obstacle)
        return Evidence(
            request=request,
            total=total,
            reused=ran.reused,
            replayed=ran.replayed,
            computed=ran.computed,
            tier=ran.resumed_from,
            provenance=ran.provenance,
            known=known,
            all_told=tape.header is not None and tape.header.complete,
            nearest=nearest,
            in_answer=other is not None and known > other.total,
            sides=sides,
            cause=cause,
            obstacle=obstacle,
            again=again,
            times=parts_of(request),
        )

    def _own(
        self, request: TapedRequest, nearest: int, seen: int, shared: Callable[[int], int]
    ) -> int:
        """A request of the same chat that shares about as much as the nearest; else the nearest."""
        requests, session = self.tape.requests, request.session
        if requests[nearest].session == session:
            return nearest
        recent = range(request.number - 1, max(request.number - RECENT, 0) - 1, -1)
        own = (number for number in recent if requests[number].session == session)
        return next((number for number in own if shared(number) > seen - FEW_TOKENS), nearest)

    def _began(self, number: int) -> int:
        """The index at which a request's lookup was complete."""
        before = self.tape.requests[number - 1].index + 1 if number else 0
        return self.lives.began.get(number, before)

    def _sides(self, request: TapedRequest, other: TapedRequest, at: int) -> Sides | None:
        """Both texts where they diverge; None if one of them ends there."""
        mine, theirs = request.ran.prompt, other.ran.sequence
        # The last sampled token was never applied, but may be the same.
        at += shared_tokens(mine[at:], theirs[at:])
        if at >= len(mine) or at >= len(theirs):
            return None
        header = self.tape.header
        hashed = header is None or header.hashed or not self.tape.pieces
        return sides_of(mine, theirs, at, self.tape.text, hashed=hashed)

    def _weighed(
        self, request: TapedRequest, other: TapedRequest | None, known: int, found: Obstacle | None
    ) -> Obstacle | None:
        """The most costly obstacle: a lost state, or one never stored beyond it."""
        reused = request.ran.reused
        lost_to = reused if found is None else found.position
        if known - lost_to <= lost_to - reused:
            return found
        never = self._never_taken(request, other, known)
        return never if known - lost_to > 0 and never is not None else found

    def _never_taken(
        self, request: TapedRequest, other: TapedRequest | None, known: int
    ) -> Obstacle | None:
        if known - request.ran.reused < LEAST_SAVED:
            return None
        header, reason = self.tape.header, _reason(request.ran.reason)
        complete = header is not None and header.complete
        if reason in _STATES and (reason is not Reason.CHECKPOINT_EVICTED or not complete):
            # The engine knew more than the tape shows.
            return Obstacle(_STATES[reason], known)
        if other is None or header is None:
            return Obstacle(Cause.UNRECORDED, known)
        decoding = known > other.total
        settings = header.settings
        every = settings.decode_interval if decoding else settings.interval
        instead = None if decoding else _narrower(other, every, known, request.ran.reused)
        return Obstacle(
            Cause.INTERVAL_TOO_WIDE, known, every=every, decoding=decoding, instead=instead
        )

    def _cause(
        self,
        request: TapedRequest,
        other: TapedRequest | None,
        known: int,
        sides: Sides | None,
        obstacle: Obstacle | None,
    ) -> tuple[Cause, int]:
        """The cause, and the number of tokens recomputed for lack of a state."""
        ran, total = request.ran, len(request.ran.prompt)
        again = known - ran.reused
        if not ran.reuse:
            return Cause.CACHE_OFF, 0
        if ran.stop == "refused":
            return Cause.REFUSED, 0
        if ran.reused == total:
            return Cause.WHOLE, 0
        text = self._text_cause(request, other, known, sides)
        if obstacle is None:
            if known == total:
                return Cause.NEARLY_WHOLE, 0
            if text is Cause.SYSTEM_TEXT_SHARED:
                text = Cause.ANOTHER_CHAT
            return text, again if text in CHANGED else 0
        # New text has to run in any case, so it does not count as a cause.
        state = text not in CHANGED or again > total - known or known == total
        if text is Cause.SYSTEM_TEXT_SHARED and obstacle.cause is Cause.INTERVAL_TOO_WIDE:
            # The text shared by two chats shows where a state was needed.
            return text, again
        return (obstacle.cause if state else text), again

    def _text_cause(
        self,
        request: TapedRequest,
        other: TapedRequest | None,
        known: int,
        sides: Sides | None,
    ) -> Cause:
        """How the prompt's text after the known part relates to the earlier sequence."""
        reason, slight = _reason(request.ran.reason), is_slight(known, request.total)
        if slight and reason in _UNSEEN:
            return _UNSEEN[reason]
        if reason is Reason.CHECKPOINT_EVICTED and not known:
            return Cause.UNRECORDED
        if sides is None or other is None:
            if slight:
                # The engine knew the texts of files that the tape does not have.
                return _FILED.get(reason, Cause.FIRST_SIGHT)
            return Cause.ANOTHER_CHAT if reason is Reason.ANOTHER_CHAT else Cause.NEW_TOKENS
        cause = self._difference(request, other, sides)
        # Hashes do not show whether the text matches again; the engine knew it.
        one_text = other.session == request.session or sides.same_after or not sides.known
        unproven = _OF_TWO_CHATS if one_text else (*_OF_TWO_CHATS, *_OF_ONE_CHAT)
        return Cause.FIRST_SIGHT if slight and cause in unproven else cause

    def _difference(self, request: TapedRequest, other: TapedRequest, sides: Sides) -> Cause:
        """What differs where two sequences diverge."""
        one_chat = other.session == request.session
        reason = _reason(request.ran.reason)
        named = None if reason is None else _NAMED.get(reason)
        if named is Cause.THINKING_DROPPED or _opens_thinking(sides):
            return Cause.THINKING_DROPPED
        if same_text_of(sides):
            return Cause.ANSWER_RETOKENISED
        if named in _DATED and times_of(sides) and (one_chat or sides.same_after):
            return Cause.DATE_CHANGED
        if sides.left_out and named in (None, Cause.MESSAGE_EDITED, Cause.ANOTHER_CHAT):
            if _oldest_turns(other.tokens, sides):
                return Cause.OLDEST_DROPPED
            if named is not Cause.ANOTHER_CHAT:
                return Cause.TEXT_LEFT_OUT
        if named is not None:
            return named
        in_system = self._in_system_text(other, sides.at)
        if one_chat and in_system:
            return Cause.SYSTEM_TEXT_CHANGED
        if sides.same_after:
            return Cause.MESSAGE_EDITED if one_chat else Cause.DIVERGED
        if one_chat:
            return Cause.DIVERGED
        return Cause.SYSTEM_TEXT_SHARED if in_system else Cause.ANOTHER_CHAT

    def _in_system_text(self, other: TapedRequest, at: int) -> bool:
        """Whether a position is before the end of a system text, as far as texts are known."""
        end = min(other.bare.anchors, default=0)
        opening = self.tape.text(other.tokens[:HEADER].tolist())
        return at < end and "system" in opening


def parts_of(request: TapedRequest) -> Times:
    """Where a request's time went; a pass over replayed and new tokens is split by token count."""
    ran = request.ran
    run = ran.replayed + ran.computed
    replay = ran.prefill_ms * ran.replayed / run if run else 0.0
    first = None if ran.first_token_s is None else 1e3 * ran.first_token_s
    parts = ran.lookup_ms + ran.restore_ms + ran.prefill_ms
    return Times(
        lookup=ran.lookup_ms,
        restore=ran.restore_ms,
        replay=replay,
        prefill=ran.prefill_ms - replay,
        other=max((first or parts) - parts, 0.0),
        first_token=first,
        total=1e3 * ran.total_s,
    )


def _matters(position: int, request: TapedRequest, known: int) -> bool:
    """Whether a state there would have saved a significant share of what a request ran."""
    reused = request.bare.reused
    least = FEW_TOKENS if known == request.total else SMALL_SHARE * (request.total - reused)
    return position - reused >= max(FEW_TOKENS, least)


def _narrower(other: TapedRequest, every: int, known: int, reused: int) -> tuple[int, int] | None:
    """The widest narrower interval that would have left a state for most of the known part."""
    narrow = min(every or 2 * WIDEST, 2 * WIDEST)
    while (narrow := narrow // 2 // NARROWEST * NARROWEST) >= NARROWEST:
        plan = plan_cuts(other.total, other.bare.anchors, narrow)
        stored = (*plan.checkpoints, *plan.scan_splits)
        at = max((one for one in stored if one <= known), default=0)
        if at - reused >= MOST_OF_IT * (known - reused):
            return narrow, at
    return None


def _oldest_turns(cached: TokenArray, sides: Sides) -> bool:
    """Whether whole turns were removed, starting with the first.

    Whole turns end with the header they begin with; the first has no such header before it.
    """
    at, end = sides.at, sides.at + sides.left_out
    if at < HEADER:
        return False
    header = cached[at - HEADER : at]
    if (cached[end - HEADER : end] != header).any():
        return False
    before = cached[: at - 1]
    return not any((before[n : n + HEADER] == header).all() for n in range(len(before) - HEADER))


def _reason(text: str) -> Reason | None:
    try:
        return Reason(text)
    except ValueError:
        return None


def _opens_thinking(sides: Sides) -> bool:
    """Whether the other side continues with a thinking block and the prompt does not."""

    def text(side: str) -> str:
        tokens = sides.cached if side == "cached" else sides.prompt
        return "".join(token.text for token in tokens if token.position >= sides.at).lstrip()

    return text("cached").startswith("<think>") and not text("prompt").startswith("<think>")
