"""Ollama's interface: its forms, streamed line by line unless the client says otherwise."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine import Engine
from tests.engine.net.server.conftest import Caller

ASK = [{"role": "user", "content": "Hello! What is a checkpoint?"}]
GREEDY: dict[str, Any] = {"temperature": 0, "num_predict": 8}
LOOK = {
    "type": "function",
    "function": {
        "name": "look",
        "parameters": {"type": "object", "properties": {"at": {"enum": ["a", "b"]}}},
    },
}


def lines(caller: Caller, path: str, body: dict[str, Any]) -> list[Any]:
    response = caller.send("POST", path, body)
    assert response.status_code == 200, response.text
    assert response.headers["content-type"] == "application/x-ndjson"
    return [json.loads(line) for line in response.text.splitlines()]


@pytest.fixture
def expected(caller: Caller) -> str:
    asked = {"messages": ASK, "temperature": 0, "max_tokens": 8}
    said = caller.post("/v1/chat/completions", asked)
    return str(said["choices"][0]["message"]["content"])


class TestChat:
    def test_streamed_by_itself(self, caller: Caller, expected: str) -> None:
        asked = {"model": "any", "messages": ASK, "options": GREEDY, "keep_alive": "5m"}
        *parts, end = lines(caller, "/api/chat", asked)
        assert "".join(part["message"]["content"] for part in parts) == expected
        assert not any(part["done"] for part in parts)
        assert (end["done"], end["done_reason"]) == (True, "length")
        assert end["eval_count"] == 8
        assert end["prompt_eval_count"] > 5
        assert end["total_duration"] >= end["eval_duration"] > 0

    def test_whole(self, caller: Caller, expected: str) -> None:
        asked = {"messages": ASK, "options": GREEDY, "stream": False}
        said = caller.post("/api/chat", asked)
        assert said["message"] == {"role": "assistant", "content": expected}
        assert said["done"] is True

    def test_thinking(self, caller: Caller) -> None:
        asked = {"messages": ASK, "think": True, "stream": False, "options": GREEDY}
        assert caller.post("/api/chat", asked)["message"]["thinking"]

    def test_formats(self, caller: Caller) -> None:
        schema = {"enum": ["tea", "rain"]}
        asked = {"messages": ASK, "format": schema, "stream": False}
        said = caller.post("/api/chat", asked)
        assert json.loads(said["message"]["content"]) in ("tea", "rain")
        begun = caller.post("/api/chat", asked | {"format": "json", "options": GREEDY})
        assert begun["message"]["content"].startswith("{")

    def test_calls_are_whole(self, caller: Caller) -> None:
        asked: dict[str, Any] = {"messages": ASK, "tools": [LOOK], "tool_choice": "required"}
        *_, called, end = lines(caller, "/api/chat", asked)
        (call,) = called["message"]["tool_calls"]
        assert call["function"]["name"] == "look"
        assert end["done_reason"] == "stop"
        history = [*ASK, called["message"], {"role": "tool", "tool_name": "look", "content": "x"}]
        said = caller.post("/api/chat", {"messages": history, "stream": False, "options": GREEDY})
        assert said["done"] is True


class TestGenerate:
    def test_a_question(self, caller: Caller, expected: str) -> None:
        asked = {"prompt": ASK[0]["content"], "options": GREEDY}
        *parts, end = lines(caller, "/api/generate", asked)
        assert "".join(part["response"] for part in parts) == expected
        assert end["response"] == ""

    def test_a_text_to_continue(self, caller: Caller) -> None:
        raw = {"prompt": "The cache keeps", "raw": True, "stream": False, "options": GREEDY}
        told = caller.post(
            "/v1/completions", {"prompt": "The cache keeps", "temperature": 0, "max_tokens": 8}
        )
        assert caller.post("/api/generate", raw)["response"] == told["choices"][0]["text"]


class TestRefused:
    @pytest.mark.parametrize(
        ("path", "body", "said"),
        [
            ("/api/chat", {"messages": []}, "messages is empty"),
            ("/api/chat", {"messages": 5}, "messages must be a list"),
            ("/api/chat", {"messages": [5]}, "messages[0] must be an object"),
            ("/api/chat", {"messages": ASK, "options": 5}, "options must be an object"),
            ("/api/generate", {"prompt": 5}, "must be a string"),
            ("/api/chat", {"messages": ASK, "format": "xml"}, "format must be"),
            ("/api/chat", {"messages": ASK, "options": {"mirostat": 2}}, "mirostat"),
            ("/api/chat", {"messages": ASK, "wizardry": 1}, "wizardry"),
            (
                "/api/chat",
                {"messages": [{"role": "user", "content": "x", "images": ["y"]}]},
                "leave images out",
            ),
            ("/api/generate", {"prompt": "x", "template": "y"}, "template"),
            ("/api/chat", {"messages": [{"role": "user", "content": "word " * 9_000}]}, "maximum"),
        ],
        ids=lambda one: str(one)[:40],
    )
    def test_in_its_form(self, caller: Caller, path: str, body: dict[str, Any], said: str) -> None:
        told = caller.send("POST", path, body)
        assert told.status_code == 400
        assert said in told.json()["error"]

    def test_vectors(self, caller: Caller) -> None:
        told = caller.send("POST", "/api/embed", {"input": "x"})
        assert told.status_code == 501
        assert "no embeddings" in told.json()["error"]


def test_what_there_is(caller: Caller, engine: Engine) -> None:
    (entry,) = caller.send("GET", "/api/tags").json()["models"]
    assert entry["name"] == engine.model.name
    assert len(entry["digest"]) == 64
    shown = caller.post("/api/show", {"model": entry["name"]})
    family = shown["model_info"]["general.architecture"]
    assert shown["model_info"][f"{family}.context_length"] == engine.model.context
    assert "thinking" in shown["capabilities"]
    assert caller.send("GET", "/api/version").json()["version"]
    assert caller.send("GET", "/").text == "Ollama is running"
