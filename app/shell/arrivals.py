"""Opens what the program is given: at its start, by another start, or dropped on the window."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QObject, QTimer, Signal
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QWidget

from app.chat.attaching import AttachController
from app.core.bridge import Bridge
from app.core.given import Given, GivenError, may_be_known, recognise
from app.core.instance import Act, Call
from app.core.session.records import EnginePhase
from app.core.words.joining import in_turn
from app.core.words.tr import tr
from app.debugger.traces import TraceController
from app.shell.problems import Problem, Problems
from app.ui.export.behind import Behind
from app.ui.menus.menus import Menus

_PROBLEM = "given"


@dataclass(frozen=True, slots=True)
class _Looked:
    """What was given, what it is, and a sentence for each that cannot be opened."""

    known: tuple[Given, ...]
    others: tuple[Path, ...]
    problems: tuple[str, ...]


class Arrivals(QObject):
    """Looks at files in the background, and opens each where it belongs.

    Signals:
        exported: files of conversations, to import and show.
    """

    exported = Signal(object)

    def __init__(
        self,
        bridge: Bridge,
        window: QWidget,
        menus: Menus,
        traces: TraceController,
        attaching: AttachController,
        problems: Problems,
    ) -> None:
        """window: takes dropped files, wherever no part of it has a use of its own for them."""
        super().__init__(window)
        self._bridge, self._menus, self._traces = bridge, menus, traces
        self._attaching, self._problems = attaching, problems
        self._behind = Behind(self, bridge.notify)
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def open(self, paths: Iterable[Path]) -> None:
        """Open files and folders, and say of each other one why not."""
        given = tuple(paths)
        if given:
            self._problems.withdraw(_PROBLEM)
            self._behind.run(partial(_look, given), self._take)

    def drop_on_chat(self, paths: Sequence[Path]) -> None:
        """Open what surely is for the program itself, and attach the rest to the message."""
        asked = [path for path in paths if may_be_known(path)]
        conversation = self._bridge.session.current.id
        if not asked:
            self._attaching.add(paths)
            return

        def divide(found: object) -> None:
            assert isinstance(found, _Looked)
            sure = tuple(one for one in found.known if one.sure)
            unsure = {one.path for one in found.known if not one.sure} | {*found.others}
            taken = set(asked) - unsure
            self._take(_Looked(sure, (), ()))
            rest = [path for path in paths if path not in taken]
            if rest:
                self._attaching.add(rest, conversation)

        self._behind.run(partial(_look, tuple(asked)), divide)

    def answer(self, call: Call) -> None:
        """Open what another start was given."""
        if call.model:
            self._open_model(Path(call.model))
        if call.trace:
            self._traces.open(Path(call.trace))
        self.open(map(Path, call.files))
        self.act(call.act)

    def act(self, act: Act) -> None:
        """Begin with a command, once the window is shown: some ask the user."""
        if act:
            QTimer.singleShot(0, self, self._menus.actions[act].trigger)

    def wait(self) -> None:
        """Wait until no file is being looked at."""
        self._behind.wait()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QDropEvent) and (paths := local_files(event.mimeData())):
            event.acceptProposedAction()
            if event.type() is QEvent.Type.Drop:
                self.open(paths)
            return True
        return super().eventFilter(watched, event)

    def _take(self, found: object) -> None:
        assert isinstance(found, _Looked)
        models, traces, exports = (
            [one.path for one in found.known if one.kind == kind]
            for kind in ("model", "trace", "conversations")
        )
        problems = list(found.problems)
        if models:
            self._open_model(models[0])
        if traces:
            self._traces.open(traces[0])
        if exports:
            self.exported.emit(exports)
        problems += [_only_one(path) for path in (*models[1:], *traces[1:])]
        if problems:
            sentence = in_turn(*problems)
            title = tr("Not everything could be opened")
            if not found.known:
                title = tr("That could not be opened")
            self._problems.report(Problem(_PROBLEM, title, sentence))
            self._bridge.notify(sentence)

    def _open_model(self, path: Path) -> None:
        phase = self._bridge.session.engine.phase
        usable = phase in (EnginePhase.READY, EnginePhase.LOADING)
        if not (usable and self._bridge.folder == path):
            # The conversation on screen may use another model.
            self._bridge.open_model(path, follow=False)


def local_files(data: QMimeData) -> list[Path]:
    """The files of this computer that are dragged."""
    return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]


def _look(paths: Sequence[Path]) -> _Looked:
    known: list[Given] = []
    others: list[Path] = []
    problems: list[str] = []
    for path in paths:
        try:
            known.append(recognise(path))
        except GivenError as error:
            others.append(path)
            problems.append(str(error))
    return _Looked(tuple(known), tuple(others), tuple(problems))


def _only_one(path: Path) -> str:
    return tr("{name} was left out: one model and one trace can be open at a time.").format(
        name=path.name
    )
