"""The results of a replay, per request and in total, compared with the recording."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from engine.analysis.redrafting import NO_PASSES, Passes
from engine.journal.settings import CacheSettings
from engine.sentence import say


@dataclass(frozen=True, slots=True)
class ReplayedRequest:
    """One request of a replay.

    Attributes:
        request: its number in the recording.
        total: tokens of its prompt.
        tier: of the checkpoint it resumed from, "" if there was none.
        refused: there was no room for its KV.
        recorded: reused, replayed and computed as recorded; None for a plain request.
        first_token_s: predicted; None if no speed was measured.
        recorded_first_token_s: None if there was none or it was not recorded.
        writing, recorded_writing: the passes that wrote its answer.
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
    writing: Passes
    recorded_writing: Passes

    @property
    def tokens(self) -> tuple[int, int, int]:
        """Reused, replayed and computed, as in `recorded`."""
        return self.reused, self.replayed, self.computed

    @property
    def same(self) -> bool:
        """Whether it reused the same tokens as in the recording."""
        return self.recorded in (None, self.tokens)


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
    """The results of replaying a trace without a model.

    Attributes:
        settings: of the replay.
        as_recorded: these are the recorded settings.
        exact: the replay must reproduce the recorded hits, request by request.
        kv_slots, state_slots: of the device at the end: the split may have followed the workload.
        prefill_tok_s: of the recorded machine; None if it was not measured.
        replayed, recorded: sums of both; `recorded` is None if the trace has only requests.
        device_bytes, host_bytes: peak bytes held by each tier's tree.
        evicted, copied: counts by cause, and by "source to target".
        skipped: checkpoints not taken for lack of a slot.
        notes: sentences about what this replay cannot know.
        disk_found: files that a simulated disk started with.
        truncated: the last line of the file was incomplete and was skipped.
        writing, recorded_writing: the passes that wrote all answers.
    """

    settings: CacheSettings
    kv_slots: int
    state_slots: int
    prefill_tok_s: float | None
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
    disk_found: int = 0
    truncated: bool = False
    writing: Passes = NO_PASSES
    recorded_writing: Passes = NO_PASSES

    @property
    def differing(self) -> tuple[ReplayedRequest, ...]:
        """The requests whose hits differ from the recording."""
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
    """Sums over the replayed figures."""
    return Sums(
        requests=len(requests),
        total=sum(r.total for r in requests),
        reused=sum(r.reused for r in requests),
        replayed=sum(r.replayed for r in requests),
        computed=sum(r.computed for r in requests),
        first_token_s=_mean([r.first_token_s for r in requests]),
    )


def sums_recorded(requests: tuple[ReplayedRequest, ...]) -> Sums | None:
    """Sums over the recorded figures; None if there are none."""
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


def disk_note(report: ReplayReport) -> str:
    """One sentence on what a simulated disk tier leaves out; "" without one."""
    if not report.settings.disk or report.as_recorded:
        return ""
    if not report.disk_found:
        return say("The disk tier starts empty here and keeps everything; a real one does neither.")
    found = report.disk_found
    files = say("1 file") if found == 1 else say("{found:,} files", found=found)
    return say(
        "The disk tier starts with {files} from before and keeps everything; a real one does not.",
        files=files,
    )
