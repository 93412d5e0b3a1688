"""The section of benchmarks.md that is written from the benchmarks' JSON."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.cli.main import main
from engine.bench import machine, peer_report
from engine.bench.random_model import random_model
from tests.engine.bench.conftest import TINY

ROOT = Path(__file__).resolve().parents[2]
PEERS = (
    peer_report.Peer(
        "transformers",
        "5.0",
        "",
        prefill=(peer_report.PeerPrefill(64, 100.0, 200.0),),
        decode=(peer_report.PeerDecode(50, 7.0),),
    ),
    peer_report.Peer(
        "llama.cpp",
        "1",
        "",
        "x Q8_0",
        prefill=(peer_report.PeerPrefill(64, 300.0, None),),
        decode=(peer_report.PeerDecode(50, 9.0),),
    ),
    peer_report.Peer("other", None, "It is not here."),
)


def written(title: str, *files: Path) -> str:
    """What the script prints."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "packaging/benchmark_tables.py"), title, *map(str, files)],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    return done.stdout


@pytest.fixture
def files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> list[Path]:
    """The JSON of both benchmarks on a tiny model."""
    monkeypatch.setattr(machine, "FULL", machine.Effort(1 << 20, (16,), 1))
    monkeypatch.setattr("engine.bench.prefill.all_peers", lambda *_: PEERS)
    monkeypatch.setattr("engine.bench.by_turns.llama_peer", lambda *_: PEERS[1])
    model = random_model(tmp_path / "tiny", TINY, dtype="bfloat16")
    common = ["--model", str(model), "--threads", "1", "--cache-mb", "32", "--repeats", "1"]
    made = []
    for what, extra in (
        ("decode", ["--contexts", "50", "--turns", "1", "--gguf", "a", "b", "c"]),
        ("prefill", ["--lengths", "64", "--warm-context", "100"]),
    ):
        assert main(["bench", what, *common, *extra, "--all-formats", "--json"]) == 0
        made.append(tmp_path / f"{what}.json")
        made[-1].write_text(capsys.readouterr().out)
    return made


@pytest.mark.slow
def test_every_table_is_there_and_whole(files: list[Path]) -> None:
    text = written("A processor", *files)
    assert text.startswith("### A processor\n\n")
    tables = [part.splitlines() for part in text.split("\n\n") if part.startswith("|")]
    assert [lines[0].split(" | ")[1] for lines in tables] == [
        "decode after",
        "1 row",
        "second start to the first token",
        "by turns after",
        "prefill of",
        "new tokens on cached ones",
    ]
    for lines in tables:
        # A head, a ruler and a line for each format, all with as many cells.
        assert len(lines) == 5
        assert len({line.count("|") for line in lines}) == 1
    assert "kernels: " in text
    assert "TOP/s in int8." in text


@pytest.mark.slow
def test_rivals_stand_beside_their_own_format(files: list[Path]) -> None:
    text = written("A processor", *files)
    stored = [line for line in text.splitlines() if line.startswith("| stored | ")]
    int8 = [line for line in text.splitlines() if line.startswith("| int8 | ")]
    assert "transformers 7.0 (" in stored[0]
    assert "llama.cpp Q8_0 9.0 (" in int8[0]
    # The faster of two ways to prefill.
    assert any("transformers 200 (" in line for line in stored)
    found = json.loads(files[0].read_text())["formats"][1]["rows"][0]["tok_s"]
    assert f"({found / 9.0:.2f} times)" in int8[0]


def test_without_files_it_says_how_it_is_called() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "packaging/benchmark_tables.py")],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 1
    assert "bench decode --all-formats --json" in done.stderr
