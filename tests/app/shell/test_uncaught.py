"""Errors that nobody caught reach the log and the user, from wherever they come."""

from __future__ import annotations

import gc
import logging
import sys
import threading
from collections.abc import Iterator

import pytest
from PySide6.QtCore import qInstallMessageHandler, qWarning
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.shell.run import QtMessages, harmless
from app.shell.uncaught import Uncaught


@pytest.fixture
def told(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    # pytest's own hooks would make a failure of each planted error.
    monkeypatch.setattr(sys, "excepthook", lambda *args: None)
    monkeypatch.setattr(threading, "excepthook", lambda args: None)
    monkeypatch.setattr(sys, "unraisablehook", lambda args: None)
    before = sys.excepthook
    uncaught = Uncaught()
    heard: list[str] = []
    uncaught.reported.connect(heard.append)
    uncaught.install()
    yield heard
    uncaught.remove()
    uncaught.deleteLater()
    assert sys.excepthook is before


def plant() -> None:
    raise ValueError("planted")


def logged(caplog: pytest.LogCaptureFixture) -> list[str]:
    """The functions that the logged errors were raised in."""
    names = []
    for record in caplog.records:
        assert record.exc_info is not None
        assert record.exc_info[1] is not None
        trace = record.exc_info[1].__traceback__
        while trace is not None and trace.tb_next is not None:
            trace = trace.tb_next
        names.append("" if trace is None else trace.tb_frame.f_code.co_name)
    return names


class TestUncaught:
    def test_in_a_slot(
        self, qtbot: QtBot, told: list[str], caplog: pytest.LogCaptureFixture
    ) -> None:
        button = QPushButton()
        qtbot.addWidget(button)
        button.clicked.connect(plant)
        button.click()
        assert logged(caplog) == ["plant"]
        (sentence,) = told
        assert "ValueError" in sentence
        assert "Show log" in sentence
        assert "planted" not in sentence

    def test_in_a_thread(
        self, qtbot: QtBot, told: list[str], caplog: pytest.LogCaptureFixture
    ) -> None:
        thread = threading.Thread(target=plant)
        thread.start()
        thread.join()
        assert logged(caplog) == ["plant"]
        qtbot.waitUntil(lambda: len(told) == 1)

    def test_in_a_destructor(self, told: list[str], caplog: pytest.LogCaptureFixture) -> None:
        class Bad:
            def __del__(self) -> None:
                plant()

        Bad()
        gc.collect()
        assert logged(caplog) == ["plant"]
        assert len(told) == 1

    def test_one_that_comes_with_every_frame_is_said_once(
        self, qtbot: QtBot, told: list[str], caplog: pytest.LogCaptureFixture
    ) -> None:
        button = QPushButton()
        qtbot.addWidget(button)
        button.clicked.connect(plant)
        for _ in range(50):
            button.click()
        assert len(told) == len(caplog.records) == 1

    def test_an_interrupt_is_none(self, told: list[str], caplog: pytest.LogCaptureFixture) -> None:
        sys.excepthook(KeyboardInterrupt, KeyboardInterrupt(), None)
        assert told == []
        assert caplog.records == []


class TestQtMessages:
    def test_they_are_logged_without_what_they_were_given(
        self, qtbot: QtBot, caplog: pytest.LogCaptureFixture
    ) -> None:
        caplog.set_level(logging.INFO, "app")
        said: list[str] = []
        outer = qInstallMessageHandler(lambda kind, context, text: said.append(text))
        messages = QtMessages()
        messages.install()
        qWarning("QTextBrowser: No document for my-secret.html")
        messages.remove()
        qWarning("After: that")
        qInstallMessageHandler(outer)
        assert [r.getMessage() for r in caplog.records] == ["Qt: QTextBrowser"]
        assert len(said) == 2

    def test_what_qt_says_of_the_system_is_kept(self) -> None:
        text = "Could not find the plug-in"
        assert harmless("qt.qpa.plugin", text) == f"qt.qpa.plugin: {text}"
        assert "secret" not in harmless("default", "a secret")
