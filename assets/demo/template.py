"""Renders messages through the demo model's own chat template, as any loader would."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

from jinja2 import Template, TemplateError
from jinja2.ext import loopcontrols
from jinja2.sandbox import ImmutableSandboxedEnvironment

TEMPLATE_FILE = Path(__file__).with_name("chat_template.jinja")


def _refuse(reason: str) -> NoReturn:
    raise TemplateError(reason)


@cache
def chat_template() -> Template:
    """The compiled template, in the sandbox and with the whitespace rules every loader uses."""
    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[loopcontrols]
    )
    environment.globals["raise_exception"] = _refuse
    return environment.from_string(TEMPLATE_FILE.read_text(encoding="utf-8"))


def render(
    messages: Sequence[Mapping[str, Any]],
    *,
    add_generation_prompt: bool = False,
    enable_thinking: bool = False,
    tools: Sequence[Mapping[str, Any]] | None = None,
) -> str:
    """The prompt text of a conversation; raises jinja2.TemplateError on an unknown role."""
    return chat_template().render(
        messages=messages,
        add_generation_prompt=add_generation_prompt,
        enable_thinking=enable_thinking,
        tools=tools,
    )
