"""Rebuilds a moment of a trace file."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from engine.errors import TraceError
from engine.plain import as_plain
from engine.trace.reader import TraceReader
from engine.trace.reducer import TraceState
from engine.trace.settings import TraceHeader


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
                "kv": asdict(snapshot.kv),
                "state": asdict(snapshot.state),
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
    """The cache at `at` seconds, at the end where it is None.

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
