"""The official Python clients of OpenAI and Anthropic, as programs use them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import anthropic
import openai
import pytest
from anthropic.types import MessageParam, ToolParam
from openai.types.chat import ChatCompletionMessageParam, ChatCompletionToolParam
from openai.types.responses import FunctionToolParam

from engine import Engine, Message, events
from engine.net.server import Server
from tests.engine.net.server.conftest import TOKEN
from tests.engine.net.server.scripted import Script, script

__all__ = ["script"]
QUESTION = "Hello! What is a checkpoint?"
CALL = '<tool_call>\n{"name": "look", "arguments": {"path": "a.py"}}\n</tool_call>'
SCHEMA: dict[str, object] = {"type": "object", "properties": {"path": {"type": "string"}}}
CHAT_TOOL: ChatCompletionToolParam = {
    "type": "function",
    "function": {"name": "look", "description": "Look.", "parameters": SCHEMA},
}
ANTHROPIC_TOOL: ToolParam = {"name": "look", "description": "Look.", "input_schema": SCHEMA}
RESPONSES_TOOL: FunctionToolParam = {
    "type": "function",
    "name": "look",
    "description": "Look.",
    "parameters": SCHEMA,
    "strict": False,
}
ASKED: list[ChatCompletionMessageParam] = [{"role": "user", "content": QUESTION}]
# The client has no parameter for it any more; the interface has.
GREEDY = {"temperature": 0}
TOLD: list[MessageParam] = [{"role": "user", "content": QUESTION}]


@pytest.fixture(scope="module")
def of_openai(server: Server) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(base_url=f"{server.url}/v1", api_key=TOKEN, max_retries=0) as client:
        yield client


@pytest.fixture(scope="module")
def of_anthropic(server: Server) -> Iterator[anthropic.Anthropic]:
    with anthropic.Anthropic(base_url=server.url, api_key=TOKEN, max_retries=0) as client:
        yield client


@pytest.fixture(scope="module")
def expected(engine: Engine) -> str:
    """The engine's own greedy answer."""
    sampling = engine.model.sampling.merged({"temperature": 0.0, "max_tokens": 20})
    *_, last = engine.generate([Message("user", QUESTION)], sampling)
    assert isinstance(last, events.RequestFinished)
    return last.text


class TestChatCompletions:
    def test_whole(self, of_openai: openai.OpenAI, expected: str) -> None:
        said = of_openai.chat.completions.create(
            model="any", messages=ASKED, temperature=0, max_tokens=20
        )
        assert said.choices[0].message.content == expected
        assert said.usage is not None
        assert said.usage.prompt_tokens_details is not None
        assert said.usage.prompt_tokens_details.cached_tokens is not None
        told: dict[str, Any] = said.usage.to_dict()["biplane"]  # type: ignore[assignment]
        assert told["reused"] == said.usage.prompt_tokens_details.cached_tokens

    def test_streamed(self, of_openai: openai.OpenAI, expected: str) -> None:
        chunks = list(
            of_openai.chat.completions.create(
                model="any",
                messages=ASKED,
                temperature=0,
                max_tokens=20,
                stream=True,
                stream_options={"include_usage": True},
            )
        )
        assert chunks[-1].usage is not None
        deltas = [chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices]
        assert "".join(deltas) == expected

    def test_tools_streamed(self, of_openai: openai.OpenAI, script: Script) -> None:
        script.add(f"So: {CALL}")
        with of_openai.chat.completions.stream(
            model="any", messages=ASKED, tools=[CHAT_TOOL]
        ) as stream:
            message = stream.get_final_completion().choices[0].message
        assert message.content == "So:"
        assert message.tool_calls is not None
        assert json.loads(message.tool_calls[0].function.arguments) == {"path": "a.py"}

    def test_errors_are_those_of_the_client(self, of_openai: openai.OpenAI) -> None:
        with pytest.raises(openai.BadRequestError, match="n must be"):
            of_openai.chat.completions.create(model="any", messages=ASKED, n=200)
        with pytest.raises(openai.AuthenticationError):
            of_openai.with_options(api_key="wrong").models.list()

    def test_models_and_completions(self, of_openai: openai.OpenAI, engine: Engine) -> None:
        assert [model.id for model in of_openai.models.list()] == [engine.model.name]
        said = of_openai.completions.create(model="any", prompt="The cache", max_tokens=3)
        assert said.usage is not None
        assert said.usage.completion_tokens == 3


class TestResponses:
    def test_whole(self, of_openai: openai.OpenAI, expected: str) -> None:
        said = of_openai.responses.create(
            model="any", input=QUESTION, temperature=0, max_output_tokens=20
        )
        assert said.output_text == expected
        assert said.usage is not None
        assert said.usage.input_tokens_details.cached_tokens >= 0
        assert said.status == "incomplete"
        assert said.incomplete_details is not None

    def test_streamed(self, of_openai: openai.OpenAI, expected: str) -> None:
        with of_openai.responses.stream(
            model="any", input=QUESTION, temperature=0, max_output_tokens=20
        ) as stream:
            kinds = [event.type for event in stream]
        assert kinds[0] == "response.created"
        assert kinds[-1] == "response.incomplete"
        events_ = list(
            of_openai.responses.create(
                model="any", input=QUESTION, temperature=0, max_output_tokens=20, stream=True
            )
        )
        assert [event.sequence_number for event in events_] == list(range(len(events_)))
        deltas = [e.delta for e in events_ if e.type == "response.output_text.delta"]
        assert "".join(deltas) == expected

    def test_an_agents_loop(self, of_openai: openai.OpenAI, script: Script, engine: Engine) -> None:
        engine.drop_cache()
        script.add(f"I look.\n{CALL}")
        with of_openai.responses.stream(
            model="any", instructions="Be brief.", input=QUESTION, tools=[RESPONSES_TOOL]
        ) as stream:
            said = stream.get_final_response()
        message, call = said.output
        assert message.type == "message"
        assert call.type == "function_call"
        assert json.loads(call.arguments) == {"path": "a.py"}
        script.add("Done.")
        after = of_openai.responses.create(
            model="any",
            instructions="Be brief.",
            input=[
                {"role": "user", "content": QUESTION},
                message.to_dict(),  # type: ignore[list-item]
                call.to_dict(),  # type: ignore[list-item]
                {"type": "function_call_output", "call_id": call.call_id, "output": "print(1)"},
            ],
            tools=[
                RESPONSES_TOOL,
                {"type": "web_search"},
                {"type": "namespace", "name": "x", "description": "", "tools": []},
            ],
        )
        assert after.output_text == "Done."
        assert said.usage is not None
        assert after.usage is not None
        before = said.usage.input_tokens + said.usage.output_tokens
        assert after.usage.input_tokens_details.cached_tokens >= before - 1

    def test_a_probe_with_nothing_to_say(self, of_openai: openai.OpenAI) -> None:
        said = of_openai.responses.create(model="any", input=[], max_output_tokens=1)
        assert said.usage is not None
        assert said.usage.output_tokens <= 1

    def test_an_earlier_answer_is_refused_with_a_sentence(self, of_openai: openai.OpenAI) -> None:
        with pytest.raises(openai.BadRequestError, match="send the whole conversation"):
            of_openai.responses.create(model="any", input="Hi", previous_response_id="resp_1")


class TestMessages:
    def test_whole(self, of_anthropic: anthropic.Anthropic, expected: str) -> None:
        said = of_anthropic.messages.create(
            model="any", messages=TOLD, max_tokens=20, extra_body=GREEDY
        )
        (block,) = said.content
        assert block.type == "text"
        assert block.text == expected
        assert said.stop_reason == "max_tokens"

    def test_streamed(self, of_anthropic: anthropic.Anthropic, expected: str) -> None:
        with of_anthropic.messages.stream(
            model="any", messages=TOLD, max_tokens=20, extra_body=GREEDY
        ) as stream:
            assert "".join(stream.text_stream) == expected
            assert stream.get_final_message().usage.output_tokens == 20

    def test_its_own_accounting(self, of_anthropic: anthropic.Anthropic, engine: Engine) -> None:
        engine.drop_cache()
        total = of_anthropic.messages.count_tokens(model="any", messages=TOLD).input_tokens
        cold = of_anthropic.messages.create(model="any", messages=TOLD, max_tokens=4).usage
        assert (cold.input_tokens, cold.cache_read_input_tokens) == (total, 0)
        warm = of_anthropic.messages.create(model="any", messages=TOLD, max_tokens=4).usage
        assert (warm.input_tokens, warm.cache_read_input_tokens) == (0, total)

    def test_an_agents_loop(
        self, of_anthropic: anthropic.Anthropic, script: Script, engine: Engine
    ) -> None:
        engine.drop_cache()
        script.add(f"It wants a file.\n</think>\n\nI look.\n{CALL}\n{CALL}")
        thinking: Any = {"type": "enabled", "budget_tokens": 1024}
        with of_anthropic.messages.stream(
            model="any",
            system=[{"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}],
            messages=TOLD,
            tools=[ANTHROPIC_TOOL, {"type": "web_search_20250305", "name": "web_search"}],
            max_tokens=200,
            thinking=thinking,
        ) as stream:
            said = stream.get_final_message()
        kinds = [block.type for block in said.content]
        assert kinds == ["thinking", "text", "tool_use", "tool_use"]
        assert said.stop_reason == "tool_use"
        uses = [block for block in said.content if block.type == "tool_use"]
        assert [use.input for use in uses] == [{"path": "a.py"}] * 2
        results: list[Any] = [
            {"type": "tool_result", "tool_use_id": use.id, "content": "print(1)"} for use in uses
        ]
        shown: Any = [block.to_dict() for block in said.content]
        script.add("Done.\n</think>\n\nFine.")
        after = of_anthropic.messages.create(
            model="any",
            system="Be brief.",
            messages=[
                *TOLD,
                {"role": "assistant", "content": shown},
                {"role": "user", "content": results},
            ],
            tools=[ANTHROPIC_TOOL],
            max_tokens=200,
            thinking=thinking,
        )
        read = after.usage.cache_read_input_tokens or 0
        before = said.usage.input_tokens + said.usage.output_tokens
        assert read >= before - 1
        assert [block.type for block in after.content] == ["thinking", "text"]

    def test_a_tool_that_has_to_be_called(
        self, of_anthropic: anthropic.Anthropic, script: Script
    ) -> None:
        script.add(' {"path": "b"}}\n</tool_call>')
        said = of_anthropic.messages.create(
            model="any",
            messages=TOLD,
            tools=[ANTHROPIC_TOOL],
            tool_choice={"type": "tool", "name": "look"},
            max_tokens=50,
        )
        (block,) = said.content
        assert block.type == "tool_use"
        assert block.input == {"path": "b"}

    def test_errors_are_those_of_the_client(self, of_anthropic: anthropic.Anthropic) -> None:
        image: Any = {"type": "image", "source": {"type": "url", "url": "http://x"}}
        with pytest.raises(anthropic.BadRequestError, match="reads only text"):
            of_anthropic.messages.create(
                model="any", messages=[{"role": "user", "content": [image]}], max_tokens=5
            )
        with pytest.raises(anthropic.AuthenticationError):
            of_anthropic.with_options(api_key="wrong").models.list()

    def test_stop_sequences(self, of_anthropic: anthropic.Anthropic, script: Script) -> None:
        script.add("One, two, three.")
        said = of_anthropic.messages.create(
            model="any", messages=TOLD, max_tokens=50, stop_sequences=[" three"]
        )
        assert (said.stop_reason, said.stop_sequence) == ("stop_sequence", " three")
