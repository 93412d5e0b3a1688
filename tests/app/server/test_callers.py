"""Second starts as the open window hears them, over the real socket."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from app.core.instance import CLOSING, MOST_BYTES, TAKEN, Call, Instance, address_of
from app.debugger.traces import demo_trace
from app.server.callers import CallerController
from tests.app.conftest import Desk
from tests.present import present


class Phone:
    """A window that can be called."""

    def __init__(self, desk: Desk, folder: Path) -> None:
        self.desk, self.folder = desk, folder
        self.instance = present(Instance.claim(folder))
        self.closing = False
        self.callers = CallerController(
            self.instance, desk.window, desk.window.arrivals.answer, lambda: self.closing
        )

    def ring(self, line: bytes) -> bytes:
        """The answer to a line."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as made:
            made.connect(str(address_of(self.folder)))
            made.sendall(line)
            made.setblocking(False)
            answers: list[bytes] = []

            def heard() -> bool:
                try:
                    answers.append(made.recv(64))
                except BlockingIOError:
                    return False
                return True

            self.desk.qtbot.waitUntil(heard)
            return answers[0]


@pytest.fixture
def phone(
    desk: Desk,
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Phone]:
    folder = tmp_path_factory.mktemp("run")
    folder.chmod(0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(folder))
    made = Phone(desk, tmp_path / "data")
    yield made
    made.callers.stop()
    made.instance.close()


class TestCalls:
    def test_the_window_comes_up(self, phone: Phone) -> None:
        window = phone.desk.window
        window.setWindowState(Qt.WindowState.WindowMinimized)
        assert phone.ring(Call().line()) == TAKEN
        phone.desk.qtbot.waitUntil(lambda: not window.isMinimized())
        assert window.isVisible()

    def test_it_opens_the_model_that_the_second_start_was_given(self, phone: Phone) -> None:
        assert phone.ring(Call(model="/models/other").line()) == TAKEN
        desk = phone.desk
        desk.until(lambda: desk.session.model_folder == "/models/other")

    def test_one_that_is_open_is_not_opened_again(self, phone: Phone) -> None:
        assert phone.ring(Call(model="/models/model").line()) == TAKEN
        assert len(phone.desk.loops) == 1
        assert phone.desk.looks == []

    def test_a_trace_is_shown(self, phone: Phone) -> None:
        assert phone.ring(Call(trace=str(demo_trace())).line()) == TAKEN
        window = phone.desk.window
        phone.desk.qtbot.waitUntil(lambda: bool(window.traces.name))
        window.traces.wait()

    def test_files_are_opened_by_what_they_are(self, phone: Phone) -> None:
        assert phone.ring(Call(files=(str(demo_trace()),)).line()) == TAKEN
        window = phone.desk.window
        phone.desk.qtbot.waitUntil(lambda: bool(window.traces.name))
        window.traces.wait()

    def test_a_new_conversation_is_begun(self, phone: Phone) -> None:
        desk = phone.desk
        desk.say("One")
        before = desk.session.current.id
        assert phone.ring(Call(act="new").line()) == TAKEN
        desk.until(lambda: desk.session.current.id != before)

    def test_a_program_that_ends_says_so(self, phone: Phone) -> None:
        phone.closing = True
        assert phone.ring(Call(model="/models/other").line()) == CLOSING
        assert len(phone.desk.looks) == 0

    @pytest.mark.parametrize("line", [b"no call\n", b"x" * (MOST_BYTES + 2)], ids=["words", "long"])
    def test_nonsense_is_hung_up_on(self, phone: Phone, line: bytes) -> None:
        assert phone.ring(line) == b""
        assert phone.ring(Call().line()) == TAKEN
