"""The language in which tables are filtered. Without Qt.

    state pressure              rows with both words, anywhere
    "state pressure"            rows with this phrase
    cause:"state pressure"      rows whose cause has it
    chat:2 tokens:>1,000        fields with a number, equal or compared
    >500ms age:<=2min >20MiB    with units; without a field the unit says which
    -cause:budget -hello        rows without

All parts must hold. A part that is not finished yet, such as `cause:` or `tokens:>`, holds for
every row.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, Protocol, TypeVar

from app.core.words.joining import listed
from app.core.words.tr import english, tr

Subject = TypeVar("Subject")
Kind = Literal["text", "count", "seconds", "bytes"]
Compare = Callable[[float, float], bool]

_PART = re.compile(r'(-?)((?:"[^"]*"?|[^\s"])+)')
_NAMED = re.compile(r"([a-z]+):(.*)", re.DOTALL | re.IGNORECASE)
_COMPARED = re.compile(r"(>=|<=|[><=≥≤])(.*)", re.DOTALL)
_NUMBER = re.compile(r"(\d[\d,]*(?:\.\d+)?)([a-z]*)", re.IGNORECASE)
_COMPARES: dict[str, Compare] = {
    ">": operator.gt,
    ">=": operator.ge,
    "≥": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
    "≤": operator.le,
    "=": operator.eq,
}
_UNITS: dict[Kind, dict[str, float]] = {
    "count": {"": 1, "tok": 1, "k": 1e3},
    "seconds": {"ms": 1e-3, "s": 1, "min": 60, "h": 3600},
    "bytes": {"b": 1, "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30},
}


class FilterError(ValueError):
    """A filter cannot be understood; `str(error)` is one sentence that says what to write."""


class Searched(Protocol):
    """What a filter accepts or not.

    Attributes:
        subject: what fields are read from.
        sought: all of its text, in lower case.
    """

    subject: Any

    @property
    def sought(self) -> str: ...


@dataclass(frozen=True, slots=True, eq=False)
class Field(Generic[Subject]):
    """What can be asked about a row by name.

    Attributes:
        name: as it is typed, the same in every language.
        kind: text, or what its number is measured in.
        of: its value; None if a row has none.
        hint: its meaning.
        number: of a text, what a whole number is compared with instead; None for none.
    """

    name: str
    kind: Kind
    of: Callable[[Subject], str | float | None]
    hint: str
    number: Callable[[Subject], int] | None = None

    @property
    def example(self) -> str:
        """How to ask for it."""
        after = {"text": "…", "count": ">100", "seconds": ">500ms", "bytes": ">20MiB"}
        return f"{self.name}:{after[self.kind]}"


Fields = Sequence[Field[Any]]
Test = Callable[[Searched], bool]


@dataclass(frozen=True, slots=True)
class Query:
    """A filter that was understood; the empty one accepts everything.

    Attributes:
        text: as it was written.
        fields: the names of those it asks for.
    """

    text: str = ""
    fields: frozenset[str] = frozenset()
    _tests: tuple[Test, ...] = field(default=(), compare=False, repr=False)

    def accepts(self, row: Searched) -> bool:
        return all(test(row) for test in self._tests)


EVERYTHING = Query()


def parse(text: str, fields: Fields) -> Query:
    """Understand a filter of rows with these fields. Raises FilterError."""
    asked, tests = set[str](), list[Test]()
    for minus, part in _PART.findall(text):
        found, test = _part(part, fields)
        if found is not None:
            asked.add(found.name)
        if test is not None:
            tests.append(_not(test) if minus else test)
    return Query(text.strip(), frozenset(asked), tuple(tests))


def completions(before: str, fields: Fields) -> tuple[int, Fields]:
    """Where the word at the end of a text begins, and the fields whose names begin like it.

    None within quotation marks.
    """
    begins = max(before.rfind(" "), before.rfind("\t")) + 1
    if before[begins : begins + 1] == "-":
        begins += 1
    word = before[begins:].casefold()
    if before.count('"') % 2:
        return begins, ()
    return begins, [one for one in fields if one.name.startswith(word)]


def help_text(fields: Fields) -> str:
    """What can be written, for a tooltip."""
    said = tr('Words, "phrases", fields and comparisons; - in front leaves out what has it.')
    return "\n".join((said, *(f"{one.example}  {one.hint}" for one in fields)))


def _part(part: str, fields: Fields) -> tuple[Field[Any] | None, Test | None]:
    named = _NAMED.fullmatch(part)
    if named is not None:
        found = _field(named.group(1), fields)
        return found, _asks(found, named.group(2))
    compared = _COMPARED.fullmatch(part)
    number = None if compared is None else _NUMBER.fullmatch(compared.group(2))
    if compared is not None and number is not None:
        found = _measured(number.group(2), fields)
        return found, _asks(found, part)
    word = part.replace('"', "").casefold()
    return None, (lambda row: word in row.sought) if word else None


def _field(name: str, fields: Fields) -> Field[Any]:
    for one in fields:
        if one.name == name.casefold():
            return one
    if not fields:
        raise FilterError(
            tr("Nothing here has a field “{name}”: put it in quotation marks.").format(name=name)
        )
    raise FilterError(
        tr("There is no field “{name}”: use {names}, or quotation marks.").format(
            name=name, names=listed(one.name for one in fields)
        )
    )


def _measured(unit: str, fields: Fields) -> Field[Any]:
    """The first field with a unit."""
    kinds = [kind for kind, units in _UNITS.items() if unit.casefold() in units]
    for one in fields:
        if one.kind in kinds:
            return one
    raise FilterError(
        tr("Nothing here is measured in “{unit}”.").format(unit=unit)
        if unit
        else tr("Nothing here is a number.")
    )


def _asks(asked: Field[Any], value: str) -> Test | None:
    """The test of a field's value; None while it is not finished."""
    if asked.kind == "text":
        return _has(asked, value)
    sign, rest = _split(value)
    if not rest:
        return None
    number = _NUMBER.fullmatch(rest)
    unit = None if number is None else _UNITS[asked.kind].get(number.group(2).casefold())
    if number is None or unit is None or (not sign and asked.kind != "count"):
        raise FilterError(_how(asked))
    compare, limit = _COMPARES[sign or "="], float(number.group(1).replace(",", "")) * unit
    of = asked.of

    def compares(row: Searched) -> bool:
        found = of(row.subject)
        return found is not None and compare(float(found), limit)

    return compares


def _has(asked: Field[Any], value: str) -> Test | None:
    """The test of a text; quotation marks make a number, or a sign, a part of one."""
    word, of, number_of = value.replace('"', "").casefold(), asked.of, asked.number
    sign, rest = _split(value)
    if sign and _NUMBER.fullmatch(rest):
        raise FilterError(_how(asked))
    if not word:
        return None
    if number_of is not None and value.isdecimal():
        number = int(value)
        return lambda row: number_of(row.subject) == number

    def has(row: Searched) -> bool:
        found = of(row.subject)
        # By the English, too, as documents and recordings have it.
        return found is not None and word in f"{found} {english(str(found))}".casefold()

    return has


def _split(value: str) -> tuple[str, str]:
    """A sign of comparison, "" if there is none, and what follows."""
    found = _COMPARED.fullmatch(value)
    return ("", value) if found is None else (found.group(1), found.group(2))


def _not(test: Test) -> Test:
    return lambda row: not test(row)


def _how(asked: Field[Any]) -> str:
    words = {
        "text": tr("“{name}” is a text: look for it like {example}."),
        "count": tr("“{name}” is a number: compare it like {example}."),
        "seconds": tr("“{name}” is a time: compare it like {example}."),
        "bytes": tr("“{name}” is a size: compare it like {example}."),
    }
    return words[asked.kind].format(name=asked.name, example=asked.example)
