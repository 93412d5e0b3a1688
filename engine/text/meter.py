"""The sandbox that chat templates run in: jinja2's, with a time limit and a size limit.

A template is untrusted and runs in the engine's own thread, where nothing could interrupt it.
So the compiled template meters itself: every loop step, call, filter and output ticks a deadline,
and every operation that can multiply its input is asked for the size of its result first.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import BuiltinMethodType
from typing import Any

from jinja2 import nodes, pass_context
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment

MAX_SECONDS = 2.0
MAX_CHARS = 16_000_000
MAX_POWER_BITS = 4096
_LONG_NUMBER = re.compile(r"\d{5,}|\{[^{}]*:[^{}]*\{|%[^a-zA-Z%]*\*")
_SIZED_BY_ARGUMENT = {"center", "ljust", "rjust", "zfill", "expandtabs"}
_STRINGIFY = {"string", "pprint", "urlencode", "escape", "e", "forceescape", "xmlattr", "urlize"}
_SCALED = {"indent", "tojson", "wordwrap"}
_PADDED = {"center", "batch", "slice"}


class TemplateLimit(Exception):
    """A template ran too long or grew too large; `str(error)` says which."""


class Meter:
    """Counts what one render uses; `tick` and `charge` raise TemplateLimit past the limits."""

    def __init__(self, seconds: float = MAX_SECONDS, chars: int = MAX_CHARS) -> None:
        self._deadline = time.perf_counter() + seconds
        self._left = chars
        self._max = chars

    def tick(self) -> None:
        if time.perf_counter() > self._deadline:
            raise TemplateLimit("it ran too long")

    def charge(self, chars: int) -> None:
        """Takes output off the budget of the whole render."""
        self.tick()
        self._left -= chars
        if self._left < 0:
            raise TemplateLimit("its output is too long")

    def allow(self, chars: int) -> None:
        """Refuses a single value of this size before it is made."""
        self.tick()
        if chars > self._max:
            raise TemplateLimit("it builds too large a value")

    def size(self, value: Any, depth: int = 1) -> int:
        """About how many characters `value` has as text; shared parts count each time."""
        if isinstance(value, str):
            return len(value)
        if isinstance(value, Mapping):
            parts: Iterable[Any] = (part for item in value.items() for part in item)
        elif isinstance(value, list | tuple | set):
            parts = value
        else:
            return value.bit_length() // 3 + 1 if isinstance(value, int) else 32
        total = 2
        for part in parts:
            total += self.size(part, depth + 1) + depth + 2
            self.allow(total)
        return total


class MeteredEnvironment(ImmutableSandboxedEnvironment):
    """jinja2's immutable sandbox whose templates run under `meter`; one render at a time."""

    intercepted_binops = frozenset({"+", "*", "**", "%"})

    def __init__(self, **options: Any) -> None:
        super().__init__(optimized=False, finalize=_charge_output, **options)
        self.meter = Meter()
        self.globals.pop("lipsum", None)
        self.globals.pop("cycler", None)

    def guard_filters(self) -> None:
        """Puts every filter under the meter; call once all filters are there."""
        for name, function in list(self.filters.items()):
            self.filters[name] = _guarded(self, name, function)
        self.filters["metered steps"] = pass_context(_metered_steps)
        self.filters["metered join"] = pass_context(_metered_join)
        self.filters["metered text"] = pass_context(_metered_text)

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        tree = super()._parse(source, name, filename)
        _replace_concats(tree)
        for loop in list(tree.find_all(nodes.For)):
            assert isinstance(loop.iter, nodes.Expr)
            loop.iter = _filter(loop.iter, "metered steps")
        for output in list(tree.find_all(nodes.Output)):
            fixed = sum(len(n.data) for n in output.nodes if isinstance(n, nodes.TemplateData))
            if fixed:
                size = nodes.Const(fixed, lineno=output.lineno)
                output.nodes.append(_filter(size, "metered text"))
        return tree

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        self._check_operator(operator, left, right)
        return super().call_binop(context, operator, left, right)

    def _check_operator(self, operator: str, left: Any, right: Any) -> None:
        meter = self.meter
        if operator == "+":
            meter.allow(_length(left) + _length(right))
        elif operator == "*":
            if isinstance(left, int) and isinstance(right, int):
                meter.allow(left.bit_length() + right.bit_length())
            elif isinstance(left, int) or isinstance(right, int):
                count = left if isinstance(left, int) else right
                meter.allow(max(count, 0) * max(_length(left), _length(right)))
        elif operator == "**" and isinstance(left, int) and isinstance(right, int):
            if left.bit_length() * abs(right) > MAX_POWER_BITS:
                raise TemplateLimit("it builds too large a number")
        elif operator == "%" and isinstance(left, str):
            self.check_format(left, right)

    def check_format(self, pattern: str, *values: Any) -> None:
        """Refuses a format string whose result could be far larger than its parts."""
        if _LONG_NUMBER.search(pattern):
            raise TemplateLimit("it pads text to a huge width")
        fields = pattern.count("{") + pattern.count("%")
        self.meter.allow(len(pattern) + fields * sum(self.meter.size(v) for v in values))

    def wrap_str_format(self, value: Any) -> Callable[..., str] | None:
        wrapped = super().wrap_str_format(value)
        if wrapped is None:
            return None
        pattern, sandboxed = value.__self__, wrapped

        def checked(*args: Any, **kwargs: Any) -> str:
            self.check_format(pattern, args, kwargs)
            return sandboxed(*args, **kwargs)

        return checked

    def call(self, context: Context, target: Any, /, *args: Any, **kwargs: Any) -> Any:
        self.meter.tick()
        if isinstance(target, BuiltinMethodType) and isinstance(target.__self__, str):
            args = self._checked_method(target.__self__, target.__name__, args, kwargs)
        return super().call(context, target, *args, **kwargs)

    def _checked_method(
        self, owner: str, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[Any, ...]:
        meter = self.meter
        if name in _SIZED_BY_ARGUMENT:
            width = next((v for v in (*args, *kwargs.values()) if isinstance(v, int)), 8)
            meter.allow(width * (len(owner) + 1 if name == "expandtabs" else 1))
        elif name == "replace" and len(args) >= 2:
            meter.allow(_replaced(owner, args[0], args[1]))
        elif name == "join" and args:
            args = (list(_steps(meter, args[0])), *args[1:])
            meter.allow(meter.size(args[0]) + len(owner) * len(args[0]))
        elif name == "translate":
            raise TemplateLimit("it calls str.translate, which is not supported")
        return args


def _is_width(value: Any) -> bool:
    return isinstance(value, int | str)


def _length(value: Any) -> int:
    return len(value) if isinstance(value, str | list | tuple | bytes) else 0


def _replaced(text: str, old: Any, new: Any) -> int:
    count = text.count(old) if isinstance(old, str) else 0
    return len(text) + count * len(str(new))


def _steps(meter: Meter, values: Any) -> Iterator[Any]:
    for value in values:
        meter.tick()
        yield value


def _environment(context: Context) -> MeteredEnvironment:
    environment = context.environment
    assert isinstance(environment, MeteredEnvironment)
    return environment


@pass_context
def _charge_output(context: Context, value: Any) -> Any:
    meter = _environment(context).meter
    meter.charge(meter.size(value))
    return value


def _metered_text(context: Context, chars: int) -> str:
    _environment(context).meter.charge(chars)
    return ""


def _metered_join(context: Context, values: list[Any]) -> str:
    meter = _environment(context).meter
    meter.allow(sum(meter.size(value) for value in values))
    return "".join(str(value) for value in values)


class _Metered:
    """A loop's values: ticks once per step, keeps the length where there is one."""

    def __init__(self, meter: Meter, values: Any) -> None:
        self._meter = meter
        self._values = values

    def __iter__(self) -> Iterator[Any]:
        return _steps(self._meter, self._values)

    def __len__(self) -> int:
        return len(self._values)


def _metered_steps(context: Context, values: Any) -> _Metered:
    return _Metered(_environment(context).meter, values)


def _filter(node: nodes.Expr, name: str) -> nodes.Filter:
    return nodes.Filter(node, name, [], [], None, None, lineno=node.lineno)


def _without_concat(node: nodes.Expr) -> nodes.Expr:
    if isinstance(node, nodes.Concat):
        return _filter(nodes.List(node.nodes, lineno=node.lineno), "metered join")
    return node


def _replace_concats(node: nodes.Node) -> None:
    """Turns every `a ~ b` below `node` into a metered join, in place."""
    for field, value in node.iter_fields():
        if isinstance(value, nodes.Concat):
            setattr(node, field, _without_concat(value))
        elif isinstance(value, list):
            changed = [_without_concat(v) if isinstance(v, nodes.Concat) else v for v in value]
            setattr(node, field, changed)
    for child in node.iter_child_nodes():
        _replace_concats(child)


def _guarded(
    env: MeteredEnvironment, name: str, function: Callable[..., Any]
) -> Callable[..., Any]:
    """`function` behind the meter, called the way jinja2 calls it."""
    skip = 1 if hasattr(function, "jinja_pass_arg") else 0

    def guarded(*args: Any, **kwargs: Any) -> Any:
        meter = env.meter
        meter.tick()
        value, rest = args[skip], (*args[skip + 1 :], *kwargs.values())
        if name == "join":
            value = list(_steps(meter, value))
            glue = rest[0] if rest and isinstance(rest[0], str) else ""
            meter.allow(meter.size(value) + len(glue) * len(value))
            args = (*args[:skip], value, *args[skip + 1 :])
        elif name == "replace" and len(rest) >= 2:
            meter.allow(_replaced(str(value), rest[0], rest[1]))
        elif name == "format":
            env.check_format(str(value), *rest)
        elif name in _SCALED:
            widths = [_length(v) if isinstance(v, str) else abs(v) for v in rest if _is_width(v)]
            if name == "wordwrap":
                widths = [_length(v) for v in rest]
            meter.allow(meter.size(value) * max(1, *widths, 1))
        elif name in _PADDED:
            meter.allow(meter.size(value) + sum(abs(v) for v in rest if isinstance(v, int)))
        elif name in _STRINGIFY or name == "sum":
            meter.allow(meter.size(value))
        return function(*args, **kwargs)

    for mark in ("jinja_pass_arg", "jinja_async_variant"):
        if hasattr(function, mark):
            setattr(guarded, mark, getattr(function, mark))
    return guarded
