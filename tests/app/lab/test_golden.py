"""The tabs of the memory lab against stored pictures of them, light and dark."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.core.session.lab import LabAnswers
from app.lab.logic.arithmetic import Pools
from app.lab.memories_tab import MemoriesTab
from app.lab.memory_tab import MemoryTab
from app.lab.phases_tab import PhasesTab
from app.lab.recall_tab import RecallTab
from app.ui import theme
from tests.app.fake_loop import MODEL
from tests.app.golden import MOST, apart, as_stored, look, picture
from tests.app.lab.readings import memory, recall
from tests.app.lab.test_phases_tab import RUNS

__all__ = ["look"]
FOLDER = Path(__file__).parent / "golden"


def memory_tab() -> QWidget:
    made = MemoryTab()
    made.show_model(MODEL)
    made.show_conversation(900)
    made.show_pools(Pools(1200, 7))
    return made


def memories_tab() -> QWidget:
    made = MemoriesTab()
    made.show_shape(MODEL.cache_shape)
    made.show_answers(LabAnswers(memory=memory()))
    return made


def phases_tab() -> QWidget:
    made = PhasesTab()
    made.show_runs(RUNS, len(RUNS))
    return made


def recall_tab() -> QWidget:
    made = RecallTab()
    made.show_answers(LabAnswers(recall=recall()))
    return made


@dataclass(frozen=True)
class Case:
    """One tab: its picture's size, and a colour that a fault puts in place of another."""

    size: tuple[int, int]
    make: Callable[[], QWidget]
    colours: tuple[str, str]


CASES = {
    "memory": Case((1000, 640), memory_tab, ("state_cached", "kv_cached")),
    "memories": Case((1000, 640), memories_tab, ("state_cached", "panel")),
    "phases": Case((1000, 640), phases_tab, ("computed", "replayed")),
    "recall": Case((1000, 800), recall_tab, ("accent", "panel")),
}


@pytest.fixture
def tab(request: pytest.FixtureRequest, look: str, qtbot: QtBot) -> tuple[str, QWidget]:
    case = CASES[request.param]
    made = case.make()
    qtbot.addWidget(made)
    made.resize(*case.size)
    made.show()
    return request.param, made


@pytest.mark.parametrize("tab", CASES, indirect=True)
def test_it_looks_as_it_did_and_what_is_missing_is_noticed(
    tab: tuple[str, QWidget], look: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, widget = tab
    stored = FOLDER / f"{name}-{look}.png"
    assert as_stored(picture(widget), stored)
    colours = theme.current().colours
    gone, other = CASES[name].colours
    monkeypatch.setitem(colours, gone, colours[other])
    assert apart(picture(widget), QImage(str(stored))) > MOST
