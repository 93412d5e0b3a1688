"""The debugger's desk with all of its panels, and no window around it."""

from __future__ import annotations

from typing import TypeVar

import pytest
from pytestqt.qtbot import QtBot

from app.debugger.desk import Desk
from app.debugger.logic.source import FileSource, Source
from app.debugger.panel import DebugPanel
from app.debugger.panels import furnish
from app.debugger.state import DebugState
from engine.journal.tape import Tape
from tests.app.dressed import dressed_once

Panel = TypeVar("Panel", bound=DebugPanel)


class OfTape(FileSource):
    """A recording that was read already."""

    def __init__(self, tape: Tape) -> None:
        self.name, self.tape = "recorded", tape


class Debugger:
    """A desk on a source; at first on an empty recording.

    Attributes:
        state: shared by its panels.
    """

    def __init__(self, qtbot: QtBot) -> None:
        self.state = DebugState()
        with dressed_once():
            self.desk = Desk(self.state)
            self.state.setParent(self.desk)
            furnish(self.desk, self.state)
        qtbot.addWidget(self.desk)
        self.desk.resize(1366, 768)
        self.state.show_source(OfTape(Tape()))
        self.desk.show()

    def show(self, kind: type[Panel], source: Source | None = None) -> Panel:
        """Look at a source, and bring a panel to the front."""
        if source is not None:
            self.state.show_source(source)
        assert self.desk.show_panel(kind.name)
        return self.panel(kind)

    def panel(self, kind: type[Panel]) -> Panel:
        found = self.desk.panels[kind.name]
        assert isinstance(found, kind)
        return found


@pytest.fixture
def debugger(qtbot: QtBot) -> Debugger:
    return Debugger(qtbot)
