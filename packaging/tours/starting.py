"""Before a model is open: the first start, a trace to look at, and what can go wrong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from app.core.session.records import EnginePhase, EngineState
from app.core.words.format import moment
from app.core.words.joining import in_turn
from app.core.words.tr import tr
from app.debugger.logic.chosen import Chosen
from app.shell.problems import Problem
from tours.guide import Guide, Picture

NAME = "Qwen3.5-4B"
NO_ROOM = tr(
    "{name} needs {weights} of memory, but only {free_bytes} is available: close other programs, "
    "or choose fewer bits in File > Weights and experts."
).format(name=NAME, weights="7.84 GiB", free_bytes="5.12 GiB")
_BEFORE = "Qwen3.5-2B"
_PROBLEMS = (
    Problem(
        "import",
        tr("A file was not imported"),
        tr("{name} cannot be imported: {error}").format(
            name="conversations.json",
            error=tr("it is not an export of Biplane, ChatGPT or Open WebUI."),
        ),
        (("import", tr("Choose another file…")),),
    ),
    Problem(
        "crash",
        tr("Biplane ended unexpectedly"),
        in_turn(
            tr("The last run of Biplane {how} (started {started}); {where}").format(
                how=tr("crashed"),
                started=moment(datetime(2026, 11, 23, 9, 41)),
                where=tr("Help > Show log has the details."),
            ),
            tr("There is a report of it on this computer; nothing is sent anywhere."),
        ),
        (("report", tr("Show report")), ("log", tr("Show log"))),
    ),
)


def without_a_model(guide: Guide) -> Iterator[Picture]:
    """The first start, the debugger then, and a trace in it."""
    window = guide.window
    yield Picture("chat-no-model", window)
    window.debugger.show(True)
    yield Picture("debugger-no-model", window)
    window.traces.open_demo()
    guide.until(lambda: bool(window.traces.name))
    yield Picture("demo-trace", window)
    window.debugger.show_panel("why")
    guide.choose(Chosen(request=9))
    yield Picture("demo-trace-why", window)
    window.traces.close()
    window.debugger.show(False)


def troubles(guide: Guide) -> Iterator[Picture]:
    """What goes wrong, and a model on its way: states that a real run only passes through."""
    window, session = guide.window, guide.session
    before = session.engine
    session.previous = NAME
    stopped = "The engine stopped unexpectedly (RuntimeError). Reopen the model to go on."
    _show(guide, EngineState(EnginePhase.FAILED, sentence=stopped, stopped=NAME))
    yield Picture("card-stopped", window)
    session.previous = _BEFORE
    _show(guide, EngineState(EnginePhase.FAILED, sentence=NO_ROOM))
    yield Picture("card-not-opened", window)
    loading = EngineState(
        EnginePhase.LOADING, stage="loading weights", fraction=0.42, total_bytes=8 << 30
    )
    _show(guide, replace(loading, name=NAME))
    guide.stage.rest(0.6)
    yield Picture("loading", window)
    session.previous = ""
    _show(guide, before)
    for problem in _PROBLEMS:
        window.problems.report(problem)
        yield Picture(f"problem-{problem.key}", window)
    for problem in _PROBLEMS:
        window.problems.withdraw(problem.key)


def _show(guide: Guide, state: EngineState) -> None:
    guide.session.engine = state
    guide.window.refresh()
