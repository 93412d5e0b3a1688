"""Tools through the server: calls in both forms, results, and history that does not diverge."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine import Engine, Message, PromptOptions
from tests.engine.net.server.conftest import Caller
from tests.engine.net.server.scripted import Script, script

__all__ = ["script"]
CHAT = "/v1/chat/completions"
LOOK = {
    "type": "function",
    "function": {
        "name": "look",
        "description": "Look at a file.",
        "parameters": {"type": "object", "properties": {"path": {"type": "string"}}},
    },
}
ASK = {"role": "user", "content": "What is in a.py?"}
# Neither the spaces nor the order are those of the template.
CALL = '<tool_call>\n{"arguments":  {"path": "a.py"}, "name":"look"}\n</tool_call>'


def body(*messages: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"messages": list(messages), "max_tokens": 120, "tools": [LOOK], **more}


class TestCalls:
    def test_whole(self, caller: Caller, script: Script) -> None:
        script.add(f"I will look.\n{CALL}")
        choice = caller.post(CHAT, body(ASK))["choices"][0]
        assert choice["finish_reason"] == "tool_calls"
        assert choice["message"]["content"] == "I will look."
        (call,) = choice["message"]["tool_calls"]
        assert call["function"]["name"] == "look"
        assert json.loads(call["function"]["arguments"]) == {"path": "a.py"}

    def test_streamed(self, caller: Caller, script: Script) -> None:
        script.add(f"{CALL}\n{CALL}")
        chunks = caller.events(CHAT, body(ASK, stream=True))[:-1]
        deltas = [d for chunk in chunks for d in chunk["choices"][0]["delta"].get("tool_calls", ())]
        for index in (0, 1):
            own = [delta for delta in deltas if delta["index"] == index]
            assert own[0]["function"] == {"name": "look", "arguments": ""}
            assert own[0]["id"].startswith("call_")
            text = "".join(delta["function"]["arguments"] for delta in own)
            assert json.loads(text) == {"path": "a.py"}
        assert chunks[-1]["choices"][0]["finish_reason"] == "tool_calls"

    def test_one_that_cannot_be_read_is_text(self, caller: Caller, script: Script) -> None:
        script.add("<tool_call>\n{look at a.py}\n</tool_call>")
        choice = caller.post(CHAT, body(ASK))["choices"][0]
        assert choice["finish_reason"] == "stop"
        assert choice["message"]["content"] == "<tool_call>\n{look at a.py}\n</tool_call>"

    def test_half_of_one_is_text_if_the_answer_is_sent_whole(
        self, caller: Caller, script: Script
    ) -> None:
        half = "<tool_call>\n<function=look>\n<parameter=path>\na.py"
        script.add(half + " and more")
        script.add(half)
        length = 1_000
        while True:
            choice = caller.post(CHAT, body(ASK, max_tokens=length))["choices"][0]
            message = choice["message"]
            if choice["finish_reason"] == "length":
                break
            assert message["content"] == half + " and more"
            length = 12
        assert "tool_calls" not in message
        assert half.startswith(message["content"])


class TestChoice:
    def test_none_keeps_the_tools_in_the_prompt(self, caller: Caller, script: Script) -> None:
        script.add("Hm.")
        free = caller.post(CHAT, body(ASK))["usage"]["prompt_tokens"]
        script.add(f"I say: {CALL}")
        said = caller.post(CHAT, body(ASK, tool_choice="none"))
        assert said["usage"]["prompt_tokens"] == free
        assert said["usage"]["prompt_tokens_details"]["cached_tokens"] > 0
        assert said["choices"][0]["message"]["content"] == "I say: "

    @pytest.mark.parametrize("stream", [False, True])
    def test_named(self, caller: Caller, script: Script, stream: bool) -> None:
        script.add(' {"path": "b.py"}}\n</tool_call>')
        named = {"type": "function", "function": {"name": "look"}}
        asked = body(ASK, tool_choice=named, stream=stream)
        assert self.called(caller, asked) == [("look", {"path": "b.py"})]

    @pytest.mark.parametrize("stream", [False, True])
    def test_required(self, caller: Caller, script: Script, stream: bool) -> None:
        script.add('look", "arguments": {}}\n</tool_call>')
        asked = body(ASK, tool_choice="required", stream=stream)
        assert self.called(caller, asked) == [("look", {})]

    def called(self, caller: Caller, asked: dict[str, Any]) -> list[tuple[str, Any]]:
        if not asked["stream"]:
            message = caller.post(CHAT, asked)["choices"][0]["message"]
            assert message["content"] is None
            calls = [call["function"] for call in message["tool_calls"]]
            return [(call["name"], json.loads(call["arguments"])) for call in calls]
        deltas = [chunk["choices"][0]["delta"] for chunk in caller.events(CHAT, asked)[:-1]]
        calls = [delta["tool_calls"][0]["function"] for delta in deltas if "tool_calls" in delta]
        assert not any(delta.get("content") for delta in deltas)
        return [(calls[0]["name"], json.loads("".join(call["arguments"] for call in calls)))]

    def test_a_tool_that_is_not_there(self, caller: Caller) -> None:
        named = {"type": "function", "function": {"name": "other"}}
        assert caller.send("POST", CHAT, body(ASK, tool_choice=named)).status_code == 400


class TestHistory:
    """An agent sends back what it was told; the next prompt must not diverge there."""

    @pytest.mark.parametrize("thinking", [False, True])
    @pytest.mark.parametrize("one_by_one", [False, True])
    def test_the_next_prompt_extends_the_answer(
        self, caller: Caller, script: Script, engine: Engine, thinking: bool, one_by_one: bool
    ) -> None:
        engine.drop_cache()
        more = {"chat_template_kwargs": {"enable_thinking": thinking}}
        thought = "It asks for a file.\n</think>\n\n" if thinking else ""
        script.add(f"{thought}I will look.\n{CALL}", one_by_one=one_by_one)
        said = caller.post(CHAT, body(ASK, **more))
        # As clients do it: without the thinking, and with arguments that are spelt anew.
        message = said["choices"][0]["message"]
        call = message["tool_calls"][0]
        call["function"]["arguments"] = json.dumps(json.loads(call["function"]["arguments"]))
        history = {"role": "assistant", "content": message["content"], "tool_calls": [call]}
        result = {"role": "tool", "tool_call_id": call["id"], "content": "print(1)"}
        script.add("It prints 1.")
        usage = caller.post(CHAT, body(ASK, history, result, **more))["usage"]
        told = usage["biplane"]
        before = said["usage"]["prompt_tokens"] + said["usage"]["completion_tokens"]
        # The last token of an answer is sampled, not applied.
        assert told["reused"] + told["replayed"] >= before - 1
        assert told["replayed"] == 0
        assert told["divergence"] is None

    def test_a_call_written_by_somebody_else_is_rendered_by_the_template(
        self, caller: Caller, script: Script, engine: Engine
    ) -> None:
        call = {"id": "x", "type": "function", "function": {"name": "look", "arguments": "{}"}}
        history = {"role": "assistant", "content": None, "tool_calls": [call]}
        result = {"role": "tool", "tool_call_id": "x", "content": "Nothing."}
        script.add("Fine.")
        said = caller.post(CHAT, body(ASK, history, result))
        messages = [
            Message("user", ASK["content"]),
            Message("assistant", "", tool_calls=({"name": "look", "arguments": {}},)),
            Message("tool", "Nothing."),
        ]
        plan = engine.probe(messages, PromptOptions(tools=(LOOK,)))
        assert said["usage"]["prompt_tokens"] == plan.total


def test_an_answer_that_the_client_begins(caller: Caller, script: Script) -> None:
    script.add(" two, three.")
    begun = {"role": "assistant", "content": "One,"}
    said = caller.post(CHAT, {"messages": [ASK, begun], "max_tokens": 20})
    assert said["choices"][0]["message"]["content"] == " two, three."
