"""A model's chat template: messages in, prompt text out, in a metered sandbox."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from jinja2 import TemplateError, TemplateSyntaxError, nodes
from jinja2.ext import Extension, loopcontrols
from jinja2.parser import Parser

from engine.errors import ModelError, PromptError
from engine.message import Message, PromptOptions
from engine.sentence import say
from engine.text.sandbox.environment import TemplateSandbox
from engine.text.sandbox.functions import FUNCTIONS
from engine.text.sandbox.list_filters import LIST_FILTERS
from engine.text.sandbox.meter import Meter, TemplateLimit
from engine.text.sandbox.predicates import TESTS
from engine.text.sandbox.text_filters import TEXT_FILTERS
from engine.text.sandbox.values import SCALARS

# The longest published templates have some 30,000.
MAX_TEMPLATE_CHARS = 250_000
TOO_DEEP = say("A tool or a tool call is nested too deeply.")


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
        name: where it came from, for error messages.
    """

    def __init__(
        self,
        source: str,
        name: str,
        special_tokens: Mapping[str, str],
        spell: Callable[[str], str] = str,
    ) -> None:
        """Raises ModelError if the template is too long or not valid jinja2.

        `spell`: spells the control tokens of what the template itself says.
        """
        if len(source) > MAX_TEMPLATE_CHARS:
            raise ModelError(
                "The chat template in {name} is longer than {max_template_chars:,} characters.",
                name=name,
                max_template_chars=MAX_TEMPLATE_CHARS,
            )
        self.name = name
        self._special = {name: spell(token) for name, token in special_tokens.items()}
        self._sandbox = _sandbox(spell)
        try:
            self._template = self._sandbox.from_string(source)
            return
        except TemplateSyntaxError as error:
            message = say(
                "is not valid: {message} (line {lineno}).",
                message=error.message,
                lineno=error.lineno,
            )
        except Exception as error:  # Python also refuses some code that jinja2 generates.
            message = say("cannot be read: {error}", error=_sentence(error))
        raise ModelError("The chat template in {name} {message}", name=name, message=message)

    def render(
        self,
        messages: Sequence[Mapping[str, Any]],
        options: PromptOptions,
        add_generation_prompt: bool = True,
    ) -> str:
        """The prompt text; raises PromptError if the template refuses, fails or exceeds a limit."""
        self._sandbox.meter = Meter()
        try:
            said, tools = _copied(messages), _copied(options.tools)
            return self._render(
                messages=said,
                tools=tools or None,
                documents=None,
                add_generation_prompt=add_generation_prompt,
                enable_thinking=options.thinking,
                **self._special,
            )
        except PromptError:
            raise
        except TemplateLimit as error:
            failure = say("was stopped: {error}", error=_sentence(error))
        except TemplateError as error:
            failure = say("refused: {error}", error=_sentence(error))
        except RecursionError:
            failure = say("was stopped: it calls itself too often.")
        except Exception as error:  # An untrusted program: every error is its failure.
            failure = say("failed: {error}", error=_sentence(error))
        # Not raised within the handler: the error holds every value of the render.
        raise PromptError("The model's chat template {failure}", failure=failure)

    def _render(self, **variables: Any) -> str:
        # Template.render would first rewrite an error's traceback, at an unbounded cost.
        context = self._template.new_context(variables)
        try:
            return "".join(self._template.root_render_func(context))
        finally:
            self._sandbox.release(context)


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
    # A spelt control token has no encoding.
    said = str(error)[:1000].encode(errors="replace").decode()
    text = " ".join(said.split())[:300] or type(error).__name__
    return text if text.endswith((".", "!", "?")) else text + "."


def _copied(value: Any) -> Any:
    """A copy by `_plain`; raises PromptError too if it is nested too deeply."""
    try:
        return _plain(value)
    except RecursionError:
        raise PromptError(TOO_DEEP) from None


def _plain(value: Any) -> Any:
    """A copy of JSON-like values in Python's own types; raises TypeError for any other."""
    if isinstance(value, str):
        return str(value)
    if isinstance(value, Mapping):
        return {_plain(name): _plain(part) for name, part in value.items()}
    if isinstance(value, Sequence):
        return [_plain(part) for part in value]
    if value is None or type(value) in SCALARS:
        return value
    raise TypeError(
        say(
            "a message or tool holds a {kind}, which cannot be written as text",
            kind=type(value).__name__,
        )
    )


def _sandbox(spell: Callable[[str], str] = str) -> TemplateSandbox:
    return TemplateSandbox(
        spell,
        {**TEXT_FILTERS, **LIST_FILTERS},
        TESTS,
        FUNCTIONS,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=[_GenerationTag, loopcontrols],
    )
