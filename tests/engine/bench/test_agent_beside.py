"""The prompts of an agent's session on another server, token for token."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import assets
from engine import Engine, EngineConfig
from engine.bench.agent import OWN_TOKENS, beside, recorded_agent
from engine.bench.llama_server import llama_server
from engine.cache.journal.request_ran import NO_TOKENS, RequestRan
from engine.errors import RemoteError
from tests.engine.net.client.server import Server, as_json, models, serving, usage
from tests.llama_server import GGUFS, needs_llama_server

DEMO = Path(assets.__file__).parent / "demo_model"


def ran(tokens: int, text: str = "It said ?") -> RequestRan:
    prompt = np.arange(tokens, dtype=np.int64)
    made: dict[str, Any] = dict.fromkeys(RequestRan.__dataclass_fields__, 0)
    return RequestRan(**made | {"prompt": prompt, "decoded": NO_TOKENS, "text": text})


def server_of(*told: dict[str, Any], timings: dict[str, Any] | None = None) -> Server:
    left = list(told)

    def complete() -> Any:
        body = {"choices": [{"text": "?"}], "usage": left.pop(0)}
        return as_json(body if timings is None else {**body, "timings": timings})

    return Server(listed=models("demo", owner="llamacpp"), others={"/v1/completions": complete})


class TestBeside:
    def test_it_counts_what_the_server_processed(self) -> None:
        told = (usage(100, 1, 0), usage(140, 1, 96))
        with serving(server_of(*told, timings={"prompt_ms": 40.0})) as server:
            found = beside(server.url, [ran(100), ran(140, "It said !")], 4, lambda what: None)
        assert found.server == "llama-server"
        assert [(row.prompt, row.processed) for row in found.turns] == [(100, 100), (140, 44)]
        assert [row.same for row in found.turns] == [True, False]
        assert found.turns[0].prompt_s == 0.04

    def test_a_server_that_does_not_say(self) -> None:
        with serving(server_of(usage(100, 1, None))) as server:
            (row,) = beside(server.url, [ran(100)], 4, lambda what: None).turns
        assert (row.processed, row.prompt_s) == (None, None)

    def test_another_model_is_no_comparison(self) -> None:
        with (
            serving(server_of(usage(101, 1, 0))) as server,
            pytest.raises(RemoteError, match="counts 101 tokens in a prompt of 100: it must serve"),
        ):
            beside(server.url, [ran(100)], 4, lambda what: None)


class TestLlamaServer:
    def test_there_is_none(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.setenv("PATH", str(tmp_path))
        with (
            pytest.raises(RemoteError, match="no llama-server on the PATH"),
            llama_server(tmp_path / "x.gguf", 1000, 1),
        ):
            pass

    def test_one_that_does_not_start(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        program = tmp_path / "llama-server"
        program.write_text("#!/bin/sh\nexit 1\n")
        program.chmod(0o755)
        (tmp_path / "x.gguf").touch()
        monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
        with (
            pytest.raises(RemoteError, match="does not start"),
            llama_server(tmp_path / "x.gguf", 1000, 1),
        ):
            pass

    @needs_llama_server
    def test_the_real_one(self) -> None:
        with Engine.open(DEMO, EngineConfig(cache_bytes=64 << 20, threads=1)) as engine:
            _, requests = recorded_agent(engine, 3, lambda what: None)
        with llama_server(GGUFS[0], 2000, 1) as url:
            found = beside(url, requests, OWN_TOKENS, lambda what: None)
        first, *later = found.turns
        assert first.processed == first.prompt
        assert all((row.processed or 0) < first.prompt for row in later)
