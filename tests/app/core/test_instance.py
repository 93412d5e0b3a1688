"""One window at a time: who has it, who calls it, and what a crash leaves behind."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from app.core.instance import CLOSING, TAKEN, Call, Instance, address_of, claim_or_call, read_call
from tests.present import present


@pytest.fixture(autouse=True)
def runtime(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path_factory.mktemp("run")
    folder.chmod(0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(folder))


class Window(threading.Thread):
    """Answers calls as an open window does."""

    def __init__(self, folder: Path, *answers: bytes) -> None:
        super().__init__()
        self.instance = present(Instance.claim(folder))
        self.answers, self.heard = answers, list[bytes]()

    def run(self) -> None:
        listener = present(self.instance.listener)
        listener.setblocking(True)
        for answer in self.answers:
            with listener.accept()[0] as connection:
                self.heard.append(connection.recv(1 << 16))
                connection.sendall(answer)
            if answer == CLOSING:
                self.instance.close()


class TestCalling:
    def test_the_first_one_has_it_and_the_second_one_calls(self, tmp_path: Path) -> None:
        window = Window(tmp_path, TAKEN)
        window.start()
        call = Call(model="/models/a", files=("/tmp/ä b.gguf",), act="new", token="abc")
        assert claim_or_call(tmp_path, call) == ""
        window.join()
        assert read_call(window.heard[0]) == call
        window.instance.close()

    def test_another_folder_has_another_window(self, tmp_path: Path) -> None:
        first = present(Instance.claim(tmp_path / "a"))
        second = present(Instance.claim(tmp_path / "b"))
        assert first.listener is not None
        assert second.listener is not None
        first.close()
        second.close()

    def test_one_that_closes_is_followed(self, tmp_path: Path) -> None:
        window = Window(tmp_path, CLOSING)
        window.start()
        found = claim_or_call(tmp_path, Call())
        assert isinstance(found, Instance)
        window.join()
        found.close()

    def test_one_that_hangs_is_named_with_a_way_out(self, tmp_path: Path) -> None:
        hanging = present(Instance.claim(tmp_path))
        said = claim_or_call(tmp_path, Call(), answer_s=0.3)
        assert isinstance(said, str)
        assert "--new-instance" in said
        hanging.close()

    def test_nothing_is_left_behind(self, tmp_path: Path) -> None:
        found = present(Instance.claim(tmp_path))
        assert address_of(tmp_path).exists()
        found.close()
        found.close()
        assert not address_of(tmp_path).exists()


class TestAfterACrash:
    def test_the_socket_of_a_killed_window_is_replaced(self, tmp_path: Path) -> None:
        code = (
            "import sys, time; from pathlib import Path; from app.core.instance import Instance; "
            "one = Instance.claim(Path(sys.argv[1])); print('up', flush=True); time.sleep(60)"
        )
        with subprocess.Popen(
            [sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE, text=True
        ) as killed:
            assert present(killed.stdout).readline() == "up\n"
            assert Instance.claim(tmp_path) is None
            killed.send_signal(signal.SIGKILL)
            killed.wait()
        assert address_of(tmp_path).exists()
        found = claim_or_call(tmp_path, Call(), answer_s=1.0)
        assert isinstance(found, Instance)
        assert found.listener is not None
        found.close()


class TestDistrust:
    @pytest.mark.parametrize(
        "line",
        [
            b"",
            b"[]",
            b"3",
            b'{"model": 3}',
            b'{"model": "relative/folder"}',
            b'{"trace": "/a\\u0000b"}',
            b'{"files": "/a"}',
            b'{"files": ["relative"]}',
            b'{"files": [3]}',
            b'{"files": ["/a\\u0000b"]}',
            b'{"act": "delete_all"}',
            b'{"act": []}',
            b"\xff\xfe",
            b"[" * 5000,
        ],
    )
    def test_what_is_no_call_is_none(self, line: bytes) -> None:
        assert read_call(line) is None

    def test_a_folder_that_others_can_write_to_is_not_used(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        shared = tmp_path / "shared"
        shared.mkdir()
        shared.chmod(0o777)
        monkeypatch.setenv("XDG_RUNTIME_DIR", str(shared))
        monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))
        found = present(Instance.claim(tmp_path / "data"))
        assert list(shared.iterdir()) == []
        mine = tmp_path / f"biplane-{os.getuid()}"
        assert mine.stat().st_mode & 0o077 == 0
        found.close()

    def test_a_long_way_to_the_conversations_is_no_problem(self, tmp_path: Path) -> None:
        folder = tmp_path / ("long" * 40) / ("way" * 40)
        found = present(Instance.claim(folder))
        assert found.listener is not None
        found.close()

    def test_without_sockets_there_is_still_a_window(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def refuse(*_: object) -> None:
            raise OSError("no sockets here")

        monkeypatch.setattr(socket.socket, "bind", refuse)
        found = present(Instance.claim(tmp_path))
        assert found.listener is None
        found.close()
