"""What Copy diagnostics says: enough to find an error, no text of a chat, and no user's name."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from app.core.checks.finding import Finding
from app.core.diagnostics import crash_report, diagnostics, log_tail, without_home
from app.core.launch_marker import LostLaunch
from app.core.log import Log
from app.core.preferences.book import Book
from app.core.session.model import Session
from app.core.session.records import Turn
from engine import events
from tests.app.fake_loop import MODEL

SECRET = "w79 is my secret word"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home" / "greta"
    folder.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(folder))
    return folder


def log_of(folder: Path, text: str) -> Log:
    path = folder / "biplane.log"
    path.write_text(text, encoding="utf-8")
    return Log(path)


class TestDiagnostics:
    def test_versions_machine_model_settings_and_log(self, home: Path) -> None:
        from dataclasses import replace

        session, book = Session(), Book()
        folder = str(home / "models" / "qwen")
        session.apply(events.EngineReady(model=replace(MODEL, folder=folder)))
        book.set("interval", 2048)
        log = log_of(home, f"one\nThere is a file {home}/x.\n")
        fine = Finding("memory", "Memory", "ok", "Enough is free.")
        less = Finding("driver", "Driver", "note", "It is too old.", "Renew it.")
        text = diagnostics(session, book, log, {"Display": "offscreen"}, [fine, less])
        for part in (
            "Python: ",
            "torch: ",
            "Display: offscreen",
            "Processor: ",
            "Name: Qwen3.5-0.8B (qwen3_5)",
            "Folder: ~/models/qwen",
            "Not in order\n  Driver: It is too old. Renew it.",
            "cache.interval: 2048",
            "There is a file ~/x.",
        ):
            assert part in text
        assert "greta" not in text
        assert "Enough" not in text

    def test_no_text_of_a_chat(self, home: Path) -> None:
        session = Session()
        session.current.title = session.current.system = session.current.draft = SECRET
        session.current.turns.append(Turn(1, "user", SECRET))
        session.log.add_notices((f"left out in “{SECRET}”",), 1.0)
        text = diagnostics(session, Book(), log_of(home, "x"), {})
        assert "w79" not in text

    @pytest.mark.parametrize(
        "line",
        [
            "2026-11-23 MainThread INFO app.core.log: Biplane 1 starts: Python, log level debug.",
            "2026-11-23 MainThread INFO app.core.log: The log level is debug from now on.",
            "2026-11-23 MainThread DEBUG app.x: something",
        ],
    )
    def test_a_log_that_may_hold_some_is_left_out(self, tmp_path: Path, line: str) -> None:
        said = log_tail(log_of(tmp_path, f"{line}\n{SECRET}\n"))
        assert "w79" not in said
        assert "left out" in said

    def test_only_the_end_of_a_long_log(self, tmp_path: Path) -> None:
        said = log_tail(log_of(tmp_path, "".join(f"line {n}\n" for n in range(100_000))))
        assert said.splitlines()[-1] == "line 99999"
        assert len(said.splitlines()) == 80

    def test_without_a_log_it_says_why(self, tmp_path: Path) -> None:
        assert "cannot be read" in log_tail(Log(tmp_path / "none.log"))
        assert log_tail(Log(tmp_path / "x", "The log cannot be written.")).startswith("The log")


class TestCrashReport:
    def test_the_stack_and_when(self, home: Path) -> None:
        run = LostLaunch(7, datetime(2026, 11, 23, 1, 2, 3), f'Fatal\n  File "{home}/app/x.py"')
        text = crash_report([run], log_of(home, "the end"))
        assert "Process 7, started 2026-11-23 01:02:03" in text
        assert 'File "~/app/x.py"' in text
        assert "the end" in text

    def test_one_that_was_killed_left_none(self, tmp_path: Path) -> None:
        run = LostLaunch(7, datetime(2026, 11, 23), "")
        assert "it was killed" in crash_report([run], log_of(tmp_path, ""))


class TestHome:
    def test_only_the_folder_itself(self, home: Path) -> None:
        text = f"{home}/a {home} {home}ta/b"
        assert without_home(text) == f"~/a ~ {home}ta/b"
