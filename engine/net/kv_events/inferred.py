"""Infers requests from the blocks they stored, since an engine's events do not mention requests.

A request stores the blocks that it computed, in order. So a run of consecutive blocks shows what
was computed, and its parent shows what was reused. A request that stored nothing leaves no trace,
and the end of its prompt is a guess.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.cache.journal.request_ran import RequestRan, TokenArray, bare_request
from engine.net.kv_events.wire import Hash

# A run that has not grown for this long is over, on the engine's clock.
OVER_S = 5.0
# Maximum concurrent requests; beyond it the oldest count as over.
MOST_OPEN = 512
# Maximum conversations that may continue.
MOST_SESSIONS = 4096


@dataclass(slots=True)
class Run:
    """Blocks that one request stored.

    Attributes:
        before: hash of the block before the first, None at the start of a sequence.
        first: tokens of the blocks that came at once.
        later: tokens of the blocks that came one at a time, mostly of the answer.
        began, last: seconds on the engine's clock.
        end: hash of the last block.
    """

    before: Hash | None
    first: bytes
    later: bytes
    began: float
    last: float
    end: Hash = 0


class Sessions:
    """Assigns a run to a conversation: that of the run whose end it continues."""

    def __init__(self) -> None:
        self._known: OrderedDict[Hash, tuple[int, int]] = OrderedDict()
        self._next = 0

    def place(self, run: Run | None) -> tuple[int, int]:
        """The conversation and the turn, from 0; a new conversation for an unknown run."""
        before = None if run is None or run.before is None else run.before
        found = None if before is None else self._known.pop(before, None)
        if found is None:
            found = self._next, 0
            self._next += 1
        if run is not None:
            self._known[run.end] = found[0], found[1] + 1
            if len(self._known) > MOST_SESSIONS:
                self._known.popitem(last=False)
        return found


class Runs:
    """The runs of one engine, by their last block."""

    def __init__(self) -> None:
        self._open: dict[Hash, Run] = {}

    def store(self, hashes: Sequence[Hash], before: Hash | None, tokens: bytes, at: float) -> None:
        """Blocks were stored after the block `before`."""
        if not hashes:
            return
        run = None if before is None else self._open.pop(before, None)
        if run is None:
            run = Run(before, tokens, b"", at, at)
        elif len(hashes) > 1 and not run.later:
            run.first += tokens
        else:
            run.later += tokens
        run.last, run.end = at, hashes[-1]
        self._open[hashes[-1]] = run

    def over(self, now: float, *, everything: bool = False) -> list[Run]:
        """The finished runs, oldest first; each is returned once."""
        most = len(self._open) - MOST_OPEN
        gone = [
            name
            for place, (name, run) in enumerate(self._open.items())
            if everything or place < most or now - run.last > OVER_S
        ]
        return sorted((self._open.pop(name) for name in gone), key=lambda run: run.began)


def request_of(run: Run, reused: bytes, number: int) -> RequestRan:
    """The request behind a run, after `reused` cached tokens."""
    prompt, decoded = _ids(reused + run.first), _ids(run.later)
    total, there = len(prompt), min(len(reused) // 4, len(prompt))
    return replace(
        bare_request(prompt, decoded, number),
        position=total + len(decoded),
        reused=there,
        computed=total - there,
        resumed_from="device" if there else "",
        total_s=max(run.last - run.began, 0.0),
    )


def _ids(tokens: bytes) -> TokenArray:
    return np.frombuffer(tokens, "<i4").astype(np.int64)
