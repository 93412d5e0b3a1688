"""Replays the requests of a trace without a model, with the same or other cache settings."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from hashlib import blake2b
from pathlib import Path

import numpy as np

from engine.analysis.redrafting import NO_PASSES, Passes, Redrafting
from engine.analysis.report import (
    ReplayedRequest,
    ReplayReport,
    disk_note,
    sums_recorded,
    sums_replayed,
)
from engine.cache.budget.balance import Balance
from engine.cache.cache import TwoPlaneCache
from engine.cache.extents import Extents
from engine.cache.holding import Holding
from engine.cache.journal.changes import (
    ByUser,
    Cleared,
    EntriesLost,
    Forgot,
    RequestBegan,
    SegmentAdded,
    Stamped,
    Tuned,
)
from engine.cache.journal.journal import Journal, silent
from engine.cache.journal.request_ran import DiskOffer, RequestRan
from engine.cache.lines import Line
from engine.cache.match import Tags
from engine.cache.node import Tokens
from engine.cache.tiers.intake import Intake
from engine.cache.tiers.lower import Disk, FileCause, OnDisk
from engine.cache.tiers.tiers import Tiers
from engine.errors import CacheError
from engine.journal import deeds
from engine.journal.fields import verdict_of
from engine.journal.lines import TracedRequest, TraceEntry
from engine.journal.reader import TraceReader
from engine.journal.request import Ask, Outcome, RunRules, marks, run_request
from engine.journal.settings import CacheSettings, WhatIf
from engine.sentence import say
from engine.snapshot import DiskView
from engine.stored_state import TierName

# Shorter prefills are dominated by fixed costs, and count only if there are no longer ones.
LONG_TOKENS = 32
NO_FILES = DiskView(files=0, used_bytes=0, budget_bytes=0, pending=0, damaged=0)
NO_KEYS = ("",)


class NoBytes:
    """The mover of a cache without planes: every copy succeeds and moves nothing."""

    def kv_to_host(self, device: Extents, host: Extents) -> None:
        pass

    def kv_to_device(self, host: Extents, device: Extents) -> None:
        pass

    def state_to_host(self, device: int, host: int) -> float:
        return 0.0

    def state_to_device(self, host: int, device: int) -> None:
        pass


def make_tiers(
    settings: CacheSettings,
    disk: Disk | None = None,
    *,
    journal: Journal | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Tiers:
    """Empty tiers without planes. Raises CacheError if the policy is unknown.

    Args:
        journal: receives every change, with the times of `clock` in seconds.
    """
    log_change = silent if journal is None else journal.of("device", clock)
    device = TwoPlaneCache(
        settings.kv_slots,
        settings.state_slots,
        kv_slot_bytes=settings.kv_slot_bytes,
        state_slot_bytes=settings.state_slot_bytes,
        policy=settings.policy,
        clock=clock,
        journal=journal,
    )
    if not settings.host_kv_slots:
        return Tiers(device, disk=disk, log_change=log_change)
    host = TwoPlaneCache(
        settings.host_kv_slots,
        settings.host_state_slots,
        kv_slot_bytes=settings.kv_slot_bytes,
        state_slot_bytes=settings.host_state_slot_bytes,
        policy=settings.policy,
        clock=clock,
        journal=journal,
        tier="host",
    )
    return Tiers(
        device, host, NoBytes(), disk, host_format=settings.host_format, log_change=log_change
    )


def make_balance(settings: CacheSettings, tiers: Tiers) -> Balance:
    """The balancer of the split between the planes, if it is adaptive."""
    return Balance(
        tiers.device,
        settings.device_bytes,
        settings.state_share if settings.adaptive else 0.0,
        kv_slot_bytes=settings.kv_slot_bytes,
        state_slot_bytes=settings.state_slot_bytes,
    )


class RecordedDisk:
    """Offers each request what the recorded disk offered it; stores nothing."""

    ready = False
    failed = 0

    def __init__(self) -> None:
        self._offers: deque[DiskOffer] = deque()
        self._tags: Tags | None = None

    def settle(self) -> None: ...

    def begins(self, offers: Iterable[DiskOffer], tags: Tags | None) -> None:
        """A request starts; `tags` are those that an exact prompt requires."""
        self._offers = deque(offers)
        self._tags = tags

    def find(self, tokens: Tokens, usable: Callable[[OnDisk], bool]) -> OnDisk | None:
        if not self._offers:
            return None
        state = self._offers[0].state
        end = state.position
        tags = np.zeros(end, np.int64) if self._tags is None else self._tags[:end]
        return OnDisk(NO_KEYS, tags, state)

    def restore(self, found: OnDisk, start: int, extents: Extents, slot: int) -> bool:
        return bool(self._offers) and self._offers.popleft().outcome == Intake.TAKEN

    def lines(self, known: Callable[[Tokens], int], overlap: int, limit: int) -> tuple[Line, ...]:
        return ()

    def has(self, holding: Holding) -> bool:
        return False

    def fits(self, path: Sequence[Holding]) -> bool:
        return False

    def save(self, holding: Holding, tier: TierName) -> bool:
        return False

    def holds(self, tokens: Tokens) -> bool:
        return False

    def remove(self, tokens: Tokens, beyond: int) -> None:
        pass

    def forget(self, tokens: Tokens, cause: FileCause = FileCause.DELETED) -> None:
        pass

    def clear(self) -> None:
        self._offers.clear()

    def view(self) -> DiskView:
        return NO_FILES


class MadeUpDisk:
    """An unbounded disk, for a replay with other settings.

    Attributes:
        found: files that it started with.
    """

    ready = True
    failed = 0

    def __init__(self) -> None:
        self.found = 0
        self._files: dict[bytes, OnDisk] = {}
        self._ends: set[int] = set()
        # All tokens up to the ends of the found segments, by key.
        self._paths: dict[str, Tokens] = {"": np.zeros(0, np.int32)}
        # The next file's number; by length and key of a forgotten prefix, the lowest number kept.
        self._saves = 0
        self._numbers: dict[bytes, int] = {}
        self._forgot: dict[tuple[int, bytes], int] = {}

    def settle(self) -> None: ...

    def begin_with(self, told: SegmentAdded) -> None:
        """Keep a file that the recorded disk had when it was opened; parents come first.

        Which cuts made its state is not recorded, so exact mode does not use it.
        """
        above, own = self._paths.get(told.parent), np.frombuffer(told.tokens, "<i4")
        if above is None or len(own) != told.end - told.start or len(above) != told.start:
            return
        tokens = self._paths[told.key] = np.concatenate([above, own]).astype(np.int32)
        tags = np.full(told.end, -1, np.int64)
        self._keep(tokens, OnDisk(NO_KEYS, tags, told.state.on("disk")))
        self.found += 1

    def find(self, tokens: Tokens, usable: Callable[[OnDisk], bool]) -> OnDisk | None:
        for end in sorted((end for end in self._ends if end <= len(tokens)), reverse=True):
            found = self._file(tokens[:end])
            if found is None or (end == len(tokens) and not found.state.has_hidden):
                continue
            if usable(found):
                return found
        return None

    def restore(self, found: OnDisk, start: int, extents: Extents, slot: int) -> bool:
        return True

    def lines(self, known: Callable[[Tokens], int], overlap: int, limit: int) -> tuple[Line, ...]:
        # Which of its files a real disk would still have is not known.
        return ()

    def has(self, holding: Holding) -> bool:
        return self._file(holding.tokens) is not None

    def fits(self, path: Sequence[Holding]) -> bool:
        return True

    def save(self, holding: Holding, tier: TierName) -> bool:
        held = holding.checkpoint
        if held is None or self._file(holding.tokens) is not None:
            return False
        self._keep(holding.tokens, OnDisk(NO_KEYS, holding.tags, held.state.on("disk")))
        return True

    def holds(self, tokens: Tokens) -> bool:
        return self._file(tokens) is not None

    def remove(self, tokens: Tokens, beyond: int) -> None:
        pass

    def forget(self, tokens: Tokens, cause: FileCause = FileCause.DELETED) -> None:
        self._forgot[len(tokens), _key(tokens)] = self._saves

    def clear(self) -> None:
        self._files.clear()
        self._ends.clear()
        self._forgot.clear()

    def view(self) -> DiskView:
        return NO_FILES

    def _keep(self, tokens: Tokens, file: OnDisk) -> None:
        key = _key(tokens)
        self._numbers[key] = self._saves
        self._saves += 1
        self._files[key] = file
        self._ends.add(len(tokens))

    def _file(self, tokens: Tokens) -> OnDisk | None:
        """The file of exactly these tokens, unless it was forgotten since it was saved."""
        key = _key(tokens)
        found = self._files.get(key)
        if found is None:
            return None
        for (length, prefix), stays in self._forgot.items():
            gone = self._numbers[key] < stays and length <= len(tokens)
            if gone and _key(tokens[:length]) == prefix:
                return None
        return found


def _key(tokens: Tokens) -> bytes:
    return blake2b(tokens.tobytes(), digest_size=16).digest()


@dataclass(frozen=True, slots=True)
class Speeds:
    """Means over a trace.

    Attributes:
        prefill_tok_s: tokens per second of replay and prefill; None before any measurement.
        restore_s: seconds to take slots and to copy a checkpoint on the device.
        far_restore_s: the same for one from host or disk, including the lookup, since that is
        when it is copied; None if there was none.
        rest_s: the other costs of a first token: the lookup and one sampling step.
    """

    prefill_tok_s: float | None
    restore_s: float
    far_restore_s: float | None
    rest_s: float

    def first_token_s(self, ran: int, tier: str) -> float | None:
        """Predicted seconds to the first token with `ran` tokens to run; None if unknown."""
        if self.prefill_tok_s is None:
            return None
        near = self.restore_s if tier else 0.0
        restore = near if tier in ("", "device") else self.far_restore_s or near
        return ran / self.prefill_tok_s + restore + self.rest_s


class SpeedMeter:
    """Sums over the requests of a trace, one at a time."""

    def __init__(self) -> None:
        self._prefills: dict[bool, list[tuple[int, float]]] = {False: [], True: []}
        self._restores: dict[bool, list[float]] = {False: [], True: []}
        self._rests: list[float] = []

    def observe(self, ran: RequestRan) -> None:
        """Add a request that ran on the recorded machine."""
        tokens = ran.replayed + ran.computed
        if tokens and ran.prefill_ms > 0 and ran.position >= len(ran.prompt):
            self._prefills[tokens >= LONG_TOKENS].append((tokens, ran.prefill_ms / 1e3))
        far = ran.resumed_from not in ("", "device")
        lookup_s, restore_s = ran.lookup_ms / 1e3, ran.restore_ms / 1e3
        if ran.resumed_from:
            self._restores[far].append(restore_s + (lookup_s if far else 0.0))
        if ran.first_token_s is not None and not far:
            self._rests.append(max(ran.first_token_s - restore_s - ran.prefill_ms / 1e3, 0.0))

    def speeds(self) -> Speeds:
        far = self._restores[True]
        runs = self._prefills[True] or self._prefills[False]
        seconds = sum(seconds for _, seconds in runs)
        return Speeds(
            prefill_tok_s=sum(tokens for tokens, _ in runs) / seconds if runs else None,
            restore_s=_mean(self._restores[False]),
            far_restore_s=_mean(far) if far else None,
            rest_s=_mean(self._rests),
        )


def _mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else 0.0


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
    notes: list[str] = []
    complete = reader.header is None or reader.header.complete
    if not complete:
        notes.append(
            say("Requests from before the recording are not in the trace, so hits may differ.")
        )
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
    redrafting = Redrafting((what_if or WhatIf()).drafts, settings.most_drafted)
    run = Replay(settings, as_recorded=settings == recorded, redrafting=redrafting)
    for line in entries:
        run.follow(line)
    return run.report()


class Replay:
    """A replay in progress: takes entries, returns a report at the end."""

    def __init__(
        self, settings: CacheSettings, *, as_recorded: bool, redrafting: Redrafting | None = None
    ) -> None:
        """redrafting: drafts the answers; None, which is faster, leaves them as recorded."""
        if settings.kv_slots <= 0:
            raise CacheError(
                "The device budget has no room for a token: give more with --device-mb."
            )
        if settings.absurd:
            raise CacheError(
                "A cache with {absurd} that large cannot be replayed.", absurd=settings.absurd
            )
        self._settings = settings
        self._redrafting = redrafting or Redrafting(None, settings.most_drafted, anew=False)
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
        self._written: list[tuple[Passes, Passes]] = []
        self._most = [0, 0]
        self._skipped = 0
        self._lost = 0
        # Requests that have begun, and how many did beside others.
        self._running: set[int] = set()
        self._beside = 0

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
        elif isinstance(what, RequestBegan):
            self._beside += bool(self._running)
            self._running.add(what.request)
        elif line.request is not None:
            self._running.discard(line.request.ran.request)
            self._run(line.request)

    def report(self) -> ReplayReport:
        """The results so far."""
        speeds = self._speeds.speeds()
        requests = tuple(
            _replayed(traced, out, speeds, *written)
            for (traced, out), written in zip(self._done, self._written, strict=True)
        )
        tiers = self._tiers
        copied = {
            f"{source} to {target}: {outcome}": count
            for (source, target, outcome), count in tiers.moved.items()
        }
        notes: list[str] = []
        if self._lost:
            notes.append(say("{lost:,} entries are missing from the trace.", lost=self._lost))
        if self._beside:
            notes.append(
                say(
                    "{beside:,} requests began while others ran. Here they run one after the "
                    "other, so what they reuse may differ.",
                    beside=self._beside,
                )
            )
        kv_slots, state_slots = tiers.device.reader.sizes
        return ReplayReport(
            settings=self._settings,
            kv_slots=kv_slots,
            state_slots=state_slots,
            prefill_tok_s=speeds.prefill_tok_s,
            as_recorded=self._as_recorded,
            exact=self._as_recorded and not self._lost and not self._beside,
            requests=requests,
            replayed=sums_replayed(requests),
            recorded=sums_recorded(requests),
            device_bytes=self._most[0],
            host_bytes=self._most[1],
            evicted=tuple(sorted(tiers.device.reader.evicted.items())),
            copied=tuple(sorted(copied.items())),
            skipped=self._skipped,
            notes=(*notes, *self._redrafting.notes),
            disk_found=0 if self._made_up is None else self._made_up.found,
            writing=reduce(Passes.plus, (anew for anew, _ in self._written), NO_PASSES),
            recorded_writing=reduce(Passes.plus, (told for _, told in self._written), NO_PASSES),
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
        drafting = self._redrafting.begin(ran, self._tiers)
        outcome = run_request(self._tiers, ask, self._rules, self._balance, drafting)
        self._written.append(self._redrafting.passes(ran))
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


def _replayed(
    traced: TracedRequest,
    out: Outcome,
    speeds: Speeds,
    writing: Passes,
    recorded_writing: Passes,
) -> ReplayedRequest:
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
        writing=writing,
        recorded_writing=recorded_writing,
    )
