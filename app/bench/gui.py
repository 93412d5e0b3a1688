"""`biplane bench gui`: the window's responsiveness, each figure next to its budget.

The real window on a store on disk, with the real engine for writing answers. Every figure is the
median of several runs.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtGui import QGuiApplication

from app.bench import drawing, reading, streaming, talks, writing
from app.bench.figure import Figure, figure, processor
from app.bench.seeking import seeking_figures
from app.bench.stage import Stage, stage
from app.bench.talks import SEARCHED, add_searched
from app.core.folder_check import examine
from app.core.store.opening import open_store
from app.shell.searching import SearchController
from engine.bench.harness import Progress, milliseconds, rounds, run_process
from engine.config import EngineConfig
from engine.errors import BiplaneError, ModelError

SEARCH_MS = 50.0
# A word in every message, a rare one, two words, a prefix, no match, and punctuation.
QUERIES = ("rivers", "quokka7", "gardens machines", "mach", "zebra", "message number 42")
_ANSWER_S = 30.0


def search_figures(folder: Path, config: EngineConfig, runs: int) -> Iterator[Figure]:
    """The slowest of the queries in each run. Raises BiplaneError if there are no results."""
    store = open_store(folder).store
    try:
        add_searched(store, 1)
        found = [
            max(milliseconds(partial(store.search, query)) for query in QUERIES)
            for _ in range(runs)
        ]
    finally:
        store.close()
    over = f"{SEARCHED:,} messages, slowest of {len(QUERIES)} queries"
    yield figure("search", f"search over {over}", found, SEARCH_MS)
    with stage(folder, config) as made:
        searching = SearchController(made.window, made.bridge, made.keeper)
        try:
            shown = [
                max(_shown_ms(made, searching, query) for query in QUERIES) for _ in range(runs)
            ]
        finally:
            searching.close()
    yield figure("search_shown", f"from a key to the results, {over}", shown, SEARCH_MS)


def _shown_ms(made: Stage, searching: SearchController, query: str) -> float:
    """Time from setting the field's text until its results are painted."""
    field = made.window.chats.search
    answers: list[object] = []
    searching.answered.connect(answers.append)

    def painted() -> None:
        field.setText(query)
        made.until(lambda: bool(answers), _ANSWER_S)
        made.pump(2)

    cost = milliseconds(painted)
    searching.answered.disconnect(answers.append)
    field.clear()
    made.rest()
    return cost


START_S, COLD_S, ANSWER_S = 1.5, 2.0, 5.0
MESSAGE = "My name is Ada and my lucky number is 27."
# Linux forgets the files that it has read when root writes 3 here.
DROP = Path("/proc/sys/vm/drop_caches")
_TIMEOUT_S = 120.0


def start_figures(runs: int) -> Iterator[Figure]:
    """Startup time; an extra first start warms the disk cache. Raises BiplaneError."""
    _start_s()
    warm, answered = rounds((_start_s, lambda: _start_s(MESSAGE)), runs)
    yield figure("start", "start to usable window, warm", warm, START_S, unit="s")
    yield figure("start_answer", "start to the first whole answer", answered, ANSWER_S, unit="s")
    if os.access(DROP, os.W_OK):
        (cold,) = rounds((_cold_s,), runs)
        yield figure("start_cold", "start to usable window, cold from disk", cold, COLD_S, unit="s")


def _cold_s() -> float:
    os.sync()
    DROP.write_text("3")
    return _start_s()


def _start_s(*message: str) -> float:
    """One start, with the conversations of nobody; seconds until a key arrives in the composer.

    With a message: until its answer is whole.
    """
    probe = [sys.executable, "-m", "app.bench.start_probe", repr(time.monotonic()), *message]
    done = run_process(probe, timeout_s=_TIMEOUT_S)
    if done.code or not done.output:
        raise BiplaneError(f"The window did not start: {done.error[-300:]}")
    return float(done.output.split()[-1])


PARTS = ("start", "search", "read", "stream", "draw", "seek", "write")


@dataclass(frozen=True, slots=True)
class GuiAsk:
    """What to measure.

    Attributes:
        answers: number of answers in each run, with the cache pane closed and open.
        runs: per figure.
        parts: some of PARTS.
    """

    answers: int = 2
    runs: int = 3
    parts: tuple[str, ...] = PARTS


@dataclass(frozen=True, slots=True)
class GuiReport:
    """Attributes:
    processor: its name, cores, and whether it has AMX.
    load: the load average over the last minute; before and after.
    display: the platform the window was drawn on, such as "offscreen" or "xcb".
    """

    processor: str
    load: tuple[float, float]
    display: str
    model: str
    runs: int
    figures: tuple[Figure, ...]


def bench_gui(folder: Path, config: EngineConfig, ask: GuiAsk, progress: Progress) -> GuiReport:
    """Measure.

    Raises:
        ModelError: the folder holds no usable model.
        BiplaneError: the model does not open, or an answer does not end in time.
    """
    if problem := examine(folder, config, 0).problem:
        # Checked early: the first figures take minutes, and the model is opened last.
        raise ModelError(problem)
    made: list[Figure] = []
    before = _load()
    if "start" in ask.parts:
        progress("starting the window in fresh processes")
        made.extend(start_figures(ask.runs))
    if "search" in ask.parts:
        progress(f"searching {talks.SEARCHED:,} messages")
        with tempfile.TemporaryDirectory() as place:
            made += search_figures(Path(place), config, ask.runs)
    if "read" in ask.parts or "stream" in ask.parts:
        made += _in_long_conversations(config, ask, progress)
    if "draw" in ask.parts:
        made += drawing.drawing_figures(ask.runs, progress)
    if "seek" in ask.parts:
        with tempfile.TemporaryDirectory() as place:
            made += seeking_figures(Path(place), progress)
    model = ""
    if "write" in ask.parts:
        job, runs = writing.Job(folder, config, ask.answers), []
        for number in range(ask.runs):
            progress(f"loading, reading and writing, run {number + 1} of {ask.runs}")
            runs.append(writing.writing_run(job))
        model = runs[0].model
        made += writing.figures(runs)
    shown = QGuiApplication.platformName() if QGuiApplication.instance() is not None else ""
    display = shown or os.environ.get("QT_QPA_PLATFORM", "the system's own")
    return GuiReport(processor(), (before, _load()), display, model, ask.runs, tuple(made))


def _load() -> float:
    return round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else 0.0


def _in_long_conversations(config: EngineConfig, ask: GuiAsk, progress: Progress) -> list[Figure]:
    made: list[Figure] = []
    with tempfile.TemporaryDirectory() as place:
        store = open_store(Path(place)).store
        few = talks.add_many(store, 1)
        talks.add_few(store, few)
        store.close()
        shapes = (
            reading.Shape("many", f"{talks.TOKENS:,} tokens in {talks.MANY_TURNS} messages", 1),
            reading.Shape("few", f"{talks.TOKENS:,} tokens in one message of several", few),
        )
        with stage(Path(place), config) as window:
            for number in range(ask.runs if "read" in ask.parts else 0):
                for shape in shapes:
                    progress(f"opening and scrolling {shape.what}, run {number + 1} of {ask.runs}")
                    reading.read(window, shape)
            for shape in shapes if "read" in ask.parts else ():
                made += reading.figures(shape)
            if "stream" in ask.parts:
                progress("streaming into a short and a long conversation")
                short = [streaming.flush_costs(window, None) for _ in range(ask.runs)]
                long = [streaming.flush_costs(window, 1) for _ in range(ask.runs)]
                made += streaming.figures(short, long)
    return made
