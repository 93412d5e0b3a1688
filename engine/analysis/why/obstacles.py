"""What prevented a request from resuming deeper: the fate of each checkpoint on its path."""

from __future__ import annotations

import math
from collections.abc import Callable

from engine.analysis.why.cause import Cause, Obstacle
from engine.analysis.why.divergence import MOST_OF_IT
from engine.analysis.why.lives import Gone, Life, Lives
from engine.cache.eviction.cause import PRESSURE
from engine.cache.eviction.cause import Cause as Evicted
from engine.cache.journal.request_ran import TokenArray
from engine.cache.tiers.intake import Intake
from engine.cache.tiers.lower import FileCause
from engine.journal.tape import TapedRequest
from engine.reuse import Reason

_WRONG = (Evicted.QUARANTINED_ABOVE, Evicted.DRIFTED_ABOVE, FileCause.QUARANTINED)
_FILES = {
    FileCause.NO_ROOM: Cause.DISK_FULL,
    FileCause.DAMAGED: Cause.DAMAGED_FILE,
    FileCause.GONE: Cause.FILE_GONE,
    FileCause.PARENT_GONE: Cause.DAMAGED_FILE,
    FileCause.NOT_WRITTEN: Cause.NOT_WRITTEN,
    FileCause.QUARANTINED: Cause.QUARANTINED,
}
# Maximum entries between a refused copy and the eviction that prompted it.
_NEAR = 4
_EXACT = (Reason.NOT_EXACT.value, Reason.COMPRESSED.value)

# How many leading tokens an earlier request's sequence shares with this one.
Shared = Callable[[int], int]


def last_chance(
    lives: Lives, request: TapedRequest, began: int, shared: Shared, below: int, to: int
) -> Obstacle | None:
    """The checkpoint in (below, to] that would have been resumed from had it not been lost.

    That is the deepest one, or one nearly as deep that survived longer.

    Args:
        began: only entries before this index count.
        shared: see Shared.
    """
    found: dict[int, Obstacle] = {}
    ran = request.ran
    prompt = ran.prompt
    for life in lives.lives:
        at = life.place.end
        if life.stored >= began or not below < at <= to:
            continue
        if not _could_share(lives, life, request, prompt) or not _on_path(life, prompt, shared):
            continue
        obstacle = _fate(lives, life, request, began)
        if obstacle is not None:
            found[at] = obstacle
    for skip in lives.skips:
        if skip.index < began and below < skip.position <= min(to, shared(skip.request)):
            known = found.get(skip.position)
            if known is None or known.index is None or known.index < skip.index:
                found[skip.position] = Obstacle(
                    Cause.NO_FREE_SLOT, skip.position, skip.index, during=skip.request
                )
    for offer in ran.offers:
        at = offer.state.position
        if offer.outcome == Intake.FAILED and below < at <= to:
            found[at] = _unread(lives, at, request.index)
    if not found:
        return None
    # Each checkpoint that would have saved nearly as much was a chance: whatever removed the last
    # one is the cause, and the deepest that it removed is what was needed.
    enough = below + MOST_OF_IT * (max(found) - below)
    chances = [found[at] for at in sorted(found) if at >= enough]
    last = max(chances, key=lambda one: math.inf if one.index is None else one.index)
    same = (last.cause, last.during)
    return [chance for chance in chances if (chance.cause, chance.during) == same][-1]


def _unread(lives: Lives, position: int, before: int) -> Obstacle:
    """Why an offered file could not be read."""
    for index, removed in reversed(lives.segments):
        if index < before and removed.end == position and removed.cause == FileCause.GONE:
            return Obstacle(Cause.FILE_GONE, position, index, "disk", removed.cause)
    return Obstacle(Cause.DAMAGED_FILE, position, tier="disk", named=Intake.FAILED)


def known_before(lives: Lives, prompt: TokenArray, began: int) -> int:
    """How much of a prompt was covered by states from before the recording."""
    return max(
        (
            life.place.end
            for life in lives.lives
            if life.place.tokens is not None
            and life.stored < began
            and _on_path(life, prompt, lambda _: 0)
        ),
        default=0,
    )


def _could_share(lives: Lives, life: Life, request: TapedRequest, prompt: TokenArray) -> bool:
    """Whether its last token matches the prompt, a quick check that rules out most."""
    place = life.place
    if place.tokens is not None:
        return True
    if not 0 <= place.request < request.number:
        return False
    last = place.end - 1
    if place.last is None:
        place.last = int(lives.tape.requests[place.request].tokens[last])
    return bool(place.last == prompt[last])


def _on_path(life: Life, prompt: TokenArray, shared: Shared) -> bool:
    place = life.place
    if place.tokens is not None:
        start = prompt[: place.end]
        return len(start) == place.end and bool((start == place.tokens).all())
    return place.request >= 0 and shared(place.request) >= place.end


def _fate(lives: Lives, life: Life, request: TapedRequest, began: int) -> Obstacle | None:
    """Why this checkpoint could not be resumed from; None if there is no known reason."""
    at, gone = life.place.end, life.gone
    if gone is not None and gone.index < began:
        return (
            None if gone.cause == Evicted.SUPERSEDED else _left(lives, life, gone, request, began)
        )
    if life.wrong is not None and life.wrong < began:
        return Obstacle(Cause.QUARANTINED, at, life.wrong, life.tier)
    header = lives.tape.header
    exact = header is not None and header.settings.mode == "exact"
    if request.bare.reason in _EXACT or (exact and at < request.total):
        return Obstacle(Cause.NOT_EXACT, at, None, life.tier)
    return None


def _left(
    lives: Lives, life: Life, gone: Gone, request: TapedRequest, began: int
) -> Obstacle | None:
    """How a checkpoint was removed from its tier, and why no other tier could supply it."""

    def made(cause: Cause) -> Obstacle:
        at, index = life.place.end, gone.index
        return Obstacle(cause, at, index, life.tier, gone.cause, gone.during, copy=gone.copy)

    if gone.cause in _WRONG:
        return made(Cause.QUARANTINED)
    if gone.cause not in PRESSURE:
        return made(Cause.REMOVED)
    if gone.copy == "host":
        # The host's copy is a life of its own, with its own end.
        return None
    if gone.copy == "disk":
        file = _file_fate(lives, life.place.end, gone.index, began)
        if file is not None:
            return file
    if life.tier == "host" or _refused_by_host(lives, life.place.end, gone):
        return made(Cause.HOST_FULL)
    requests, maker = lives.tape.requests, life.place.request
    ours = {request.session}
    if maker >= 0:
        ours.add(requests[maker].session)
    evictor = requests[gone.during] if gone.during < len(requests) else request
    foreign = evictor.session not in ours
    return made(Cause.BUDGET_TOO_SMALL if foreign else Cause.CHECKPOINT_EVICTED)


def _file_fate(lives: Lives, position: int, after: int, began: int) -> Obstacle | None:
    """The fate of a position's file, as far as the journal shows: it has no tokens of files."""
    for index, removed in reversed(lives.segments):
        if after < index < began and removed.end == position:
            known = {cause.value: cause for cause in FileCause}
            cause = known.get(removed.cause)
            if cause is None:
                return None
            fate = _FILES.get(cause, Cause.REMOVED)
            return Obstacle(fate, position, index, "disk", removed.cause)
    return None


def _refused_by_host(lives: Lives, position: int, gone: Gone) -> bool:
    """Whether the host tier was offered it just before its eviction, and had no room."""
    for copied in reversed(lives.copies):
        if copied.index < gone.index:
            what = copied.what
            return (
                gone.index - copied.index <= _NEAR
                and what.position == position
                and what.target == "host"
                and what.outcome == Intake.NO_ROOM
            )
    return False
