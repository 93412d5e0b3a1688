"""The evidence on screen, and what its buttons do; the history of requests beside it."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.debugger.logic.chosen import Chosen
from app.debugger.state import DebugState
from app.debugger.why.logic.request_rows import SHEET
from app.debugger.why.panel import WhyPanel
from app.debugger.why.requests_panel import RequestsPanel
from engine.analysis.why.cause import Cause
from engine.journal.settings import WhatIf
from engine.journal.tape import Tape
from tests.app.conftest import Desk
from tests.app.debugger.conftest import Debugger, OfTape
from tests.engine.analysis.why.puzzles import PUZZLES, investigated
from tests.present import present


def puzzle_tape(cause: Cause, folder: Path) -> Tape:
    return investigated(next(p for p in PUZZLES if p.cause is cause), folder).tape


@pytest.fixture
def why(debugger: Debugger) -> WhyPanel:
    return debugger.show(WhyPanel)


@pytest.fixture
def requests(debugger: Debugger, why: WhyPanel) -> RequestsPanel:
    return debugger.show(RequestsPanel)


def show(panel: WhyPanel, qtbot: QtBot, tape: Tape) -> None:
    panel.state.show_source(OfTape(tape))
    last = len(tape.requests) - 1
    qtbot.waitUntil(lambda: panel.evidence is not None and panel.evidence.request.number == last)


def advised(panel: WhyPanel, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: "Looking" not in panel.advice.text())


class TestEvidence:
    def test_before_any_request_it_says_what_will_be_here(self, why: WhyPanel) -> None:
        assert "No request yet" in why.sentence.text()
        assert not why.ruler.isVisible()
        assert not why.what_if.isVisible()

    def test_the_latest_request_is_explained_first(
        self, why: WhyPanel, qtbot: QtBot, tmp_path: Path
    ) -> None:
        show(why, qtbot, puzzle_tape(Cause.BUDGET_TOO_SMALL, tmp_path))
        assert "too small for both chats" in why.sentence.text()
        assert "reused 0 · replayed 0 · new 800 of 800" in why.parts.text()
        assert why.request.text().startswith("Request 6 ")
        assert why.first_token.text() == "822 ms"
        assert why.times.figures["prefill"].text() == "800 ms"

    def test_its_advice_opens_the_what_if_panel_filled_in(
        self, why: WhyPanel, qtbot: QtBot, tmp_path: Path
    ) -> None:
        show(why, qtbot, puzzle_tape(Cause.INTERVAL_TOO_WIDE, tmp_path))
        advised(why, qtbot)
        assert "every 2,048 tokens instead of 4,096" in why.advice.text()
        assert "tokens instead of 2,600" in why.effect.text()
        with qtbot.waitSignal(why.state.what_if_wanted) as wanted:
            qtbot.mouseClick(why.what_if, Qt.MouseButton.LeftButton)
        assert wanted.args == [WhatIf(interval=2048)]

    def test_where_nothing_helps_there_is_no_button(
        self, why: WhyPanel, qtbot: QtBot, tmp_path: Path
    ) -> None:
        show(why, qtbot, puzzle_tape(Cause.MESSAGE_EDITED, tmp_path))
        advised(why, qtbot)
        assert why.advice.text().startswith("Nothing to change")
        assert not why.what_if.isVisible()
        assert not why.effect.isVisible()

    def test_a_straight_chat_is_called_normal(
        self, why: WhyPanel, qtbot: QtBot, tmp_path: Path
    ) -> None:
        show(why, qtbot, puzzle_tape(Cause.THINKING_DROPPED, tmp_path))
        assert why.sentence.text().startswith("This is normal")

    def test_another_request_is_a_key_away(
        self, why: WhyPanel, qtbot: QtBot, tmp_path: Path
    ) -> None:
        show(why, qtbot, puzzle_tape(Cause.BUDGET_TOO_SMALL, tmp_path))
        before = why._before
        before.setFocus()
        qtbot.keyClick(before, Qt.Key.Key_Space)
        assert why.state.chosen.request == 4
        assert why.request.text().startswith("Request 5 ")
        why.state.choose(Chosen(request=0))
        assert "Nothing of this prompt had been seen before" in why.sentence.text()
        assert not before.isEnabled()


class TestTexts:
    def test_both_stand_side_by_side_and_what_differs_is_marked(
        self, why: WhyPanel, qtbot: QtBot, tmp_path: Path
    ) -> None:
        show(why, qtbot, puzzle_tape(Cause.MESSAGE_EDITED, tmp_path))
        assert why.sides.cached.isVisible()
        cached = why.sides.cached.accessibleDescription()
        prompt = why.sides.prompt.accessibleDescription()
        # Brackets, for who sees no colour and no underline.
        assert "[ Ada]" in cached
        assert "[ Eve]" in prompt
        assert cached.replace("[ Ada]", "")[:80] == prompt.replace("[ Eve]", "")[:80]

    def test_without_texts_in_the_trace_it_says_so(
        self, why: WhyPanel, qtbot: QtBot, tmp_path: Path
    ) -> None:
        show(why, qtbot, puzzle_tape(Cause.INTERVAL_TOO_WIDE, tmp_path))
        assert not why.sides.cached.isVisible()
        assert "positions, but no texts" in why.sides.note.text()
        assert "2,500" in why.sides.note.text()


class TestLeadingOn:
    def test_the_eviction_is_a_moment_and_an_entry(
        self, why: WhyPanel, qtbot: QtBot, tmp_path: Path
    ) -> None:
        tape = puzzle_tape(Cause.BUDGET_TOO_SMALL, tmp_path)
        show(why, qtbot, tape)
        state = why.state
        qtbot.mouseClick(why.eviction, Qt.MouseButton.LeftButton)
        index = present(present(why.evidence).obstacle).index
        assert (state.chosen.entry, state.moment.index) == (index, index)
        assert state.chosen.request == len(tape.requests) - 1
        assert not state.moment.follows

    def test_the_fork_is_a_node_on_the_prompts_path(
        self, why: WhyPanel, qtbot: QtBot, tmp_path: Path
    ) -> None:
        show(why, qtbot, puzzle_tape(Cause.INTERVAL_TOO_WIDE, tmp_path))
        qtbot.mouseClick(why.in_tree, Qt.MouseButton.LeftButton)
        state = why.state
        nodes = {node.id: node for node in present(state.moment.snapshot).nodes}
        assert nodes[present(state.chosen.node)].end == 2500

    def test_a_recording_has_no_messages_to_go_to(
        self, why: WhyPanel, qtbot: QtBot, tmp_path: Path
    ) -> None:
        show(why, qtbot, puzzle_tape(Cause.MESSAGE_EDITED, tmp_path))
        assert not why.message.isVisible()


def column(panel: RequestsPanel, title: str) -> list[str]:
    at = SHEET.titles.index(title)
    return [row.cells[at] for row in panel.table.rows.shown]


def rows(panel: RequestsPanel, state: DebugState, qtbot: QtBot, tape: Tape) -> None:
    state.show_source(OfTape(tape))
    qtbot.waitUntil(lambda: len(panel.table.rows) == len(tape.requests))
    qtbot.waitUntil(lambda: "…" not in column(panel, "Why"))


class TestHistory:
    def test_newest_first_with_cause_and_figures(
        self, requests: RequestsPanel, qtbot: QtBot, tmp_path: Path
    ) -> None:
        rows(requests, requests.state, qtbot, puzzle_tape(Cause.BUDGET_TOO_SMALL, tmp_path))
        assert column(requests, "Request") == ["6", "5", "4", "3", "2", "1"]
        assert column(requests, "Why") == ["budget too small"] * 4 + ["first sight"] * 2
        assert column(requests, "Tokens")[0] == "800"
        assert column(requests, "First token")[0] == "0.82 s"
        assert requests.count.text() == "6 requests"

    def test_choosing_a_row_chooses_the_request_everywhere(
        self, requests: RequestsPanel, why: WhyPanel, qtbot: QtBot, tmp_path: Path
    ) -> None:
        rows(requests, requests.state, qtbot, puzzle_tape(Cause.BUDGET_TOO_SMALL, tmp_path))
        requests.table.setFocus()
        requests.table.setCurrentIndex(requests.table.shown.index(1, 0))
        qtbot.keyClick(requests.table, Qt.Key.Key_Down)
        assert requests.state.chosen.request == 3
        assert why.request.text().startswith("Request 4 ")
        requests.state.choose(Chosen(request=1))
        assert requests.table.currentIndex().row() == 4

    def test_only_one_conversation(
        self, requests: RequestsPanel, qtbot: QtBot, tmp_path: Path
    ) -> None:
        rows(requests, requests.state, qtbot, puzzle_tape(Cause.BUDGET_TOO_SMALL, tmp_path))
        requests.state.choose(Chosen(request=2))
        qtbot.mouseClick(requests.this, Qt.MouseButton.LeftButton)
        assert column(requests, "Request") == ["5", "3", "1"]
        assert requests.count.text() == "3 of 6 requests"
        assert requests.which.currentText() == "Conversation 1"
        requests.which.setFocus()
        qtbot.keyClick(requests.which, Qt.Key.Key_Home)
        requests.which.activated.emit(0)
        assert len(requests.table.rows) == 6
        assert not requests.this.isChecked()

    def test_a_filter_by_cause_explains_those_out_of_sight(
        self, requests: RequestsPanel, qtbot: QtBot, tmp_path: Path
    ) -> None:
        requests.table.setMaximumHeight(90)
        requests.filter.setText('cause:"first sight" tokens:>100')
        requests.state.show_source(OfTape(puzzle_tape(Cause.BUDGET_TOO_SMALL, tmp_path)))
        qtbot.waitUntil(lambda: column(requests, "Request") == ["2", "1"])
        assert requests.count.text() == "2 of 6 requests"
        requests.filter.setText("-cause:sight lost:>0 chat:2")
        assert column(requests, "Request") == ["6", "4"]
        requests.filter.setText("-cause:sight chat:two chat:")
        assert column(requests, "Request") == []
        requests.filter.clear()
        assert len(requests.table.rows) == 6

    def test_the_filter_narrows_one_conversation_too(
        self, requests: RequestsPanel, qtbot: QtBot, tmp_path: Path
    ) -> None:
        rows(requests, requests.state, qtbot, puzzle_tape(Cause.BUDGET_TOO_SMALL, tmp_path))
        requests.state.choose(Chosen(request=2))
        requests.this.click()
        requests.filter.setText("request:>1 >500ms")
        assert column(requests, "Request") == ["5", "3"]
        requests.filter.setText("request:>x")
        assert requests.filter.error.isVisible()
        assert column(requests, "Request") == ["5", "3"]
        qtbot.keyClick(requests.filter, Qt.Key.Key_Return)
        assert requests.table.hasFocus()

    def test_an_empty_one_says_what_it_is_for(self, requests: RequestsPanel, qtbot: QtBot) -> None:
        assert "No request yet" in requests.count.text()

    def test_it_follows_the_engine(self, desk: Desk) -> None:
        assert desk.window.debugger.show_panel("requests")
        requests = present(desk.window.debugger.desk).panels["requests"]
        assert isinstance(requests, RequestsPanel)
        assert len(requests.table.rows) == len(desk.session.cache.tape.requests)
