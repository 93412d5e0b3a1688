"""The methods of texts, lists and mappings that templates may call, each bounded before the call.

Only METHODS are allowed. Templates get `Offered` objects, never Python's own methods.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jinja2 import Environment

from engine.text.sandbox.formats import braces
from engine.text.sandbox.meter import MAX_ITEMS, Meter, TemplateLimit
from engine.text.sandbox.values import elements, key

# Changing the case of this many takes about ten milliseconds; ASCII is twenty times as fast.
MAX_SLOW_CHARS = 500_000
Method = Callable[..., Any]
"""(sandbox, the value, arguments of the template) to the result."""


def check_slow(meter: Meter, text: str) -> None:
    """Refuse a text that is too long for an operation with several steps per character."""
    meter.tick()
    if len(text) > MAX_SLOW_CHARS:
        raise TemplateLimit("it changes too long a text character by character")


def lines(meter: Meter, text: str, keepends: bool = False) -> list[str]:
    """`text.splitlines(keepends)`."""
    check_slow(meter, text)
    meter.made(text)
    return meter.made(text.splitlines(keepends))


def replaced(meter: Meter, text: str, old: str, new: str, count: int = -1) -> str:
    """`text.replace(old, new, count)`."""
    meter.tick()
    found = text.count(old)
    # Each match costs about ten times as much as a character.
    meter.allow_steps(len(text) + 16 * found)
    meter.allow(len(text) + found * len(new))
    return meter.made(text.replace(old, new, count))


def joined(meter: Meter, glue: str, parts: list[str]) -> str:
    """`glue.join(parts)`."""
    meter.allow(sum(map(len, parts)) + len(glue) * len(parts))
    return meter.made(glue.join(parts))


def stripped(meter: Meter, how: Callable[..., str], text: str, chars: str | None = None) -> str:
    """`how(text, chars)`, where `how` is str.strip or one of its sides."""
    meter.allow_steps(len(text) * (1 if chars is None else len(chars)))
    return meter.made(how(text, chars))


def _asking(name: str) -> Method:
    """A method that scans the text once and returns no text."""
    method = getattr(str, name)

    def ask(sandbox: Any, text: str, *args: Any) -> Any:
        if args and not isinstance(args[0], str):
            # startswith takes a tuple, and compares with each to its end.
            sandbox.meter.weigh(args[0])
        sandbox.meter.tick()
        return method(text, *args)

    return ask


def _copying(name: str) -> Method:
    """A method whose result is no longer than the text."""
    method = getattr(str, name)

    def copy(sandbox: Any, text: str, *args: Any) -> Any:
        sandbox.meter.made(text)
        return method(text, *args)

    return copy


def _recasing(name: str) -> Method:
    method = getattr(str, name)
    fast_in_ascii = name in {"upper", "lower"}

    def recase(sandbox: Any, text: str) -> str:
        if not (fast_in_ascii and text.isascii()):
            check_slow(sandbox.meter, text)
        result: str = method(text)
        return sandbox.meter.made(result)  # type: ignore[no-any-return]

    return recase


def _padding(name: str) -> Method:
    method = getattr(str, name)

    def pad(sandbox: Any, text: str, width: int, *fill: str) -> str:
        sandbox.meter.allow(width)
        result: str = method(text, width, *fill)
        return sandbox.meter.made(result)  # type: ignore[no-any-return]

    return pad


def _stripping(name: str) -> Method:
    method = getattr(str, name)

    def strip(sandbox: Any, text: str, chars: str | None = None) -> str:
        return stripped(sandbox.meter, method, text, chars)

    return strip


def _searching_back(name: str) -> Method:
    """From the end Python compares the whole needle at each position, so the cost is a product."""
    method = getattr(str, name)

    def search(sandbox: Any, text: str, part: str, *args: Any) -> Any:
        sandbox.meter.allow_steps(len(text) * len(part))
        sandbox.meter.made(text)
        return method(text, part, *args)

    return search


def _splitting(name: str) -> Method:
    method = getattr(str, name)

    def split(sandbox: Any, text: str, sep: str | None = None, maxsplit: int = -1) -> list[str]:
        meter = sandbox.meter
        if name == "rsplit" and sep is not None:
            meter.allow_steps(len(text) * len(sep))
        meter.made(text)
        wanted = maxsplit if 0 <= maxsplit <= MAX_ITEMS else MAX_ITEMS
        parts: list[str] = method(text, sep, wanted)
        if wanted != maxsplit:
            meter.allow_items(len(parts))
        return meter.made(parts)  # type: ignore[no-any-return]

    return split


def _splitlines(sandbox: Any, text: str, keepends: bool = False) -> list[str]:
    return lines(sandbox.meter, text, keepends)


def _replace(sandbox: Any, text: str, old: str, new: str, count: int = -1) -> str:
    return replaced(sandbox.meter, text, old, new, count)


def _join(sandbox: Any, text: str, parts: Any) -> str:
    values = elements(parts)
    sandbox.meter.allow_items(len(values))
    return joined(sandbox.meter, text, list(values))


def _format(sandbox: Environment, text: str, /, *args: Any, **kwargs: Any) -> str:
    return braces(sandbox, sandbox.meter, text, args, kwargs)  # type: ignore[attr-defined]


def _get(sandbox: Any, mapping: dict[Any, Any], name: Any, default: Any = None) -> Any:
    sandbox.meter.tick()
    return mapping.get(key(name), default)


def _listing(name: str) -> Method:
    """A view of a mapping, as a list."""
    method = getattr(dict, name)

    def view(sandbox: Any, mapping: dict[Any, Any]) -> list[Any]:
        sandbox.meter.allow_items(len(mapping))
        return sandbox.meter.made(list(method(mapping)))  # type: ignore[no-any-return]

    return view


def _copy(sandbox: Any, value: Any) -> Any:
    return sandbox.meter.made(value.copy())


def _comparing(name: str) -> Method:
    """list.index and list.count, which compare a value with each element."""

    def compare(sandbox: Any, values: Any, value: Any) -> Any:
        meter = sandbox.meter
        meter.allow_steps(len(values) * meter.weigh(value))
        return getattr(values, name)(value)

    return compare


_KINDS = ("alnum", "alpha", "ascii", "decimal", "digit", "lower", "numeric", "space", "title")
_SEQUENCE = {name: _comparing(name) for name in ("count", "index")}
METHODS: dict[type, dict[str, Method]] = {
    str: {
        **{name: _asking(name) for name in ("startswith", "endswith", "find", "index", "count")},
        **{f"is{kind}": _asking(f"is{kind}") for kind in (*_KINDS, "upper")},
        **{name: _copying(name) for name in ("partition", "removeprefix", "removesuffix")},
        **{name: _recasing(name) for name in ("capitalize", "casefold", "lower")},
        **{name: _recasing(name) for name in ("swapcase", "title", "upper")},
        **{name: _padding(name) for name in ("center", "ljust", "rjust", "zfill")},
        **{name: _stripping(name) for name in ("strip", "lstrip", "rstrip")},
        **{name: _searching_back(name) for name in ("rfind", "rindex", "rpartition")},
        **{name: _splitting(name) for name in ("split", "rsplit")},
        "splitlines": _splitlines,
        "replace": _replace,
        "join": _join,
        "format": _format,
    },
    dict: {
        **{name: _listing(name) for name in ("items", "keys", "values")},
        "get": _get,
        "copy": _copy,
    },
    list: {**_SEQUENCE, "copy": _copy},
    tuple: _SEQUENCE,
}
