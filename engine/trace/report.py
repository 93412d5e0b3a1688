"""What a replay found: per request and in sum, beside what was recorded."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from engine.trace.settings import CacheSettings


@dataclass(frozen=True, slots=True)
class ReplayedRequest:
    """One request of a replay.

    Attributes:
        request: the number that it had in the recording.
        total: tokens of its prompt.
        tier: where the checkpoint came from that it resumed from, "" where there was none.
        refused: its KV could not be had.
        recorded: reused, replayed and computed as recorded; None where the trace only asks.
        first_token_s: predicted; None where no speed was measured.
        recorded_first_token_s: None where none came or none was recorded.
    """

    session_id: int
    turn_id: int
    request: int
    total: int
    reused: int
    replayed: int
    computed: int
    tier: str
    refused: bool
    recorded: tuple[int, int, int] | None
    first_token_s: float | None
    recorded_first_token_s: float | None

    @property
    def same(self) -> bool:
        """It hit what was recorded."""
        return self.recorded in (None, (self.reused, self.replayed, self.computed))


@dataclass(frozen=True, slots=True)
class Sums:
    """Tokens over all prompts. `first_token_s` is the mean over the requests that have one."""

    requests: int
    total: int
    reused: int
    replayed: int
    computed: int
    first_token_s: float | None

    @property
    def reused_share(self) -> float:
        return self.reused / self.total if self.total else 0.0


@dataclass(frozen=True, slots=True)
class ReplayReport:
    """A trace on a cache without a model.

    Attributes:
        settings: what it was replayed with.
        as_recorded: these are the recorded settings.
        exact: with those the recorded hits must come out, request by request.
        replayed, recorded: sums of both; `recorded` is None where the trace only asks.
        device_bytes, host_bytes: most bytes that each tier's tree ever held.
        evicted, copied: counts by cause, and by "source to target".
        skipped: checkpoints not taken for want of a slot.
        notes: sentences on what this replay can not know.
    """

    settings: CacheSettings
    as_recorded: bool
    exact: bool
    requests: tuple[ReplayedRequest, ...]
    replayed: Sums
    recorded: Sums | None
    device_bytes: int
    host_bytes: int
    evicted: tuple[tuple[str, int], ...]
    copied: tuple[tuple[str, int], ...]
    skipped: int
    notes: tuple[str, ...]

    @property
    def differing(self) -> tuple[ReplayedRequest, ...]:
        """The requests that hit something else than recorded."""
        return tuple(request for request in self.requests if not request.same)

    def as_json(self) -> dict[str, Any]:
        """Plain data, with the derived figures."""
        raw = asdict(self)
        raw["evicted"], raw["copied"] = dict(self.evicted), dict(self.copied)
        raw["differing"] = len(self.differing)
        raw["replayed"]["reused_share"] = self.replayed.reused_share
        if self.recorded is not None:
            raw["recorded"]["reused_share"] = self.recorded.reused_share
        return raw


def sums_replayed(requests: tuple[ReplayedRequest, ...]) -> Sums:
    """Of what the replay found."""
    return Sums(
        requests=len(requests),
        total=sum(r.total for r in requests),
        reused=sum(r.reused for r in requests),
        replayed=sum(r.replayed for r in requests),
        computed=sum(r.computed for r in requests),
        first_token_s=_mean([r.first_token_s for r in requests]),
    )


def sums_recorded(requests: tuple[ReplayedRequest, ...]) -> Sums | None:
    """Of what was recorded; None where nothing was."""
    known = [(r.recorded, r) for r in requests if r.recorded is not None]
    if not known:
        return None
    return Sums(
        requests=len(known),
        total=sum(r.total for _, r in known),
        reused=sum(recorded[0] for recorded, _ in known),
        replayed=sum(recorded[1] for recorded, _ in known),
        computed=sum(recorded[2] for recorded, _ in known),
        first_token_s=_mean([r.recorded_first_token_s for _, r in known]),
    )


def _mean(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None
