"""Requests played on real tiers without a model, with everything that a recording would have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from engine.analysis.replay import make_balance, make_tiers
from engine.cache.journal.changes import RequestBegan, Tuned
from engine.cache.journal.journal import Journal
from engine.cache.journal.request_ran import RequestRan
from engine.cache.tiers.lower import Disk
from engine.journal.offers import disk_offers
from engine.journal.recorder import Recorder
from engine.journal.request import Ask, RunRules, run_request
from engine.journal.settings import CacheSettings, TraceHeader
from engine.journal.tape import Tape, read_tape
from engine.verdict import Verdict

# Of a machine on which nothing else happens.
TOKENS_PER_S = 1000.0
LOOKUP_S, RESTORE_S, STEP_S = 0.002, 0.004, 0.02
THINKING_S = 5.0


def words(seed: int, count: int) -> list[int]:
    """Token ids that no other seed has at the same place."""
    return [seed * 10_000 + n for n in range(count)]


class Played:
    """A cache, the requests that ran on it, and the file in which they are recorded."""

    def __init__(
        self,
        folder: Path,
        settings: CacheSettings,
        disk: Disk | None = None,
        *,
        hashed: bool = False,
    ) -> None:
        self.settings = settings
        self._now = 1000.0
        self._journal = Journal()
        self.tiers = make_tiers(settings, disk, journal=self._journal, clock=lambda: self._now)
        self._balance = make_balance(settings, self.tiers)
        self._rules = RunRules(settings.mode, settings.interval, settings.decode_interval)
        self.path = folder / "played.jsonl"
        self._header = TraceHeader(
            "toy", "", settings, 1e9, complete=True, hashed=hashed, text=not hashed
        )
        self._recorder = self._record()
        self._log = self._journal.of("device", lambda: self._now)
        self.asked = 0

    def _record(self) -> Recorder:
        caches = {"device": self.tiers.device}
        if self.tiers.host is not None:
            caches["host"] = self.tiers.host
        return Recorder(self.path, self._header, self._journal, caches, self._now)

    def record_anew(self) -> None:
        """Forget what was recorded: the file begins here."""
        self._recorder.stop()
        self._header = replace(self._header, complete=False)
        self._recorder = self._record()

    def ask(self, prompt: Sequence[int], answer: Sequence[int] = (), *anchors: int) -> list[int]:
        """Run a request; returns the whole sequence."""
        self._now += THINKING_S
        self.asked += 1
        ids, applied = np.array(prompt, np.int64), np.array(answer, np.int64)
        since, began = self._journal.seq, self._now
        match = self.tiers.probe(ids)
        self._log(RequestBegan(self.asked, len(ids), match.resume, match.replayed))
        self._now += LOOKUP_S
        ask = Ask(ids, applied, anchors)
        out = run_request(self.tiers, ask, self._rules, self._balance)
        prefill_s = out.ran / TOKENS_PER_S
        restore_s = RESTORE_S if out.tier else 0.0
        first = LOOKUP_S + restore_s + prefill_s + STEP_S
        self._now = began + first + len(answer) * STEP_S
        ran = RequestRan(
            request=self.asked,
            kind="generate",
            reuse=True,
            prompt=ids,
            decoded=applied,
            anchors=anchors,
            headroom=ask.headroom,
            position=out.position,
            stop="refused" if out.refused else "end",
            drops=(),
            offers=disk_offers(self._journal.entries(since)),
            reused=out.reused,
            replayed=out.replayed,
            computed=out.computed,
            resumed_from=out.tier,
            provenance=out.provenance,
            reason=out.reason.value,
            lookup_ms=1e3 * LOOKUP_S,
            restore_ms=1e3 * restore_s,
            prefill_ms=1e3 * prefill_s,
            first_token_s=first,
            total_s=self._now - began,
        )
        self._journal.log_request(self._now, ran)
        self.tiers.check()
        return [*prompt, *answer]

    def tune(self, **change: Any) -> None:
        """The user changes settings, by the names of Tuned."""
        self._now += THINKING_S
        settings, sizes = self.settings, self.tiers.device.reader.sizes
        now = {
            "interval": settings.interval,
            "decode_interval": settings.decode_interval,
            "kv_slots": sizes[0],
            "state_slots": sizes[1],
            "state_share": settings.state_share,
        }
        tuned = Tuned(**now | change)
        self.settings = settings.tuned(tuned)
        self.tiers.device.resize(tuned.kv_slots, tuned.state_slots)
        self._balance = make_balance(self.settings, self.tiers)
        self._rules = RunRules(settings.mode, tuned.interval, tuned.decode_interval)
        self._log(tuned)

    def condemn(self, position: int) -> None:
        """An audit finds the checkpoint at a position to be wrong."""
        self._now += THINKING_S
        views = self.tiers.device.reader.nodes()
        found = next(v.id for v in views if v.checkpoint is not None and v.end == position)
        self.tiers.stamp(found, Verdict("quarantined", 0.5, 3.0, self._now))

    def tape(self) -> Tape:
        """What was recorded, read back from the file."""
        done = self._recorder.stop()
        assert not done.problem
        return read_tape(self.path)
