"""The tests (`is ...`) that templates may use, each bounded before it runs."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from jinja2 import Undefined, pass_environment, tests
from jinja2.runtime import Macro

from engine.text.sandbox.environment import TemplateSandbox
from engine.text.sandbox.operators import COMPARISONS
from engine.text.sandbox.values import Offered, Stream, elements, key

Test = Callable[..., bool]


def _callable(sandbox: TemplateSandbox, value: Any) -> bool:
    # As in jinja2, where an undefined value is callable and raises an error.
    return isinstance(value, Offered | Macro | Undefined)


def _iterable(sandbox: TemplateSandbox, value: Any) -> bool:
    try:
        elements(value)
    except TypeError:
        return False
    return True


def _sequence(sandbox: TemplateSandbox, value: Any) -> bool:
    return _iterable(sandbox, value) and not isinstance(value, Stream)


def _divisible(sandbox: TemplateSandbox, value: Any, num: Any) -> bool:
    return bool(_remainder(sandbox, value, num) == 0)


def _parity(wanted: int, sandbox: TemplateSandbox, value: Any) -> bool:
    return bool(_remainder(sandbox, value, 2) == wanted)


def _remainder(sandbox: TemplateSandbox, value: Any, divisor: Any) -> Any:
    if isinstance(value, Undefined):
        value._fail_with_undefined_error()
    # For a string `%` would be formatting.
    return sandbox.meter.number(value) % sandbox.meter.number(divisor)


def _lower(sandbox: TemplateSandbox, value: Any) -> bool:
    return sandbox.meter.text(value).islower()


def _upper(sandbox: TemplateSandbox, value: Any) -> bool:
    return sandbox.meter.text(value).isupper()


def _filter(sandbox: TemplateSandbox, value: Any) -> bool:
    return key(value) in sandbox.filters


def _test(sandbox: TemplateSandbox, value: Any) -> bool:
    return key(value) in sandbox.tests


def _compared(comparison: str, sandbox: TemplateSandbox, value: Any, other: Any) -> bool:
    return bool(COMPARISONS[comparison](sandbox.meter, value, other))


_LOOKS = ("boolean", "defined", "escaped", "false", "float", "integer", "mapping", "none")
_MORE_LOOKS = ("number", "sameas", "string", "true", "undefined")
_NAMES = {
    "eq": ("eq", "equalto", "=="),
    "ne": ("ne", "!="),
    "lt": ("lt", "lessthan", "<"),
    "lteq": ("le", "<="),
    "gt": ("gt", "greaterthan", ">"),
    "gteq": ("ge", ">="),
    "in": ("in",),
}
_BOUNDED: dict[str, Test] = {
    "callable": _callable,
    "iterable": _iterable,
    "sequence": _sequence,
    "divisibleby": _divisible,
    "even": partial(_parity, 0),
    "odd": partial(_parity, 1),
    "lower": _lower,
    "upper": _upper,
    "filter": _filter,
    "test": _test,
    **{name: partial(_compared, op) for op, names in _NAMES.items() for name in names},
}
TESTS: dict[str, Any] = {
    # These check only the type, whatever the value.
    **{name: tests.TESTS[name] for name in (*_LOOKS, *_MORE_LOOKS)},
    **{name: pass_environment(function) for name, function in _BOUNDED.items()},
}
