"""Everything that is known about why one request of a tape ran what it ran."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass

from engine.reuse import Reason
from engine.trace.ledger import KnownEviction, Ledger
from engine.trace.sessions import shared_tokens
from engine.trace.tape import Tape, TapedRequest
from engine.trace.why.cause import CHANGED, Cause, Obstacle
from engine.trace.why.divergence import Sides, sides_of, times_of
from engine.trace.why.lives import Lives
from engine.trace.why.obstacles import deepest, known_before
from engine.trace.why.sharing import nearest_of, shared_with

# Fewer tokens than these, or than this share of what ran, are not what made a request slow.
FEW_TOKENS = 8
SMALL_SHARE = 0.125
_NAMED = {
    Reason.TEMPLATE_DROPPED_THINKING: Cause.THINKING_DROPPED,
    Reason.ANSWER_RETOKENISED: Cause.ANSWER_RETOKENISED,
    Reason.RENDERED_DIFFERENTLY: Cause.RENDERED_DIFFERENTLY,
    Reason.MESSAGE_EDITED: Cause.MESSAGE_EDITED,
    Reason.SYSTEM_TEXT_CHANGED: Cause.SYSTEM_TEXT_CHANGED,
    Reason.TOOLS_CHANGED: Cause.TOOLS_CHANGED,
    Reason.ANOTHER_CHAT: Cause.ANOTHER_CHAT,
}
_STATES = {
    Reason.CHECKPOINT_EVICTED: Cause.CHECKPOINT_EVICTED,
    Reason.QUARANTINED: Cause.QUARANTINED,
    Reason.DAMAGED_FILE: Cause.DAMAGED_FILE,
    Reason.NOT_EXACT: Cause.NOT_EXACT,
    Reason.COMPRESSED: Cause.NOT_EXACT,
}


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
        request: of the tape.
        reused, replayed, computed: as recorded; they sum to `total`.
        tier, provenance: of the checkpoint at `reused`, "" if none was used.
        known: how much of the prompt had run before, as far as the tape tells; at least
            `reused + replayed`.
        nearest: number of the earlier request whose sequence shares those tokens; None if none.
        in_answer: the shared tokens end inside that request's answer.
        sides: both texts where they part; None if the prompt only extends the other.
        cause: why.
        obstacle: what kept it from resuming deeper; None if nothing did.
        again: tokens that had run before and ran again, and whose state is what was missing.
        times: where the time went.
    """

    request: TapedRequest
    total: int
    reused: int
    replayed: int
    computed: int
    tier: str
    provenance: str
    known: int
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
    """Explains the requests of one tape; follow it before asking.

    Attributes:
        lives: the tape's checkpoints.
        ledger: its evictions, with their ranks.
    """

    def __init__(self, tape: Tape) -> None:
        self.tape = tape
        self.lives = Lives(tape)
        self.ledger = Ledger(tape)

    def follow(self, budget_s: float | None = None) -> bool:
        """Go on to the end of the tape, for about `budget_s`; whether it is there."""
        return self.lives.follow(budget_s) and self.ledger.follow(budget_s)

    def eviction(self, evidence: Evidence) -> KnownEviction | None:
        """What the tape tells of the eviction that was the obstacle; None if there was none."""
        obstacle = evidence.obstacle
        if obstacle is None or obstacle.index is None:
            return None
        evictions = self.ledger.evictions
        at = bisect_left(evictions, obstacle.index, key=lambda gone: gone.index)
        found = evictions[at] if at < len(evictions) else None
        return found if found is not None and found.index == obstacle.index else None

    def explain(self, number: int) -> Evidence:
        """The evidence about a request; Lives must have followed the tape to its entry."""
        tape, request = self.tape, self.tape.requests[number]
        ran, total = request.ran, len(request.ran.prompt)
        shares: dict[int, int] = {}

        def shared(other: int) -> int:
            # The running request's own states are on its path, but come too late to be found.
            if other >= number:
                return 0
            if other not in shares:
                shares[other] = shared_with(tape.requests[other], ran.prompt)
            return shares[other]

        nearest, seen = nearest_of(tape.requests[:number], ran.prompt)
        # A file of an earlier run of the program may know more than the tape.
        offered = max((offer.state.position for offer in ran.offers), default=0)
        began = self._began(number)
        before = known_before(self.lives, ran.prompt, began)
        known = max(seen, ran.reused + ran.replayed, offered, before)
        other = None if nearest is None else tape.requests[nearest]
        sides = self._sides(request, other, known) if other is not None and known == seen else None
        obstacle = None
        if ran.reuse and known > ran.reused:
            obstacle = deepest(self.lives, request, began, shared, ran.reused, known)
            obstacle = self._weighed(request, other, known, obstacle)
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
            nearest=nearest,
            in_answer=other is not None and known > other.total,
            sides=sides,
            cause=cause,
            obstacle=obstacle,
            again=again,
            times=parts_of(request),
        )

    def _began(self, number: int) -> int:
        """The index at which a request had been looked up."""
        before = self.tape.requests[number - 1].index + 1 if number else 0
        return self.lives.began.get(number, before)

    def _sides(self, request: TapedRequest, other: TapedRequest, at: int) -> Sides | None:
        """Both texts where they part; None if one of them ends there."""
        mine, theirs = request.ran.prompt, other.ran.sequence
        # The last sampled token was never applied, but may well be the same.
        at += shared_tokens(mine[at:], theirs[at:])
        if at >= len(mine) or at >= len(theirs):
            return None
        header = self.tape.header
        hashed = header is None or header.hashed or not self.tape.pieces
        return sides_of(mine, theirs, at, self.tape.text, hashed=hashed)

    def _weighed(
        self, request: TapedRequest, other: TapedRequest | None, known: int, found: Obstacle | None
    ) -> Obstacle | None:
        """The obstacle that cost most: what was lost, or what was never taken beyond it."""
        reused = request.ran.reused
        lost_to = reused if found is None else found.position
        if known - lost_to <= lost_to - reused:
            return found
        never = self._never_taken(request, other, known)
        return never if known - lost_to > 0 and never is not None else found

    def _never_taken(
        self, request: TapedRequest, other: TapedRequest | None, known: int
    ) -> Obstacle | None:
        header, reason = self.tape.header, _reason(request.ran.reason)
        complete = header is not None and header.complete
        if reason in _STATES and (reason is not Reason.CHECKPOINT_EVICTED or not complete):
            # The engine knew more than the tape tells.
            return Obstacle(_STATES[reason], known)
        if other is None or header is None:
            return Obstacle(Cause.UNRECORDED, known)
        decoding = known > other.total
        settings = header.settings
        every = settings.decode_interval if decoding else settings.interval
        return Obstacle(Cause.INTERVAL_TOO_WIDE, known, every=every, decoding=decoding)

    def _cause(
        self,
        request: TapedRequest,
        other: TapedRequest | None,
        known: int,
        sides: Sides | None,
        obstacle: Obstacle | None,
    ) -> tuple[Cause, int]:
        """The cause, and the tokens that ran again for lack of a state."""
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
            return text, 0
        if text in CHANGED:
            state = again > total - known
        else:
            # What is new has to run; it is not the cause of anything.
            state = again >= max(FEW_TOKENS, SMALL_SHARE * (total - ran.reused))
        state = state or known == total
        return (obstacle.cause, again) if state else (text, again)

    def _text_cause(
        self,
        request: TapedRequest,
        other: TapedRequest | None,
        known: int,
        sides: Sides | None,
    ) -> Cause:
        """What the prompt's text after the known part is to the earlier one."""
        reason = _reason(request.ran.reason)
        if sides is None:
            if reason is Reason.ANOTHER_CHAT:
                return Cause.ANOTHER_CHAT
            return Cause.NEW_TOKENS if known else Cause.FIRST_SIGHT
        named = None if reason is None else _NAMED.get(reason)
        if named in (None, Cause.SYSTEM_TEXT_CHANGED, Cause.MESSAGE_EDITED) and times_of(sides):
            return Cause.DATE_CHANGED
        assert other is not None, "two sides have another request"
        mine, theirs = request.ran.owner, other.ran.owner
        if named is Cause.ANOTHER_CHAT and mine and mine == theirs:
            # The engine compares texts; whose they are says more.
            return Cause.MESSAGE_EDITED
        if named is not None:
            return named
        if _opens_thinking(sides):
            return Cause.THINKING_DROPPED
        same_chat = other.session == request.session
        if sides.same_after:
            return Cause.MESSAGE_EDITED if same_chat else Cause.DIVERGED
        return Cause.DIVERGED if same_chat else Cause.ANOTHER_CHAT


def parts_of(request: TapedRequest) -> Times:
    """Where a request's time went; one pass runs replayed and new tokens, divided by tokens."""
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


def _reason(text: str) -> Reason | None:
    try:
        return Reason(text)
    except ValueError:
        return None


def _opens_thinking(sides: Sides) -> bool:
    """Whether the other side goes on with a thinking block and the prompt does not."""

    def text(side: str) -> str:
        tokens = sides.cached if side == "cached" else sides.prompt
        return "".join(token.text for token in tokens if token.position >= sides.at).lstrip()

    return text("cached").startswith("<think>") and not text("prompt").startswith("<think>")
