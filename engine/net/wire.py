"""Types of OpenAI's interface, for both server and client: what a request may contain.

Null is equivalent to a missing field.
"""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from engine.config import MOST_SCORES
from engine.field_check import MOST

MOST_ANSWERS = 128
AnswerCount = Annotated[int, Meta(ge=1, le=MOST_ANSWERS)]
Count = Annotated[int, Meta(ge=1, le=MOST)]
Name = Annotated[str, Meta(min_length=1)]
Penalty = Annotated[float, Meta(ge=-100, le=100)]
Scores = Annotated[int, Meta(ge=0, le=MOST_SCORES)]
Share = Annotated[float, Meta(ge=0, le=1)]


class Wire(Struct, kw_only=True, omit_defaults=True):
    """An object of a body."""


class Part(Wire):
    """A part of a list content."""

    type: str | None = None
    text: str | None = None
    refusal: str | None = None


Content = str | list[Part] | None


class Call(Wire):
    name: Name
    arguments: Any = None


class ToolCall(Wire):
    function: Call


class ChatMessage(Wire):
    role: str | None = None
    content: Content = None
    reasoning_content: str | None = None
    reasoning: str | None = None
    tool_calls: list[ToolCall] | None = None


class Function(Wire):
    """A tool; `parameters` is a JSON schema, which a `strict` one's calls follow."""

    name: Name
    description: str | None = None
    parameters: dict[str, Any] | None = None
    strict: bool | None = None


class JsonSchema(Wire):
    """The inner part of OpenAI's `response_format`."""

    schema: dict[str, Any] | bool | None = None


class AnswerFormat(Wire):
    """What an answer has to look like; the schema is in `json_schema` or beside the type."""

    type: str | None = None
    json_schema: JsonSchema | None = None
    schema: dict[str, Any] | bool | None = None


class Options(Wire):
    """The small objects of a body; each uses one or two of these fields."""

    type: str | None = None
    name: str | None = None
    disable_parallel_tool_use: bool | None = None
    include_usage: bool | None = None
    enable_thinking: bool | None = None
    effort: str | None = None
    budget_tokens: int | None = None
    format: AnswerFormat | None = None


class Prediction(Wire):
    """What a client expects of the answer."""

    type: str | None = None
    content: Content = None


class Sampling(Wire):
    """Sampling options, common to every interface.

    Attributes:
        stop: one, or a list of them.
        top_k: some clients write -1 for no limit.
        logit_bias: by token id, or a list of pairs; false rules a token out.
        repeat_penalty, n_predict: llama.cpp's names of repetition_penalty and max_tokens.
        grammar, json_schema: llama.cpp's names of what the answer has to look like.
        guided_json and the like, structured_outputs: vLLM's.
    """

    temperature: Annotated[float, Meta(ge=0, le=100)] | None = None
    top_p: Share | None = None
    min_p: Share | None = None
    top_k: Annotated[int, Meta(ge=-1, le=MOST)] | None = None
    presence_penalty: Penalty | None = None
    frequency_penalty: Penalty | None = None
    logit_bias: dict[str, Any] | list[Any] | None = None
    repeat_penalty: Annotated[float, Meta(ge=0.01, le=100)] | None = None
    repetition_penalty: Annotated[float, Meta(ge=0.01, le=100)] | None = None
    seed: Annotated[int, Meta(ge=-MOST, le=MOST)] | None = None
    stop: str | list[Any] | None = None
    stop_token_ids: list[Annotated[int, Meta(ge=0, le=MOST)]] | None = None
    ignore_eos: bool | None = None
    min_tokens: Annotated[int, Meta(ge=0, le=MOST)] | None = None
    n_predict: Count | None = None
    max_tokens: Count | None = None
    grammar: str | None = None
    json_schema: dict[str, Any] | bool | str | None = None
    guided_json: dict[str, Any] | bool | str | None = None
    guided_regex: str | None = None
    guided_choice: list[Any] | None = None
    guided_grammar: str | None = None
    structured_outputs: dict[str, Any] | None = None


class Body(Sampling):
    """Fields common to every interface; the items of long lists are decoded one by one."""

    stream: bool | None = None
    tools: list[dict[str, Any]] | None = None
    tool_choice: Any = None
    parallel_tool_calls: bool | None = None


class ChatBody(Body):
    """A body of /v1/chat/completions.

    Attributes:
        enable_thinking, thinking: as other servers take them.
    """

    messages: list[Any] | None = None
    n: AnswerCount | None = None
    n_probs: Scores | None = None
    stream_options: Options | None = None
    max_completion_tokens: Count | None = None
    chat_template_kwargs: dict[str, Any] | None = None
    enable_thinking: bool | None = None
    thinking: Options | None = None
    reasoning_effort: str | None = None
    prediction: Prediction | None = None
    response_format: AnswerFormat | None = None
    logprobs: bool | None = None
    top_logprobs: Scores | None = None


class TextBody(Sampling):
    """A body of /v1/completions: texts or token ids, one or several."""

    stream: bool | None = None
    stream_options: Options | None = None
    prompt: str | list[Any] | None = None
    n: AnswerCount | None = None
    n_probs: Scores | None = None
    echo: bool | None = None
    response_format: AnswerFormat | None = None
    logprobs: Scores | None = None


class ResponsesBody(Body):
    """A body of /v1/responses."""

    store: bool | None = None
    metadata: dict[str, Any] | None = None
    instructions: str | None = None
    input: str | list[Any] | None = None
    max_output_tokens: Count | None = None
    reasoning: Options | None = None
    text: Options | None = None


class Item(Wire):
    """An item of a response's input: a message, or the result of a call."""

    role: str | None = None
    content: Content = None
    output: Content = None


class Thought(Wire):
    """A part of a response's input."""

    content: list[Part] | None = None
    summary: list[Part] | None = None
