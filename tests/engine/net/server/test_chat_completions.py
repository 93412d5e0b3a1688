"""/v1/chat/completions and /v1/completions: whole and streamed, and what they say of the cache."""

from __future__ import annotations

import re
from typing import Any

import pytest

from engine import Engine, Message, PromptOptions, events
from engine.net.server.openai_body import chat_asked
from engine.net.server.problem import Refused
from tests.engine.net.server.conftest import Caller

CHAT = "/v1/chat/completions"
ASK = {"role": "user", "content": "Hello! What is a checkpoint?"}


def body(*messages: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"messages": list(messages), "max_tokens": 12, "temperature": 0, **more}


class TestAnswer:
    def test_equals_that_of_the_engine(self, caller: Caller, engine: Engine) -> None:
        for seed in (1, 2, 3):
            said = caller.post(CHAT, body(ASK, temperature=0.9, seed=seed, max_tokens=24))
            sampling = engine.model.sampling.merged(
                {"temperature": 0.9, "seed": seed, "max_tokens": 24}
            )
            *_, last = engine.generate([Message("user", ASK["content"])], sampling)
            assert isinstance(last, events.RequestFinished)
            choice = said["choices"][0]
            assert choice["message"]["content"] == last.text
            assert said["usage"]["completion_tokens"] == last.report.generated

    def test_streamed_equals_whole(self, caller: Caller) -> None:
        asked = body(ASK, temperature=0.9, seed=5, max_tokens=24)
        whole = caller.post(CHAT, asked)
        *chunks, done = caller.events(CHAT, asked | {"stream": True})
        assert done == "[DONE]"
        deltas = [chunk["choices"][0]["delta"] for chunk in chunks]
        assert deltas[0] == {"role": "assistant", "content": ""}
        text = "".join(delta.get("content", "") for delta in deltas)
        assert text == whole["choices"][0]["message"]["content"]
        ends = [chunk["choices"][0]["finish_reason"] for chunk in chunks]
        assert ends[-1] == whole["choices"][0]["finish_reason"]
        assert not any(ends[:-1])
        assert "usage" not in chunks[-1]

    def test_a_prediction_changes_the_time_only(self, caller: Caller) -> None:
        asked = body(ASK, temperature=0.9, seed=7, max_tokens=40)
        plain = caller.post(CHAT, asked)
        said = plain["choices"][0]["message"]["content"]
        for content in (said, [{"type": "text", "text": said}]):
            prediction = {"type": "content", "content": content}
            told = caller.post(CHAT, asked | {"prediction": prediction})
            assert told["choices"][0]["message"]["content"] == said
            usage = told["usage"]
            details, whole = usage["completion_tokens_details"], usage["biplane"]
            assert details["accepted_prediction_tokens"] == whole["drafts_kept"]
            rejected = whole["drafted"] - whole["drafts_kept"]
            assert details["rejected_prediction_tokens"] == rejected >= 0
            # The first token is the prompt's; an end token is none of the answer's.
            ran = whole["steps"] + whole["drafts_kept"]
            assert usage["completion_tokens"] - 1 <= ran <= usage["completion_tokens"]

    @pytest.mark.parametrize(
        ("given", "sentence"),
        [
            ("text", "prediction must be an object"),
            ({"content": [{"type": "image_url"}]}, "prediction.content[0]"),
        ],
    )
    def test_a_prediction_of_another_form_is_refused(self, given: Any, sentence: str) -> None:
        with pytest.raises(Refused, match=re.escape(sentence)):
            chat_asked(body(ASK, prediction=given))

    def test_thinking_has_a_field_of_its_own(self, caller: Caller, engine: Engine) -> None:
        asked = body(ASK, max_tokens=60, chat_template_kwargs={"enable_thinking": True})
        message = caller.post(CHAT, asked)["choices"][0]["message"]
        *_, last = engine.generate(
            [Message("user", ASK["content"])],
            engine.model.sampling.merged({"temperature": 0.0, "max_tokens": 60}),
            PromptOptions(thinking=True),
        )
        assert isinstance(last, events.RequestFinished)
        assert last.thinking
        assert message.get("reasoning_content") == last.thinking
        assert message["content"] == last.text
        chunks = caller.events(CHAT, asked | {"stream": True})[:-1]
        deltas = [chunk["choices"][0]["delta"] for chunk in chunks]
        assert "".join(one.get("reasoning_content", "") for one in deltas) == last.thinking

    def test_stop_strings(self, caller: Caller) -> None:
        whole = caller.post(CHAT, body(ASK))["choices"][0]["message"]["content"]
        cut = whole.split()[2]
        choice = caller.post(CHAT, body(ASK, stop=cut))["choices"][0]
        assert choice["finish_reason"] == "stop"
        assert choice["message"]["content"] == whole[: whole.index(cut)]

    def test_length(self, caller: Caller) -> None:
        said = caller.post(CHAT, body(ASK, max_completion_tokens=3, max_tokens=9))
        assert said["choices"][0]["finish_reason"] == "length"
        assert said["usage"]["completion_tokens"] == 3


class TestUsage:
    def test_states_zero(self, caller: Caller, engine: Engine) -> None:
        engine.drop_cache()
        usage = caller.post(CHAT, body(ASK))["usage"]
        assert usage["prompt_tokens_details"] == {"cached_tokens": 0}
        assert usage["biplane"]["reason"] in ("first sight", "checkpoint evicted")
        assert usage["biplane"]["new"] == usage["prompt_tokens"]

    def test_the_next_turn_reads_only_what_is_new(self, caller: Caller, engine: Engine) -> None:
        engine.drop_cache()
        first = caller.post(CHAT, body(ASK))
        answer = {"role": "assistant", "content": first["choices"][0]["message"]["content"]}
        usage = caller.post(CHAT, body(ASK, answer, {"role": "user", "content": "And?"}))["usage"]
        told = usage["biplane"]
        assert usage["prompt_tokens_details"]["cached_tokens"] == told["reused"] > 0
        assert told["reused"] + told["replayed"] + told["new"] == usage["prompt_tokens"]
        assert told["checkpoint"]["position"] == told["reused"]
        assert told["tier"] == "device"

    def test_where_it_diverged_with_both_texts(self, caller: Caller, engine: Engine) -> None:
        engine.drop_cache()
        system = {"role": "system", "content": "You are a friendly and helpful assistant. " * 3}
        caller.post(CHAT, body(system, {"role": "user", "content": "Count to three."}))
        told = caller.post(CHAT, body(system, {"role": "user", "content": "What is two?"}))
        found = told["usage"]["biplane"]["divergence"]
        assert found["role"] == "user"
        assert found["cached"].startswith("Count")
        assert found["prompt"].startswith("What")

    def test_in_a_stream_only_if_asked(self, caller: Caller) -> None:
        asked = body(ASK, stream=True, stream_options={"include_usage": True})
        *chunks, last, _ = caller.events(CHAT, asked)
        assert last["choices"] == []
        assert "cached_tokens" in last["usage"]["prompt_tokens_details"]
        assert all(chunk["usage"] is None for chunk in chunks)


class TestRefused:
    @pytest.mark.parametrize(
        ("more", "param"),
        [
            ({"messages": []}, "messages"),
            ({"messages": "Hi"}, "messages"),
            ({"messages": ["Hi"]}, "messages[0]"),
            ({"messages": [{"role": "wizard", "content": "Hi"}]}, "messages[0].role"),
            ({"messages": [{"role": "user", "content": 5}]}, "messages[0].content"),
            (
                {"messages": [{"role": "user", "content": [{"type": "image_url"}]}]},
                "messages[0].content[0].type",
            ),
            ({"n": 0}, "n"),
            ({"logprobs": 5}, "logprobs"),
            ({"frequency_penalty": 500}, "frequency_penalty"),
            ({"response_format": {"type": "xml"}}, "response_format.type"),
            ({"temperature": -1}, "temperature"),
            ({"temperature": "hot"}, "temperature"),
            ({"max_tokens": 0}, "max_tokens"),
            ({"stop": [5]}, "stop"),
            ({"stream": "yes"}, "stream"),
            ({"tools": [{"type": "function", "function": {}}]}, "tools[0].function.name"),
            ({"tool_choice": "required"}, "tool_choice"),
            ({"tool_choice": 5}, "tool_choice"),
        ],
        ids=str,
    )
    def test_what_is_wrong_is_named(self, caller: Caller, more: dict[str, Any], param: str) -> None:
        response = caller.send("POST", CHAT, body(ASK) | more)
        error = response.json()["error"]
        assert (response.status_code, error["param"]) == (400, param)
        assert error["message"].endswith(".")

    @pytest.mark.parametrize(
        ("more", "said"),
        [
            ({"top_p": 2}, "top_p must be a number of at most 1."),
            ({"top_p": "all"}, "top_p must be a number."),
            ({"max_tokens": 0}, "max_tokens must be a whole number of at least 1."),
            ({"max_tokens": 2.5}, "max_tokens must be a whole number."),
            ({"stream": "yes"}, "stream must be true or false."),
            ({"stop": 5}, "stop must be a string or a list."),
            ({"messages": ["Hi"]}, "messages[0] must be an object."),
            (
                {"messages": [{"role": "user", "content": [{"text": 5}]}]},
                "messages[0].content[0].text must be a string.",
            ),
            (
                {"messages": [{"role": "assistant", "tool_calls": [{"function": {}}]}]},
                "messages[0].tool_calls[0].function.name is missing.",
            ),
            ({"tools": [{"name": ""}]}, "tools[0].name is empty."),
        ],
        ids=lambda said: str(said)[:40],
    )
    def test_a_sentence_says_what_a_field_must_be(self, more: dict[str, Any], said: str) -> None:
        with pytest.raises(Refused) as refused:
            chat_asked(body(ASK) | more)
        assert refused.value.sentence == said

    def test_a_number_may_be_written_with_a_point_and_null_says_nothing(self) -> None:
        asked = chat_asked(body(ASK) | {"max_tokens": 20.0, "top_k": -1.0, "seed": None})
        assert asked.sampling["max_tokens"] == 20
        assert asked.sampling["top_k"] == 0
        assert "seed" not in asked.sampling

    def test_tools_of_other_servers_may_be_anything(self) -> None:
        asked = chat_asked(body(ASK) | {"tools": [{"type": "mcp", "name": 5}, {"name": "look"}]})
        assert [one["function"]["name"] for one in asked.tools.described] == ["look"]

    def test_a_prompt_that_does_not_fit(self, caller: Caller) -> None:
        long = {"role": "user", "content": "word " * 9_000}
        for stream in (False, True):
            response = caller.send("POST", CHAT, body(long, stream=stream))
            assert response.status_code == 400
            error = response.json()["error"]
            assert error["code"] == "context_length_exceeded"
            assert "the context holds only" in error["message"]


class TestMessages:
    def test_parts_and_several_system_messages(self, caller: Caller, engine: Engine) -> None:
        parts = [{"type": "text", "text": "Hello!\n"}, {"type": "text", "text": "Who are you?"}]
        said = caller.post(
            CHAT,
            body(
                {"role": "developer", "content": "Be kind."},
                {"role": "system", "content": "Be brief."},
                {"role": "user", "content": parts},
            ),
        )
        messages = [
            Message("system", "Be kind.\n\nBe brief."),
            Message("user", "Hello!\nWho are you?"),
        ]
        assert said["usage"]["prompt_tokens"] == engine.probe(messages).total


class TestCompletions:
    def test_whole_and_streamed(self, caller: Caller, engine: Engine) -> None:
        asked = {"prompt": "The cache keeps", "max_tokens": 8, "temperature": 0}
        said = caller.post("/v1/completions", asked)
        ids = engine.on_core(lambda core: core.text.encode("The cache keeps"))
        *_, last = engine.generate(
            ids, engine.model.sampling.merged({"temperature": 0.0, "max_tokens": 8})
        )
        assert isinstance(last, events.RequestFinished)
        assert said["choices"][0]["text"] == last.text
        assert said["usage"]["prompt_tokens"] == len(ids)
        chunks = caller.events("/v1/completions", asked | {"stream": True})[:-1]
        assert "".join(chunk["choices"][0]["text"] for chunk in chunks) == last.text

    def test_of_token_ids(self, caller: Caller) -> None:
        asked = {"prompt": [5, 6, 7], "max_tokens": 2}
        assert caller.post("/v1/completions", asked)["usage"]["prompt_tokens"] == 3

    @pytest.mark.parametrize(
        "more", [{"prompt": ""}, {"prompt": ["a", ""]}, {"suffix": "x"}, {"n": 300}]
    )
    def test_refused(self, caller: Caller, more: dict[str, Any]) -> None:
        response = caller.send("POST", "/v1/completions", {"prompt": "Hi", **more})
        assert response.status_code == 400


def test_models(caller: Caller, engine: Engine) -> None:
    told = caller.send("GET", "/v1/models").json()
    assert [one["id"] for one in told["data"]] == [engine.model.name]
    assert told["models"] == told["data"]
