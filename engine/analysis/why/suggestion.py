"""One change that would have made a request faster, with its simulated effect.

A changed setting is replayed as `biplane trace replay` replays it: with the values that can be
given there, from the first request on. So following the advice yields the predicted effect.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from enum import StrEnum
from functools import reduce
from itertools import takewhile

import numpy as np
from msgspec import structs

from engine.analysis.replay import Replay
from engine.analysis.report import ReplayedRequest
from engine.analysis.why.cause import Cause
from engine.analysis.why.divergence import FEW_TOKENS, SMALL_SHARE, TIMES
from engine.analysis.why.evidence import Evidence
from engine.analysis.why.lives import Lives
from engine.cache.journal.changes import Tuned
from engine.cache.journal.request_ran import TokenArray
from engine.config import POLICY_NAMES
from engine.errors import CacheError
from engine.journal.lines import TracedRequest, TraceEntry
from engine.journal.sessions import shared_tokens
from engine.journal.settings import CacheSettings, TraceHeader, WhatIf
from engine.journal.tape import Tape
from engine.journal.token_hash import TokenHasher

SIZES = (1.25, 1.5, 2.0, 3.0, 4.0, 8.0)
# Multiples of the device's budget to try for a host tier where there is none.
FIRST_HOST = (0.5, 1.0, 2.0, 4.0)
SHARES = tuple(n / 10 for n in range(1, 10))
NARROWEST, NARROWEST_DECODING = 64, 16
MIB = 1 << 20
# A smaller change is preferred if it saves at least this share of the best one's saving.
MOST_OF_IT = 0.75
# Fewer equal tokens are a coincidence.
PASSAGE = 8
# Tokens on either side that a date may extend over.
NEAR = 16


class Behaviour(StrEnum):
    """Something to do differently that is not a setting."""

    KEEP_THE_DATE_OUT = "keep the date out of the system text"
    KEEP_THE_SYSTEM_TEXT = "keep the system text"
    KEEP_THE_TOOLS = "keep the list of tools"


@dataclass(frozen=True, slots=True)
class Effect:
    """The effect on the request and on everything up to it: as recorded, and predicted.

    Attributes:
        ran: prompt tokens of the request that are run.
        first_token_s: of the request, predicted for both; None if no speed was measured.
        ran_in_all: prompt tokens run in all requests up to it.
        refused: it was refused for lack of room, and would now run.
    """

    ran: tuple[int, int]
    first_token_s: tuple[float, float] | None
    ran_in_all: tuple[int, int]
    refused: bool = False

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
    """One change and its effect; without `change` and `behaviour`, nothing needs changing.

    Attributes:
        change: to one setting.
        kept: other differences from the start of the recording, changed while it ran.
        today: the settings the request ran with.
        effect: None for a behaviour if the recording does not show where its text matches again.
        tried: how many changes were simulated.
    """

    change: WhatIf | None = None
    behaviour: Behaviour | None = None
    effect: Effect | None = None
    tried: int = 0
    kept: WhatIf = field(default_factory=WhatIf)
    today: CacheSettings = field(default_factory=CacheSettings)

    @property
    def nothing(self) -> bool:
        return self.change is None and self.behaviour is None

    @property
    def whole(self) -> WhatIf:
        """All differences from the start of the recording if the suggestion is followed."""
        return self.kept if self.change is None else replace(self.kept, **self.change.given)


NOTHING = Suggestion()


def suggest(
    lives: Lives, evidence: Evidence, wanted: Callable[[], bool] = lambda: True
) -> Suggestion:
    """Simulate possible remedies, cheapest first, and pick the first with most of the best gain.

    Each change costs a replay of all requests up to this one: keep it off the window's thread.

    Args:
        wanted: polled between two requests; once it returns False the result is NOTHING.
    """
    header, tape = lives.tape.header, lives.tape
    if header is None or not evidence.request.bare.reuse:
        return NOTHING
    lines = list(lives.lines(evidence.request.number))
    tunes = [line.entry.what for line in lines if isinstance(line.entry.what, Tuned)]
    today = reduce(CacheSettings.tuned, tunes, header.settings)
    plain = Suggestion(kept=_tuned_since(header.settings, today), today=today)
    trials = _Trials(header.settings, evidence, lines, plain.kept, wanted)
    # A changed setting cannot save more than what had run before.
    most = evidence.total if evidence.cause is Cause.REFUSED else evidence.known - evidence.reused
    least = max(FEW_TOKENS, SMALL_SHARE * evidence.ran)
    helpful: list[tuple[int, Suggestion]] = []
    tried = 0
    untold = None
    for one in _remedies(plain, evidence.cause, most >= least):
        if one.behaviour is None:
            found = trials.effect(one.whole, lines)
        elif (other := _unchanged(tape, header, evidence)) is None:
            untold = one
            continue
        else:
            found = trials.effect(
                one.whole, [*lines[:-1], structs.replace(lines[-1], request=other)]
            )
        if not wanted():
            return NOTHING
        tried += 1
        if found is not None and found[0] >= least:
            helpful.append((found[0], replace(one, effect=found[1])))
            if found[0] >= MOST_OF_IT * most:
                # No later one can save much more.
                break
    best = max((gain for gain, _ in helpful), default=0)
    chosen = (one for gain, one in helpful if gain >= MOST_OF_IT * best)
    return replace(next(chosen, untold or plain), tried=tried)


def _remedies(plain: Suggestion, cause: Cause, settings: bool) -> Iterator[Suggestion]:
    """Possible remedies, cheapest first; `settings`: whether changing one could help."""
    if cause in _BEHAVIOURS:
        yield replace(plain, behaviour=_BEHAVIOURS[cause])
    if settings:
        for change in _changes(plain.today):
            yield replace(plain, change=change)


_BEHAVIOURS = {
    Cause.DATE_CHANGED: Behaviour.KEEP_THE_DATE_OUT,
    Cause.SYSTEM_TEXT_CHANGED: Behaviour.KEEP_THE_SYSTEM_TEXT,
    Cause.TOOLS_CHANGED: Behaviour.KEEP_THE_TOOLS,
}


def _changes(today: CacheSettings) -> Iterator[WhatIf]:
    """Changes of one setting: free ones first, then more work, then bit equality, then memory."""
    for policy in POLICY_NAMES:
        if policy != today.policy:
            yield WhatIf(policy=policy)
    if today.state_share:
        for share in sorted(SHARES, key=lambda share: abs(share - today.state_share)):
            if share != today.state_share:
                yield WhatIf(state_share=share)
    for every in (2 * today.interval, 4 * today.interval):
        if every:
            yield WhatIf(interval=every)
    for every in _narrower(today.decode_interval or 1024, NARROWEST_DECODING):
        yield WhatIf(decode_interval=every)
    for every in _narrower(today.interval or 4096, NARROWEST):
        yield WhatIf(interval=every)
    if today.mode != "fast":
        yield WhatIf(mode="fast")
    yield from _more_memory(today)


def _narrower(every: int, least: int) -> Iterator[int]:
    """Half, a quarter and so on; multiples of the least one."""
    return takewhile(
        lambda narrow: narrow >= least,
        (every // 2**halved // least * least for halved in range(1, 16)),
    )


def _more_memory(today: CacheSettings) -> Iterator[WhatIf]:
    """Larger budgets on either tier, in whole MiB as settings require; least memory first."""
    device, host = today.device_bytes, today.host_bytes
    larger = {WhatIf(device_bytes=size): size - device for size in _sizes(device, SIZES)}
    # The host holds only states.
    if today.state_share:
        sizes = _sizes(host, SIZES) if host else _sizes(device, FIRST_HOST)
        larger |= {WhatIf(host_bytes=size): size - host for size in sizes}
    yield from sorted(larger, key=lambda change: larger[change])


def _sizes(size: int, times: Sequence[float]) -> list[int]:
    return [_whole_mib(size * factor) for factor in times]


def _whole_mib(size: float) -> int:
    return -int(-size // MIB) * MIB


def _tuned_since(recorded: CacheSettings, today: CacheSettings) -> WhatIf:
    """Settings changed while the model was open, in values that can be given at its start."""
    sizes = (recorded.kv_slots, recorded.state_slots) != (today.kv_slots, today.state_slots)
    kept = {
        name: getattr(today, name)
        for name in ("interval", "decode_interval", "state_share")
        if getattr(today, name) != getattr(recorded, name)
    }
    return WhatIf(**kept, device_bytes=_whole_mib(today.device_bytes) if sizes else None)


class _Trials:
    """Replays of the requests up to one, compared with the recording and with unchanged settings.

    The recording includes verdicts, files and changes over time that a replay with other settings
    lacks; a difference for that reason alone is not a gain.
    """

    def __init__(
        self,
        recorded: CacheSettings,
        evidence: Evidence,
        lines: Sequence[TraceEntry],
        kept: WhatIf,
        wanted: Callable[[], bool],
    ) -> None:
        self._settings = recorded
        self._ran = evidence.ran
        self._ran_in_all = sum(
            len(ran.prompt) - ran.reused
            for line in lines
            if line.request is not None and (ran := line.request.ran).reuse
        )
        self._wanted = wanted
        self._same = self._replayed(kept, lines)

    def effect(self, change: WhatIf, lines: Sequence[TraceEntry]) -> tuple[int, Effect] | None:
        """The tokens gained, and the effect; None if there is none, or if other requests lose."""
        same, changed = self._same, self._replayed(change, lines)
        if not same or not changed or changed[-1].refused:
            return None
        mine, theirs = same[-1], changed[-1]
        gain = min(self._ran, _ran(mine)) - _ran(theirs)
        in_all = sum(map(_ran, changed))
        if sum(map(_ran, same)) - in_all < MOST_OF_IT * gain:
            return None
        seconds = None
        if mine.first_token_s is not None and theirs.first_token_s is not None:
            seconds = mine.first_token_s, theirs.first_token_s
        effect = Effect(
            (self._ran, _ran(theirs)), seconds, (self._ran_in_all, in_all), mine.refused
        )
        return (mine.total if mine.refused else gain), effect

    def _replayed(self, change: WhatIf, lines: Sequence[TraceEntry]) -> tuple[ReplayedRequest, ...]:
        """() if it is no longer wanted, or impossible: a budget that cannot be split."""
        try:
            replay = Replay(change.changed(self._settings), as_recorded=False)
        except CacheError:
            return ()
        for line in lines:
            if not self._wanted():
                return ()
            replay.follow(line)
        return replay.report().requests


def _ran(request: ReplayedRequest) -> int:
    """Prompt tokens run; all of them if refused, since a refused request is usually retried."""
    return request.total if request.refused else request.replayed + request.computed


# ---- the unchanged text


@dataclass(frozen=True, slots=True)
class _Stretch:
    """The prompt's tokens [start, end) where the other sequence has [there, there_to)."""

    start: int
    end: int
    there: int
    there_to: int


def _unchanged(tape: Tape, header: TraceHeader, evidence: Evidence) -> TracedRequest | None:
    """The request with the original text wherever the cause changed it.

    None if it is unknown where the texts match again.
    """
    window = header.hash_window if header.hashed else PASSAGE
    if evidence.nearest is None or not window:
        return None
    ran, theirs = evidence.request.ran, tape.requests[evidence.nearest].tokens
    hasher = None if header.hashed else TokenHasher(window=PASSAGE)
    changed = list(_stretches(ran.prompt, theirs, hasher))
    if evidence.cause is Cause.DATE_CHANGED:
        changed = [one for one in changed if _is_a_time(tape, one, ran.prompt, theirs)]
    elif changed:
        # The next place where prompts are expected to diverge is the end of the system text.
        after = (at for at in ran.anchors if at > changed[0].start)
        ends = min(after, default=len(ran.prompt))
        changed = [one for one in changed if one.start < ends]
    parts, done, moved = [], 0, 0
    anchors, position = list(ran.anchors), ran.position
    for one in changed:
        parts += [ran.prompt[done : one.start], theirs[one.there : one.there_to]]
        done, start = one.end, one.start + moved
        more = (one.there_to - one.there) - (one.end - one.start)
        anchors = [max(at + more, start) if at > start else at for at in anchors]
        position = max(position + more, start) if position > start else position
        moved += more
    prompt = np.concatenate([*parts, ran.prompt[done:]])
    same = replace(
        ran,
        prompt=prompt,
        anchors=tuple(anchors),
        position=position,
        computed=len(prompt),
        reused=0,
        replayed=0,
    )
    return replace(evidence.request.traced, ran=same)


def _stretches(
    prompt: TokenArray, theirs: TokenArray, hasher: TokenHasher | None
) -> Iterator[_Stretch]:
    """Where a prompt differs from an earlier sequence and both match again after it, in order.

    Args:
        hasher: hashes passages of tokens; None if the ids are passage hashes already.
    """
    start = shared_tokens(prompt, theirs)
    mine, other = (
        (tokens if hasher is None else hasher.hashed(tokens))[start:].tolist()
        for tokens in (prompt, theirs)
    )
    at = there = start
    for there_to, end, size in SequenceMatcher(None, other, mine).get_matching_blocks():
        if not size:
            return
        end, there_to = end + start, there_to + start
        after, there_after = end + size, there_to + size
        # A passage is found by its last token, so move back to its beginning.
        while min(end - at, there_to - there) > 0 and prompt[end - 1] == theirs[there_to - 1]:
            end, there_to = end - 1, there_to - 1
        yield _Stretch(at, end, there, there_to)
        at, there = after, there_after


def _is_a_time(tape: Tape, stretch: _Stretch, prompt: TokenArray, theirs: TokenArray) -> bool:
    """Whether it is a date or a time of day on both sides."""
    return _tells_time(tape, prompt, stretch.start, stretch.end) and _tells_time(
        tape, theirs, stretch.there, stretch.there_to
    )


def _tells_time(tape: Tape, tokens: TokenArray, start: int, end: int) -> bool:
    """Whether these tokens are part of a date or a time of day."""
    before = tape.text(tokens[max(start - NEAR, 0) : start].tolist())
    inside = tape.text(tokens[start:end].tolist())
    text = before + inside + tape.text(tokens[end : end + NEAR].tolist())
    ends = len(before) + max(len(inside), 1)
    return any(found.start() < ends and found.end() > len(before) for found in TIMES.finditer(text))
