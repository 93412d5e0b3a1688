"""Replaying with a disk tier: what came back from disk comes back, whatever lay there."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from msgspec import structs

from engine.analysis.predictions import followed
from engine.analysis.replay import MadeUpDisk, NoBytes, ask_of, replay
from engine.analysis.report import disk_note
from engine.cache import TwoPlaneCache
from engine.cache.extents import Extents
from engine.cache.journal.changes import SegmentAdded
from engine.cache.journal.journal import Entry, Journal
from engine.cache.tiers.lower import OnDisk
from engine.cache.tiers.tiers import Tiers
from engine.journal.lines import TracedRequest, TraceEntry
from engine.journal.offers import disk_offers
from engine.journal.request import RunRules, run_request
from engine.journal.settings import CacheSettings, WhatIf
from engine.stored_state import StoredState
from tests.engine.analysis.test_replay import chats
from tests.engine.cache.tiers.three_tiers import ThreeTiers
from tests.engine.journal.samples import SETTINGS
from tests.mostly_slow import mostly_slow

DISK = replace(SETTINGS, kv_slots=300, state_slots=3, disk=True)
HOST: dict[str, Any] = {"host_kv_slots": 400, "host_state_slots": 4}


class WornDisk(MadeUpDisk):
    """A disk that has files from before, loses some, and finds some damaged."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self._rng = np.random.default_rng(seed)

    def restore(self, found: OnDisk, start: int, extents: Extents, slot: int) -> bool:
        if self._rng.random() < 0.3:
            lost = [key for key, file in self._files.items() if file is found]
            del self._files[lost[0]]
            return False
        return True


def recorded(settings: CacheSettings, seed: int) -> tuple[list[TraceEntry], int]:
    """The lines of a recording, and how many prompts resumed from disk."""
    journal = Journal()
    entries: list[Entry] = []
    journal.listen(entries.append)
    device = TwoPlaneCache(
        settings.kv_slots,
        settings.state_slots,
        kv_slot_bytes=10,
        state_slot_bytes=1000,
        journal=journal,
    )
    host = None
    if settings.host_kv_slots:
        host = TwoPlaneCache(
            settings.host_kv_slots,
            settings.host_state_slots,
            kv_slot_bytes=10,
            state_slot_bytes=1000,
            journal=journal,
            tier="host",
        )
    log_change = journal.of("device", lambda: 0.0)
    mover = None if host is None else NoBytes()
    tiers = Tiers(device, host, mover, WornDisk(seed), log_change=log_change)
    rules = RunRules(settings.mode, settings.interval, settings.decode_interval)
    lines: list[TraceEntry] = []
    from_disk = 0
    for turn, ran in enumerate(chats(seed)):
        outcome = run_request(tiers, ask_of(ran), rules)
        if turn % 3 == 0:
            tiers.save(2)
        from_disk += outcome.tier == "disk"
        known = replace(
            ran,
            reused=outcome.reused,
            replayed=outcome.replayed,
            computed=outcome.computed,
            position=0 if outcome.refused else outcome.position,
            stop="refused" if outcome.refused else ran.stop,
            offers=disk_offers(entries),
        )
        entries.clear()
        entry = Entry(turn, 0.0, "device", known)
        lines.append(TraceEntry(entry, TracedRequest(0, turn, known, True)))
    return lines, from_disk


@pytest.mark.parametrize(
    "settings",
    [
        DISK,
        replace(DISK, **HOST),
        replace(DISK, mode="exact"),
        replace(DISK, mode="exact", **HOST),
    ],
    ids=["two tiers", "three tiers", "exact, two tiers", "exact, three tiers"],
)
@pytest.mark.parametrize("seed", mostly_slow([1, 2, 3]))
def test_the_recorded_hits_come_out_whatever_the_disk_did(
    settings: CacheSettings, seed: int
) -> None:
    lines, from_disk = recorded(settings, seed)
    report = replay(lines, settings)
    print(f"seed {seed}: {from_disk} of {len(report.requests)} from disk")
    assert from_disk > 3
    assert report.exact
    assert report.differing == ()
    assert sum(request.tier == "disk" for request in report.requests) == from_disk


def test_on_other_settings_the_disk_is_made_up() -> None:
    lines, _ = recorded(DISK, 4)
    report = replay(lines, DISK, WhatIf(device_bytes=20_000))
    assert not report.exact
    assert any(request.tier == "disk" for request in report.requests)
    assert all(r.reused + r.replayed + r.computed == r.total for r in report.requests)


def test_a_made_up_disk_forgets_what_begins_so_until_it_is_saved_again() -> None:
    on = ThreeTiers(host=None, files=None)
    disk = MadeUpDisk()
    tiers = Tiers(on.cache, disk=disk)
    whole, other = tuple(range(40)), tuple(range(50, 90))
    for prompt in (whole, other):
        on.run(prompt, anchors=(20,))
    tiers.save()
    tiers.forget(np.arange(30))
    there = [bool(disk.holds(np.array(one, np.int32))) for one in (whole, whole[:20], other)]
    assert there == [False, True, True]
    found = disk.find(np.arange(41, dtype=np.int32), lambda one: True)
    assert found is not None
    assert found.state.position == 20
    on.run(whole, anchors=(20,))
    tiers.save()
    assert disk.holds(np.array(whole, np.int32))


class TestFilesFromBefore:
    """A disk of other settings begins with the files that the recorded one had."""

    PROMPT = np.arange(200, dtype=np.int32)

    def added(self, start: int, end: int, **known: Any) -> SegmentAdded:
        made: dict[str, Any] = {
            "key": str(end),
            "parent": str(start or ""),
            "start": start,
            "end": end,
            "created": 0.0,
            "used": 0.0,
            "file_bytes": 10,
            "state": StoredState(end),
            "written": True,
            "found": True,
            "tokens": self.PROMPT[start:end].astype("<i4").tobytes(),
        }
        return SegmentAdded(**made | known)

    def lines(self, *told: SegmentAdded) -> list[TraceEntry]:
        """The files, and one request that goes on from them."""
        journal = Journal()
        entries: list[Entry] = []
        journal.listen(entries.append)
        for one in told:
            journal.of("disk", lambda: 0.0)(one)
        asked = replace(
            chats(1, 1)[0],
            prompt=self.PROMPT.astype(np.int64),
            decoded=np.zeros(0, np.int64),
            position=200,
            offers=(),
        )
        request = TracedRequest(0, 0, asked, recorded=False)
        lines = [TraceEntry(entry, None) for entry in entries]
        return [*lines, TraceEntry(structs.replace(entries[-1], what=asked), request)]

    def reused(self, *told: SegmentAdded, **changes: Any) -> tuple[int, int]:
        """Tokens reused on another interval, and how many files the disk began with."""
        settings = replace(DISK, kv_slots=400, state_slots=5)
        report = replay(self.lines(*told), settings, WhatIf(**{"interval": 128} | changes))
        return report.replayed.reused, report.disk_found

    def test_they_are_used(self) -> None:
        assert self.reused(self.added(0, 64), self.added(64, 150)) == (150, 2)

    def test_only_those_from_before(self) -> None:
        assert self.reused(self.added(0, 64), self.added(64, 150, found=False)) == (64, 1)

    def test_one_without_its_tokens_or_its_parent_is_left_out(self) -> None:
        assert self.reused(self.added(0, 64, tokens=b""), self.added(64, 150)) == (0, 0)

    def test_exact_mode_cannot_know_that_they_are(self) -> None:
        assert self.reused(self.added(0, 64), mode="exact") == (0, 1)

    def test_the_report_says_what_the_disk_began_with(self) -> None:
        settings = replace(DISK, kv_slots=400, state_slots=5)
        lines = self.lines(self.added(0, 64), self.added(64, 150))
        other = replay(lines, settings, WhatIf(interval=128))
        assert "starts with 2 files from before" in disk_note(other)
        assert "starts empty" in disk_note(replay(lines[2:], settings, WhatIf(interval=128)))
        assert disk_note(replay(lines, settings)) == ""
        assert disk_note(replay(lines, settings, WhatIf(disk_bytes=0))) == ""

    def test_the_process_that_predicts_is_told_of_them(self) -> None:
        told = (self.added(0, 64), self.added(64, 150, found=False))
        kept = [line.entry.what for line in followed(self.lines(*told))[:-1]]
        assert kept == [told[0]]
