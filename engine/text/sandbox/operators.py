"""The operators of templates, each with a bound on its cost that is checked before it runs."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from markupsafe import Markup

from engine.text.sandbox.formats import percent
from engine.text.sandbox.meter import MAX_NUMBER_BITS, Meter, TemplateLimit
from engine.text.sandbox.values import SCALARS, elements, key

# A text joined to one that is marked as safe is escaped: '"' becomes '&#34;'.
_ESCAPE_GROWTH = 5


def add(meter: Meter, left: Any, right: Any) -> Any:
    if isinstance(left, str) and isinstance(right, str):
        safe = isinstance(left, Markup) or isinstance(right, Markup)
        meter.allow((len(left) + len(right)) * (_ESCAPE_GROWTH if safe else 1))
        return meter.made(left + right)
    if type(left) in (list, tuple) and type(left) is type(right):
        meter.allow_items(len(left) + len(right))
        return meter.made(left + right)
    return _arithmetic(meter, operator.add, left, right)


def multiply(meter: Meter, left: Any, right: Any) -> Any:
    for sequence, count in ((left, right), (right, left)):
        if isinstance(sequence, str | list | tuple) and isinstance(count, int):
            size = len(sequence) * max(count, 0)
            (meter.allow if isinstance(sequence, str) else meter.allow_items)(size)
            return meter.made(left * right)
    return _arithmetic(meter, operator.mul, left, right)


def power(meter: Meter, left: Any, right: Any) -> Any:
    if isinstance(left, int) and isinstance(right, int):
        bits = (abs(left).bit_length() - 1) * meter.number(right)
        if bits > MAX_NUMBER_BITS:
            raise TemplateLimit("it builds too large a number")
    return _arithmetic(meter, operator.pow, left, right)


def remainder(meter: Meter, left: Any, right: Any) -> Any:
    if isinstance(left, str):
        return percent(meter, left, right)
    return _arithmetic(meter, operator.mod, left, right)


def _arithmetic(meter: Meter, function: Callable[[Any, Any], Any], left: Any, right: Any) -> Any:
    meter.tick()
    for value in (left, right):
        # Other types have no arithmetic; Python raises the error, or jinja2 if it is undefined.
        if isinstance(value, int):
            meter.number(value)
    return meter.number(function(left, right))


def _plain(function: Callable[[Any, Any], Any]) -> Callable[[Meter, Any, Any], Any]:
    return lambda meter, left, right: _arithmetic(meter, function, left, right)


def is_in(meter: Meter, value: Any, values: Any) -> bool:
    if isinstance(values, str):
        meter.tick()
        return value in values
    if isinstance(values, dict):
        meter.tick()
        return key(value) in values
    # It may be compared with each of them, in full.
    many = elements(values)
    meter.allow_steps(len(many) * (16 + meter.weigh(value)))
    return value in many


def _compared(function: Callable[[Any, Any], Any]) -> Callable[[Meter, Any, Any], Any]:
    def compare(meter: Meter, left: Any, right: Any) -> Any:
        meter.tick()
        if type(left) not in SCALARS and type(right) not in SCALARS:
            # A comparison ends with the smaller one, so weighing one of them is enough.
            meter.weigh(left)
        return function(left, right)

    return compare


BINARY: dict[str, Callable[[Meter, Any, Any], Any]] = {
    "+": add,
    "-": _plain(operator.sub),
    "*": multiply,
    "/": _plain(operator.truediv),
    "//": _plain(operator.floordiv),
    "%": remainder,
    "**": power,
}
UNARY: dict[str, Callable[[Meter, Any], Any]] = {
    "+": lambda meter, value: meter.number(+value),
    "-": lambda meter, value: meter.number(-value),
}
COMPARISONS: dict[str, Callable[[Meter, Any, Any], Any]] = {
    "eq": _compared(operator.eq),
    "ne": _compared(operator.ne),
    "lt": _compared(operator.lt),
    "lteq": _compared(operator.le),
    "gt": _compared(operator.gt),
    "gteq": _compared(operator.ge),
    "in": is_in,
    "notin": lambda meter, value, values: not is_in(meter, value, values),
}
