"""The filters of lists and mappings that templates may use, each bounded before it runs.

They return what jinja2's own do, but complete: where jinja2 returns a generator, these return a
Stream.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from jinja2 import Undefined, pass_environment
from jinja2.exceptions import FilterArgumentError

from engine.text.sandbox.environment import TemplateSandbox
from engine.text.sandbox.meter import TemplateLimit
from engine.text.sandbox.methods import METHODS, joined
from engine.text.sandbox.operators import COMPARISONS, add
from engine.text.sandbox.values import Stream, elements, key, length

MAX_SORTED = 10_000
# How often each value is compared when sorting the maximum.
_SORT_ROUNDS = 16
MAX_PATH_CHARS = 1_000
Path = str | int | None
Filter = Callable[..., Any]


def _count(sandbox: TemplateSandbox, value: Any) -> int:
    return length(value)


def _first(sandbox: TemplateSandbox, values: Any) -> Any:
    missing = sandbox.undefined("No first item, sequence was empty.")
    return next(iter(elements(values)), missing)


def _last(sandbox: TemplateSandbox, values: Any) -> Any:
    missing = sandbox.undefined("No last item, sequence was empty.")
    return next(reversed(elements(values)), missing)  # type: ignore[call-overload]


def _list(sandbox: TemplateSandbox, values: Any) -> list[Any]:
    found = elements(values)
    sandbox.meter.allow_items(len(found))
    return sandbox.meter.made(list(found))


def _reverse(sandbox: TemplateSandbox, values: Any) -> Any:
    if isinstance(values, str):
        return sandbox.meter.made(values[::-1])
    return Stream(_list(sandbox, values)[::-1])


def _items(sandbox: TemplateSandbox, value: Any) -> Stream:
    if isinstance(value, Undefined):
        return Stream([])
    if not isinstance(value, dict):
        raise TypeError("Can only get item pairs from a mapping.")
    return Stream(METHODS[dict]["items"](sandbox, value))


def _join(sandbox: TemplateSandbox, values: Any, d: Any = "", attribute: Path = None) -> str:
    meter = sandbox.meter
    texts = [meter.text(value) for value in _got(sandbox, values, attribute)]
    return joined(meter, meter.text(d), texts)


def _map(sandbox: TemplateSandbox, values: Any, /, *args: Any, **kwargs: Any) -> Stream:
    if args:
        name, *rest = args
        _check_name(name)
        change = partial(_filtered, sandbox, name, rest, kwargs)
        return Stream([change(value) for value in _got(sandbox, values, None)])
    if not kwargs.keys() <= {"attribute", "default"} or "attribute" not in kwargs:
        raise FilterArgumentError("map takes a filter, or an attribute and a default")
    return Stream(_got(sandbox, values, **kwargs))


def _filtered(
    sandbox: TemplateSandbox, name: str, args: list[Any], kwargs: dict[str, Any], value: Any
) -> Any:
    return sandbox.call_filter(name, value, args, kwargs)


def _select(
    wanted: bool, by_attribute: bool, sandbox: TemplateSandbox, values: Any, *args: Any
) -> Stream:
    """select, reject and, where the first argument is an attribute, selectattr and rejectattr."""
    attribute: Path = None
    if by_attribute:
        if not args:
            raise FilterArgumentError("Missing parameter for attribute name")
        attribute, *rest = args
    else:
        rest = list(args)
    if rest:
        _check_name(rest[0])
    kept = []
    found = _list(sandbox, values)
    for value, tested in zip(found, _got(sandbox, found, attribute), strict=True):
        sandbox.meter.tick()
        passes = sandbox.call_test(rest[0], tested, rest[1:]) if rest else bool(tested)
        if bool(passes) is wanted:
            kept.append(value)
    return Stream(sandbox.meter.made(kept))


def _sort(
    sandbox: TemplateSandbox,
    values: Any,
    reverse: bool = False,
    case_sensitive: bool = False,
    attribute: Path = None,
) -> list[Any]:
    found = _list(sandbox, values)
    _check_path(attribute)
    paths: list[Any] = attribute.split(",") if isinstance(attribute, str) else [attribute]
    columns = [_got(sandbox, found, path, lower=not case_sensitive) for path in paths]
    return _in_order(sandbox, found, list(zip(*columns, strict=True)), reverse)


def _dictsort(
    sandbox: TemplateSandbox,
    value: Any,
    case_sensitive: bool = False,
    by: str = "key",
    reverse: bool = False,
) -> list[Any]:
    if by not in ("key", "value"):
        raise FilterArgumentError('You can only sort by either "key" or "value"')
    pairs = elements(_items(sandbox, value))
    column = 0 if by == "key" else 1
    keys = _got(sandbox, pairs, column, lower=not case_sensitive)
    return _in_order(sandbox, list(pairs), keys, reverse)


def _in_order(
    sandbox: TemplateSandbox, values: list[Any], keys: list[Any], reverse: bool
) -> list[Any]:
    """`values`, sorted by `keys`, one for each."""
    if len(values) > MAX_SORTED:
        raise TemplateLimit(f"it sorts more than {MAX_SORTED:,} values")
    sandbox.meter.allow_steps(sandbox.meter.weigh(keys) * _SORT_ROUNDS)
    order = sorted(range(len(values)), key=keys.__getitem__, reverse=bool(reverse))
    return [values[at] for at in order]


def _unique(
    sandbox: TemplateSandbox, values: Any, case_sensitive: bool = False, attribute: Path = None
) -> Stream:
    found = _list(sandbox, values)
    keys = _got(sandbox, found, attribute, lower=not case_sensitive)
    firsts: dict[Any, Any] = {}
    for name, value in zip(keys, found, strict=True):
        firsts.setdefault(key(name), value)
    return Stream(list(firsts.values()))


def _most(
    comparison: str,
    sandbox: TemplateSandbox,
    values: Any,
    case_sensitive: bool = False,
    attribute: Path = None,
) -> Any:
    """min and max: the first value that no other is less, or greater, than."""
    found = _list(sandbox, values)
    if not found:
        return sandbox.undefined("No aggregated item, sequence was empty.")
    keys = _got(sandbox, found, attribute, lower=not case_sensitive)
    best = 0
    for at in range(1, len(found)):
        if COMPARISONS[comparison](sandbox.meter, keys[at], keys[best]):
            best = at
    return found[best]


def _sum(sandbox: TemplateSandbox, values: Any, attribute: Path = None, start: Any = 0) -> Any:
    for value in _got(sandbox, values, attribute):
        start = add(sandbox.meter, start, value)
    return start


def _got(
    sandbox: TemplateSandbox,
    values: Any,
    attribute: Path,
    default: Any = None,
    lower: bool = False,
) -> list[Any]:
    """The `attribute` of each value, a dotted path; the value itself for None."""
    parts = _path(attribute)
    sandbox.meter.allow_items(len(elements(values)))
    return sandbox.meter.made(
        [_reached(sandbox, value, parts, default, lower) for value in sandbox.steps(values)]
    )


def _path(attribute: Path) -> list[str | int]:
    if not isinstance(attribute, str):
        return [] if attribute is None else [attribute]
    _check_path(attribute)
    return [int(part) if part.isdecimal() else part for part in attribute.split(".")]


def _check_path(attribute: Path) -> None:
    if isinstance(attribute, str) and len(attribute) > MAX_PATH_CHARS:
        raise TemplateLimit("it looks up too long a name")


def _reached(
    sandbox: TemplateSandbox, value: Any, parts: list[str | int], default: Any, lower: bool
) -> Any:
    for part in parts:
        value = sandbox.getitem(value, part)
        if default is not None and isinstance(value, Undefined):
            value = default
    return METHODS[str]["lower"](sandbox, value) if lower and isinstance(value, str) else value


def _check_name(name: Any) -> None:
    if not isinstance(name, str):
        raise TypeError(f"a filter or test is named by a text, not by a {type(name).__name__}")


_FUNCTIONS: dict[str, Filter] = {
    "count": _count,
    "length": _count,
    "first": _first,
    "last": _last,
    "list": _list,
    "reverse": _reverse,
    "items": _items,
    "join": _join,
    "map": _map,
    "select": partial(_select, True, False),
    "reject": partial(_select, False, False),
    "selectattr": partial(_select, True, True),
    "rejectattr": partial(_select, False, True),
    "sort": _sort,
    "dictsort": _dictsort,
    "unique": _unique,
    "min": partial(_most, "lt"),
    "max": partial(_most, "gt"),
    "sum": _sum,
}
LIST_FILTERS = {name: pass_environment(function) for name, function in _FUNCTIONS.items()}
