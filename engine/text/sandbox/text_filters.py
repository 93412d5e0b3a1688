"""The filters of texts and numbers that templates may use, each bounded before it runs.

They return what jinja2's own do. Filters that are in no table are not allowed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from jinja2 import pass_environment
from jinja2.exceptions import FilterArgumentError
from jinja2.filters import do_default, do_float, do_int, do_round, do_title
from markupsafe import Markup, escape

from engine.text.sandbox.environment import TemplateSandbox
from engine.text.sandbox.formats import percent
from engine.text.sandbox.meter import Meter, TemplateLimit
from engine.text.sandbox.methods import METHODS, lines, replaced, stripped
from engine.text.sandbox.values import key

MAX_DIGITS = 4_000
MAX_PRECISION = 30
_ESCAPE_GROWTH = 5
_JSON_GROWTH = 2
# A character outside ASCII may become two escapes of six.
_JSON_ASCII_GROWTH = 12
Filter = Callable[..., Any]

TEXT_FILTERS: dict[str, Filter] = {"default": do_default, "d": do_default}


def _offered(*names: str) -> Callable[[Filter], Filter]:
    """Register a filter that takes the sandbox first."""

    def offer(function: Filter) -> Filter:
        marked = pass_environment(function)
        TEXT_FILTERS.update(dict.fromkeys(names, marked))
        return marked

    return offer


def _recased(name: str) -> None:
    method = METHODS[str][name]

    @_offered(name)
    def recase(sandbox: TemplateSandbox, value: Any) -> Any:
        return method(sandbox, sandbox.meter.text(value))


for _name in ("capitalize", "lower", "upper"):
    _recased(_name)


@_offered("title")
def _title(sandbox: TemplateSandbox, value: Any) -> str:
    text = sandbox.meter.text(value)
    # jinja2 processes it word by word.
    sandbox.meter.allow_items(len(text))
    return sandbox.meter.made(do_title(text))


@_offered("trim")
def _trim(sandbox: TemplateSandbox, value: Any, chars: str | None = None) -> str:
    return stripped(sandbox.meter, str.strip, sandbox.meter.text(value), chars)


@_offered("string")
def _string(sandbox: TemplateSandbox, value: Any) -> str:
    return value if isinstance(value, str) else sandbox.meter.text(value)


@_offered("safe")
def _safe(sandbox: TemplateSandbox, value: Any) -> Markup:
    return sandbox.meter.made(Markup(sandbox.meter.text(value)))


@_offered("escape", "e")
def _escape(sandbox: TemplateSandbox, value: Any) -> Markup:
    if isinstance(value, Markup):
        return value
    text = sandbox.meter.text(value)
    sandbox.meter.allow(len(text) * _ESCAPE_GROWTH)
    return sandbox.meter.made(escape(text))


@_offered("replace")
def _replace(
    sandbox: TemplateSandbox, value: Any, old: Any, new: Any, count: int | None = None
) -> str:
    meter = sandbox.meter
    text, part, other = (meter.text(each) for each in (value, old, new))
    return replaced(meter, text, part, other, -1 if count is None else count)


@_offered("format")
def _format(sandbox: TemplateSandbox, value: Any, /, *args: Any, **kwargs: Any) -> str:
    if args and kwargs:
        raise FilterArgumentError("format takes values in order or by name, not both")
    return percent(sandbox.meter, sandbox.meter.text(value), kwargs or args)


@_offered("indent")
def _indent(
    sandbox: TemplateSandbox,
    value: Any,
    width: int | str = 4,
    first: bool = False,
    blank: bool = False,
) -> str:
    meter, text = sandbox.meter, sandbox.meter.text(value)
    if isinstance(width, int):
        meter.allow(width)
    margin = width if isinstance(width, str) else " " * width
    # As in jinja2: a trailing line break is kept.
    head, *rows = lines(meter, text + "\n")
    meter.allow(len(text) + (len(rows) + 1) * (len(margin) + 1))
    indented = (margin + row if row or blank else row for row in rows)
    return meter.made("\n".join([margin + head if first else head, *indented]))


@_offered("tojson")
def _tojson(
    sandbox: TemplateSandbox,
    value: Any,
    ensure_ascii: bool = False,
    indent: int | str | None = None,
    separators: tuple[str, str] | None = None,
    sort_keys: bool = False,
) -> str:
    # jinja2's own filter escapes HTML and sorts keys; models were trained on plain JSON.
    meter = sandbox.meter
    margin = len(indent) if isinstance(indent, str) else abs(indent or 0)
    margin += sum(map(len, separators or ()))
    meter.allow(margin)
    growth = _JSON_ASCII_GROWTH if ensure_ascii else _JSON_GROWTH
    meter.allow(meter.weigh(value, margin) * growth)
    encoder = json.JSONEncoder(
        ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys
    )
    if indent is None:
        return meter.made(encoder.encode(value))
    return meter.made("".join(_ticking(meter, encoder.iterencode(value))))


def _ticking(meter: Meter, parts: Iterator[str]) -> Iterator[str]:
    for part in parts:
        meter.tick()
        yield part


@_offered("int")
def _int(sandbox: TemplateSandbox, value: Any, default: Any = 0, base: int = 10) -> Any:
    _check_digits(value)
    number = do_int(value, default, base)
    return number if number is default else sandbox.meter.number(number)


@_offered("float")
def _float(sandbox: TemplateSandbox, value: Any, default: Any = 0.0) -> Any:
    _check_digits(value)
    return do_float(value, default)


def _check_digits(value: Any) -> None:
    if isinstance(value, str) and len(value) > MAX_DIGITS:
        raise TemplateLimit("it reads too long a number")


@_offered("abs")
def _abs(sandbox: TemplateSandbox, value: Any) -> Any:
    return abs(sandbox.meter.number(value))


@_offered("round")
def _round(sandbox: TemplateSandbox, value: Any, precision: int = 0, method: str = "common") -> Any:
    if abs(sandbox.meter.number(precision)) > MAX_PRECISION:
        raise TemplateLimit("it rounds to too many digits")
    rounded = do_round(sandbox.meter.number(value), precision, key(method))
    return sandbox.meter.number(rounded)
