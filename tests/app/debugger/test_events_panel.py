"""The event log as a panel of the desk: the lines of the window, and the node of each."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from app.debugger.events_panel import EventsPanel
from tests.app.cache.test_events import tell
from tests.app.conftest import Desk
from tests.app.samples import evicted
from tests.present import present


def test_it_shows_what_is_logged_and_chooses_its_node(desk: Desk, qtbot: QtBot) -> None:
    desk.say("word " * 600)
    desk.window.menus.debugger.trigger()
    debugger = present(desk.window.debugger.desk)
    assert debugger.show_panel("events")
    panel = debugger.panels["events"]
    assert isinstance(panel, EventsPanel)
    last = present(desk.session.cache.snapshot).nodes[-1].id
    tell(desk, evicted(1, node_now=last, start=0, end=1, cause="state pressure", plane="state"))
    desk.bridge.notify("The disk is full.")
    table = panel.view.rows
    qtbot.waitUntil(lambda: table.causes.get("state pressure") is not None)
    assert table.causes["state pressure"].count == 1
    rows = [table.row(line) for line in range(len(table))]
    gone = next(line for line, row in enumerate(rows) if row.kind != "notice")
    panel.view.selectRow(gone)
    chosen = {node.id: node for node in present(panel.state.moment.snapshot).nodes}[
        present(panel.state.chosen.node)
    ]
    assert chosen.start < 1 <= chosen.end
    assert "selected" in panel.lines.note.text()
    notice = next(line for line, row in enumerate(rows) if row.kind == "notice")
    panel.view.selectRow(notice)
    assert "no node" in panel.lines.note.text()
