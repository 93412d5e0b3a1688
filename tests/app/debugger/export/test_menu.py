"""The Export button: pictures of every panel, tables and traces, as files that can be used."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.debugger.compare_panel import ComparePanel
from app.debugger.export.menu import ExportButton
from app.debugger.logic.source import FileSource
from app.debugger.timeline.panel import TimelinePanel
from engine.journal.tape import read_tape
from tests.app.debugger.conftest import Debugger
from tests.assets.make_traces import TRACES
from tests.present import present


@pytest.fixture
def export(debugger: Debugger, qtbot: QtBot) -> ExportButton:
    timeline = debugger.show(TimelinePanel, FileSource(TRACES / "small.jsonl.gz"))
    qtbot.waitUntil(lambda: present(timeline.series).entries > 800)
    QApplication.processEvents()
    found = debugger.desk.findChild(ExportButton)
    assert isinstance(found, ExportButton)
    return found


def saved(export: ExportButton, path: Path) -> str:
    export.behind.wait()
    QApplication.processEvents()
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("ending", ["png", "svg"])
def test_a_picture_of_every_panel(
    debugger: Debugger, export: ExportButton, tmp_path: Path, ending: str
) -> None:
    for name, panel in debugger.desk.panels.items():
        path = tmp_path / f"{name}.{ending}"
        export.save_picture(panel, path)
        if ending == "png":
            image = QImage(str(path))
            assert not image.isNull(), name
            assert image.width() == 2 * export.picture(panel).size.width()
        else:
            assert ET.parse(path).getroot().tag.endswith("svg"), name


def test_the_timeline_as_svg_is_drawn_not_photographed(
    debugger: Debugger, export: ExportButton, tmp_path: Path
) -> None:
    path = tmp_path / "timeline.svg"
    export.save_picture(debugger.panel(TimelinePanel), path)
    root = ET.parse(path).getroot()
    tags = [one.tag.rpartition("}")[2] for one in root.iter()]
    assert tags.count("image") == 0
    assert tags.count("rect") + tags.count("path") > 200
    texts = " ".join(one.text or "" for one in root.iter() if one.tag.endswith("text"))
    # Also what has to be scrolled to on screen.
    for wanted in (
        "Tokens per second",
        "Timeline of small.jsonl.gz",
        "Requests",
        "policy coverage",
        "replayed",
    ):
        assert wanted in texts
    assert (
        "Entry 813 of 813" in texts or f"of {len(read_tape(TRACES / 'small.jsonl.gz')):,}" in texts
    )


def test_tables_and_the_timeline_for_other_programs(export: ExportButton, tmp_path: Path) -> None:
    requests, gone, events = (tmp_path / name for name in ("r.csv", "e.csv", "t.json"))
    export.save_requests(requests)
    export.save_evictions(gone)
    export.save_events(events)
    assert len(saved(export, requests).splitlines()) == 15
    assert saved(export, gone).startswith("entry,time_s,tier")
    assert json.loads(saved(export, events))["displayTimeUnit"] == "ms"


def test_the_comparison(
    debugger: Debugger, export: ExportButton, qtbot: QtBot, tmp_path: Path
) -> None:
    compare = debugger.panel(ComparePanel)
    compare.compare(TRACES / "roomy.jsonl.gz")
    compare.behind.wait()
    qtbot.waitUntil(lambda: compare.other is not None)
    path = tmp_path / "c.csv"
    export.save_comparison(path)
    assert len(saved(export, path).splitlines()) == 15


def test_the_trace_without_text(
    debugger: Debugger, export: ExportButton, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "saved.jsonl"
    with qtbot.waitSignal(debugger.state.notice) as said:
        export.save_trace(path, text=False)
    assert "saved to saved.jsonl" in said.args[0]
    assert present(read_tape(path).header).hashed


def test_what_cannot_be_written_is_said(
    debugger: Debugger, export: ExportButton, qtbot: QtBot, tmp_path: Path
) -> None:
    with qtbot.waitSignal(debugger.state.notice) as said:
        export.save_requests(tmp_path / "none" / "r.csv")
    assert "cannot be written" in said.args[0]
    with qtbot.waitSignal(debugger.state.notice) as said:
        export.save_picture(debugger.panel(TimelinePanel), tmp_path / "none" / "t.png")
    assert "cannot be written" in said.args[0]
