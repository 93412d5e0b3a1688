"""Reading a long trace and seeking in it: a million entries over thousands of nodes."""

from __future__ import annotations

import gc
import resource
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

import numpy as np

from app.bench.figure import Figure, figure
from engine.analysis.replay import make_tiers
from engine.bench.harness import Progress, milliseconds, quantile, seconds
from engine.cache.journal.journal import Entry, Journal
from engine.cache.journal.request_ran import RequestRan, TokenArray, bare_request
from engine.journal.lines import TracedRequest, entry_line, header_line
from engine.journal.narrator import narrate
from engine.journal.recorder import beginning
from engine.journal.request import Ask, RunRules, run_request
from engine.journal.settings import CacheSettings, TraceHeader
from engine.journal.tape import Tape, read_tape

ENTRIES = 1_000_000
SEEK_MS = 100.0
STEP_MS = 5.0
SEEKS = 200
STEPS = 400
_SETTINGS = CacheSettings(
    kv_slots=150_000,
    state_slots=800,
    host_kv_slots=150_000,
    host_state_slots=800,
    kv_slot_bytes=12 << 10,
    state_slot_bytes=19 << 20,
    host_state_slot_bytes=19 << 20,
    interval=256,
    decode_interval=32,
)
_WORDS = 60_000


@dataclass(frozen=True, slots=True)
class _Use:
    """Parameters of a trace: its entries, and its concurrent chats."""

    name: str
    entries: int
    chats: int
    settings: CacheSettings


_LONG = _Use("", ENTRIES, 400, _SETTINGS)
# Room for more than ten thousand nodes at once.
_WIDE = _Use(
    "wide_",
    200_000,
    3000,
    replace(
        _SETTINGS,
        kv_slots=900_000,
        state_slots=5000,
        host_kv_slots=900_000,
        host_state_slots=5000,
    ),
)


def seeking_figures(folder: Path, progress: Progress) -> Iterator[Figure]:
    """Make a long trace and one of a large tree, read them and look around in them.

    As in the window, the garbage collector does not run meanwhile.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        for use in (_LONG, _WIDE):
            yield from _figures(use, folder / "trace.jsonl", progress)
    finally:
        if collects:
            gc.enable()


def _figures(use: _Use, path: Path, progress: Progress) -> Iterator[Figure]:
    progress(f"making a trace of {use.entries:,} entries")
    made = _write(path, use)
    gc.collect()
    progress(f"reading a trace of {made:,} entries")
    before = _resident_mb()
    tapes: list[Tape] = []
    spent = seconds(lambda: tapes.append(read_tape(path)))
    (tape,) = tapes
    what = f"a trace of {len(tape):,} entries"
    yield figure(f"{use.name}trace_read", f"reading {what}", [spent], None, unit="s")
    if use is _LONG:
        # The peak: later allocations fit into it.
        held = _resident_mb() - before
        yield figure("trace_memory", f"held for {what}", [held], None, unit="MB")
    progress("showing moments of it")
    yield from _moments(use.name, tape)


def _moments(name: str, tape: Tape) -> Iterator[Figure]:
    rng = np.random.default_rng(3)
    nodes = len(tape.snapshot(len(tape)).nodes)
    over = f"of {len(tape):,} entries, {nodes:,} nodes at its end"
    seeks = [_shown_ms(tape, at) for at in rng.integers(0, len(tape) + 1, SEEKS).tolist()]
    yield from _spread(f"{name}seek", f"any moment {over}", seeks, SEEK_MS)
    at = 3 * len(tape) // 4
    _shown_ms(tape, at)
    forward = [_shown_ms(tape, at + by) for by in range(1, STEPS)]
    yield from _spread(f"{name}step_forward", f"the next entry {over}", forward, STEP_MS)
    back = [_shown_ms(tape, at + by) for by in reversed(range(1, STEPS))]
    yield from _spread(f"{name}step_back", f"the entry before {over}", back, STEP_MS)


def _spread(name: str, what: str, costs: list[float], budget: float) -> Iterator[Figure]:
    yield figure(f"{name}_p50", f"{what}, median", [quantile(costs, 0.5)], budget)
    yield figure(f"{name}_p95", f"{what}, 95 of 100", [quantile(costs, 0.95)], budget)
    yield figure(f"{name}_worst", f"{what}, the slowest of {len(costs)}", [max(costs)], budget)


def _shown_ms(tape: Tape, index: int) -> float:
    return milliseconds(lambda: tape.snapshot(index))


def _resident_mb() -> float:
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def _write(path: Path, use: _Use) -> int:
    """Random chats on one system prompt, as a trace file; returns its entries."""
    rng, ticks, journal = np.random.default_rng(1), count(1), Journal()

    def clock() -> float:
        return next(ticks) / 100

    tiers = make_tiers(use.settings, journal=journal, clock=clock)
    assert tiers.host is not None
    caches = {"device": tiers.device, "host": tiers.host}
    entries: list[Entry] = []
    entries += beginning((), journal, caches, clock(), None)
    narrate(journal, caches, entries.append)
    header = TraceHeader("none", "", use.settings, 0.0, complete=True, hashed=False, text=False)
    system, chats = rng.integers(0, _WORDS, 80), list[TokenArray]()
    rules, written = RunRules("fast", use.settings.interval, use.settings.decode_interval), 0
    with path.open("w") as file:
        file.write(header_line(header))
        while written < use.entries:
            if len(chats) < use.chats or rng.random() < 0.05:
                chats = [*chats, np.concatenate([system, rng.integers(0, _WORDS, 30)])][
                    -use.chats :
                ]
            at = int(rng.integers(len(chats)))
            said = rng.integers(0, _WORDS, int(rng.integers(10, 80)))
            prompt, answer = np.concatenate([chats[at], said]), rng.integers(0, _WORDS, 40)
            ask = Ask(prompt, answer, anchors=(80, len(prompt) - 4))
            run_request(tiers, ask, rules)
            chats[at] = np.concatenate([prompt, answer])[:1500]
            journal.log_request(clock(), bare_request(prompt, answer))
            for entry in entries:
                ran = entry.what if isinstance(entry.what, RequestRan) else None
                traced = None if ran is None else TracedRequest(at, 0, ran, True)
                file.write(entry_line(entry, 0.0, traced))
            written += len(entries)
            entries.clear()
    return written
