"""Nothing that the sandbox offers can hold the interpreter or take much memory, whatever it gets.

The calls are made up from the sandbox's own tables, so what is offered later is tested too.
"""

from __future__ import annotations

import contextlib
import inspect
import time
import tracemalloc
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any

import pytest
from jinja2 import Undefined
from jinja2.utils import Namespace
from markupsafe import Markup

from engine.text import template
from engine.text.sandbox import meter, methods
from engine.text.sandbox.environment import TemplateSandbox
from engine.text.sandbox.formats import MAX_PATTERN
from engine.text.sandbox.meter import MAX_CHARS, MAX_ITEMS, Meter, TemplateLimit
from engine.text.sandbox.methods import METHODS
from engine.text.sandbox.operators import BINARY, COMPARISONS, UNARY
from engine.text.sandbox.values import Offered, Stream

# What has no bound takes minutes and gigabytes with small limits too.
SCALE = 64
# Some tens of milliseconds by day; the rest is for a machine that does other things too.
MAX_CALL_S = 0.25
MAX_CALL_BYTES = 1 << 30
# Operators are given one and do not look at it.
NO_CONTEXT: Any = None


def doubled(make: Callable[[Any], Any], times: int = 64) -> Any:
    """A value whose text has 2 ** times parts, in a few hundred bytes."""
    value = "x"
    for _ in range(times):
        value = make(value)
    return value


@cache
def hostile_values(scale: int) -> dict[str, Any]:
    """By name, as large as a render with limits of one `scale`th allows."""
    largest, items = MAX_CHARS // 2 // scale, MAX_ITEMS // scale // (1 if scale == 1 else 16)
    return {
        "text": "ab " * (largest // 3),
        "wide text": "\U0001f600\n" * (largest // 2),
        "control characters": "\x01" * largest,
        "spaces": " " * largest,
        "line breaks": "\n" * (largest // 17),
        "marked text": Markup('"' * largest),
        "long needle": "ab" + "a" * (largest // 4),
        "short text": "a-b",
        "percent format": "%999999999d",
        "many percent fields": "%999.999f" * (MAX_PATTERN // 9),
        "hidden percent width": "%(a(b)c)999999999d",
        "brace format": "{:999999999}",
        "nested brace format": "{:{}}",
        "list": list(range(items)),
        "texts": ["a" * 30] * items,
        "different texts": [f"{'a' * 300}{at}" for at in range(items // 25)],
        "large texts": ["a" * largest] * items,
        "floats": [1.2345678901234567] * items,
        "pairs": [[at, at] for at in range(items // 25)],
        "mapping": {f"k{at}": at for at in range(items)},
        "range": range(items),
        "stream": Stream(["a"] * items),
        "doubled list": doubled(lambda value: [value, value]),
        "doubled tuple": doubled(lambda value: (value, value)),
        "doubled mapping": doubled(lambda value: {"a": value, "b": value}),
        "nested list": doubled(lambda value: [value], 100_000),
        "nested tuple": doubled(lambda value: (value,), 100_000),
        "namespace": Namespace(a=doubled(lambda value: [value, value])),
        "number": 2**63,
        "negative number": -(2**63),
        "size": 100_000_000,
        "huge number": 10**4000,
        "float": 1e308,
        "not a number": float("nan"),
        "none": None,
        "undefined": Undefined(name="u"),
    }


ARGUMENTS = (
    "text",
    "long needle",
    "number",
    "negative number",
    "size",
    "large texts",
    "doubled tuple",
    "nested tuple",
)
OWNERS = ("short text", "text", "texts", "number", "mapping")

# The kind of its first value or None, what calls it, and the function itself.
Call = tuple[type | None, Callable[..., Any], Callable[..., Any] | None]


def offered() -> dict[str, Call]:
    """Everything that can do work, by name."""
    sandbox = template._sandbox()
    found: dict[str, Call] = {}
    for name in sandbox.filters:
        found[f"filter {name}"] = (None, partial(_filter, name), sandbox.filters[name])
    tests: dict[str, Any] = dict(sandbox.tests)
    for name in tests:
        found[f"test {name}"] = (None, partial(_test, name), tests[name])
    for name, value in sandbox.globals.items():
        assert isinstance(value, Offered)
        found[f"function {name}"] = (None, value.run, value.run)
    for kind, offered in METHODS.items():
        for name, method in offered.items():
            found[f"{kind.__name__}.{name}"] = (kind, method, method)
    for name in (*BINARY, *COMPARISONS, *UNARY):
        found[f"operator {name}"] = (None, partial(_operator, name), None)
    for name in ("join_texts", "slice", "spread", "mapping", "getitem", "getattr", "steps"):
        found[f"expression {name}"] = (None, partial(_expression, name), None)
    return found


def _filter(name: str, sandbox: TemplateSandbox, value: Any, *args: Any, **kwargs: Any) -> Any:
    return sandbox.call_filter(name, value, args, kwargs)


def _test(name: str, sandbox: TemplateSandbox, value: Any, *args: Any, **kwargs: Any) -> Any:
    return sandbox.call_test(name, value, args, kwargs)


def _operator(name: str, sandbox: TemplateSandbox, *values: Any) -> Any:
    if name in UNARY and len(values) == 1:
        return sandbox.call_unop(NO_CONTEXT, name, *values)
    if name in BINARY:
        return sandbox.call_binop(NO_CONTEXT, name, *values)
    left, right = values
    return sandbox.compare(left, name, right)


def _expression(name: str, sandbox: TemplateSandbox, *values: Any) -> Any:
    if name == "getattr" and not all(isinstance(value, str) for value in values[1:]):
        raise TypeError("a template writes such a name in its source")
    return getattr(sandbox, name)(*values)


OFFERED = offered()


def calls(name: str, scale: int) -> Iterator[tuple[Any, tuple[Any, ...], dict[str, Any]]]:
    """What `name` is called with: (value, arguments, named arguments)."""
    kind, _, function = OFFERED[name]
    hostile = hostile_values(scale)
    fits = {n: v for n, v in hostile.items() if kind is None or isinstance(v, kind)}
    names = []
    if function is not None:
        parameters = inspect.signature(function).parameters.values()
        names = [p.name for p in parameters if p.kind is not p.VAR_POSITIONAL][2:]
    for value in fits.values():
        yield value, (), {}
        yield value, ("a",), {}
        yield value, (3,), {}
        yield value, ("a", value), {}
    for value in (fits[owner] for owner in OWNERS if owner in fits):
        for argument in (hostile[each] for each in ARGUMENTS):
            yield value, (argument,), {}
            yield value, ("a", argument), {}
            yield from ((value, (), {given: argument}) for given in names)


class WatchedMeter(Meter):
    """Remembers how long this thread computed between two looks at the clock.

    Attributes:
        longest_s: processor time, so that what else the machine does plays no part.
    """

    def __init__(self, scale: int) -> None:
        super().__init__(chars=MAX_CHARS // scale)
        self.longest_s = 0.0
        self._last = time.thread_time()

    def tick(self) -> None:
        now = time.thread_time()
        self.longest_s = max(self.longest_s, now - self._last)
        self._last = now
        super().tick()


def run(name: str, scale: int) -> Iterator[tuple[str, WatchedMeter]]:
    """Makes each call; yields (what it was, its meter) after it."""
    sandbox = template._sandbox()
    for value, args, kwargs in calls(name, scale):
        sandbox.meter = watched = WatchedMeter(scale)
        # What it raises is its own affair.
        result = None
        with contextlib.suppress(Exception):
            result = OFFERED[name][1](sandbox, value, *args, **kwargs)
        assert not isinstance(result, Iterator), "it would do its work later, unseen"
        with contextlib.suppress(TemplateLimit):
            watched.tick()
        yield f"{[type(v).__name__ for v in (value, *args)]} {list(kwargs)}", watched


@pytest.mark.slow
@pytest.mark.parametrize("name", OFFERED)
def test_no_call_takes_long_or_much_memory(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (meter, methods):
        monkeypatch.setattr(module, "MAX_ITEMS", MAX_ITEMS // SCALE // 16)
    tracemalloc.start()
    try:
        held = tracemalloc.get_traced_memory()[0]
        for what, watched in run(name, SCALE):
            assert watched.longest_s < MAX_CALL_S, what
            assert tracemalloc.get_traced_memory()[1] - held < MAX_CALL_BYTES // SCALE, what
    finally:
        tracemalloc.stop()


def test_a_value_may_be_half_of_all_output() -> None:
    """To the character: how long a larger one takes depends on the machine."""
    asked = Meter(chars=100)
    asked.allow(50)
    with pytest.raises(TemplateLimit, match="too large a value"):
        asked.allow(51)


def test_templates_hold_no_function_but_offered_ones() -> None:
    sandbox = template._sandbox()
    empty: tuple[object, ...] = ([], (), {}, None, Namespace())
    for value in ("a", Markup("a"), 1, 1.0, True, range(3), *empty):
        for name in dir(type(value)):
            found = sandbox.getattr(value, name)
            assert isinstance(found, Offered | Undefined), (value, name)
            found = sandbox.getitem(value, name)
            assert isinstance(found, Offered | Undefined), (value, name)
