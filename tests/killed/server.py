"""Starts programs that are to be killed; each is forked from here, with every import done.

`python -m tests.killed.server` reads `FOLDER SEED ENGINE` lines, where ENGINE is `paced` or
`real`, and answers each with a process id.
"""

from __future__ import annotations

import os
import random
import signal
import sys
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

import engine.loop
from app.cache import timeline
from app.chat.logic import highlight
from app.core.loops import Loop, run_loop
from app.core.session.records import EnginePhase
from app.core.store.connection import NAME
from app.core.store.opening import data_folder
from app.shell import run
from app.shell.main import start
from app.shell.options import parse
from app.shell.window import MainWindow
from engine.config import EngineConfig
from engine.message import Message
from tests.app.fake_loop import PacedLoop
from tests.app.toy_tree import ToyCache
from tests.driven import questions
from tests.killed.report import Report
from tests.killed.user import User

# What the program imports once its window is there.
assert engine.loop
assert run
assert timeline
highlight.warm_up()

# Far faster than a model, so that much happens in little time.
_RATE = 600


def main() -> None:
    # Nobody waits for the killed.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for line in sys.stdin:
        folder, seed, kind = line.split()
        child = os.fork()
        if not child:
            live(Path(folder), int(seed), kind)
            os._exit(1)
        print(child, flush=True)


def live(folder: Path, seed: int, kind: str) -> None:
    """Be the program until somebody ends it."""
    os.environ |= {"QT_QPA_PLATFORM": "offscreen", "HOME": str(folder)}
    for what in ("CONFIG", "DATA", "STATE", "CACHE"):
        os.environ[f"XDG_{what}_HOME"] = str(folder / what.lower())
    app = QApplication([])
    waiting = QTimer(app)
    kept: list[object] = []

    def look() -> None:
        windows = [top for top in app.topLevelWidgets() if isinstance(top, MainWindow)]
        if not windows or windows[0]._session.engine.phase is not EnginePhase.READY:
            return
        waiting.stop()
        bridge = windows[0]._bridge
        report = Report(folder / "report", bridge, data_folder() / NAME)
        tell_start(windows[0], report)
        kept[:] = [report, User(windows[0], report, seed)]

    waiting.timeout.connect(look)
    waiting.start(1)
    rng = random.Random(seed)

    def paced(model: Path, config: EngineConfig) -> Loop:
        return PacedLoop(
            model,
            config,
            rate=_RATE,
            answer=lambda messages: answer(rng, messages),
            # Its evictions are no part of this.
            cache=ToyCache(state_slots=1000),
        )

    options = parse([] if kind == "real" else ["--model", "/models/a"])
    start(options, run_loop if kind == "real" else paced)


def tell_start(window: MainWindow, report: Report) -> None:
    """What the user finds: the conversations, the one on screen, its draft and its messages."""
    session = window._session
    report.tell(
        "start",
        [one.id for one in session.conversations],
        session.current.id,
        questions.texts("Message"),
        "\n".join(questions.shown()),
    )
    report.look()


def answer(rng: random.Random, messages: tuple[Message, ...]) -> tuple[str, str]:
    """Some short, some too long to be finished in a round."""
    words = rng.choice((5, 20, 200, 400))
    text = f"{len(messages)} messages: " + "".join(f"w{n} " for n in range(words))
    return "thought " * rng.choice((0, 10)), text.strip()


if __name__ == "__main__":
    main()
