"""The debugger's panels against stored pictures of them, light and dark."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from app.cache.marks import diamond
from app.debugger.evictions_panel import EvictionsPanel
from app.debugger.logic.chosen import Chosen
from app.debugger.logic.source import FileSource
from app.debugger.node_panel import NodePanel
from app.debugger.panel import DebugPanel
from app.debugger.planes_panel import PlanesPanel
from app.debugger.state import DebugState
from app.debugger.what_if.panel import WhatIfPanel
from app.debugger.why import ruler
from app.debugger.why.inquiry import Inquiry
from app.debugger.why.panel import WhyPanel
from app.debugger.why.requests_panel import RequestsPanel
from app.ui import theme
from engine.journal.settings import WhatIf
from tests.app.golden import MOST, apart, as_stored, look, picture
from tests.assets.make_traces import TRACES
from tests.present import present

__all__ = ["look"]
FOLDER = Path(__file__).parent / "golden"
# A request of the trace that replayed.
REQUEST = 8
Fault = Callable[[DebugPanel, pytest.MonkeyPatch], object]


@dataclass(frozen=True)
class Case:
    """One panel.

    Attributes:
        size: of the picture.
        make: the panel, which may need what the debugger's panels share.
        ready: whether it shows everything.
        fault: takes something away that a person would miss.
    """

    size: tuple[int, int]
    make: Callable[[DebugState], DebugPanel]
    fault: Fault
    ready: Callable[[DebugPanel], bool] = lambda _: True


def colour(name: str, other: str) -> Fault:
    """One thing looks like another."""
    return lambda _, patch: patch.setitem(
        theme.current().colours, name, theme.current().colours[other]
    )


def no_diamonds(_: DebugPanel, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(ruler, "diamond", lambda middle, _wide, _high: diamond(middle, 1, 1))


def no_pin(panel: DebugPanel, _: pytest.MonkeyPatch) -> None:
    assert isinstance(panel, NodePanel)
    panel.deeds.buttons["Pin"].hide()


def no_sums(panel: DebugPanel, _: pytest.MonkeyPatch) -> None:
    assert isinstance(panel, EvictionsPanel)
    panel.lines.chips.hide()


def explained(panel: DebugPanel) -> bool:
    assert isinstance(panel, WhyPanel)
    return panel.evidence is not None and "Looking" not in panel.advice.text()


def listed(panel: DebugPanel) -> bool:
    assert isinstance(panel, EvictionsPanel)
    return len(panel.view.rows) == len(present(panel.state.source).tape.evictions)


def told(panel: DebugPanel) -> bool:
    assert isinstance(panel, NodePanel)
    return panel.history.isVisible()


def predicted(panel: DebugPanel) -> bool:
    assert isinstance(panel, WhatIfPanel)
    study = panel.study
    return study.predicted is not None and not study.working


def what_if(state: DebugState) -> DebugPanel:
    """With a slider moved, and without how long this computer took."""
    made = WhatIfPanel(state)
    made.note.hide()
    state.source_changed.connect(lambda: made.fill(WhatIf(device_bytes=24 << 20)))
    return made


def learnt(panel: DebugPanel) -> bool:
    assert isinstance(panel, RequestsPanel)
    return not panel._learn.isActive() and len(panel.table.rows) > 0


CASES = {
    "planes": Case((340, 180), PlanesPanel, colour("state_cached", "kv_cached")),
    "node": Case((340, 860), lambda s: NodePanel(s, Inquiry(s)), no_pin, told),
    "why": Case((340, 760), lambda s: WhyPanel(s, Inquiry(s)), no_diamonds, explained),
    "what-if": Case((340, 900), what_if, colour("computed", "reused"), predicted),
    "requests": Case(
        (900, 280), lambda s: RequestsPanel(s, Inquiry(s)), colour("computed", "reused"), learnt
    ),
    "evictions": Case((1000, 320), EvictionsPanel, no_sums, listed),
}


@pytest.fixture
def panel(request: pytest.FixtureRequest, look: str, qtbot: QtBot) -> DebugPanel:
    """One on the golden trace, with a node and a request chosen."""
    case = CASES[request.param]
    state = DebugState()
    made = case.make(state)
    state.setParent(made)
    qtbot.addWidget(made)
    made.resize(*case.size)
    made.show()
    made.set_on_screen(True)
    state.show_source(FileSource(TRACES / "tiers.jsonl.gz"))
    nodes = present(state.moment.snapshot).nodes
    deepest = max(nodes, key=lambda node: (node.checkpoint is not None, node.end))
    state.choose(Chosen(node=deepest.id, request=REQUEST))
    qtbot.waitUntil(lambda: case.ready(made))
    return made


@pytest.mark.parametrize("panel", CASES, indirect=True)
def test_it_looks_as_it_did_and_what_is_missing_is_noticed(
    panel: DebugPanel, look: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = FOLDER / f"{panel.name}-{look}.png"
    assert as_stored(picture(panel), stored)
    CASES[panel.name].fault(panel, monkeypatch)
    assert apart(picture(panel), QImage(str(stored))) > MOST
