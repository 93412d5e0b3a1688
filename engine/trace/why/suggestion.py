"""One change that would have made a request faster, and its effect as the simulator predicts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import takewhile

import numpy as np

from engine.errors import CacheError
from engine.trace.lines import TracedRequest, TraceEntry
from engine.trace.replay import Replay
from engine.trace.report import ReplayedRequest
from engine.trace.settings import CacheSettings
from engine.trace.tape import Tape
from engine.trace.what_if import WhatIf
from engine.trace.why.cause import Cause
from engine.trace.why.evidence import Evidence
from engine.trace.why.lives import Lives

SIZES = (1.25, 1.5, 2.0, 3.0, 4.0, 8.0)
NARROWEST = 64
# Of what the best change saves, a smaller one must save so much to be preferred.
MOST_OF_IT = 0.75
# A change must save so many tokens of the request, or it is not worth its trouble.
LEAST_TOKENS = 8


class Behaviour(StrEnum):
    """What to do differently that is not a setting."""

    KEEP_THE_DATE_OUT = "keep the date out of the system text"
    KEEP_THE_SYSTEM_TEXT = "keep the system text"
    KEEP_THE_TOOLS = "keep the list of tools"


@dataclass(frozen=True, slots=True)
class Effect:
    """What a change does to the request and to everything up to it: before and after.

    Attributes:
        ran: prompt tokens of the request that run.
        first_token_s: of the request, predicted for both; None if no speed was measured.
        ran_in_all: prompt tokens that run in all requests up to it.
        memory: bytes of the budgets that the change concerns, of both tiers.
    """

    ran: tuple[int, int]
    first_token_s: tuple[float, float] | None
    ran_in_all: tuple[int, int]
    memory: tuple[int, int]

    @property
    def saved(self) -> int:
        return self.ran[0] - self.ran[1]

    @property
    def saved_in_all(self) -> int:
        return self.ran_in_all[0] - self.ran_in_all[1]

    @property
    def saved_s(self) -> float | None:
        return None if self.first_token_s is None else self.first_token_s[0] - self.first_token_s[1]


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One change and its effect; with neither `change` nor `behaviour` there is nothing to change.

    Attributes:
        tried: how many changes were simulated.
    """

    change: WhatIf | None = None
    behaviour: Behaviour | None = None
    effect: Effect | None = None
    tried: int = 0

    @property
    def nothing(self) -> bool:
        return self.change is None and self.behaviour is None


NOTHING = Suggestion()


def suggest(
    lives: Lives, evidence: Evidence, wanted: Callable[[], bool] = lambda: True
) -> Suggestion:
    """Simulate the changes that could help and choose the smallest that does most of it.

    Takes a replay of all requests up to this one for each change: call it off the window's thread.

    Args:
        wanted: asked between two requests; the answer is NOTHING once it says no.
    """
    header = lives.tape.header
    if header is None:
        return NOTHING
    lines = list(lives.lines(evidence.request.number))
    settings = header.settings
    baseline = _Run(settings, evidence, lines, wanted)
    behaviour = _BEHAVIOURS.get(evidence.cause)
    if behaviour is not None:
        changed = _Run(settings, evidence, _unchanged(lives.tape, evidence, lines), wanted)
        effect = baseline.against(changed)
        if effect is None or effect.saved < LEAST_TOKENS:
            return replace(NOTHING, tried=1)
        return Suggestion(behaviour=behaviour, effect=effect, tried=1)
    tried: list[tuple[WhatIf, Effect]] = []
    for change in _candidates(evidence, settings):
        effect = _effect(change, settings, evidence, lines, baseline, wanted)
        if effect is not None:
            tried.append((change, effect))
            if effect.saved_in_all >= 0 and effect.saved >= max(MOST_OF_IT * evidence.again, 1):
                # No later one can save much more.
                break
    return _chosen(tried)


def _chosen(tried: Sequence[tuple[WhatIf, Effect]]) -> Suggestion:
    """The first change, in order of their cost, that saves nearly as much as the best."""
    helpful = [
        (change, effect)
        for change, effect in tried
        if effect.saved >= LEAST_TOKENS and effect.saved_in_all >= 0
    ]
    most = max((effect.saved for _, effect in helpful), default=0)
    for change, effect in helpful:
        if effect.saved >= MOST_OF_IT * most:
            return Suggestion(change, None, effect, len(tried))
    return replace(NOTHING, tried=len(tried))


def _candidates(evidence: Evidence, settings: CacheSettings) -> Iterator[WhatIf]:
    """The changes that could help against a cause, the cheapest first."""
    obstacle = evidence.obstacle
    match evidence.cause:
        case Cause.INTERVAL_TOO_WIDE if obstacle is not None and obstacle.decoding:
            for every in _narrower(settings.decode_interval or 1024, 16):
                yield WhatIf(decode_interval=every)
        case Cause.INTERVAL_TOO_WIDE:
            for every in _narrower(settings.interval or 4096, NARROWEST):
                yield WhatIf(interval=every)
        case Cause.CHECKPOINT_EVICTED | Cause.BUDGET_TOO_SMALL | Cause.REFUSED:
            yield from _larger_device(settings)
        case Cause.NO_FREE_SLOT:
            yield from _larger_device(settings)
            for wider in (2, 4):
                yield WhatIf(interval=settings.interval * wider)
        case Cause.HOST_FULL:
            for size in SIZES:
                yield WhatIf(host_bytes=int(settings.host_bytes * size))
        case Cause.NOT_EXACT if settings.mode == "exact":
            yield WhatIf(mode="fast")


def _larger_device(settings: CacheSettings) -> Iterator[WhatIf]:
    for size in SIZES:
        yield WhatIf(device_bytes=int(settings.device_bytes * size))


def _narrower(every: int, least: int) -> Iterator[int]:
    """Half as much, a quarter and so on; multiples of the least one."""
    return takewhile(
        lambda narrow: narrow >= least,
        (every // 2**halved // least * least for halved in range(1, 16)),
    )


_BEHAVIOURS = {
    Cause.DATE_CHANGED: Behaviour.KEEP_THE_DATE_OUT,
    Cause.SYSTEM_TEXT_CHANGED: Behaviour.KEEP_THE_SYSTEM_TEXT,
    Cause.TOOLS_CHANGED: Behaviour.KEEP_THE_TOOLS,
}


class _Run:
    """A replay of the requests up to one, with some settings."""

    def __init__(
        self,
        settings: CacheSettings,
        evidence: Evidence,
        lines: Iterable[TraceEntry],
        wanted: Callable[[], bool],
    ) -> None:
        # A recorded disk cannot be asked anything else, so both sides get an empty one.
        as_recorded = not settings.disk
        replayed = Replay(settings, as_recorded=as_recorded)
        self.requests: tuple[ReplayedRequest, ...] = ()
        self.settings = settings
        for line in lines:
            if not wanted():
                return
            replayed.follow(line)
        self.requests = replayed.report().requests

    def against(self, other: _Run) -> Effect | None:
        """From this run to another one; None if either was given up."""
        if not self.requests or not other.requests:
            return None
        mine, theirs = self.requests[-1], other.requests[-1]
        seconds = None
        if mine.first_token_s is not None and theirs.first_token_s is not None:
            seconds = mine.first_token_s, theirs.first_token_s
        return Effect(
            ran=(_ran(mine), _ran(theirs)),
            first_token_s=seconds,
            ran_in_all=(sum(map(_ran, self.requests)), sum(map(_ran, other.requests))),
            memory=(_budget(self.settings), _budget(other.settings)),
        )


def _effect(
    change: WhatIf,
    settings: CacheSettings,
    evidence: Evidence,
    lines: Sequence[TraceEntry],
    baseline: _Run,
    wanted: Callable[[], bool],
) -> Effect | None:
    try:
        changed = _Run(change.changed(settings), evidence, lines, wanted)
    except CacheError:
        # A budget that cannot be split, or an interval that is none.
        return None
    return baseline.against(changed)


def _ran(request: ReplayedRequest) -> int:
    """Prompt tokens that ran; all of them if there was no room, as whoever asks tries again."""
    return request.total if request.refused else request.replayed + request.computed


def _budget(settings: CacheSettings) -> int:
    return settings.device_bytes + settings.host_bytes


def _unchanged(tape: Tape, evidence: Evidence, lines: Sequence[TraceEntry]) -> list[TraceEntry]:
    """The same requests, but the last one's text as it was where it was changed."""
    sides, nearest = evidence.sides, evidence.nearest
    if sides is None or nearest is None or sides.cached_to is None or sides.prompt_to is None:
        return list(lines)
    ran, theirs = evidence.request.ran, tape.requests[nearest].ran.sequence
    prompt = np.concatenate([theirs[: sides.cached_to], ran.prompt[sides.prompt_to :]])
    moved = sides.cached_to - sides.prompt_to
    anchors = tuple(at if at <= sides.at else at + moved for at in ran.anchors if at + moved > 0)
    position = max(ran.position + moved, 0)
    same = replace(
        ran,
        prompt=prompt,
        anchors=anchors,
        position=position,
        computed=len(prompt),
        reused=0,
        replayed=0,
    )
    traced = TracedRequest(evidence.request.session, evidence.request.turn, same, True)
    return [*lines[:-1], TraceEntry(lines[-1].entry, traced)]
