"""The command line: exit codes, one sentence for what is wrong, and outputs that nobody reads."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from app.cli.main import CLOSED_PIPE, main
from app.core.options.shared import demo_model_dir

DEMO = str(demo_model_dir())
QUICK = ["--threads", "1", "--cache-mb", "8", "--max-tokens", "8", "--temperature", "0"]
# Every subcommand that opens a model, with what it needs besides.
WITH_MODEL = {
    "generate": ["generate", "hi"],
    "chat": ["chat"],
    "audit": ["audit"],
    "turns": ["bench", "turns"],
    "gui": ["bench", "gui"],
    "formats": ["bench", "formats"],
    "record": ["trace", "record", "{tmp}/trace.jsonl"],
}
Said = Callable[[], str]


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> Said:
    """The one sentence on standard error; nothing may stand on standard output."""

    def sentence() -> str:
        out, err = capsys.readouterr()
        assert out == ""
        # Benchmarks say what they do before they find out.
        lines = [line for line in err.splitlines() if not line.startswith("…")]
        assert len(lines) == 1, err
        assert lines[0].endswith(".")
        return lines[0]

    return sentence


class TestFolders:
    @pytest.mark.parametrize("command", WITH_MODEL.values(), ids=list(WITH_MODEL))
    @pytest.mark.parametrize("folder", ["missing", "empty"])
    def test_one_that_holds_no_model(
        self, command: list[str], folder: str, tmp_path: Path, said: Said
    ) -> None:
        (tmp_path / "empty").mkdir()
        told = [part.format(tmp=tmp_path) for part in command]
        assert main([*told, "--model", str(tmp_path / folder)]) == 1
        assert folder in said()

    @pytest.mark.parametrize("folder", ["missing", "empty", "a" * 300])
    def test_inspect(self, folder: str, tmp_path: Path, said: Said) -> None:
        (tmp_path / "empty").mkdir()
        assert main(["models", "inspect", str(tmp_path / folder)]) == 2
        assert folder in said()

    @pytest.mark.parametrize("what", ["replay", "show", "why"])
    @pytest.mark.parametrize("name", ["missing.jsonl", "folder", "b" * 300])
    def test_a_trace_that_is_none(self, what: str, name: str, tmp_path: Path, said: Said) -> None:
        (tmp_path / "folder").mkdir()
        assert main(["trace", what, str(tmp_path / name)]) == 1
        assert name in said()


class TestUnwritable:
    @pytest.mark.slow
    @pytest.mark.parametrize("folder", ["state", "file/state"])
    def test_a_sentence_is_told_once_with_a_log_and_without(
        self, folder: str, tmp_path: Path
    ) -> None:
        (tmp_path / "file").touch()
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "app.cli.main",
                "generate",
                "hi",
                "--model",
                str(tmp_path / "none"),
            ],
            env={**os.environ, "XDG_STATE_HOME": str(tmp_path / folder)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 1
        (line,) = done.stderr.splitlines()
        assert line.startswith("biplane: ")

    def test_a_trace(self, tmp_path: Path, said: Said) -> None:
        assert main(["trace", "record", str(tmp_path / "none" / "t.jsonl"), *QUICK]) == 1
        assert "t.jsonl cannot be written" in said()

    @pytest.mark.parametrize("more", [["--disk-mb", "8"], ["--weights", "int8"]], ids=str)
    def test_the_folder_of_the_cache(self, tmp_path: Path, said: Said, more: list[str]) -> None:
        (tmp_path / "file").touch()
        folder = str(tmp_path / "file")
        assert main(["generate", "hi", *QUICK, "--cache-dir", folder, *more]) == 2
        assert said().startswith(f"biplane: --cache-dir {folder} cannot be written: ")

    def test_the_menu(self, tmp_path: Path, said: Said, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "file").touch()
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
        assert main(["install-desktop"]) == 1
        assert "cannot be written" in said()

    def test_a_failure_that_nobody_foresaw(
        self, said: Said, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(*_: object) -> None:
            raise OSError(5, "Input/output error", "/some/file")

        monkeypatch.setattr("engine.model.inspect.inspect_model", fail)
        assert main(["models", "inspect", "x"]) == 1
        assert said() == "biplane: /some/file cannot be read or written: Input/output error."


BAD_VALUES = [
    *(
        ["generate", "hi", option, value]
        for option, value in (
            ("--mode", "x"),
            ("--device", "gpu"),
            ("--dtype", "float8"),
            ("--weights", "int2"),
            ("--experts-mb", "-1"),
            ("--interval", "100"),
            ("--interval", "x"),
            ("--policy", "x"),
            ("--cache-mb", "-1"),
            ("--cache-mb", "9" * 20),
            ("--host-mb", "-1"),
            ("--disk-mb", "1.5"),
            ("--compress", "x"),
            ("--threads", "-1"),
            ("--threads", "100000"),
            ("--max-tokens", "0"),
            ("--max-tokens", "-5"),
            ("--temperature", "nan"),
            ("--top-k", "-1"),
            ("--top-k", "2.5"),
            ("--top-p", "2"),
            ("--min-p", "-1"),
            ("--repetition-penalty", "0"),
            ("--presence-penalty", "inf"),
            ("--seed", "x"),
            ("--stop", ""),
            ("--bogus", ""),
        )
    ),
    ["generate"],
    ["trace"],
    ["bench"],
    ["models"],
    ["chat", "--top-k", "-1"],
    ["audit", "--interval", "3"],
    ["bench", "turns", "--interval", "3"],
    ["bench", "turns", "--layers", "0"],
    ["bench", "turns", "--context", "0"],
    ["bench", "gui", "--answers", "0"],
    ["bench", "formats", "--random", "2"],
    ["bench", "prefill", "--interval", "3"],
    ["trace", "record", "t.jsonl", "--top-p", "3"],
    ["trace", "replay", "t.jsonl", "--device-mb", "nan"],
    ["trace", "replay", "t.jsonl", "--kv-bytes", "0"],
    ["trace", "replay", "t.jsonl", "--most-drafted", "16"],
    ["trace", "replay", "t.jsonl", "--drafts", "some"],
    ["trace", "show", "t.jsonl", "--at", "-1"],
    ["trace", "why", "t.jsonl", "--request", "0"],
    ["trace", "why", "t.jsonl", "--fail-over", "-1"],
    ["--cache-mb", "-1"],
    ["nonsense"],
]


@pytest.mark.slow
@pytest.mark.parametrize("command", BAD_VALUES, ids=" ".join)
def test_a_wrong_value_is_one_sentence_before_any_model_is_read(
    command: list[str], said: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    def opened(*_: object) -> None:
        raise AssertionError("a model was opened")

    monkeypatch.setattr("engine.Engine.open", opened)
    assert main(command) == 2
    sentence = said()
    assert sentence.startswith("biplane")
    for word in command[-2:]:
        if word.startswith("--"):
            assert word.removeprefix("--").split("-")[0] in sentence


def test_more_memory_than_there_is(said: Said) -> None:
    assert main(["generate", "hi", *QUICK, "--cache-mb", "4000000000"]) == 1
    assert "not enough memory" in said()


class TestPrompt:
    @pytest.mark.parametrize("prompt", ["", " \n\t"])
    def test_an_empty_one_is_not_answered(self, prompt: str, said: Said) -> None:
        assert main(["generate", prompt]) == 2
        assert said() == "biplane: The prompt is empty: give the model something to answer."

    @pytest.mark.parametrize("given", [b"", b" \n"])
    def test_nothing_on_standard_input(
        self, given: bytes, said: Said, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        (tmp_path / "in").write_bytes(given)
        with (tmp_path / "in").open() as file:
            monkeypatch.setattr(sys, "stdin", file)
            assert main(["generate", "-"]) == 2
        assert "on standard input is empty" in said()

    def test_no_standard_input_at_all(self, said: Said, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys, "stdin", None)
        assert main(["generate", "-"]) == 2
        assert "on standard input is empty" in said()

    def test_bytes_that_are_no_text(
        self, said: Said, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        (tmp_path / "in").write_bytes(b"\xff\xfe")
        with (tmp_path / "in").open(encoding="utf-8") as file:
            monkeypatch.setattr(sys, "stdin", file)
            assert main(["generate", "-"]) == 2
        assert "not UTF-8" in said()
        assert main(["generate", os.fsdecode(b"caf\xe9")]) == 2
        assert "not UTF-8" in said()


READABLE = {
    "version": ["--version"],
    "help": ["generate", "--help"],
    "inspect": ["models", "inspect", DEMO],
    "inspect as JSON": ["models", "inspect", DEMO, "--json"],
    "generate": ["generate", "hi", *QUICK],
    "generate as JSON": ["generate", "hi", "--json", *QUICK],
}


class TestOutput:
    @pytest.mark.parametrize("command", READABLE.values(), ids=list(READABLE))
    def test_a_closed_pipe_ends_it_quietly(
        self, command: list[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        reader, writer = os.pipe()
        os.close(reader)
        with os.fdopen(writer, "w") as stream:
            monkeypatch.setattr(sys, "stdout", stream)
            assert main(command) == CLOSED_PIPE
            # The interpreter's own flush, at its end, finds nothing left to fail on.
            stream.write("x")

    @pytest.mark.parametrize("command", READABLE.values(), ids=list(READABLE))
    def test_a_full_disk_is_one_sentence(
        self,
        command: list[str],
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        with open("/dev/full", "w") as stream:
            monkeypatch.setattr(sys, "stdout", stream)
            assert main(command) == 1
        shown = [
            line for line in capsys.readouterr().err.splitlines() if line.startswith("biplane")
        ]
        assert len(shown) == 1
        assert "No space left on device" in shown[0]

    def test_a_terminal_that_lacks_a_character(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        with (tmp_path / "out").open("w", encoding="ascii") as stream:
            monkeypatch.setattr(sys, "stdout", stream)
            monkeypatch.setattr("app.cli.desktop.run", lambda _: print("Wrote café") or 0)
            assert main(["install-desktop"]) == 0
        assert (tmp_path / "out").read_text() == "Wrote caf?\n"

    @pytest.mark.slow
    def test_the_whole_program_into_head(self) -> None:
        """The real pipe, the real end of the interpreter."""
        command = [sys.executable, "-m", "app.cli.main", "generate", "hi", *QUICK]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            assert process.stdout is not None
            assert process.stderr is not None
            assert process.stdout.read(1)
            process.stdout.close()
            assert process.stderr.read() == b""
        assert process.returncode == CLOSED_PIPE

    def test_no_standard_output_at_all(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setattr(sys, "stdout", None)
        assert main(["generate", "hi", *QUICK]) == 0
        assert "reused 0" in capsys.readouterr().err


def test_the_process_ends_once_its_output_is_written_and_no_sooner() -> None:
    program = (
        "import atexit, sys; from app.cli.main import main; import app.cli.main as cli\n"
        "atexit.register(lambda: print('before'))\n"
        "cli._dispatch = lambda _: 3\n"
        "sys.argv = ['biplane']\n"
        "class Slow:\n"
        "    def __del__(self): print('taken apart')\n"
        "kept = Slow()\n"
        "code = main()\n"
        "atexit.register(lambda: print('after'))\n"
        "sys.exit(code)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stdout.split()) == (3, ["after"])


def test_the_version_is_said_without_the_engine() -> None:
    code = (
        "import sys; from app.cli.main import main; main(['--version']);"
        "print(*(name for name in sys.modules if name.split('.')[0] in ('engine', 'numpy')))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    version, others = run.stdout.splitlines()
    assert version.startswith("biplane ")
    assert not others
