"""The functions that templates may call by name, each bounded before it runs."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any, NoReturn

from jinja2 import TemplateError
from jinja2.utils import Namespace

from engine.text.sandbox.environment import TemplateSandbox
from engine.text.sandbox.meter import TemplateLimit
from engine.text.sandbox.values import elements, key

MAX_DATE_PATTERN = 200


def _range(sandbox: TemplateSandbox, *bounds: int) -> range:
    numbers = range(*bounds)
    # Beyond the largest index even len() fails, so check the last one first.
    if numbers:
        sandbox.meter.allow_items(abs((numbers[-1] - numbers[0]) // numbers.step) + 1)
    return numbers


def _dict(sandbox: TemplateSandbox, /, *values: Any, **named: Any) -> dict[Any, Any]:
    if len(values) > 1:
        raise TypeError("dict takes one mapping or one list of pairs")
    made: dict[Any, Any] = {}
    for value in values:
        pairs = list(value.items()) if isinstance(value, dict) else elements(value)
        sandbox.meter.allow_items(len(pairs))
        for pair in pairs:
            sandbox.meter.tick()
            name, entry = pair
            made[key(name)] = entry
    made.update(named)
    return sandbox.meter.made(made)


def _namespace(sandbox: TemplateSandbox, /, *values: Any, **named: Any) -> Namespace:
    return Namespace(_dict(sandbox, *values, **named))


def _raise_exception(sandbox: TemplateSandbox, reason: Any) -> NoReturn:
    raise TemplateError(sandbox.meter.text(reason))


def _strftime_now(sandbox: TemplateSandbox, pattern: Any) -> str:
    text = sandbox.meter.text(pattern)
    if len(text) > MAX_DATE_PATTERN:
        raise TemplateLimit("its format of the date is too long")
    return datetime.now().strftime(text)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "dict": _dict,
    "namespace": _namespace,
    "range": _range,
    "raise_exception": _raise_exception,
    "strftime_now": _strftime_now,
}
