"""A what-if study: the recorded requests, the wanted settings, and predictions. Without Qt."""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from app.core.words.tr import tr
from app.debugger.what_if.logic.knobs import Knob, knobs_for
from app.debugger.what_if.logic.wanted import SOME_DISK, Wanted, tuned, wanted_of
from engine.analysis.predictions import (
    Answer,
    Case,
    Job,
    JobDone,
    Lines,
    Message,
    Predicted,
    Progress,
    Recorded,
    followed,
)
from engine.analysis.report import ReplayReport
from engine.cache.journal.changes import Tuned
from engine.journal.lines import TraceEntry
from engine.journal.settings import CacheSettings, WhatIf
from engine.journal.tape import Tape

# For a recording without settings: the Qwen3.5-0.8B with 4 GiB, as `biplane trace` assumes.
ASSUMED = CacheSettings(
    kv_slots=(2 << 30) // (12 << 10),
    state_slots=(2 << 30) // 19_537_920,
    kv_slot_bytes=12 << 10,
    state_slot_bytes=19_537_920,
    host_state_slot_bytes=19_537_920,
)
TODAY, WANTED = "today", "wanted"
_STRIDE = 256
# Lines per message: pickling holds the GIL.
_AT_ONCE = 32
_JOIN_S = 2.0
_MAIN = "from engine.analysis.predictions import main; main()"
KEY = "sweep "


@dataclass(frozen=True, slots=True)
class Point:
    """One position: the shares of the prompts that were reused and replayed.

    `sentence`: why there is no result.
    """

    value: Any
    reused: float
    replayed: float
    sentence: str = ""


def sweep_cases(knob: Knob, wanted: Wanted, recorded: Wanted) -> tuple[Case, ...]:
    """A replay for every position of a slider, with the others unchanged."""
    return tuple(
        Case(f"{KEY}{at}", _at(wanted, knob, value).what_if(recorded), brief=True)
        for at, value in enumerate(knob.values)
    )


def point_of(value: Any, report: ReplayReport | None, sentence: str) -> Point:
    if report is None or not report.replayed.total:
        return Point(value, 0.0, 0.0, sentence or tr("No request was recorded."))
    sums = report.replayed
    return Point(value, sums.reused_share, sums.replayed / sums.total)


def best(points: list[Point | None]) -> Point | None:
    """The position that reuses most; in a tie the first, which is the smallest budget."""
    known = [point for point in points if point is not None and not point.sentence]
    return max(known, key=lambda point: point.reused, default=None)


def _at(wanted: Wanted, knob: Knob, value: Any) -> Wanted:
    return replace(wanted, **{knob.name: value})


class Predictor:
    """Runs replays in a process, started with the first message; close it in the end.

    Attributes:
        gone: the process exited by itself; the next message starts another one, without a tape.
    """

    def __init__(self) -> None:
        self.gone = False
        self._process: subprocess.Popen[bytes] | None = None
        self._outbox: queue.SimpleQueue[Message | None] = queue.SimpleQueue()
        self._answers: deque[Answer] = deque()
        self._threads: list[threading.Thread] = []

    @property
    def alive(self) -> bool:
        return self._process is not None and not self.gone

    def begin(self, settings: CacheSettings) -> None:
        """Start another tape, dropping the previous one."""
        self._send(Recorded(settings))

    def feed(self, lines: Iterable[TraceEntry]) -> None:
        """Append to the tape."""
        kept = followed(lines)
        for first in range(0, len(kept), _AT_ONCE):
            self._send(Lines(kept[first : first + _AT_ONCE]))

    def ask(self, job: Job) -> None:
        """Submit a job, which cancels a running one."""
        self._send(job)

    def take(self) -> list[Answer]:
        """The answers since the last call."""
        taken = []
        while self._answers:
            taken.append(self._answers.popleft())
        return taken

    def close(self) -> None:
        """Terminate the process."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        self._outbox.put(None)
        for thread in self._threads:
            thread.join(_JOIN_S)
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        self._threads, self._outbox = [], queue.SimpleQueue()
        self._answers.clear()
        self.gone = False

    def _send(self, message: Message) -> None:
        if self._process is None:
            self._start()
        self._outbox.put(message)

    def _start(self) -> None:
        paths = os.pathsep.join(path for path in sys.path if path)
        process = self._process = subprocess.Popen(
            [sys.executable, "-c", _MAIN],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": paths},
        )
        self._threads = [
            threading.Thread(target=self._write, args=(process, self._outbox), daemon=True),
            threading.Thread(target=self._read, args=(process,), daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def _write(
        self, process: subprocess.Popen[bytes], outbox: queue.SimpleQueue[Message | None]
    ) -> None:
        assert process.stdin is not None
        with contextlib.suppress(OSError, ValueError):
            while (message := outbox.get()) is not None:
                pickle.dump(message, process.stdin, protocol=pickle.HIGHEST_PROTOCOL)
                process.stdin.flush()

    def _read(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None
        with contextlib.suppress(EOFError, OSError, ValueError, pickle.UnpicklingError):
            while True:
                self._answers.append(pickle.load(process.stdout))
        if self._process is process:
            self.gone = True


class Study:
    """Follows a tape and runs one job at a time, the newest.

    Attributes:
        settings: what the tape was recorded with.
        recorded, base, wanted: recorded settings, current ones, and those of the sliders.
        knobs: the sliders, by name.
        requests: recorded so far.
        today, predicted: replays with the settings as recorded, and as wanted; None while unknown.
        swept: the slider whose curve is shown.
        points: of the curve, by position.
        progress: done and total of the running replay; None without one.
        seconds: duration of the last prediction.
        sentence: why there is no prediction, "" if there is no problem.
    """

    def __init__(self) -> None:
        self._predictor = Predictor()
        self._tape: Tape | None = None
        self._at = self._number = self._asked_for = 0
        self.settings = ASSUMED
        self.recorded = self.base = self.wanted = wanted_of(ASSUMED)
        self.knobs: dict[str, Knob] = {}
        self.requests = 0
        self.today: ReplayReport | None = None
        self.predicted: ReplayReport | None = None
        self.swept = "device_bytes"
        self.points: list[Point | None] = []
        self.progress: tuple[int, int] | None = None
        self.seconds = 0.0
        self.sentence = ""
        self._make_knobs()

    def show(self, tape: Tape | None, disk_bytes: int = SOME_DISK) -> None:
        """Start with another tape; its process is started lazily."""
        self.close()
        self._tape, self._at, self.requests = tape, 0, 0
        header = None if tape is None else tape.header
        self.settings = ASSUMED if header is None else header.settings
        self.recorded = self.base = self.wanted = wanted_of(self.settings, disk_bytes)
        self.today = self.predicted = None
        self.points, self.sentence = [], ""
        self._make_knobs()

    def follow(self, budget_s: float) -> bool:
        """Read the tape for at most this long; returns whether its end is reached."""
        tape = self._tape
        if tape is None:
            return True
        if not self._predictor.alive:
            # A new process needs the whole tape.
            self._predictor.close()
            self._predictor.begin(self.settings)
            self._at = self.requests = self._asked_for = 0
        ends = time.perf_counter() + budget_s
        while self._at < len(tape) and time.perf_counter() < ends:
            last = min(self._at + _STRIDE, len(tape))
            self._feed(tape, last)
        return self._at >= len(tape)

    def set(self, name: str, value: Any) -> None:
        """Set the value of a slider."""
        self.wanted = replace(self.wanted, **{name: value})
        self._settle()

    def fill(self, what_if: WhatIf) -> None:
        """Apply a suggestion to the current settings."""
        self.wanted = self.base.filled(what_if)
        # A suggestion may lie between the positions of a slider.
        self._make_knobs()
        self._settle()

    def reset(self) -> None:
        """Reset all sliders to the current settings."""
        self.wanted = self.base
        self._settle()

    def sweep(self, name: str) -> None:
        """Show the curve of another slider."""
        self.swept, self.points = name, []

    @property
    def changes(self) -> dict[str, Any]:
        """What the sliders change, by name."""
        return self.wanted.differing(self.base)

    @property
    def stale(self) -> bool:
        """Whether requests were recorded since the last prediction was requested."""
        return self.requests != self._asked_for

    def ask(self) -> None:
        """Predict the wanted settings, cancelling a running job."""
        if not self.requests:
            return
        self._number += 1
        again = self.today is None or self.stale
        self._asked_for = self.requests
        first = (Case(TODAY, WhatIf()),) if again else ()
        # Unchanged sliders mean the recording as it was, including changes of settings in it.
        asked = self._what_if() if self.changes else WhatIf()
        knob = self.knobs[self.swept]
        self.points = [None] * len(knob.values)
        curve = sweep_cases(knob, self.wanted, self.recorded)
        self.progress = (0, self.requests)
        self._predictor.ask(Job(self._number, (*first, Case(WANTED, asked), *curve)))

    def take(self) -> bool:
        """Take new results; returns whether anything changed."""
        changed = False
        for answer in self._predictor.take():
            if answer.number != self._number:
                continue
            changed = True
            match answer:
                case Progress():
                    self.progress = (answer.done, answer.total)
                case Predicted():
                    self._predicted(answer)
                case JobDone():
                    self.progress = None
        if self._predictor.gone and self.progress is not None:
            self.progress = None
            self.sentence = tr(
                "The process that predicts has ended. Move a slider to start it again."
            )
            changed = True
        return changed

    @property
    def working(self) -> bool:
        """Whether a job is running."""
        return self.progress is not None

    def close(self) -> None:
        """Terminate the process; the next job starts another one."""
        self._predictor.close()
        self.progress = None

    def _settle(self) -> None:
        self.predicted, self.sentence = None, ""

    def _what_if(self) -> WhatIf:
        return self.wanted.what_if(self.recorded)

    def _make_knobs(self) -> None:
        self.knobs = {knob.name: knob for knob in knobs_for(self.base, self.settings, self.wanted)}

    def _feed(self, tape: Tape, last: int) -> None:
        lines = []
        if self._at < tape.first:
            # Earlier entries are forgotten, so the cache starts empty here.
            self._at, self.requests = tape.first, tape.requests_before(tape.first)
        while self._at < last:
            entry = tape.entry(self._at)
            traced = None
            if self.requests < len(tape.requests):
                taped = tape.requests[self.requests]
                if taped.index == self._at:
                    traced = taped.traced
                    self.requests += 1
            if isinstance(entry.what, Tuned):
                self._tuned(entry.what)
            lines.append(TraceEntry(entry, traced))
            self._at += 1
        self._predictor.feed(lines)

    def _tuned(self, change: Tuned) -> None:
        """Apply changed settings; sliders that were not moved follow."""
        before, self.base = self.base, tuned(self.base, self.settings, change)
        self.wanted = replace(self.base, **self.wanted.differing(before))
        self._make_knobs()
        self._settle()

    def _predicted(self, answer: Predicted) -> None:
        if answer.key.startswith(KEY):
            at = int(answer.key.removeprefix(KEY))
            value = self.knobs[self.swept].values[at]
            self.points[at] = point_of(value, answer.report, answer.sentence)
        elif answer.key == TODAY:
            self.today = answer.report
        else:
            self.predicted, self.sentence = answer.report, answer.sentence
            self.seconds = answer.seconds
