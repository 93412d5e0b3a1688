"""Replays the requests of a trace without a model, with the same or other cache settings."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from engine.cache.cache import TwoPlaneCache
from engine.cache.journal.changes import (
    ByUser,
    Cleared,
    EntriesLost,
    Forgot,
    Stamped,
    Tuned,
)
from engine.cache.journal.request_ran import RequestRan
from engine.cache.journal.segments import SegmentAdded
from engine.errors import CacheError
from engine.trace import deeds
from engine.trace.disks import MadeUpDisk, RecordedDisk
from engine.trace.lines import TracedRequest, TraceEntry
from engine.trace.reader import TraceReader
from engine.trace.report import (
    ReplayedRequest,
    ReplayReport,
    disk_note,
    sums_recorded,
    sums_replayed,
)
from engine.trace.request import Ask, Outcome, RunRules, marks, run_request
from engine.trace.settings import CacheSettings
from engine.trace.speeds import SpeedMeter, Speeds
from engine.trace.stage import make_balance, make_tiers
from engine.trace.states import verdict_of
from engine.trace.what_if import WhatIf


def replay_file(path: Path, what_if: WhatIf, assumed: CacheSettings) -> ReplayReport:
    """Replay a file.

    Args:
        assumed: settings for a file that states none (plain Marconi lines).

    Raises:
        TraceError: the file cannot be read; the message says where.
        CacheError: a setting cannot be honoured.
    """
    reader = TraceReader(path)
    recorded = assumed if reader.header is None else reader.header.settings
    notes = []
    complete = reader.header is None or reader.header.complete
    if not complete:
        notes.append("Requests from before the recording are not in the trace, so hits may differ.")
    report = replay(reader, recorded, what_if)
    if disk := disk_note(report):
        notes.append(disk)
    return replace(
        report,
        exact=report.exact and complete,
        notes=(*notes, *report.notes),
        truncated=reader.truncated,
    )


def replay(
    entries: Iterable[TraceEntry], recorded: CacheSettings, what_if: WhatIf | None = None
) -> ReplayReport:
    """Run the requests of `entries` in order; `recorded` are the settings they ran with."""
    settings = (what_if or WhatIf()).changed(recorded)
    run = Replay(settings, as_recorded=settings == recorded)
    for line in entries:
        run.follow(line)
    return run.report()


class Replay:
    """A replay in progress: takes entries, returns a report at the end."""

    def __init__(self, settings: CacheSettings, *, as_recorded: bool) -> None:
        if settings.kv_slots <= 0:
            raise CacheError(
                "The device budget has no room for a token: give more with --device-mb."
            )
        if settings.absurd:
            raise CacheError(f"A cache with {settings.absurd} that large cannot be replayed.")
        self._settings = settings
        self._rules = RunRules(
            settings.mode, settings.interval, settings.decode_interval, settings.mixture
        )
        self._as_recorded = as_recorded
        self._recorded_disk = RecordedDisk() if settings.disk and as_recorded else None
        self._made_up = MadeUpDisk() if settings.disk and not as_recorded else None
        self._tiers = make_tiers(settings, self._recorded_disk or self._made_up)
        self._balance = make_balance(settings, self._tiers)
        self._speeds = SpeedMeter()
        self._done: list[tuple[TracedRequest, Outcome]] = []
        self._most = [0, 0]
        self._skipped = 0
        self._lost = 0

    def follow(self, line: TraceEntry) -> None:
        """Repeat the entry's request; its recorded effects on the cache are ignored."""
        what = line.entry.what
        if isinstance(what, Cleared) and not what.running:
            self._tiers.clear()
        elif isinstance(what, Forgot):
            self._tiers.forget(what.tokens)
        elif isinstance(what, ByUser):
            if self._recorded_disk is not None:
                self._recorded_disk.begins(what.offers, deeds.tags_of(what, self._rules))
            deeds.repeat(self._tiers, what, self._rules)
        elif isinstance(what, Stamped) and not what.inherited:
            self._stamp(line.entry.tier, what, line.entry.time)
        elif isinstance(what, Tuned):
            self._tune(what)
        elif isinstance(what, SegmentAdded):
            if self._made_up is not None and what.found:
                self._made_up.begin_with(what)
        elif isinstance(what, EntriesLost):
            self._lost += what.entries
        elif line.request is not None:
            self._run(line.request)

    def report(self) -> ReplayReport:
        """The results so far."""
        speeds = self._speeds.speeds()
        requests = tuple(_replayed(traced, out, speeds) for traced, out in self._done)
        tiers = self._tiers
        copied = {
            f"{source} to {target}: {outcome}": count
            for (source, target, outcome), count in tiers.moved.items()
        }
        notes = (f"{self._lost:,} entries are missing from the trace.",) if self._lost else ()
        kv_slots, state_slots = tiers.device.reader.sizes
        return ReplayReport(
            settings=self._settings,
            kv_slots=kv_slots,
            state_slots=state_slots,
            prefill_tok_s=speeds.prefill_tok_s,
            as_recorded=self._as_recorded,
            exact=self._as_recorded and not self._lost,
            requests=requests,
            replayed=sums_replayed(requests),
            recorded=sums_recorded(requests),
            device_bytes=self._most[0],
            host_bytes=self._most[1],
            evicted=tuple(sorted(tiers.device.reader.evicted.items())),
            copied=tuple(sorted(copied.items())),
            skipped=self._skipped,
            notes=notes,
            disk_found=0 if self._made_up is None else self._made_up.found,
        )

    def _tune(self, tuned: Tuned) -> None:
        """The user changed the settings; with other ones from the start, these are not changed."""
        if not self._as_recorded:
            return
        self._rules = replace(
            self._rules, interval=tuned.interval, decode_interval=tuned.decode_interval
        )
        if not tuned.kv_slots:
            return
        self._tiers.device.resize(tuned.kv_slots, tuned.state_slots)
        self._balance = make_balance(self._settings.tuned(tuned), self._tiers)

    def _stamp(self, tier: str, stamped: Stamped, time: float) -> None:
        """An audit condemned a checkpoint; with other settings it is a different one."""
        device, verdict = self._tiers.device, verdict_of(stamped, time)
        if not self._as_recorded or verdict is None or tier != "device":
            return
        views = {view.id: view for view in device.reader.nodes()}
        found = views.get(stamped.node)
        if found is not None and found.end == stamped.position:
            self._tiers.stamp(stamped.node, verdict)

    def _run(self, traced: TracedRequest) -> None:
        ran = traced.ran
        if not ran.reuse:
            return
        ask = ask_of(ran)
        if self._recorded_disk is not None:
            self._recorded_disk.begins(ran.offers, marks(ask, self._rules)[1])
        outcome = run_request(self._tiers, ask, self._rules, self._balance)
        if self._recorded_disk is None:
            # The engine would be idle next, and save to disk what is not there yet.
            self._tiers.save()
        self._done.append((traced, outcome))
        self._skipped += outcome.skipped
        if traced.recorded:
            self._speeds.observe(ran)
        for at, cache in enumerate((self._tiers.device, self._tiers.host)):
            if cache is not None:
                self._most[at] = max(self._most[at], held_bytes(cache))


def ask_of(ran: RequestRan) -> Ask:
    """The request as submitted, and how far it ran."""
    total = len(ran.prompt)
    # A request refused for lack of room would have run to its end.
    whole = ran.position >= total or ran.stop == "refused"
    return Ask(
        prompt=ran.prompt,
        applied=ran.decoded[: max(ran.position - total, 0)],
        anchors=ran.anchors,
        headroom=ran.headroom,
        prompt_only=ran.kind == "logits",
        cancelled_at=None if whole else ran.position,
        failed=ran.stop == "failed",
        drops=ran.drops,
        one_shot=ran.one_shot,
    )


def held_bytes(cache: TwoPlaneCache) -> int:
    """Bytes held by the tree."""
    kv, state = cache.reader.kv_pool(), cache.reader.state_pool()
    return kv.cached * kv.slot_bytes + state.cached * state.slot_bytes


def _replayed(traced: TracedRequest, out: Outcome, speeds: Speeds) -> ReplayedRequest:
    ran = traced.ran
    return ReplayedRequest(
        session_id=traced.session_id,
        turn_id=traced.turn_id,
        request=ran.request,
        total=len(ran.prompt),
        reused=out.reused,
        replayed=out.replayed,
        computed=out.computed,
        tier=out.tier,
        refused=out.refused,
        recorded=(ran.reused, ran.replayed, ran.computed) if traced.recorded else None,
        first_token_s=None if out.refused else speeds.first_token_s(out.ran, out.tier),
        recorded_first_token_s=ran.first_token_s if traced.recorded else None,
    )
