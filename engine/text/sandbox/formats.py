"""Format strings of templates, `%` and `str.format`, whose result is bounded before it is made."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from jinja2 import Environment
from jinja2.sandbox import SandboxedFormatter

from engine.text.sandbox.meter import Meter, TemplateLimit

MAX_PATTERN = 10_000
_NUMBERED = "it writes characters by their numbers"
# Widths and precisions have up to three digits; a float may have 310 before its point.
_FIELD_CHARS = 1_400
_REPR_GROWTH = 10
_PERCENT = re.compile(r"%(?:\(\w*\))?([^a-zA-Z%]*)")
_STRANGE_NAME = re.compile(r"%\((?!\w*\))")
_WRITES_REPR = re.compile(r"%[^a-zA-Z]*[ra]")
# The sign of a character by its number, which may be half of a surrogate pair.
_BY_NUMBER = re.compile(r"%(?:\(\w*\))?[^a-zA-Z%]*c")
_WIDE = re.compile(r"\d{4}|[*{]")


def percent(meter: Meter, pattern: str, values: Any) -> str:
    """`pattern % values`."""
    _check_pattern(meter, pattern)
    widths = _PERCENT.findall(pattern)
    _check_widths(widths)
    if _STRANGE_NAME.search(pattern):
        raise TemplateLimit("its format string names a value by more than letters and digits")
    if _BY_NUMBER.search(pattern):
        raise TemplateLimit(_NUMBERED)
    plain = type(pattern) is str and isinstance(values, str) and not _WRITES_REPR.search(pattern)
    _check_result(meter, pattern, len(widths), values, 1 if plain else _REPR_GROWTH)
    result: str = pattern % values
    return meter.made(result)


def braces(
    environment: Environment,
    meter: Meter,
    pattern: str,
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
) -> str:
    """`pattern.format(*args, **kwargs)`; fields reach into values by way of `environment`."""
    _check_pattern(meter, pattern)
    formatter = SandboxedFormatter(environment)
    fields = list(formatter.parse(pattern))
    specs = [spec for _, _, spec, _ in fields if spec]
    _check_widths(specs)
    if any(spec.endswith("c") for spec in specs):
        raise TemplateLimit(_NUMBERED)
    _check_result(meter, pattern, len(fields), [*args, *kwargs.values()], _REPR_GROWTH)
    return meter.made(formatter.vformat(pattern, args, kwargs))


def _check_pattern(meter: Meter, pattern: str) -> None:
    meter.tick()
    if len(pattern) > MAX_PATTERN:
        raise TemplateLimit("its format string is too long")


def _check_widths(specs: Sequence[str]) -> None:
    if any(_WIDE.search(spec) for spec in specs):
        raise TemplateLimit("it pads text to a huge width")


def _check_result(meter: Meter, pattern: str, fields: int, values: Any, growth: int) -> None:
    size = meter.weigh(values, shown=True) * growth
    meter.allow(len(pattern) + fields * (_FIELD_CHARS + size))
