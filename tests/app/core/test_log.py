"""The log file: for the user's eyes only, shared by several instances, never in the way."""

from __future__ import annotations

import logging
import subprocess
import sys
from pathlib import Path

import pytest

from app.cli import main as cli
from app.core.log import KEPT, NAME, SharedFile, log_folder, logging_to_file
from tests.present import present

engine = logging.getLogger("engine.loop")


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def record(text: str) -> logging.LogRecord:
    return logging.LogRecord("engine", logging.INFO, "", 0, text, (), None)


class TestFile:
    def test_nobody_else_can_read_it(self, tmp_path: Path) -> None:
        with logging_to_file("info", tmp_path / "state" / "log") as log:
            engine.info("Something.")
        assert log.problem == ""
        assert (mode(log.path.parent), mode(log.path)) == (0o700, 0o600)

    def test_what_others_could_read_is_mended(self, tmp_path: Path) -> None:
        tmp_path.chmod(0o755)
        (tmp_path / NAME).touch(0o644)
        with logging_to_file("info", tmp_path):
            pass
        assert (mode(tmp_path), mode(tmp_path / NAME)) == (0o700, 0o600)

    def test_it_lies_where_the_platform_wants_it(self) -> None:
        with logging_to_file("info") as log:
            pass
        assert log.path.parent == log_folder()
        assert "biplane" in str(log_folder())

    def test_without_a_folder_the_program_runs_and_says_so(self, tmp_path: Path) -> None:
        (tmp_path / "file").touch()
        with logging_to_file("info", tmp_path / "file" / "log") as log:
            engine.error("It is lost.")
        assert "cannot be written" in log.problem

    def test_the_level(self, tmp_path: Path) -> None:
        for level, lines in (("debug", 3), ("info", 2), ("warning", 1), ("error", 0)):
            folder = tmp_path / level
            with logging_to_file(level, folder):
                engine.debug("Marked.")
                engine.info("Marked.")
                engine.warning("Marked.")
            assert (folder / NAME).read_text().count("Marked.") == lines
        assert engine.parent is not None
        before = len(engine.parent.handlers)
        with logging_to_file("info", tmp_path):
            assert len(engine.parent.handlers) == before + 1
        assert len(engine.parent.handlers) == before

    def test_it_says_what_started_and_that_it_ended(self, tmp_path: Path) -> None:
        with logging_to_file("info", tmp_path) as log:
            pass
        first, last = log.path.read_text().splitlines()
        assert f"Python {sys.version.split()[0]}" in first
        assert last.endswith("Biplane ends.")

    def test_a_lone_surrogate_can_be_written(self, tmp_path: Path) -> None:
        with logging_to_file("info", tmp_path) as log:
            engine.info("The folder %s.", "\ud800")
        assert "\\ud800" in log.path.read_text()


class TestRotation:
    def test_it_is_renamed_when_it_is_full(self, tmp_path: Path) -> None:
        file = SharedFile(tmp_path / NAME, most_bytes=200)
        for number in range(100):
            file.emit(record(f"line {number}"))
        file.close()
        found = sorted(tmp_path.iterdir())
        assert len(found) == KEPT + 1
        assert all(path.stat().st_size <= 200 and mode(path) == 0o600 for path in found)
        assert (tmp_path / NAME).read_text().endswith("line 99\n")

    def test_another_instance_goes_on_in_the_new_file(self, tmp_path: Path) -> None:
        ours, theirs = (SharedFile(tmp_path / NAME, most_bytes=100) for _ in range(2))
        theirs.emit(record("before"))
        ours.doRollover()
        theirs.emit(record("after"))
        assert (tmp_path / NAME).read_text() == "after\n"
        assert (tmp_path / f"{NAME}.1").read_text() == "before\n"
        ours.close()
        theirs.close()

    def test_what_another_instance_has_just_renamed_stays(self, tmp_path: Path) -> None:
        ours, theirs = (SharedFile(tmp_path / NAME, most_bytes=100) for _ in range(2))
        ours.emit(record("old"))
        ours.doRollover()
        ours.emit(record("new"))
        theirs.doRollover()
        theirs.emit(record("newer"))
        assert (tmp_path / NAME).read_text() == "new\nnewer\n"
        assert (tmp_path / f"{NAME}.1").read_text() == "old\n"
        ours.close()
        theirs.close()

    def test_two_processes_lose_no_line(self, tmp_path: Path) -> None:
        code = (
            "import logging, sys; from pathlib import Path; from app.core.log import SharedFile\n"
            "file = SharedFile(Path(sys.argv[1]), most_bytes=400); file.backupCount = 1000\n"
            "for n in range(300): file.emit(logging.LogRecord('x', 20, '', 0,"
            " f'{sys.argv[2]} {n}', (), None))\n"
        )
        path = tmp_path / NAME
        both = [
            subprocess.Popen([sys.executable, "-c", code, str(path), name]) for name in ("a", "b")
        ]
        assert [process.wait(60) for process in both] == [0, 0]
        lines = [line for file in tmp_path.iterdir() for line in file.read_text().splitlines()]
        assert sorted(lines) == sorted(f"{name} {n}" for name in ("a", "b") for n in range(300))
        assert len(list(tmp_path.iterdir())) > 5

    def test_a_full_disk_disturbs_nobody(
        self,
        tmp_path: Path,
        capsys: pytest.CaptureFixture[str],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        file = SharedFile(tmp_path / NAME)
        present(file.stream).close()
        file.stream = open("/dev/full", "w")  # noqa: SIM115
        monkeypatch.setattr(file, "_follow", lambda: False)
        file.emit(record("lost"))
        file.close()
        assert capsys.readouterr() == ("", "")


class TestCommandLine:
    @pytest.mark.parametrize(
        "leaf",
        [
            ["chat"],
            ["generate", "hi"],
            ["audit"],
            ["models", "inspect", "x"],
            ["bench", "turns"],
            ["trace", "show", "x"],
            ["install-desktop"],
        ],
        ids=lambda leaf: leaf[0],
    )
    def test_every_subcommand_has_the_option(self, leaf: list[str]) -> None:
        parser = cli.make_parser()
        assert parser.parse_args(leaf).log_level == "info"
        assert parser.parse_args([*leaf, "--log-level", "debug"]).log_level == "debug"

    def test_no_leaf_is_left_out(self) -> None:
        for leaf in cli.leaves(cli.make_parser()):
            assert "--log-level" in leaf.format_help(), leaf.prog

    def test_a_failure_is_logged_and_stays_one(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))

        said = " ".join(("planted", "secret"))

        def break_down(*args: object) -> None:
            raise ValueError(said)

        monkeypatch.setattr("app.cli.generate.Engine.open", break_down)
        with pytest.raises(ValueError, match="planted"):
            cli.main(["generate", "another secret"])
        written = next(tmp_path.rglob(NAME)).read_text()
        assert "in break_down" in written
        assert "ValueError" in written
        assert "secret" not in written
