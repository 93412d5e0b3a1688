"""Two traces of one workload side by side: the table, the sums, and both on one axis."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.debugger.compare_panel import ComparePanel
from app.debugger.logic.chosen import Chosen
from app.debugger.logic.comparing import FIGURES, SHEET, compared, judged, sum_sentence, sums
from app.debugger.logic.source import FileSource
from app.debugger.timeline.panel import TimelinePanel
from tests.app.debugger.conftest import Debugger
from tests.app.debugger.timeline.conftest import golden
from tests.assets.make_traces import TRACES
from tests.present import present

SMALL, ROOMY = golden("small").requests, golden("roomy").requests


class TestComparing:
    def test_each_request_beside_its_number(self) -> None:
        rows = compared(SMALL, ROOMY)
        assert len(rows) == 14
        for row, a, b in zip(rows, SMALL, ROOMY, strict=True):
            assert row.a[1:4] == (a.ran.reused, a.ran.replayed, a.ran.computed)
            assert row.b[1:4] == (b.ran.reused, b.ran.replayed, b.ran.computed)
            assert row.change(1) == b.ran.reused - a.ran.reused
            assert row.same_prompt

    def test_the_sums_are_those_of_the_columns(self) -> None:
        found = {line.name: line for line in sums(compared(SMALL, ROOMY))}
        assert found["Reused"].a == sum(taped.ran.reused for taped in SMALL)
        assert found["Reused"].b == sum(taped.ran.reused for taped in ROOMY)
        times = [present(taped.ran.first_token_s) for taped in SMALL]
        assert found["First token"].a == pytest.approx(sum(times) / len(times))
        # With twice the memory more is reused: that is what the traces were made for.
        assert found["Reused"].b > found["Reused"].a
        assert "reused 1," in sum_sentence(compared(SMALL, ROOMY))

    def test_a_request_that_one_of_them_lacks(self) -> None:
        rows = compared(SMALL[:3], ROOMY[:5])
        assert [row.a[0] is None for row in rows] == [False] * 3 + [True] * 2
        assert rows[4].change(1) is None
        assert SHEET.line(4, rows[4]).cells[2] == "–"
        assert sums(rows)[0].b == sum(len(taped.ran.prompt) for taped in ROOMY[:3])
        assert "no request in common" in sum_sentence(compared(SMALL, []))

    def test_more_reused_is_better_and_more_computed_is_worse(self) -> None:
        rows = compared(SMALL, ROOMY)
        row = next(one for one in rows if (one.change(1) or 0) > 0 > (one.change(3) or 0))
        reused, computed = FIGURES.index("Reused"), FIGURES.index("New")
        assert (judged(row, reused), judged(row, computed)) == (1, 1)
        at = SHEET.titles.index("Reused B − A")
        tones = [present(SHEET.columns[one].tone)(row) for one in (at - 1, at)]
        assert tones == ["text", "good"]
        back = compared(ROOMY, SMALL)[row.number]
        assert judged(back, reused) == -1
        assert present(SHEET.columns[at].tone)(back) == "danger"
        assert len(SHEET.line(0, row).cells) == 2 + 3 * len(FIGURES)


@pytest.fixture
def panel(debugger: Debugger) -> ComparePanel:
    return debugger.show(ComparePanel, FileSource(TRACES / "small.jsonl.gz"))


class TestPanel:
    def opened(self, panel: ComparePanel, qtbot: QtBot, name: str = "roomy.jsonl.gz") -> None:
        panel.compare(TRACES / name)
        panel.behind.wait()
        qtbot.waitUntil(lambda: panel.other is not None)
        QApplication.processEvents()

    def test_a_second_trace_appears_in_the_table_and_on_the_timeline(
        self, panel: ComparePanel, qtbot: QtBot
    ) -> None:
        self.opened(panel, qtbot)
        assert len(panel.table.rows) == 14
        assert "14 requests" in panel.summary.text()
        assert "device 10.0 MiB" in panel.settings.text()
        timeline = panel._timeline
        qtbot.waitUntil(lambda: len(timeline.view.scene.stacks) == 2)
        first, second = timeline.view.scene.stacks
        assert second.tracks[0].top > first.tracks[-1].bottom
        assert (first.name, second.name) == ("A  small.jsonl.gz", "B  roomy.jsonl.gz")
        panel.close_button.click()
        qtbot.waitUntil(lambda: len(timeline.view.scene.stacks) == 1)
        assert len(panel.table.rows) == 0

    def test_requests_stand_under_one_another_when_aligned_by_request(
        self, panel: ComparePanel, qtbot: QtBot
    ) -> None:
        self.opened(panel, qtbot)
        timeline = panel._timeline
        assert isinstance(timeline, TimelinePanel)
        qtbot.waitUntil(lambda: len(timeline.view.scene.stacks) == 2)
        timeline.alignment.setCurrentIndex(1)
        first, second = timeline.view.scene.stacks
        mine = first.clock.place(first.series.requests.began)
        theirs = second.clock.place(second.series.requests.began)
        assert mine == pytest.approx(theirs, abs=1e-6)
        timeline.alignment.setCurrentIndex(2)
        headers = [present(golden(name).header) for name in ("small", "roomy")]
        apart = headers[1].started - headers[0].started
        assert second.extent[0] - first.extent[0] == pytest.approx(apart, abs=1.0)

    def test_a_line_chooses_its_request_and_follows_the_choice(
        self, panel: ComparePanel, qtbot: QtBot
    ) -> None:
        self.opened(panel, qtbot)
        panel.table.selectRow(5)
        assert panel.state.chosen.request == 5
        panel.state.choose(Chosen(request=9))
        assert panel.table.currentIndex().row() == 9
        panel.table.sortByColumn(3, Qt.SortOrder.DescendingOrder)
        prompts = [row.subject.b[0] for row in panel.table.rows.shown]
        assert prompts == sorted(prompts, key=lambda n: -(n or 0))

    def test_a_file_that_is_no_trace_is_refused_in_a_sentence(
        self, panel: ComparePanel, qtbot: QtBot, tmp_path: object
    ) -> None:
        with qtbot.waitSignal(panel.state.notice) as said:
            panel.compare(TRACES.parent / "make_traces.py")
        assert "make_traces.py" in said.args[0]
        assert panel.other is None
        assert panel.empty.isVisible()
