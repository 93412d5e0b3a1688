"""A model's chat template: messages in, prompt text out, in a metered sandbox."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NoReturn

from jinja2 import TemplateError, TemplateSyntaxError, nodes
from jinja2.ext import Extension, loopcontrols
from jinja2.parser import Parser

from engine.errors import ModelError, PromptError
from engine.message import Message, PromptOptions
from engine.text.meter import Meter, MeteredEnvironment, TemplateLimit

MAX_TEMPLATE_CHARS = 1_000_000


class _GenerationTag(Extension):
    """Reads `{% generation %}` blocks (they mark answers for training) as their plain content."""

    tags = {"generation"}  # noqa: RUF012

    def parse(self, parser: Parser) -> nodes.Node:
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
        return nodes.Scope(body, lineno=line)


class ChatTemplate:
    """One template, compiled; not for several threads at once.

    Attributes:
        name: where it came from, for error sentences.
    """

    def __init__(self, source: str, name: str, special_tokens: Mapping[str, str]) -> None:
        """Raises ModelError where the template is too long or not valid jinja2."""
        if len(source) > MAX_TEMPLATE_CHARS:
            raise ModelError(f"The chat template in {name} is longer than a million characters.")
        self.name = name
        self._special = dict(special_tokens)
        self._environment = _environment()
        try:
            self._template = self._environment.from_string(source)
        except TemplateSyntaxError as error:
            raise ModelError(
                f"The chat template in {name} is not valid: {error.message} (line {error.lineno})."
            ) from None
        except (RecursionError, TemplateError, ValueError, OverflowError, MemoryError) as error:
            raise ModelError(f"The chat template in {name} cannot be read: {error}.") from None

    def render(
        self,
        messages: Sequence[Mapping[str, Any]],
        options: PromptOptions,
        add_generation_prompt: bool = True,
    ) -> str:
        """The prompt text; raises PromptError where the template refuses, fails or runs away."""
        self._environment.meter = Meter()
        try:
            return self._template.render(
                messages=[dict(message) for message in messages],
                tools=[dict(tool) for tool in options.tools] or None,
                documents=None,
                add_generation_prompt=add_generation_prompt,
                enable_thinking=options.thinking,
                **self._special,
            )
        except TemplateLimit as error:
            raise PromptError(f"The model's chat template was stopped: {error}.") from None
        except TemplateError as error:
            raise PromptError(f"The model's chat template refused: {_sentence(error)}") from None
        except RecursionError:
            raise PromptError("The model's chat template was stopped: it calls itself.") from None
        except (ArithmeticError, LookupError, MemoryError, TypeError, ValueError) as error:
            raise PromptError(f"The model's chat template failed: {_sentence(error)}") from None
        except (AttributeError, AssertionError, RuntimeError) as error:
            raise PromptError(f"The model's chat template failed: {_sentence(error)}") from None


def as_template_message(message: Message) -> dict[str, Any]:
    """A message as templates expect it; tool calls in the common function-call form."""
    fields: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.thinking:
        fields["reasoning_content"] = message.thinking
    if message.tool_calls:
        fields["tool_calls"] = [
            {"type": "function", "function": dict(call)} for call in message.tool_calls
        ]
    return fields


def _sentence(error: Exception) -> str:
    text = " ".join(str(error).split())[:300] or type(error).__name__
    return text if text.endswith((".", "!", "?")) else text + "."


def _environment() -> MeteredEnvironment:
    environment = MeteredEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[_GenerationTag, loopcontrols]
    )
    environment.filters["tojson"] = _tojson
    environment.globals["raise_exception"] = _raise_exception
    environment.globals["strftime_now"] = _strftime_now
    environment.guard_filters()
    return environment


def _tojson(
    value: Any,
    ensure_ascii: bool = False,
    indent: int | str | None = None,
    separators: tuple[str, str] | None = None,
    sort_keys: bool = False,
) -> str:
    # jinja2's own filter escapes HTML and sorts keys; models were trained on plain JSON.
    return json.dumps(
        value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys
    )


def _raise_exception(reason: str) -> NoReturn:
    raise TemplateError(str(reason))


def _strftime_now(pattern: str) -> str:
    return datetime.now().strftime(str(pattern)[:200])
