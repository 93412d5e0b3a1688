"""Requests, inferred from what they stored: an engine's events name none.

A request stores the blocks that it computed, one after the other. So a run of blocks that each
follow the one before tells what was computed, and where it hangs tells what was reused. A request
that stored nothing leaves no trace, and where its prompt ends is a guess.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.cache.journal.request_ran import RequestRan, TokenArray, bare_request
from engine.net.kv_events.wire import Hash

# A run to which nothing was added for so long is over, on the engine's clock.
OVER_S = 5.0
# Requests that run at the same time; the oldest ones count as over.
MOST_OPEN = 512
# Conversations that may go on.
MOST_SESSIONS = 4096


@dataclass(slots=True)
class Run:
    """Blocks that one request stored.

    Attributes:
        before: hash of the block after which it began, None at the start of a sequence.
        first: of the blocks, and what they hold.
        later: tokens of the blocks that came one at a time: most are of its answer.
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
    """Which conversation a run belongs to: that of the run at whose end it goes on."""

    def __init__(self) -> None:
        self._known: OrderedDict[Hash, tuple[int, int]] = OrderedDict()
        self._next = 0

    def place(self, run: Run | None) -> tuple[int, int]:
        """The conversation and the turn, from 0; a new one for a run that nobody knows."""
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
    """The runs of one engine, by the last block of each."""

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
        """The runs that are over, oldest first; they are not told again."""
        most = len(self._open) - MOST_OPEN
        gone = [
            name
            for place, (name, run) in enumerate(self._open.items())
            if everything or place < most or now - run.last > OVER_S
        ]
        return sorted((self._open.pop(name) for name in gone), key=lambda run: run.began)


def request_of(run: Run, reused: bytes, number: int) -> RequestRan:
    """The request that left a run behind, after `reused` tokens that were there."""
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
