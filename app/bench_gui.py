"""`biplane bench gui`: how smooth the window stays while the model writes, and the pane's cost.

A real window on a real engine generates answers of a fixed length with the cache pane alternately
closed and open. A timer of the GUI thread that should fire every 16 ms measures the gaps.
"""

from __future__ import annotations

import statistics
import time
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication

from app.bridge import Bridge
from app.gc_policy import GuiCollector
from app.loops import run_loop
from app.session.model import Session
from app.session.records import EnginePhase, TurnState
from app.shell.window import MainWindow
from engine.config import EngineConfig
from engine.errors import BiplaneError

TICK_MS = 16
ANSWER_TOKENS = 400
ASKED = "Tell me about the cache of this program, slowly and with every detail you know."
LOAD_TIMEOUT_S = 180.0
ANSWER_TIMEOUT_S = 120.0


@dataclass(frozen=True, slots=True)
class Gaps:
    """Gaps between two turns of the GUI thread's event loop, in milliseconds."""

    samples: int
    median_ms: float
    p95_ms: float
    p99_ms: float
    longest_ms: float


@dataclass(frozen=True, slots=True)
class GuiReport:
    """Medians over the answers; `pane_cost` is the share of tokens/s that the open pane takes."""

    model: str
    answers: int
    tokens_per_answer: int
    closed_tok_s: float
    open_tok_s: float
    pane_cost: float
    closed: Gaps
    opened: Gaps


class GapMeter(QObject):
    """Records the gaps between timer events of the GUI thread.

    Attributes:
        gaps_ms: since the last `start`.
    """

    def __init__(self) -> None:
        super().__init__()
        self.gaps_ms: list[float] = []
        self._last = 0.0
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(TICK_MS)
        self._timer.timeout.connect(self._tick)

    def start(self) -> None:
        self.gaps_ms = []
        self._last = time.perf_counter()
        self._timer.start()

    def stop(self) -> None:
        self._timer.stop()

    def _tick(self) -> None:
        now = time.perf_counter()
        self.gaps_ms.append(1e3 * (now - self._last))
        self._last = now


def bench_gui(folder: Path, config: EngineConfig, answers: int) -> GuiReport:
    """Measure `answers` answers with the pane closed and as many with it open.

    Raises BiplaneError if the model does not open or an answer does not end in time.
    """
    app = QApplication.instance() or QApplication(["biplane"])
    assert isinstance(app, QApplication)
    session = Session(given={"max_tokens": ANSWER_TOKENS, "seed": 1, "ignore_end": True})
    bridge = Bridge(session, config, run_loop)
    window = MainWindow(bridge)
    window.resize(1440, 900)
    window.show()
    collector = GuiCollector(window)
    collector.start()
    meter = GapMeter()
    try:
        bridge.open_model(folder)
        _until(app, lambda: session.engine.phase is not EnginePhase.LOADING, LOAD_TIMEOUT_S)
        if session.engine.phase is not EnginePhase.READY or session.engine.model is None:
            raise BiplaneError(session.engine.sentence or "The model did not open.")
        collector.settle()
        for shown in (False, True):
            window.show_cache(shown)
            _answer(app, window, session)
        speeds: dict[bool, list[float]] = {False: [], True: []}
        gaps: dict[bool, list[float]] = {False: [], True: []}
        for _ in range(answers):
            for shown in (False, True):
                window.show_cache(shown)
                meter.start()
                speeds[shown].append(_answer(app, window, session))
                meter.stop()
                gaps[shown] += meter.gaps_ms
        name = session.engine.model.name
    finally:
        meter.stop()
        collector.stop()
        window.hide()
        bridge.close(10.0)
        window.deleteLater()
        bridge.deleteLater()
        app.processEvents()
    closed, opened = statistics.median(speeds[False]), statistics.median(speeds[True])
    return GuiReport(
        model=name,
        answers=answers,
        tokens_per_answer=ANSWER_TOKENS,
        closed_tok_s=closed,
        open_tok_s=opened,
        pane_cost=1.0 - opened / closed,
        closed=_summed(gaps[False]),
        opened=_summed(gaps[True]),
    )


def _answer(app: QApplication, window: MainWindow, session: Session) -> float:
    """Ask in a new conversation; returns the answer's tokens per second."""
    if session.current.turns:
        window.menus.new.trigger()
    window.drafts.send(ASKED)
    _until(app, lambda: session.current.running is None, ANSWER_TIMEOUT_S)
    turn = session.current.turns[-1]
    if turn.state is not TurnState.DONE or turn.report is None:
        raise BiplaneError(turn.text or "The answer did not finish.")
    assert turn.report.decode_tok_s is not None
    return turn.report.decode_tok_s


def _until(app: QApplication, done: object, timeout_s: float) -> None:
    assert callable(done)
    ends = time.monotonic() + timeout_s
    while not done():
        if time.monotonic() > ends:
            raise BiplaneError("The engine did not respond in time.")
        app.processEvents()
        # Sleeping here rather than in Qt would hide gaps, but 1 ms is far below what is measured.
        time.sleep(0.001)


def _summed(gaps_ms: list[float]) -> Gaps:
    ordered = sorted(gaps_ms)

    def at(share: float) -> float:
        return ordered[min(int(share * len(ordered)), len(ordered) - 1)]

    return Gaps(len(ordered), at(0.5), at(0.95), at(0.99), ordered[-1])
