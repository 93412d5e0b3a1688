"""The evictions panel on a recorded day: its lines, sums, filter, and what choosing one chooses."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from app.debugger.evictions_panel import SHEET, EvictionsPanel
from app.debugger.logic.chosen import Chosen
from app.debugger.logic.source import FileSource
from engine.analysis.ledger import KnownEviction
from tests.app.debugger.conftest import Debugger
from tests.app.debugger.recorded_day import save_day
from tests.engine.analysis.test_ledger import Day
from tests.present import present


@pytest.fixture(scope="module")
def trace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a day on small caches, with many evictions."""
    return save_day(Day(4), tmp_path_factory.mktemp("trace") / "day.jsonl")


@pytest.fixture
def panel(debugger: Debugger, qtbot: QtBot, trace: Path) -> EvictionsPanel:
    made = debugger.show(EvictionsPanel, FileSource(trace))
    total = len(present(debugger.state.source).tape.evictions)
    qtbot.waitUntil(lambda: len(made.view.rows) == total)
    return made


def shown(panel: EvictionsPanel, title: str) -> list[str]:
    model = panel.view.shown
    return [
        str(model.index(line, SHEET.titles.index(title)).data()) for line in range(model.rowCount())
    ]


def regretted(panel: EvictionsPanel) -> int:
    return present(panel.view.rows.kinds.get("regretted")).count


class TestPanel:
    def test_where_it_is_low_the_lines_come_first(self, panel: EvictionsPanel) -> None:
        causes = panel.lines.chips._causes
        panel.lines.resize(700, 300)
        assert all(not chip.isHidden() for chip in causes.values())
        pressed = next(iter(causes))
        causes[pressed].setChecked(True)
        panel.lines.resize(700, 190)
        assert [name for name, chip in causes.items() if not chip.isHidden()] == [pressed]

    def test_it_lists_all_with_their_sums(self, panel: EvictionsPanel) -> None:
        ledger = present(panel.ledger)
        assert panel.sums.text().startswith(f"{len(ledger.evictions):,} evictions · ")
        causes = [known.evicted.cause for known in ledger.evictions]
        assert shown(panel, "Cause") == causes[::-1]
        sums = panel.view.rows.causes
        assert {cause: total.count for cause, total in sums.items()} == {
            cause: causes.count(cause) for cause in set(causes)
        }
        freed = sum(known.bytes for known in ledger.evictions)
        assert sum(total.freed for total in sums.values()) == freed

    def test_regretted_is_what_was_needed_within_so_many_requests(
        self, panel: EvictionsPanel, qtbot: QtBot
    ) -> None:
        needs = list(present(panel.ledger).needs.values())
        for within in (1, 3, 1000):
            panel.within.setFocus()
            panel.within.selectAll()
            qtbot.keyClicks(panel.within, str(within))
            qtbot.keyClick(panel.within, Qt.Key.Key_Return)
            assert regretted(panel) == sum(need.after <= within for need in needs)
        assert regretted(panel) == len(needs) > 0

    def test_a_line_leads_to_the_request_that_missed_it(
        self, panel: EvictionsPanel, qtbot: QtBot
    ) -> None:
        ledger = present(panel.ledger)
        number, need = next(iter(ledger.needs.items()))
        panel.view.setFocus()
        panel.view.show_number(number + 1)
        asked: list[str] = []
        panel.state.panel_wanted.connect(asked.append)
        qtbot.mouseClick(panel.missed, Qt.MouseButton.LeftButton)
        assert panel.state.chosen == Chosen(request=need.request)
        assert asked == ["why"]
        panel.lines.filter.setText("-again:>0")
        panel.view.selectRow(0)
        assert not panel.missed.isEnabled()

    def test_choosing_a_line_chooses_entry_and_node_everywhere(
        self, panel: EvictionsPanel, qtbot: QtBot
    ) -> None:
        state, line = panel.state, shown(panel, "Needed again").index("no")
        panel.view.setFocus()
        panel.view.selectRow(line)
        known = present(panel.view.current).subject.known
        assert isinstance(known, KnownEviction)
        assert state.chosen.entry == known.index
        assert "left the device" in panel.lines.note.text()
        qtbot.keyClick(panel.view, Qt.Key.Key_Return)
        assert state.moment.index == known.index
        assert not state.moment.follows
        nodes = {node.id: node for node in present(state.moment.snapshot).nodes}
        chosen = nodes[present(state.chosen.node)]
        assert chosen.start <= known.evicted.start < known.evicted.end <= chosen.end

    def test_an_entry_chosen_elsewhere_is_shown(self, panel: EvictionsPanel) -> None:
        known = present(panel.ledger).evictions[3]
        panel.state.choose(Chosen(entry=known.index))
        assert present(panel.view.current).subject.known is known
        panel.state.choose(Chosen(entry=0))
        assert present(panel.view.current).subject.known is known

    def test_filter_and_order(self, panel: EvictionsPanel, qtbot: QtBot) -> None:
        qtbot.keyClicks(panel.lines.filter, "chain")
        assert set(shown(panel, "Cause")) == {"tombstone chain"}
        panel.lines.filter.clear()
        panel.view.sort_by(SHEET.titles.index("Needed again"))
        tokens = [int(cell.split()[-2]) for cell in shown(panel, "Needed again") if cell != "no"]
        assert tokens == sorted(tokens)
        assert tokens

    def test_lines_as_csv(self, panel: EvictionsPanel) -> None:
        assert panel.view.copy_csv() == len(panel.view.rows)
        rows = list(csv.reader(io.StringIO(QGuiApplication.clipboard().text())))
        assert rows[0] == list(SHEET.titles)
        assert [row[SHEET.titles.index("Cause")] for row in rows[1:]] == shown(panel, "Cause")

    def test_another_source_forgets_the_first(
        self, panel: EvictionsPanel, trace: Path, qtbot: QtBot
    ) -> None:
        before = len(panel.view.rows)
        panel.state.show_source(FileSource(trace))
        assert not len(panel.view.rows)
        qtbot.waitUntil(lambda: len(panel.view.rows) == before)
