"""Rebuilds the cache at a moment of a trace file."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from engine.cache.journal.changes import CheckpointCopied, EntriesLost, Noticed
from engine.cache.journal.journal import Entry
from engine.cache.journal.request_ran import RequestRan
from engine.errors import TraceError
from engine.journal.keyframe import CacheState
from engine.journal.reader import TraceReader
from engine.journal.settings import TraceHeader
from engine.plain import as_plain
from engine.snapshot import CacheSnapshot, MemoryView

# How many requests and notices a state keeps; the tree is bounded by its pools.
REMEMBERED = 256


class TraceState(CacheState):
    """A cache's state, and other recorded events.

    Attributes:
        copied: checkpoint copies attempted, by source, target and outcome.
        notices: the last notices shown to the user.
        requests: the last requests that ended, without their tokens, each with its end time.
        counted: number of requests that ended.
        lost: entries that could not be written; from then on the state may be wrong.
    """

    def __init__(self) -> None:
        super().__init__()
        self.copied: Counter[tuple[str, str, str]] = Counter()
        self.notices: deque[str] = deque(maxlen=REMEMBERED)
        self.requests: deque[tuple[float, RequestRan]] = deque(maxlen=REMEMBERED)
        self.counted = 0
        self.lost = 0

    def apply(self, entry: Entry) -> None:
        """Apply one entry. Raises TraceError if it does not fit the state."""
        super().apply(entry)
        match entry.what:
            case RequestRan() as ran:
                self.requests.append((entry.time, ran.without_tokens()))
                self.counted += 1
            case CheckpointCopied() as copy:
                self.copied[copy.source, copy.target, copy.outcome] += 1
            case EntriesLost() as gap:
                self.lost += gap.entries
            case Noticed() as said:
                self.notices.append(said.sentence)

    def snapshot(self, tier: str = "device") -> CacheSnapshot:
        """A snapshot of one tier, without text and weights."""
        state = self.tier(tier)
        kv, states = state.kv_pool(), state.state_pool()
        return CacheSnapshot(
            version=self.version,
            time=self.time,
            nodes=state.nodes(),
            kv=kv,
            state=states,
            memory=MemoryView(
                weights=0,
                kv_plane=kv.total * kv.slot_bytes,
                state_plane=states.total * states.slot_bytes,
                workspace=0,
            ),
            live=self.live,
            evicted=tuple(sorted(state.evicted.items())),
            skipped_checkpoints=state.skipped,
            disk=self.disk.view(),
        )


def state_at(entries: Iterable[Entry], moment: float) -> TraceState:
    """The state after all entries up to `moment`, seconds on the entries' clock."""
    state = TraceState()
    for entry in entries:
        if entry.time > moment:
            break
        state.apply(entry)
    return state


@dataclass(frozen=True, slots=True)
class Moment:
    """The state of a file's cache at `time` seconds after the recording began.

    Attributes:
        header: None for a file of plain Marconi lines, whose cache is unknown.
        truncated: the last line of the file is incomplete.
    """

    header: TraceHeader | None
    state: TraceState
    time: float
    truncated: bool

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        tiers = {}
        for name in self.state.tiers:
            snapshot = self.state.snapshot(name)
            tiers[name] = {
                "nodes": as_plain(snapshot.nodes),
                "kv": as_plain(snapshot.kv),
                "state": as_plain(snapshot.state),
                "evicted": dict(snapshot.evicted),
                "skipped_checkpoints": snapshot.skipped_checkpoints,
            }
        return {
            "header": None if self.header is None else asdict(self.header),
            "time": self.time,
            "entries": self.state.seq,
            "requests": self.state.counted,
            "tiers": tiers,
            "notices": list(self.state.notices),
            "truncated": self.truncated,
        }


def moment_of(path: Path, at: float | None = None) -> Moment:
    """The cache at `at` seconds; None: at the end of the file.

    Raises:
        TraceError: the file cannot be read, or its records contradict each other; says where.
    """
    reader = TraceReader(path)
    state = TraceState()
    for line in reader:
        if at is not None and line.entry.time > at:
            break
        try:
            state.apply(line.entry)
        except TraceError as error:
            raise reader.refused(error) from None
    return Moment(reader.header, state, state.time if at is None else at, reader.truncated)
