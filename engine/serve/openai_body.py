"""Reads the bodies of /v1/chat/completions and /v1/completions."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engine.field_check import MOST, is_whole
from engine.message import Message
from engine.serve.asked import Asked, Tools
from engine.serve.problem import wrong

TEXT_PARTS = ("text", "input_text", "output_text", "refusal")
ONE_ANSWER = (
    "Biplane writes one answer at a time: leave {name} out or send 1, and ask again for more."
)
NO_SCORES = "Biplane does not report the probabilities of tokens: leave {name} out."


class Fields:
    """A JSON object of a body; `path` names it in sentences. Null counts as left out."""

    def __init__(self, given: Mapping[str, Any], path: str = "") -> None:
        self.given = given
        self._path = path

    def name(self, key: str) -> str:
        """The field's name as a sentence says it."""
        return f"{self._path}.{key}" if self._path else key

    def get(self, key: str) -> Any:
        return self.given.get(key)

    def text(self, key: str, default: str = "") -> str:
        value = self.get(key)
        if value is None:
            return default
        if not isinstance(value, str):
            raise self._wrong(key, "a string")
        return value

    def flag(self, key: str, default: bool = False) -> bool:
        value = self.get(key)
        if value is None:
            return default
        if not isinstance(value, bool):
            raise self._wrong(key, "true or false")
        return value

    def whole(self, key: str, least: int = 0, most: int = MOST) -> int | None:
        value = self.get(key)
        if value is None:
            return None
        # Some clients write 20.0.
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if not is_whole(value) or not least <= value <= most:
            raise self._wrong(key, f"a whole number of at least {least}")
        return int(value)

    def number(self, key: str, least: float, most: float) -> float | None:
        value = self.get(key)
        if value is None:
            return None
        if not (is_whole(value) or isinstance(value, float)) or not least <= value <= most:
            raise self._wrong(key, f"a number from {least:g} to {most:g}")
        return float(value)

    def items(self, key: str) -> list[Any]:
        value = self.get(key)
        if value is None:
            return []
        if not isinstance(value, list):
            raise self._wrong(key, "a list")
        return value

    def object(self, key: str) -> Fields:
        value = self.get(key)
        if value is None:
            return Fields({}, self.name(key))
        return fields_of(value, self.name(key))

    def objects(self, key: str) -> list[Fields]:
        return [
            fields_of(item, f"{self.name(key)}[{at}]") for at, item in enumerate(self.items(key))
        ]

    def refuse(self, key: str, sentence: str) -> None:
        """What cannot be done is refused, not left out: Raises Refused if the field is set."""
        if self.get(key):
            raise wrong(self.name(key), sentence)

    def _wrong(self, key: str, wanted: str) -> Exception:
        return wrong(self.name(key), f"{self.name(key)} must be {wanted}.")


def fields_of(value: object, path: str) -> Fields:
    """Raises Refused unless `value` is an object."""
    if not isinstance(value, Mapping):
        raise wrong(path, f"{path} must be an object.")
    return Fields(value, path)


def chat_asked(body: dict[str, Any]) -> Asked:
    """A body of /v1/chat/completions. Raises Refused."""
    fields = Fields(body)
    _refuse_what_cannot_be(fields)
    messages = tuple(chat_messages(fields.objects("messages")))
    if not messages:
        raise wrong("messages", "messages is empty: send at least one message.")
    return Asked(
        messages=messages,
        sampling=sampling_of(fields, "max_completion_tokens", "max_tokens"),
        tools=tools_of(fields),
        thinking=thinking_of(fields),
        stream=fields.flag("stream"),
        include_usage=fields.object("stream_options").flag("include_usage"),
    )


def completion_asked(body: dict[str, Any]) -> Asked:
    """A body of /v1/completions: text that the model continues as it is. Raises Refused."""
    fields = Fields(body)
    _refuse_what_cannot_be(fields)
    fields.refuse("suffix", "Biplane cannot write into the middle of a text: leave suffix out.")
    fields.refuse("echo", "Biplane does not repeat the prompt: leave echo out.")
    if (fields.whole("best_of", 1) or 1) != 1:
        raise wrong("best_of", ONE_ANSWER.format(name="best_of"))
    return Asked(
        raw=_raw(fields.get("prompt")),
        sampling=sampling_of(fields, "max_tokens"),
        stream=fields.flag("stream"),
        include_usage=fields.object("stream_options").flag("include_usage"),
    )


def sampling_of(fields: Fields, *limits: str) -> dict[str, object]:
    """How answers are sampled, as far as the body says; `limits` name the length, best first."""
    found: dict[str, object] = {
        "temperature": fields.number("temperature", 0, 100),
        "top_p": fields.number("top_p", 0, 1),
        "min_p": fields.number("min_p", 0, 1),
        "presence_penalty": fields.number("presence_penalty", -100, 100),
        "repetition_penalty": fields.number("repetition_penalty", 0.01, 100),
        "seed": fields.whole("seed", -(1 << 62)),
        "stop": stops_of(fields, "stop"),
    }
    # Some clients write -1 for all of them.
    top_k = fields.whole("top_k", -1)
    found["top_k"] = None if top_k is None else max(top_k, 0)
    for name in reversed(limits):
        most = fields.whole(name, 1)
        if most is not None:
            found["max_tokens"] = most
    seed = found["seed"]
    if isinstance(seed, int):
        found["seed"] = abs(seed)
    return {name: value for name, value in found.items() if value is not None and value != ()}


def stops_of(fields: Fields, key: str) -> tuple[str, ...]:
    """Stop strings: one, or a list of them."""
    value = fields.get(key)
    given = [value] if isinstance(value, str) else fields.items(key)
    if not all(isinstance(one, str) for one in given):
        raise wrong(fields.name(key), f"{fields.name(key)} must be a string or a list of strings.")
    return tuple(one for one in given if one)


def thinking_of(fields: Fields) -> bool | None:
    """Whether the model is to think, in either of the ways in which clients say it."""
    template = fields.object("chat_template_kwargs")
    if template.get("enable_thinking") is not None:
        return template.flag("enable_thinking")
    effort = fields.text("reasoning_effort")
    return effort not in ("none", "minimal") if effort else None


def tools_of(fields: Fields) -> Tools:
    """The tools and which of them may be called. Raises Refused."""
    described = tuple(
        tool for tool in map(function_tool, fields.objects("tools")) if tool is not None
    )
    return chosen(described, fields)


def function_tool(fields: Fields) -> dict[str, Any] | None:
    """A tool as the template takes it; None for a kind that only other servers have."""
    if fields.text("type", "function") != "function":
        return None
    given = fields.object("function") if fields.get("function") is not None else fields
    name = given.text("name")
    if not name:
        raise wrong(given.name("name"), f"{given.name('name')} is missing: give the tool a name.")
    parameters = given.get("parameters")
    if parameters is None:
        parameters = {"type": "object", "properties": {}}
    elif not isinstance(parameters, dict):
        raise wrong(given.name("parameters"), f"{given.name('parameters')} must be a JSON schema.")
    function = {
        "name": name,
        "description": given.text("description"),
        "parameters": parameters,
    }
    return {"type": "function", "function": function}


def chosen(described: tuple[dict[str, Any], ...], fields: Fields) -> Tools:
    """`tool_choice` in OpenAI's ways of saying it. Raises Refused."""
    choice = fields.get("tool_choice")
    if choice is None or choice == "auto":
        return Tools(described)
    if choice == "none":
        return Tools(described, "none")
    if choice == "required":
        return named(described, "", fields.name("tool_choice"))
    if isinstance(choice, dict):
        inner = Fields(choice, fields.name("tool_choice"))
        name = inner.object("function").text("name") or inner.text("name")
        if name:
            return named(described, name, fields.name("tool_choice"))
    raise wrong(
        fields.name("tool_choice"),
        f'{fields.name("tool_choice")} must be "none", "auto", "required", or name a function.',
    )


def named(described: tuple[dict[str, Any], ...], name: str, path: str) -> Tools:
    """A call is demanded, of one tool or ("") of any. Raises Refused."""
    if not described:
        raise wrong(path, f"{path} asks for a call, but the request offers no tool.")
    tools = Tools(described, "named" if name else "required", name)
    if name and all(tool["function"]["name"] != name for tool in described):
        raise wrong(path, f"{path} names a tool that the request does not offer.")
    return tools


def chat_messages(given: Sequence[Fields]) -> list[Message]:
    """The conversation as the template takes it; see `in_order`. Raises Refused."""
    return in_order(_message(fields) for fields in given)


def in_order(messages: Iterable[Message]) -> list[Message]:
    """System messages at the start become one; templates refuse any later, so the user says it."""
    system: list[str] = []
    found: list[Message] = []
    for message in messages:
        if message.role != "system":
            found.append(message)
        elif found:
            found.append(Message("user", message.content))
        else:
            system.append(message.content)
    return [Message("system", "\n\n".join(system)), *found] if system else found


def _message(fields: Fields) -> Message:
    role = fields.text("role")
    if role in ("system", "developer"):
        return Message("system", text_of(fields, "content"))
    if role == "user":
        return Message("user", text_of(fields, "content"))
    if role in ("tool", "function"):
        return Message("tool", text_of(fields, "content"))
    if role == "assistant":
        return Message(
            "assistant",
            text_of(fields, "content"),
            thinking=fields.text("reasoning_content") or fields.text("reasoning"),
            tool_calls=tuple(_call(one) for one in fields.objects("tool_calls")),
        )
    raise wrong(
        fields.name("role"),
        f'{fields.name("role")} must be "system", "user", "assistant" or "tool".',
    )


def _call(fields: Fields) -> dict[str, Any]:
    function = fields.object("function")
    name = function.text("name")
    if not name:
        raise wrong(function.name("name"), f"{function.name('name')} is missing.")
    return {"name": name, "arguments": arguments_of(function.get("arguments"))}


def arguments_of(given: object) -> dict[str, Any]:
    """A call's arguments; what is no JSON object comes back as it is under a name of its own."""
    if isinstance(given, dict):
        return given
    if given is None or given == "":
        return {}
    try:
        value = json.loads(given) if isinstance(given, str) else given
    except (ValueError, RecursionError):
        value = given
    return value if isinstance(value, dict) else {"arguments": value}


def text_of(fields: Fields, key: str) -> str:
    """A content: a string, or a list of parts that are text. Raises Refused."""
    value = fields.get(key)
    if value is None or isinstance(value, str):
        return value or ""
    texts = []
    for part in fields.objects(key):
        kind = part.text("type", "text")
        if kind not in TEXT_PARTS:
            raise wrong(
                part.name("type"),
                f"{part.name('type')} is {kind[:40]!r}, but Biplane reads only text.",
            )
        texts.append(part.text("refusal" if kind == "refusal" else "text"))
    return "\n".join(texts)


def _raw(prompt: object) -> str | tuple[int, ...]:
    if isinstance(prompt, list) and len(prompt) == 1 and not is_whole(prompt[0]):
        prompt = prompt[0]
    if isinstance(prompt, str) and prompt:
        return prompt
    if isinstance(prompt, list) and prompt and all(is_whole(one) and one >= 0 for one in prompt):
        return tuple(prompt)
    raise wrong("prompt", "prompt must be one text, or one list of token ids, and not be empty.")


def _refuse_what_cannot_be(fields: Fields) -> None:
    if (fields.whole("n", 1) or 1) != 1:
        raise wrong("n", ONE_ANSWER.format(name="n"))
    for name in ("logprobs", "top_logprobs"):
        fields.refuse(name, NO_SCORES.format(name=name))
    fields.refuse("logit_bias", "Biplane cannot favour single tokens: leave logit_bias out.")
    if fields.number("frequency_penalty", -100, 100):
        raise wrong(
            "frequency_penalty",
            "Biplane has no frequency_penalty: use presence_penalty or repetition_penalty.",
        )
    if fields.object("response_format").text("type", "text") != "text":
        raise wrong(
            "response_format",
            "Biplane cannot force a format on the answer: leave response_format out and ask for "
            "the format in the prompt.",
        )
