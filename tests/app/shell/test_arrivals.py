"""Files that the window is given, dropped on it or by a start: each opened where it belongs."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QUrl
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.core.session.records import EnginePhase
from app.debugger.traces import demo_trace
from app.shell import options
from tests.app.chat.test_files import drop, names
from tests.app.conftest import Desk, MakeDesk
from tests.app.shell.test_exchange import exchange
from tests.app.test_restart import Program


@pytest.fixture
def gguf(tmp_path: Path) -> Path:
    path = tmp_path / "größe 1.gguf"
    path.write_bytes(b"GGUF\x03\0\0\0")
    return path


def dropped(*paths: Path) -> QMimeData:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return data


class TestOpening:
    def test_a_model_by_its_file(self, desk: Desk, gguf: Path) -> None:
        desk.window.arrivals.open([gguf])
        desk.until(lambda: desk.session.model_folder == str(gguf))

    def test_one_that_is_open_is_not_opened_again(self, desk: Desk, gguf: Path) -> None:
        for _ in range(2):
            desk.window.arrivals.open([gguf])
            desk.until(lambda: desk.session.model_folder == str(gguf))
            desk.until(lambda: desk.session.engine.phase is EnginePhase.READY)
        desk.window.arrivals.wait()
        desk.settle()
        assert len(desk.loops) == 2

    def test_a_second_model_and_a_stray_file_are_told_of(
        self, desk: Desk, gguf: Path, tmp_path: Path
    ) -> None:
        other, notes = tmp_path / "other.gguf", tmp_path / "notes.txt"
        other.write_bytes(b"GGUF")
        notes.write_text("hello")
        desk.window.arrivals.open([gguf, other, notes])
        desk.until(lambda: "given" in desk.window.problems.cards)
        problem = desk.window.problems.cards["given"].problem
        assert problem.title == "Not everything could be opened"
        assert "other.gguf was left out" in problem.cause
        assert "notes.txt is nothing that Biplane opens" in problem.cause
        desk.until(lambda: desk.session.model_folder == str(gguf))

    def test_nothing_of_it_can_be_opened(self, desk: Desk, tmp_path: Path) -> None:
        desk.window.arrivals.open([tmp_path])
        desk.until(lambda: "given" in desk.window.problems.cards)
        problem = desk.window.problems.cards["given"].problem
        assert problem.title == "That could not be opened"
        # The next one that can be opened takes it away.
        desk.window.arrivals.open([demo_trace()])
        assert "given" not in desk.window.problems.cards
        desk.until(lambda: bool(desk.window.traces.name))
        desk.window.traces.wait()


class TestDropping:
    def test_a_trace_on_the_chat_is_shown(self, desk: Desk) -> None:
        assert drop(desk.window.chat, dropped(demo_trace()))
        desk.until(lambda: bool(desk.window.traces.name))
        desk.window.traces.wait()
        assert names(desk) == []

    def test_a_json_text_on_the_chat_is_attached(self, desk: Desk, tmp_path: Path) -> None:
        first, second = tmp_path / "a.json", tmp_path / "b.txt"
        first.write_text('{"a": 1}')
        second.write_text("b")
        assert drop(desk.window.chat, dropped(first, second))
        desk.until(lambda: names(desk) == ["a.json", "b.txt"])
        assert not desk.window.problems.cards

    def test_a_model_and_a_text_on_the_chat(self, desk: Desk, gguf: Path, tmp_path: Path) -> None:
        text = tmp_path / "b.txt"
        text.write_text("b")
        assert drop(desk.window.chat, dropped(gguf, text))
        desk.until(lambda: desk.session.model_folder == str(gguf))
        desk.until(lambda: names(desk) == ["b.txt"])

    def test_a_model_elsewhere_on_the_window(self, desk: Desk, gguf: Path) -> None:
        assert drop(desk.window, dropped(gguf))
        desk.until(lambda: desk.session.model_folder == str(gguf))


class TestExports:
    def test_one_that_is_opened_is_imported_and_shown(self, qtbot: QtBot, tmp_path: Path) -> None:
        path = tmp_path / "chats.biplane.json"
        first = Program()
        seen: list[list[str]] = []
        first.use(
            first.say("One"),
            lambda: exchange(first).export(path),
            lambda: first.window.menus.new.trigger(),
            first.say("Two"),
            lambda: first.window.arrivals.open([path]),
            lambda: first.window.arrivals.wait(),
            lambda: QApplication.processEvents(),
            lambda: exchange(first).wait(),
            lambda: None,
            lambda: seen.append(first.texts),
        )
        assert seen == [["One", "You said **One**."]]


class TestOptions:
    def test_a_trace_opens_no_model(self) -> None:
        made = options.parse([str(demo_trace())])
        assert (made.files, made.model) == ((demo_trace(),), None)
        assert options.parse([str(demo_trace()), "--model", "/m"]).model == Path("/m")

    def test_a_model_is_the_one_to_open(self, gguf: Path) -> None:
        made = options.parse([gguf.as_uri(), "--theme", "dark"])
        assert (made.files, made.model, made.model_named) == ((gguf,), gguf, True)
        # Wherever the options stand.
        assert options.parse(["--theme", "dark", str(gguf)]).files == (gguf,)

    def test_what_is_none_of_these_is_the_windows_to_say(self, tmp_path: Path) -> None:
        (tmp_path / "notes.txt").touch()
        made = options.parse([str(tmp_path / "notes.txt")])
        assert made.model is not None
        assert made.model.name == "demo_model"
        assert not made.model_named

    @pytest.mark.parametrize("word", ["chatt", "https://example.org/a.gguf", "/none/a.gguf"])
    def test_a_mistyped_word_is_a_sentence(
        self, word: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        with pytest.raises(SystemExit):
            options.parse([word])
        told = capsys.readouterr().err
        assert "There is no file" in told or "is not on this computer" in told
        assert len(told.splitlines()) == 1

    def test_only_one_beginning(self) -> None:
        assert options.parse(["--new-chat"]).act == "new"
        with pytest.raises(SystemExit):
            options.parse(["--new-chat", "--open-trace"])


def test_an_open_trace_dialog_comes_at_the_start(
    make_desk: MakeDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = make_desk()
    asked: list[bool] = []
    monkeypatch.setattr("app.debugger.traces.ask_which", lambda *_: asked.append(True))
    desk.window.arrivals.act("open_trace")
    desk.until(lambda: asked == [True])
