"""`biplane bench prefill` and `decode`: a table or JSON, and progress beside it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NoReturn

import pytest

from app.cli.main import main
from app.core.options import shared as options
from engine.bench import machine, peer_report
from engine.bench.random_model import random_model
from engine.config import EngineConfig
from engine.errors import ModelError
from kernels.native.library import in_use
from tests.engine.bench.conftest import TINY
from tests.gguf_files import write_folder

SHAPE = TINY | {"max_position_embeddings": 4096}
PEERS = (
    peer_report.Peer(
        "transformers",
        "5.0",
        "",
        prefill=(peer_report.PeerPrefill(64, 100.0, 200.0),),
        decode=(peer_report.PeerDecode(50, 7.0),),
        peak_rss_bytes=3 << 30,
    ),
    peer_report.Peer("llama.cpp", None, "No GGUF file was given (--gguf FILE)."),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return random_model(tmp_path_factory.mktemp("models") / "tiny", SHAPE, dtype="bfloat16")


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "FULL", machine.Effort(1 << 20, (16,), 1))
    monkeypatch.setattr("engine.bench.prefill.all_peers", lambda *_: PEERS)


@pytest.fixture
def common(folder: Path) -> list[str]:
    return ["--model", str(folder), "--threads", "1", "--cache-mb", "32", "--repeats", "1"]


@pytest.fixture
def prefill(common: list[str]) -> list[str]:
    return ["bench", "prefill", *common, "--lengths", "64", "--warm-context", "100"]


@pytest.fixture
def decode(common: list[str]) -> list[str]:
    return ["bench", "decode", *common, "--contexts", "50"]


def test_prefill_as_json_has_every_part(
    capsys: pytest.CaptureFixture[str], prefill: list[str]
) -> None:
    assert main([*prefill, "--json"]) == 0
    said = capsys.readouterr()
    report = json.loads(said.out)
    found = report["formats"][0]
    assert [row["tokens"] for row in found["rows"]] == [64]
    assert found["warm_turn"]["new"] == 73
    assert report["peers"][0]["prefill"][0]["chunked_tok_s"] == 200.0
    assert {"rates", "machine"} <= set(report)
    assert {"work", "memory", "gemm_flop_s", "kernels"} <= set(found)
    assert "a prompt of 64 tokens" in said.err


def test_decode_as_json_has_every_part(
    capsys: pytest.CaptureFixture[str], decode: list[str]
) -> None:
    assert main([*decode, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    found = report["formats"][0]
    assert [row["context"] for row in found["rows"]] == [50]
    assert found["copies"]["restore_bytes_s"] > 0
    assert report["peers"][1]["reason"].startswith("No GGUF")
    assert {"rates", "machine"} <= set(report)
    assert {"work", "memory", "tiny_step_s", "passes", "start"} <= set(found)


@pytest.mark.slow
def test_the_tables_name_what_was_measured(
    capsys: pytest.CaptureFixture[str], prefill: list[str], decode: list[str]
) -> None:
    assert main(prefill) == 0
    said = capsys.readouterr().out
    for words in ("linear", "73 new tokens after 100", "transformers 200 (", "llama.cpp: No GGUF"):
        assert words in said
    assert main(decode) == 0
    said = capsys.readouterr().out
    for words in (
        *("operators", "restored in", "transformers 5.0, 3,072 MiB", "transformers 7.0 ("),
        *("rows at once after 50", "starting again", in_use()),
    ):
        assert words in said


@pytest.mark.slow
def test_the_peers_can_be_left_out(capsys: pytest.CaptureFixture[str], decode: list[str]) -> None:
    assert main([*decode, "--no-peers", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["peers"] == []


@pytest.mark.slow
def test_turns_with_llama_cpp_are_a_table_of_their_own(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, decode: list[str]
) -> None:
    def peer(*_: object) -> peer_report.Peer:
        speeds = (peer_report.PeerDecode(50, 0.5),)
        return peer_report.Peer("llama.cpp", "1", "", "qwen35 0.8B BF16", decode=speeds)

    monkeypatch.setattr("engine.bench.by_turns.llama_peer", peer)
    assert main([*decode, "--turns", "2", "--gguf", "a.gguf"]) == 0
    said = capsys.readouterr().out
    assert "by turns, medians of 2:" in said
    assert "llama.cpp BF16 0.5 (" in said
    assert main([*decode, "--turns", "2"]) == 1
    assert "0 were given" in capsys.readouterr().err


def test_both_engines_on_the_same_file(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def peer(file: Path, *_: object) -> peer_report.Peer:
        assert file == path
        speeds = (peer_report.PeerPrefill(64, 0.5, None),)
        return peer_report.Peer("llama.cpp", "1", "", "qwen35 0.8B IQ4_XS - 4.25 bpw", speeds)

    path = tmp_path / "demo.gguf"
    write_folder(options.demo_model_dir(), path)
    monkeypatch.setattr("engine.bench.by_turns.llama_peer", peer)
    prompts = ["--lengths", "64", "--threads", "1", "--cache-mb", "32"]
    assert main(["bench", "prefill", *prompts, "--turns", "2", "--gguf", str(path)]) == 0
    said = capsys.readouterr().out
    assert f"kernels {in_use()}" in said
    assert "      64  demo.gguf" in said
    assert "llama.cpp IQ4_XS 0.5 (" in said


@pytest.mark.parametrize("more", [[], ["--all-formats", "--gguf", "a.gguf"]])
def test_prompts_by_turns_need_files_and_nothing_else(
    capsys: pytest.CaptureFixture[str], more: list[str]
) -> None:
    assert main(["bench", "prefill", "--turns", "2", *more]) == 2
    assert "need --gguf FILE" in capsys.readouterr().err


@pytest.mark.parametrize("what", ["prefill", "decode"])
def test_the_format_of_the_weights_reaches_the_engine(
    monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest, what: str
) -> None:
    asked = []

    def stop(
        folder: Path, config: EngineConfig, formats: tuple[str, ...], *_: object, **others: object
    ) -> NoReturn:
        asked.append((config, formats, others["ggufs"]))
        raise ModelError("Stopped here.")

    monkeypatch.setattr(f"engine.bench.{what}.bench_{what}", stop)
    command = request.getfixturevalue(what)
    assert main([*command, "--weights", "int4"]) == 1
    assert main([*command, "--all-formats", "--gguf", "a.gguf", "b.gguf"]) == 1
    (config, formats, files), (_, all_formats, two_files) = asked
    assert (config.dtype, config.threads) == ("bfloat16", 1)
    # What weights in fewer bits are kept in is not the user's own cache, and gone afterwards.
    assert config.cache_dir is not None
    assert not config.cache_dir.exists()
    assert (formats, files) == (("int4",), ())
    assert all_formats == ("stored", "int8", "int4")
    assert two_files == [Path("a.gguf"), Path("b.gguf")]


def test_without_a_model_a_random_one_is_written(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shapes = []

    def stop(folder: Path, *_: object, **__: object) -> NoReturn:
        shapes.append(json.loads((folder / "config.json").read_text()))
        raise ModelError("Stopped here.")

    monkeypatch.setattr("engine.model.family.QWEN35_0_8B", SHAPE)
    monkeypatch.setattr("engine.bench.prefill.bench_prefill", stop)
    assert main(["bench", "prefill", "--layers", "6"]) == 1
    assert shapes == [SHAPE | {"num_hidden_layers": 6}]
    assert "writing a random model" in capsys.readouterr().err


@pytest.mark.parametrize("wrong", ["", "0", "64,-1", "many"])
def test_a_length_that_is_none_is_refused(capsys: pytest.CaptureFixture[str], wrong: str) -> None:
    assert main(["bench", "prefill", "--lengths", wrong]) == 2
    assert "--lengths" in capsys.readouterr().err


def test_layers_without_attention_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "decode", "--layers", "3"]) == 2
    assert "--layers" in capsys.readouterr().err


def test_a_folder_that_is_not_there_is_one_sentence(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["bench", "decode", "--model", str(tmp_path / "none"), "--no-peers"]) == 1
    assert "There is no folder" in capsys.readouterr().err
