"""Answers by turns with llama.cpp: ours and theirs alternate, and what cannot run says why."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import assets
from engine.api import Engine
from engine.bench import by_turns as bench
from engine.bench.by_turns import Turns, by_turns, paired, same_files
from engine.bench.decode import DecodeAsk, bench_decode
from engine.bench.machine import Effort
from engine.bench.peer_report import Peer, PeerAsk, PeerDecode, PeerPrefill
from engine.bench.timed import decode_rate, first_logits
from engine.config import EngineConfig
from engine.errors import BiplaneError
from engine.reuse import ReusePlan
from tests.gguf_files import write_folder

DEMO = Path(assets.__file__).parent / "demo_model"
ASK = PeerAsk(threads=1, contexts=(50, 80), new=4, repeats=9)
FILES = (Path("a.gguf"), Path("b.gguf"))


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, ...]]:
    """What ran, in order; their speeds are 1, 2, 3, ..."""
    ran: list[tuple[object, ...]] = []

    def theirs(gguf: Path, ask: PeerAsk) -> Peer:
        ran.append(("theirs", gguf.name, ask))
        speed = float(sum(name == "theirs" for name, *_ in ran))
        prefill = tuple(PeerPrefill(tokens, speed, None) for tokens in ask.prompts)
        decode = tuple(PeerDecode(context, speed) for context in ask.contexts)
        return Peer("llama.cpp", "1", "", "Q8_0", prefill, decode)

    def noted(engine: Engine, ids: tuple[int, ...], tokens: int, repeats: int) -> float:
        ran.append(("ours", len(ids), tokens, repeats))
        return decode_rate(engine, ids, tokens, repeats)

    def read(engine: Engine, ids: tuple[int, ...], *, reuse: bool) -> tuple[float, ReusePlan]:
        assert not reuse, "a prompt is read whole"
        ran.append(("ours", engine.model.name, len(ids)))
        return first_logits(engine, ids, reuse=reuse)

    monkeypatch.setattr(bench, "llama_peer", theirs)
    monkeypatch.setattr(bench, "decode_rate", noted)
    monkeypatch.setattr(bench, "first_logits", read)
    return ran


def test_both_alternate_and_each_format_meets_its_file(
    tiny_folder: Path, config: EngineConfig, told: list[tuple[object, ...]], tmp_path: Path
) -> None:
    config = replace(config, cache_dir=tmp_path)
    found = by_turns(tiny_folder, config, paired(("stored", "int8"), FILES), print, ASK, 2)
    assert [(each.weights, each.context) for each in found] == [
        *(("stored", 50), ("stored", 80)),
        *(("int8", 50), ("int8", 80)),
    ]
    once = replace(ASK, repeats=1)
    expected: list[tuple[object, ...]] = []
    for file in FILES:
        for context in ASK.contexts:
            alone = replace(once, contexts=(context,))
            expected += 2 * [("ours", context, 4, 1), ("theirs", file.name, alone)]
    assert told == expected
    assert [each.theirs for each in found] == [(1.0, 2.0), (3.0, 4.0), (5.0, 6.0), (7.0, 8.0)]
    assert all(speed > 0 for each in found for speed in each.ours)
    assert {each.model for each in found} == {"Q8_0"}


def test_both_open_the_same_files(
    config: EngineConfig, told: list[tuple[object, ...]], tmp_path: Path
) -> None:
    files = [tmp_path / "a.gguf", tmp_path / "b.gguf"]
    for file in files:
        write_folder(DEMO, file)
    found = same_files(files, config, print, PeerAsk(0, prompts=(64,), contexts=(50,), new=4), 2)
    expected: list[tuple[object, ...]] = []
    for file in files:
        prompt = PeerAsk(1, prompts=(64,), new=4, repeats=1)
        expected += 2 * [("ours", file.stem, 64), ("theirs", file.name, prompt)]
        answer = PeerAsk(1, contexts=(50,), new=4, repeats=1)
        expected += 2 * [("ours", 50, 4, 1), ("theirs", file.name, answer)]
    assert told == expected
    assert [(each.weights, each.context, each.prompt) for each in found.turns] == [
        *(("a.gguf", 64, True), ("a.gguf", 50, False)),
        *(("b.gguf", 64, True), ("b.gguf", 50, False)),
    ]
    assert [each.theirs for each in found.turns] == [(1, 2), (3, 4), (5, 6), (7, 8)]
    assert "1 thread" in found.machine


def test_medians_are_compared() -> None:
    assert Turns("int8", 50, (3.0, 9.0, 30.0), (1.0, 2.0, 90.0)).medians == (9.0, 2.0)


def test_what_cannot_run_says_why_and_is_not_tried_again(
    tiny_folder: Path, config: EngineConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench, "llama_peer", lambda *_: Peer("llama.cpp", None, "It is not here."))
    found = by_turns(tiny_folder, config, paired(("stored",), FILES[:1]), print, ASK, 3)
    assert [(each.reason, len(each.ours), each.theirs) for each in found] == [
        ("It is not here.", 1, ())
    ] * 2


def test_files_that_are_not_one_for_each_format_are_refused_before_anything_runs(
    tiny_folder: Path, config: EngineConfig, little: Effort
) -> None:
    ask = DecodeAsk(contexts=(50,), tokens=4, repeats=1, turns=2)
    with pytest.raises(BiplaneError, match=r"stored, int8.*1 were given"):
        bench_decode(
            tiny_folder,
            config,
            ("stored", "int8"),
            lambda text: pytest.fail(text),
            ask,
            effort=little,
            ggufs=FILES[:1],
        )
