"""What clients expect of a server, case by case: facts of the documents of llama.cpp's server,
of OpenAI's and of Anthropic's interface. Each request works, or is refused by the field's name.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import httpx2
import pytest

from engine import Engine
from tests.engine.net.server.conftest import Caller

CHAT, TEXT = "/v1/chat/completions", "/v1/completions"
RESPONSES, MESSAGES = "/v1/responses", "/v1/messages"
HELLO = [{"role": "user", "content": "Hello! What is a checkpoint?"}]
LONG = [{"role": "user", "content": "word " * 9_000}]
LOOK: dict[str, Any] = {
    "type": "function",
    "function": {"name": "look", "parameters": {"type": "object", "properties": {}}},
}
BASE: dict[str, dict[str, Any]] = {
    CHAT: {"messages": HELLO, "max_tokens": 6, "temperature": 0},
    TEXT: {"prompt": "The cache keeps", "max_tokens": 6, "temperature": 0},
    RESPONSES: {"input": "Hello!", "max_output_tokens": 6, "temperature": 0},
    MESSAGES: {"messages": HELLO, "max_tokens": 6, "temperature": 0},
}
Check = Callable[[Any], bool]


def message(answer: Any) -> Any:
    return answer["choices"][0]["message"]


@dataclass(frozen=True)
class Works:
    """A request that is answered as `check` says."""

    path: str
    more: dict[str, Any]
    check: Check = bool

    def __str__(self) -> str:
        return f"{self.path} {json.dumps(self.more)[:70]}"


@dataclass(frozen=True)
class Refused:
    """A request that is refused by the name of `param`."""

    path: str
    more: dict[str, Any]
    param: str

    def __str__(self) -> str:
        return f"{self.path} {json.dumps(self.more)[:70]}"


def two(answer: Any) -> bool:
    return [choice["index"] for choice in answer["choices"]] == [0, 1]


def scores(answer: Any) -> Any:
    return answer["choices"][0]["logprobs"]["content"]


WORKS = [
    # Fields of llama.cpp's server.
    Works(CHAT, {"max_tokens": -1, "stop": "e"}),
    Works(
        TEXT, {"n_predict": 3, "max_tokens": None}, lambda a: a["usage"]["completion_tokens"] == 3
    ),
    Works(CHAT, {"seed": -1, "temperature": 1}),
    Works(
        CHAT,
        {"ignore_eos": True, "max_tokens": 40},
        lambda a: a["usage"]["completion_tokens"] == 40,
    ),
    Works(
        CHAT, {"min_tokens": 30, "max_tokens": 40}, lambda a: a["usage"]["completion_tokens"] >= 30
    ),
    Works(CHAT, {"repeat_penalty": 1.1}),
    Works(CHAT, {"cache_prompt": True, "id_slot": -1, "timings_per_token": True}),
    Works(CHAT, {"mirostat": 0, "typical_p": 1.0, "dry_multiplier": 0, "xtc_probability": 0}),
    Works(TEXT, {"n_probs": 2}, lambda a: len(a["choices"][0]["logprobs"]["top_logprobs"][0]) == 2),
    Works(CHAT, {"chat_template_kwargs": {"enable_thinking": False}}),
    Works(CHAT, {"chat_template_kwargs": {}}),
    # Fields of OpenAI's interface.
    Works(CHAT, {"frequency_penalty": 0.5, "presence_penalty": 0.5}),
    Works(CHAT, {"n": 2}, two),
    Works(CHAT, {"n": 1, "best_of": 1}),
    Works(
        CHAT, {"logprobs": True}, lambda a: scores(a)[0]["logprob"] <= 0 and scores(a)[0]["bytes"]
    ),
    Works(
        CHAT,
        {"logprobs": True, "top_logprobs": 3},
        lambda a: len(scores(a)[0]["top_logprobs"]) == 3,
    ),
    Works(CHAT, {"logprobs": False}, lambda a: a["choices"][0]["logprobs"] is None),
    Works(CHAT, {"logit_bias": {}}),
    Works(CHAT, {"logit_bias": {"5": -100}}),
    Works(CHAT, {"user": "me", "metadata": {"a": "b"}, "store": False, "service_tier": "auto"}),
    Works(CHAT, {"parallel_tool_calls": True, "tools": [LOOK]}),
    Works(CHAT, {"response_format": {"type": "text"}}),
    Works(CHAT, {"modalities": ["text"], "verbosity": "low", "prompt_cache_key": "x"}),
    Works(CHAT, {"reasoning_effort": "none"}),
    Works(CHAT, {"stop": None, "tools": [], "functions": None}),
    Works(TEXT, {"prompt": ["The cache", "A tree"]}, two),
    Works(TEXT, {"prompt": [[5, 6, 7], [8, 9]]}, two),
    Works(TEXT, {"prompt": "One", "n": 2}, two),
    Works(TEXT, {"echo": True}, lambda a: a["choices"][0]["text"].startswith("The cache keeps")),
    Works(TEXT, {"prompt": [5, 6, 7], "echo": True}),
    Works(TEXT, {"logprobs": 2}, lambda a: len(a["choices"][0]["logprobs"]["tokens"]) >= 6),
    Works(TEXT, {"suffix": None, "echo": False, "best_of": 1}),
    Works(
        RESPONSES,
        {"tools": [LOOK["function"] | {"type": "function"}]},
        lambda a: a["tools"][0]["name"] == "look",
    ),
    Works(RESPONSES, {"metadata": {"a": "b"}}, lambda a: a["metadata"] == {"a": "b"}),
    Works(RESPONSES, {"tool_choice": "none"}, lambda a: a["tool_choice"] == "none"),
    Works(RESPONSES, {"instructions": "Be kind."}, lambda a: a["instructions"] == "Be kind."),
    Works(RESPONSES, {"parallel_tool_calls": False}, lambda a: a["parallel_tool_calls"] is False),
    Works(
        RESPONSES, {"store": False, "include": [], "truncation": "disabled", "background": False}
    ),
    Works(RESPONSES, {"text": {"format": {"type": "text"}, "verbosity": "low"}}),
    Works(RESPONSES, {"reasoning": {"effort": "low", "summary": "auto"}}),
    Works("/v1/responses/input_tokens", {"input": "Hello!"}, lambda a: a["input_tokens"] > 3),
    # Fields of Anthropic's interface.
    Works(MESSAGES, {"metadata": {"user_id": "x"}, "service_tier": "auto"}),
    Works(MESSAGES, {"thinking": {"type": "disabled"}}),
    Works(MESSAGES, {"tool_choice": {"type": "auto", "disable_parallel_tool_use": True}}),
    Works(MESSAGES, {"output_config": {"effort": "low"}}),
    Works(
        MESSAGES,
        {"context_management": {"edits": [{"type": "clear_thinking_20251015", "keep": "all"}]}},
        lambda a: a["context_management"] == {"applied_edits": []},
    ),
    # Text without a model.
    Works("/tokenize", {"content": "Hello"}, lambda a: len(a["tokens"]) >= 1),
    Works(
        "/tokenize", {"content": "Hello", "with_pieces": True}, lambda a: "piece" in a["tokens"][0]
    ),
    Works("/tokenize", {"messages": HELLO}, lambda a: a["count"] == len(a["tokens"]) > 5),
    Works("/tokenize", {"prompt": "Hello"}, lambda a: a["count"] == len(a["tokens"])),
    Works("/detokenize", {"tokens": [5, 6]}, lambda a: isinstance(a["content"], str)),
    Works("/apply-template", {"messages": HELLO}, lambda a: HELLO[0]["content"] in a["prompt"]),
]
REFUSED = [
    Refused(CHAT, {"n": 0}, "n"),
    Refused(CHAT, {"n": 1_000}, "n"),
    Refused(CHAT, {"best_of": 2}, "best_of"),
    Refused(CHAT, {"top_logprobs": 3}, "top_logprobs"),
    Refused(CHAT, {"logprobs": True, "top_logprobs": 50}, "top_logprobs"),
    Refused(CHAT, {"logit_bias": {"x": 1}}, "logit_bias"),
    Refused(CHAT, {"logit_bias": {"99999999": 1}}, "logit_bias"),
    Refused(CHAT, {"logit_bias": {"5": "much"}}, "logit_bias"),
    Refused(CHAT, {"functions": [{"name": "look"}]}, "functions"),
    Refused(CHAT, {"function_call": "auto"}, "function_call"),
    Refused(CHAT, {"max_tokens": -2}, "max_tokens"),
    Refused(CHAT, {"min_tokens": 50, "max_tokens": 10}, "min_tokens"),
    Refused(CHAT, {"mirostat": 2}, "mirostat"),
    Refused(CHAT, {"dry_multiplier": 0.8}, "dry_multiplier"),
    Refused(CHAT, {"samplers": ["top_k"]}, "samplers"),
    Refused(CHAT, {"chat_template_kwargs": {"wizardry": 1}}, "chat_template_kwargs.wizardry"),
    Refused(CHAT, {"chat_template": "{{ 1 }}"}, "chat_template"),
    Refused(CHAT, {"modalities": ["audio"]}, "modalities"),
    Refused(CHAT, {"audio": {"voice": "x"}}, "audio"),
    Refused(CHAT, {"web_search_options": {}}, "web_search_options"),
    Refused(CHAT, {"wizardry": 1}, "wizardry"),
    Refused(CHAT, {"prompt": "Hello"}, "prompt"),
    Refused(TEXT, {"suffix": "x"}, "suffix"),
    Refused(TEXT, {"best_of": 3}, "best_of"),
    Refused(TEXT, {"prompt": []}, "prompt"),
    Refused(TEXT, {"prompt": ["a", ""]}, "prompt[1]"),
    Refused(TEXT, {"prompt": [99999999]}, "prompt"),
    Refused(TEXT, {"messages": HELLO}, "messages"),
    Refused(TEXT, {"echo": True, "logprobs": 1}, "echo"),
    Refused(RESPONSES, {"background": True}, "background"),
    Refused(RESPONSES, {"prompt": {"id": "x"}}, "prompt"),
    Refused(RESPONSES, {"truncation": "auto"}, "truncation"),
    Refused(RESPONSES, {"max_tool_calls": 2}, "max_tool_calls"),
    Refused(RESPONSES, {"previous_response_id": "resp_x"}, "previous_response_id"),
    Refused(RESPONSES, {"n": 2}, "n"),
    Refused(RESPONSES, {"wizardry": 1}, "wizardry"),
    Refused("/tokenize", {}, "content"),
    Refused("/detokenize", {"tokens": ["a"]}, "tokens"),
    Refused("/detokenize", {"tokens": [99999999]}, "tokens"),
    Refused("/apply-template", {"messages": []}, "messages"),
]
ABSENT = ["/v1/embeddings", "/embedding", "/v1/rerank", "/infill", "/completion"]


def ask(caller: Caller, case: Works | Refused) -> httpx2.Response:
    return caller.send("POST", case.path, BASE.get(case.path, {}) | case.more)


@pytest.mark.parametrize("case", WORKS, ids=str)
def test_works(caller: Caller, case: Works) -> None:
    response = ask(caller, case)
    assert response.status_code == 200, response.text
    assert case.check(response.json()), response.text


@pytest.mark.parametrize("case", REFUSED, ids=str)
def test_refused_by_name(caller: Caller, case: Refused) -> None:
    response = ask(caller, case)
    error = response.json()["error"]
    assert (response.status_code, error["param"]) == (400, case.param), error
    assert error["message"].endswith(".")


@pytest.mark.parametrize(
    "more",
    [
        {"mcp_servers": [{"url": "x"}]},
        {"wizardry": 1},
        {"top_logprobs": 2},
        {"context_management": {"edits": [{"type": "clear_tool_uses_20250919"}]}},
    ],
    ids=str,
)
def test_refused_by_name_in_anthropics_form(caller: Caller, more: dict[str, Any]) -> None:
    told = caller.send("POST", MESSAGES, BASE[MESSAGES] | more)
    assert told.status_code == 400
    assert told.json()["error"]["type"] == "invalid_request_error"
    assert next(iter(more)) in told.json()["error"]["message"]


@pytest.mark.parametrize(
    ("method", "path"),
    [
        *(("POST", path) for path in ABSENT),
        ("GET", "/slots"),
        ("GET", "/props"),
        ("POST", "/props"),
    ],
)
def test_what_is_not_served_says_so(caller: Caller, method: str, path: str) -> None:
    told = caller.send(method, path, {"input": "Hello"} if method == "POST" else None)
    assert told.status_code == 501
    assert told.json()["error"]["code"] == "not_supported"


class TestOverflow:
    """By these words and codes clients know that they have to shorten the conversation."""

    @pytest.mark.parametrize("text", ["word " * 9_000, "a b c d " * 2_100])
    @pytest.mark.parametrize("stream", [False, True])
    def test_of_openai(self, caller: Caller, text: str, stream: bool) -> None:
        for path, field in ((CHAT, "messages"), (RESPONSES, "input")):
            said = [{"role": "user", "content": text}]
            told = caller.send("POST", path, BASE[path] | {field: said, "stream": stream})
            error = told.json()["error"]
            assert (told.status_code, error["code"]) == (400, "context_length_exceeded")
            assert "maximum context length is 8192 tokens" in error["message"]

    @pytest.mark.parametrize("stream", [False, True])
    def test_of_anthropic(self, caller: Caller, stream: bool) -> None:
        told = caller.send("POST", MESSAGES, BASE[MESSAGES] | {"messages": LONG, "stream": stream})
        error = told.json()["error"]
        assert (told.status_code, error["type"]) == (400, "invalid_request_error")
        assert error["message"].startswith("prompt is too long: ")
        assert " > 8192 maximum" in error["message"]


class TestSeveral:
    def test_answers_of_one_seed_differ_and_the_first_is_that_of_one(self, caller: Caller) -> None:
        asked = BASE[CHAT] | {
            "temperature": 30,
            "top_k": 0,
            "top_p": 1,
            "seed": 3,
            "max_tokens": 12,
        }
        one = caller.post(CHAT, asked)
        three = caller.post(CHAT, asked | {"n": 3})
        texts = [choice["message"]["content"] for choice in three["choices"]]
        assert texts[0] == message(one)["content"]
        assert len(set(texts)) == 3
        assert three["usage"]["completion_tokens"] > one["usage"]["completion_tokens"]
        assert three["usage"]["prompt_tokens"] == one["usage"]["prompt_tokens"]

    def test_streamed_one_after_another(self, caller: Caller) -> None:
        asked = BASE[CHAT] | {"temperature": 1.5, "seed": 3, "n": 2}
        whole = caller.post(CHAT, asked)
        *chunks, done = caller.events(CHAT, asked | {"stream": True})
        assert done == "[DONE]"
        texts = {0: "", 1: ""}
        for chunk in chunks:
            for choice in chunk["choices"]:
                texts[choice["index"]] += choice["delta"].get("content") or ""
        assert texts == {c["index"]: c["message"]["content"] for c in whole["choices"]}
        assert len({chunk["id"] for chunk in chunks}) == 1

    def test_prompts_keep_their_order(self, caller: Caller) -> None:
        prompts = ["The cache keeps", "A tree of"]
        alone = [
            caller.post(TEXT, BASE[TEXT] | {"prompt": one})["choices"][0]["text"] for one in prompts
        ]
        both = caller.post(TEXT, BASE[TEXT] | {"prompt": prompts})
        assert [choice["text"] for choice in both["choices"]] == alone


class TestScores:
    def test_they_belong_to_the_text_and_the_likeliest_is_greedy(self, caller: Caller) -> None:
        said = caller.post(CHAT, BASE[CHAT] | {"logprobs": True, "top_logprobs": 2})
        found = scores(said)
        text = b"".join(bytes(one["bytes"]) for one in found).decode()
        assert text == message(said)["content"]
        for one in found:
            assert one["top_logprobs"][0]["token"] == one["token"]
            assert one["top_logprobs"][0]["logprob"] == one["logprob"]
            assert one["top_logprobs"][1]["logprob"] <= one["logprob"]

    def test_streamed_they_are_the_same(self, caller: Caller) -> None:
        asked = BASE[CHAT] | {"logprobs": True}
        whole = scores(caller.post(CHAT, asked))
        chunks = caller.events(CHAT, asked | {"stream": True})[:-1]
        told = [chunk["choices"][0]["logprobs"] for chunk in chunks]
        assert [one for part in told if part for one in part["content"]] == whole


class TestPenalties:
    def test_a_banned_token_never_comes(self, caller: Caller, engine: Engine) -> None:
        first = caller.post(CHAT, BASE[CHAT] | {"logprobs": True})
        token = engine.on_core(lambda core: core.text.encode(scores(first)[0]["token"])[0])
        for bias in (-100, False):
            other = caller.post(CHAT, BASE[CHAT] | {"logprobs": True, "logit_bias": {token: bias}})
            assert scores(first)[0]["token"] not in [one["token"] for one in scores(other)]

    def test_a_favoured_token_always_comes(self, caller: Caller) -> None:
        said = caller.post(CHAT, BASE[CHAT] | {"logit_bias": [[50, 100]]})
        tokens = caller.post("/tokenize", {"content": message(said)["content"]})["tokens"]
        assert set(tokens) == {50}

    def test_frequency_counts_and_presence_does_not(self, caller: Caller) -> None:
        asked = BASE[CHAT] | {"max_tokens": 40, "logit_bias": {"50": 40}, "logprobs": True}
        often = scores(caller.post(CHAT, asked | {"presence_penalty": 1.0}))
        less = scores(caller.post(CHAT, asked | {"frequency_penalty": 1.0}))
        assert len({one["token"] for one in often}) == 1
        assert len({one["token"] for one in less}) > 1


class TestSeed:
    def test_signs_are_kept_apart(self, caller: Caller) -> None:
        asked = BASE[CHAT] | {"temperature": 2, "top_k": 0, "top_p": 1, "max_tokens": 16}
        texts = {
            seed: message(caller.post(CHAT, asked | {"seed": seed}))["content"]
            for seed in (-5, 5, -5)
        }
        assert texts[-5] == message(caller.post(CHAT, asked | {"seed": -5}))["content"]
        assert texts[-5] != texts[5]

    def test_minus_one_is_random(self, caller: Caller) -> None:
        asked = BASE[CHAT] | {"temperature": 3, "top_k": 0, "top_p": 1, "max_tokens": 16}
        texts = {message(caller.post(CHAT, asked | {"seed": -1}))["content"] for _ in range(3)}
        assert len(texts) > 1


class TestModels:
    def test_one_by_its_name(self, caller: Caller, engine: Engine) -> None:
        found = caller.send("GET", f"/v1/models/{engine.model.name}").json()
        assert (found["id"], found["object"]) == (engine.model.name, "model")

    def test_another_is_not_there(self, caller: Caller) -> None:
        told = caller.send("GET", "/v1/models/org/other")
        assert told.status_code == 404
        assert told.json()["error"]["code"] == "model_not_found"


class TestKeptResponses:
    def test_one_is_found_again(self, caller: Caller) -> None:
        said = caller.post(RESPONSES, BASE[RESPONSES])
        assert caller.send("GET", f"{RESPONSES}/{said['id']}").json() == said
        assert caller.send("DELETE", f"{RESPONSES}/{said['id']}").json()["deleted"] is True
        assert caller.send("GET", f"{RESPONSES}/{said['id']}").status_code == 404

    def test_not_where_the_client_does_not_want_it(self, caller: Caller) -> None:
        said = caller.post(RESPONSES, BASE[RESPONSES] | {"store": False})
        assert caller.send("GET", f"{RESPONSES}/{said['id']}").status_code == 404


def test_text_parts_are_joined_as_they_are(caller: Caller) -> None:
    parts = [{"type": "text", "text": "Hello! "}, {"type": "text", "text": "Who are you?"}]
    for path in (CHAT, MESSAGES):
        split, one = (
            caller.post(path, BASE[path] | {"messages": [{"role": "user", "content": content}]})
            for content in (parts, "Hello! Who are you?")
        )
        count = "prompt_tokens" if path == CHAT else "cache_read_input_tokens"
        assert one["usage"][count] > 0
        whole = [u["biplane"] for u in (split["usage"], one["usage"])]
        assert whole[0]["reused"] + whole[0]["replayed"] + whole[0]["new"] == whole[1]["reused"]


def test_a_method_that_is_not_possible_names_the_others(caller: Caller) -> None:
    told = caller.send("GET", CHAT)
    assert told.status_code == 405
    assert told.headers["allow"] == "POST"
    assert "GET" in caller.send("POST", "/v1/models", {}).headers["allow"]


def test_what_is_read_is_written_back(caller: Caller) -> None:
    tokens = caller.post("/tokenize", {"content": "Hello, world"})["tokens"]
    assert caller.post("/detokenize", {"tokens": tokens})["content"] == "Hello, world"
    whole = caller.post("/apply-template", {"messages": HELLO})["prompt"]
    said = caller.post(TEXT, BASE[TEXT] | {"prompt": whole})
    assert said["choices"][0]["text"] == message(caller.post(CHAT, BASE[CHAT]))["content"]
