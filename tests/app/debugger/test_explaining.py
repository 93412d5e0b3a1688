"""From the chat to the explanation of a request and back, on the real engine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.chat.answer_message import AnswerMessage
from app.core.session.last_prompt import last_prompt
from app.debugger.why.panel import WhyPanel
from engine.config import EngineConfig
from tests.app.buttons import choose
from tests.app.test_settings_real import Program
from tests.present import present

FAST = EngineConfig(cache_bytes=32 << 20, threads=1)


@pytest.fixture
def program(qtbot: QtBot, tmp_path: Path) -> Iterator[Program]:
    made = Program(qtbot, tmp_path, FAST)
    yield made
    made.close()


def answers(program: Program) -> list[AnswerMessage]:
    widgets = program.window.chat.view.widgets.values()
    return [widget for widget in widgets if isinstance(widget, AnswerMessage)]


def why_of(program: Program) -> WhyPanel:
    program.until(lambda: program.window.debugger.desk is not None)
    panel = present(program.window.debugger.desk).panels["why"]
    assert isinstance(panel, WhyPanel)
    return panel


def test_an_answer_leads_to_its_own_request_and_back(program: Program, qtbot: QtBot) -> None:
    program.ask("My name is Ada.")
    program.ask("What is my name?")
    first = answers(program)[0]
    choose(first, "Why? Explain these figures")
    panel = why_of(program)
    program.until(lambda: panel.evidence is not None and panel.isVisible())
    evidence = present(panel.evidence)
    assert evidence.request.ran.request == first.turn.request
    assert program.session.current.title in panel.request.text()
    # The texts of the live tape are known, and it has what a replay needs.
    program.until(lambda: "Looking" not in panel.advice.text())
    assert panel.advice.text().startswith("Nothing to change")
    qtbot.mouseClick(panel.message, Qt.MouseButton.LeftButton)
    program.until(lambda: first.isVisible())
    assert not program.window.debugger.on_screen


def test_a_straight_chat_is_called_normal_in_the_window(program: Program, qtbot: QtBot) -> None:
    program.ask("My name is Ada.")
    program.ask("What is my name?")
    choose(answers(program)[-1], "Why? Explain these figures")
    panel = why_of(program)
    program.until(lambda: "This is normal" in panel.sentence.text())
    assert "<think>" in panel.sides.cached.accessibleDescription()


def test_the_last_prompt_is_that_of_the_chat_on_screen(program: Program) -> None:
    pane = program.window.cache
    pane.show_figures(["prompt"])
    program.ask("My name is Ada.")
    first = present(last_prompt(program.session))
    assert pane.match.whose.text() == f"Prompt of “{program.session.current.title}”"
    program.window.menus.new.trigger()
    assert last_prompt(program.session) is None
    assert pane.match.whose.text() == ""
    assert "No request in this conversation" in pane.match.reason.text()
    assert not pane.match.why.isVisible()
    program.ask("Another chat altogether, about walks.")
    second = present(last_prompt(program.session))
    assert second.request != first.request
    assert pane.match.whose.text() == f"Prompt of “{program.session.current.title}”"
    older = next(c for c in program.session.conversations if c.title == first.title)
    program.bridge.perform(program.session.select(older.id))
    assert present(last_prompt(program.session)) == first
    assert pane.match.whose.text() == f"Prompt of “{first.title}”"
    assert pane.match.counts["computed"].text() == f"{first.plan.computed:,}"
