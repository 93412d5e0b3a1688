"""Cache > Event log: what happened, when, and how much is not listed."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QWidget

from app.session.event_log import EventLog
from app.shell.event_log import log_lines
from tests.app.conftest import Desk
from tests.app.samples import evicted, snapshot


class TestLines:
    def test_each_line_begins_with_the_time_of_day(self) -> None:
        log = EventLog()
        at = time.mktime((2026, 11, 21, 16, 5, 12, 0, 0, -1))
        log.add_notices(["The disk is full."], at)
        shown = replace(snapshot(time=100.0), evictions=(evicted(time=97.0),))
        log.add_evictions(shown, at + 5)
        lines = log_lines(log, None)
        assert lines == [
            "16:05:12  The disk is full.",
            "16:05:14  Tokens 500 to 620 and their state left the device to make room for keys and"
            " values; no copy is left.",
        ]

    def test_what_is_not_listed_is_counted(self) -> None:
        log = EventLog()
        log.add_evictions(replace(snapshot(), evictions=(evicted(),), unlisted=12), 0.0)
        lines = log_lines(log, snapshot())
        assert "12 more evictions are not listed individually." in lines
        assert lines[-2:] == [
            "Evictions from the device since the model was opened:",
            "  kv full: 2",
        ]

    def test_an_empty_log_has_no_lines(self) -> None:
        assert log_lines(EventLog(), None) == []


def test_the_menu_opens_it_with_what_went(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []

    def dialog(parent: QWidget, lines: list[str]) -> QWidget:
        shown.extend(lines)
        return parent

    monkeypatch.setattr("app.shell.cache_menu.event_log_dialog", dialog)
    monkeypatch.setattr(desk.window, "open", lambda: None, raising=False)
    desk.say("word " * 50)
    desk.session.log.add_evictions(replace(snapshot(), evictions=(evicted(),)), time.time())
    desk.window.menus.events.trigger()
    assert any("Tokens 500 to 620 and their state left the device" in line for line in shown)
