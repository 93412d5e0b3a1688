"""The peers: transformers in a process of its own, llama-bench's JSON, and what cannot run."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from engine.bench.peer_report import Peer, PeerAsk, PeerDecode, PeerPrefill
from engine.bench.peers import transformers_peer as child
from engine.bench.peers.processes import (
    all_peers,
    llama_peer,
    parse_llama_bench,
    peer_from_json,
    transformers_peer,
)

OTHER = Peer("other", None, "It was not asked.")
ASK = PeerAsk(threads=1, prompts=(64, 600), contexts=(50,), new=4, repeats=1)
COMMON = {"build_commit": "0c1e570", "model_type": "qwen35 0.8B Q8_0", "n_threads": 2}
PROMPTS = [
    COMMON
    | {"n_prompt": 512, "n_gen": 0, "n_depth": 0, "avg_ts": 170.0}
    # One slow run moves an average and not a median.
    | {"samples_ts": [180.0, 182.0, 100.0]},
    COMMON | {"n_prompt": 2048, "n_gen": 0, "n_depth": 0, "avg_ts": 165.0, "samples_ts": []},
]
ANSWERS = [
    COMMON | {"n_prompt": 0, "n_gen": 32, "n_depth": 500, "avg_ts": 25.6, "samples_ts": [25.6]}
]


class TestTransformers:
    @pytest.mark.slow
    def test_it_measures_the_same_folder_in_its_own_process(self, tiny_folder: Path) -> None:
        peer = transformers_peer(tiny_folder, "bfloat16", ASK)
        assert peer.reason == ""
        assert peer.version is not None
        assert [row.tokens for row in peer.prefill] == [64, 600]
        for row in peer.prefill:
            assert row.one_pass_tok_s is not None
            assert row.one_pass_tok_s > 0
            assert row.chunked_tok_s is not None
            assert row.chunked_tok_s > 0
        assert [row.context for row in peer.decode] == [50]
        assert peer.decode[0].tok_s > 0
        assert peer.peak_rss_bytes is not None
        assert peer.peak_rss_bytes > 0

    def test_without_it_there_is_a_reason(
        self, tiny_folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(sys.modules, "transformers", None)
        for peer in (
            transformers_peer(tiny_folder, "bfloat16", ASK),
            child.measure(tiny_folder, "bfloat16", ASK),
        ):
            assert peer.version is None
            assert peer.reason == "transformers is not installed."
            assert (peer.prefill, peer.decode) == ((), ())

    @pytest.mark.slow
    def test_a_folder_that_it_cannot_load_is_a_reason(self, tmp_path: Path) -> None:
        (tmp_path / "config.json").write_text('{"model_type": "no such model"}')
        peer = transformers_peer(tmp_path, "bfloat16", ASK)
        assert peer.reason.startswith("transformers cannot load it")

    def test_a_process_that_fails_or_says_nothing_is_a_reason(
        self, tiny_folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert "wrote no report" in peer_from_json("").reason
        assert "wrote no report" in peer_from_json('warning\n{"name": "x"}').reason
        monkeypatch.setattr("engine.bench.peers.processes.PEER_MODULE", "engine.no_such_module")
        assert "exited with code 1" in transformers_peer(tiny_folder, "bfloat16", ASK).reason
        monkeypatch.setattr(sys, "executable", "/no/such/python")
        assert "cannot be run" in transformers_peer(tiny_folder, "bfloat16", ASK).reason


class TestLlamaBench:
    def test_prompts_and_answers_are_told_apart(self) -> None:
        peer = parse_llama_bench(json.dumps(PROMPTS + ANSWERS))
        assert (peer.version, peer.model) == ("0c1e570", "qwen35 0.8B Q8_0")
        assert peer.prefill == (PeerPrefill(512, 180.0, None), PeerPrefill(2048, 165.0, None))
        assert peer.decode == (PeerDecode(500, 25.6),)
        assert peer.reason == ""

    @pytest.mark.parametrize("said", ["", "[]", "{}", "[1]", '[{"n_prompt": 1}]', "null"])
    def test_other_output_is_a_reason(self, said: str) -> None:
        peer = parse_llama_bench(said)
        assert "cannot be read" in peer.reason
        assert peer.version is None

    def test_without_file_or_program_there_is_a_reason(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.setenv("PATH", str(tmp_path))
        assert "--gguf" in llama_peer(None, ASK).reason
        assert "not on the PATH" in llama_peer(tmp_path / "a.gguf", ASK).reason

    def test_the_program_is_asked_for_prompts_and_for_answers(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        log = install(tmp_path, monkeypatch, code=0)
        peer = llama_peer(tmp_path / "a.gguf", ASK)
        assert peer.prefill == (PeerPrefill(512, 180.0, None), PeerPrefill(2048, 165.0, None))
        assert peer.decode == (PeerDecode(500, 25.6),)
        prompts, answers = log.read_text().splitlines()
        assert prompts == f"-m {tmp_path}/a.gguf -t 1 -r 1 -p 64,600 -n 0 -o json"
        assert answers == f"-m {tmp_path}/a.gguf -t 1 -r 1 -p 0 -n 4 -d 50 -o json"

    def test_it_runs_once_for_each_file(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        install(tmp_path, monkeypatch, code=0)
        monkeypatch.setattr("engine.bench.peers.processes.transformers_peer", lambda *_: OTHER)
        files = (tmp_path / "a.gguf", tmp_path / "b.gguf")
        first, *found = all_peers(tmp_path, "bfloat16", files, ASK)
        assert first is OTHER
        assert [peer.reason for peer in found] == ["", ""]
        log = (tmp_path / "log").read_text().splitlines()
        assert [line.split()[1] for line in log] == [str(files[0])] * 2 + [str(files[1])] * 2
        _, nothing = all_peers(tmp_path, "bfloat16", (), ASK)
        assert "--gguf" in nothing.reason

    def test_a_program_that_fails_is_a_reason(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        install(tmp_path, monkeypatch, code=3)
        peer = llama_peer(tmp_path / "a.gguf", ASK)
        assert peer.reason == "The process exited with code 3: no model"
        assert (peer.version, peer.prefill) == (None, ())


def install(folder: Path, monkeypatch: pytest.MonkeyPatch, *, code: int) -> Path:
    """Put a program on the PATH that answers as llama-bench does. Returns its log of arguments."""
    (folder / "prompts.json").write_text(json.dumps(PROMPTS))
    (folder / "answers.json").write_text(json.dumps(ANSWERS))
    program, log = folder / "llama-bench", folder / "log"
    program.write_text(
        f"""#!/bin/sh
echo "$@" >> {log}
case "$*" in *" -d "*) cat {folder}/answers.json ;; *) cat {folder}/prompts.json ;; esac
echo "no model" >&2
exit {code}
"""
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    return log
