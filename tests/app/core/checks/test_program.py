"""The self-test of an installed program: what is broken is found, and the rest goes on."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.cli import check as command
from app.cli.main import main
from app.core.checks import program, stored_logits
from app.core.checks.finding import Finding
from app.core.checks.program import program_findings
from app.core.options.shared import demo_model_dir
from engine import Engine, EngineConfig
from engine.net.server import Server
from kernels import selftest
from kernels.selftest import KernelCheck

PICTURE = "Path(sys.argv[sys.argv.index('--screenshot') + 1]).write_bytes({0})"


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    config = EngineConfig(device="cpu", cache_bytes=32 << 20, threads=1)
    with Engine.open(demo_model_dir(), config) as opened:
        yield opened


def window(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    """What runs in place of the program's window."""
    code = "\n".join(("import sys", "from pathlib import Path", *lines))
    monkeypatch.setattr(program, "own_command", lambda *given: [sys.executable, "-c", code, *given])


def quiet(_: str) -> None:
    """Nobody reads the progress."""


@pytest.mark.slow
def test_the_whole_program_passes_here() -> None:
    said: list[str] = []
    found = list(program_findings(demo_model_dir(), said.append))
    assert [(one.id, one.level) for one in found] == [
        (id, "ok") for id in ("kernels", "model", "logits", "audit", "server", "window")
    ]
    assert len(said) == len(found)
    assert all(one.seconds is not None for one in found)


def test_a_model_that_is_gone_is_one_finding_of_several(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window(monkeypatch, "print('Qt: no such plugin', file=sys.stderr)", "sys.exit(3)")
    found = {one.id: one for one in program_findings(tmp_path / "none", quiet)}
    assert {id: one.level for id, one in found.items()} == {
        "kernels": "ok",
        "model": "problem",
        "window": "problem",
    }
    assert "no such plugin" in found["window"].sentence
    assert found["window"].fix


class TestParts:
    def test_a_kernel_that_is_off(self, monkeypatch: pytest.MonkeyPatch) -> None:
        checked = (KernelCheck("norm", 0.001, 0.02), KernelCheck("attention", 0.5, 0.02))
        monkeypatch.setattr(selftest, "check_kernels", lambda: checked)
        found = program._done("kernels", "Kernels", program._kernels)
        assert found.level == "problem"
        assert "attention is off by 0.5" in found.sentence
        assert "BIPLANE_KERNELS=torch" in found.sentence

    def test_other_logits(self, engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
        assert program.compare_logits(engine)
        monkeypatch.setattr(stored_logits, "BOUND", 0.0)
        found = program._done("logits", "Answers", lambda: program.compare_logits(engine))
        assert (found.level, "Logits differ by" in found.sentence) == ("problem", True)

    def test_a_stored_file_that_is_gone(
        self, engine: Engine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.setattr(stored_logits, "stored_file", lambda: tmp_path / "none")
        found = program._done("logits", "Answers", lambda: program.compare_logits(engine))
        assert found.sentence == "The stored logits cannot be read."

    def test_a_server_that_answers(self, engine: Engine) -> None:
        assert program._server(engine) == "The server answers."

    def test_a_server_that_does_not(self, engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
        # Nothing is attached, so it refuses with a sentence of its own.
        monkeypatch.setattr(Server, "attach", lambda *_: None)
        found = program._done("server", "Server", lambda: program._server(engine))
        assert "The server answers with status 503" in found.sentence

    @pytest.mark.parametrize(
        ("lines", "says"),
        [
            (["pass"], "itself failed (FileNotFoundError)"),
            ([PICTURE.format("b'x' * 20000")], "showed nothing"),
            ([PICTURE.format(r"b'\x89PNG\r\n\x1a\n'")], "showed nothing"),
            (["sys.exit(1)"], "could not open: 1"),
        ],
    )
    def test_a_window_that_shows_nothing(
        self, monkeypatch: pytest.MonkeyPatch, lines: list[str], says: str
    ) -> None:
        window(monkeypatch, *lines)
        found = program._done("window", "Window", program._window)
        assert found.level == "problem"
        assert says in found.sentence

    def test_a_window_that_does_not_end(self, monkeypatch: pytest.MonkeyPatch) -> None:
        window(monkeypatch, "import time", "time.sleep(600)")
        monkeypatch.setattr(program, "_WINDOW_S", 0.3)
        found = program._done("window", "Window", program._window)
        assert found.sentence == "The window did not open in time."

    def test_a_picture_is_one(self, monkeypatch: pytest.MonkeyPatch) -> None:
        window(monkeypatch, PICTURE.format(r"b'\x89PNG\r\n\x1a\n' + b'x' * 20000"))
        assert program._window() == "A window opens, asks and shows the answer."


class TestCommand:
    @pytest.mark.parametrize(("level", "code"), [("ok", 0), ("note", 0), ("problem", 1)])
    def test_its_exit_code_is_that_of_the_gravest(
        self,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
        level: str,
        code: int,
    ) -> None:
        made = Finding("disk", "Disk", level, "It is.", "Do.")  # type: ignore[arg-type]
        monkeypatch.setattr("app.shell.findings.quick_findings", lambda: [made])
        assert main(["check"]) == code
        assert "Disk: It is. Do." in capsys.readouterr().out
        assert main(["check", "--json"]) == code
        told = json.loads(capsys.readouterr().out)
        assert told["level"] == level
        assert told["findings"][0] == {
            **{"id": "disk", "title": "Disk", "level": level, "sentence": "It is."},
            **{"fix": "Do.", "seconds": None},
        }

    def test_all_of_it_comes_after_the_quick_ones(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        bad = Finding("kernels", "Kernels", "problem", "Off.", "", 0.5)
        monkeypatch.setattr("app.shell.findings.quick_findings", list)
        monkeypatch.setattr(program, "program_findings", lambda *_: iter([bad]))
        assert main(["check", "--all"]) == 1
        assert capsys.readouterr().out == "PROBLEM  Kernels: Off. (0.5 s)\n"
        assert command._MARKS.keys() == {"ok", "note", "problem"}
