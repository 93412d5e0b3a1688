"""A prediction process: replays recorded requests with other settings.

It reads pickled messages from standard input and writes pickled answers to standard output; both
ends are this program. A newer job replaces the current one between two requests.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import sys
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import BinaryIO

from msgspec import structs

from engine.analysis.redrafting import Redrafting
from engine.analysis.replay import Replay
from engine.analysis.report import ReplayReport
from engine.cache.journal.changes import (
    ByUser,
    Cleared,
    EntriesLost,
    Forgot,
    SegmentAdded,
    Stamped,
    Tuned,
)
from engine.errors import CacheError
from engine.journal.lines import TraceEntry
from engine.journal.settings import CacheSettings, WhatIf

# Lower priority than the window and the engine.
NICENESS = 10
_PROGRESS_S = 0.1
_FOLLOWED = (ByUser, Cleared, Forgot, Stamped, Tuned, EntriesLost)


@dataclass(frozen=True, slots=True)
class Recorded:
    """A new tape; its lines follow in `Lines`."""

    settings: CacheSettings


@dataclass(frozen=True, slots=True)
class Lines:
    """More lines of the tape, as far as a replay needs them."""

    lines: tuple[TraceEntry, ...]


@dataclass(frozen=True, slots=True)
class Case:
    """One replay of a job; `brief`: the report may omit single requests."""

    key: str
    what_if: WhatIf
    brief: bool = False


@dataclass(frozen=True, slots=True)
class Job:
    """Replays to run in this order, each over all lines so far."""

    number: int
    cases: tuple[Case, ...]


@dataclass(frozen=True, slots=True)
class Progress:
    """`done` of `total` requests of a case were replayed."""

    number: int
    key: str
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Predicted:
    """The result of a case; `sentence` says why there is none."""

    number: int
    key: str
    report: ReplayReport | None
    seconds: float
    sentence: str = ""


@dataclass(frozen=True, slots=True)
class JobDone:
    number: int


Message = Recorded | Lines | Job
Answer = Progress | Predicted | JobDone


def followed(lines: Iterable[TraceEntry]) -> tuple[TraceEntry, ...]:
    """The lines of a tape that a replay needs, without texts."""
    kept = []
    for line in lines:
        traced = line.request
        if traced is not None:
            ran = replace(traced.ran, text="")
            entry = structs.replace(line.entry, what=ran)
            kept.append(TraceEntry(entry, replace(traced, ran=ran)))
        elif isinstance(line.entry.what, _FOLLOWED) or _was_there(line):
            kept.append(line)
    return tuple(kept)


def _was_there(line: TraceEntry) -> bool:
    """Whether the line is a file of the disk tier from before the tape."""
    what = line.entry.what
    return isinstance(what, SegmentAdded) and what.found


class Predictions:
    """Serves messages until the input ends."""

    def __init__(self, source: BinaryIO, target: BinaryIO) -> None:
        self._source, self._target = source, target
        self._inbox: queue.SimpleQueue[Message | None] = queue.SimpleQueue()
        self._settings = CacheSettings()
        self._lines: list[TraceEntry] = []

    def serve(self) -> None:
        """Returns at the end of the input, even in the middle of a job."""
        reader = threading.Thread(target=self._read, daemon=True)
        reader.start()
        message = self._inbox.get()
        while message is not None:
            match message:
                case Recorded(settings):
                    self._settings = settings
                    self._lines = []
                case Lines(lines):
                    self._lines.extend(lines)
                case Job() if self._inbox.empty():
                    self._work(message)
            message = self._inbox.get()

    def _read(self) -> None:
        message: Message | None = None
        with contextlib.suppress(EOFError, OSError):
            while True:
                message = pickle.load(self._source)
                self._inbox.put(message)
        self._inbox.put(None)

    def _answer(self, answer: Answer) -> None:
        pickle.dump(answer, self._target, protocol=pickle.HIGHEST_PROTOCOL)
        self._target.flush()

    def _work(self, job: Job) -> None:
        for case in job.cases:
            began = time.perf_counter()
            try:
                report, sentence = self._replayed(job, case), ""
            except CacheError as error:
                report, sentence = None, str(error)
            if report is None and not sentence:
                return
            seconds = time.perf_counter() - began
            self._answer(Predicted(job.number, case.key, report, seconds, sentence))
        self._answer(JobDone(job.number))

    def _replayed(self, job: Job, case: Case) -> ReplayReport | None:
        """None if it was superseded by another message."""
        settings = case.what_if.changed(self._settings)
        # A curve is about reuse, which drafts do not change.
        drafts = case.what_if.drafts, case.what_if.most_drafted
        redrafting = None
        if drafts != (None, None) and not case.brief:
            redrafting = Redrafting(case.what_if.drafts, settings.most_drafted)
        run = Replay(settings, as_recorded=case.what_if == WhatIf(), redrafting=redrafting)
        told = time.perf_counter()
        for done, line in enumerate(self._lines):
            run.follow(line)
            if not self._inbox.empty():
                return None
            if time.perf_counter() - told > _PROGRESS_S:
                told = time.perf_counter()
                self._answer(Progress(job.number, case.key, done, len(self._lines)))
        report = run.report()
        return replace(report, requests=()) if case.brief else report


def main() -> None:
    """The process."""
    with contextlib.suppress(AttributeError, OSError):
        os.nice(NICENESS)
    with contextlib.suppress(BrokenPipeError, KeyboardInterrupt):
        Predictions(sys.stdin.buffer, sys.stdout.buffer).serve()
    # A broken pipe would be reported again when the interpreter flushes it.
    os._exit(0)
