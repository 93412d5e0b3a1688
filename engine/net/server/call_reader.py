"""Parses tool calls from an answer while it is generated, in the family's two syntaxes.

Which syntax a model was taught is in its template: tags for the function and each parameter
(`<function=NAME>`, `<parameter=KEY>`), or one JSON object. They are distinguished by what follows
the opening tag.
"""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Callable
from typing import Any

from engine.net.server.asked import Tools
from engine.net.server.pieces import Call, CallArguments, CallBegan, Piece, Said
from engine.text.think_splitter import held_back

OPEN, CLOSE = "<tool_call>", "</tool_call>"
FUNCTION, FUNCTION_END = "<function=", "</function>"
PARAMETER, PARAMETER_END = "<parameter=", "</parameter>"
LONGEST_NAME = 128
LONGEST_WORD = 12
# A raw line break in a string is no reason to reject a call.
_DECODER = json.JSONDecoder(strict=False)
# What may follow a value: an end tag only counts before these, since a value may contain it.
_AFTER_VALUE = (PARAMETER, FUNCTION_END, CLOSE)
_LONGEST_TAG = max(map(len, _AFTER_VALUE))
_TAG = re.compile("|".join(_AFTER_VALUE))
_OPENING = re.compile(f"{OPEN}|{FUNCTION}([^<>\n]{{1,{LONGEST_NAME}}})>")
_BLANKS = re.compile(r"\s*")
_JSON_MARK = re.compile(rf'\\.|["{{}}]|{OPEN}', re.DOTALL)
# Any character may follow a backslash.
_JSON_MARKS = ("\\.", OPEN)
# JSON's constants, also as models trained on much Python spell them.
_CONSTANTS = {"true": True, "false": False, "null": None, "none": None}
_KINDS: dict[type, tuple[str, ...]] = {
    bool: ("boolean",),
    int: ("integer", "number"),
    float: ("number",),
    list: ("array",),
    dict: ("object",),
    type(None): ("null",),
}


def kinds_of(schema: object) -> frozenset[str]:
    """The JSON types that the schema of one value allows; empty if it does not say."""
    if not isinstance(schema, dict):
        return frozenset()
    stated = schema.get("type")
    kinds = {stated} if isinstance(stated, str) else set()
    if isinstance(stated, list):
        kinds |= {one for one in stated if isinstance(one, str)}
    for choice in ("anyOf", "oneOf", "allOf"):
        inner = schema.get(choice)
        for one in inner if isinstance(inner, list) else ():
            kinds |= kinds_of(one)
    values = schema.get("enum")
    if not kinds and isinstance(values, list):
        kinds |= {kind for value in values for kind in _kinds(value)}
    return frozenset(kinds)


def is_text(schema: object) -> bool:
    """Whether a value is taken as text, whatever it looks like."""
    kinds = kinds_of(schema)
    return "string" in kinds and "null" not in kinds


def typed(text: str, schema: object) -> Any:
    """The value that `text` represents; the text itself if no allowed type fits."""
    kinds = kinds_of(schema)
    value = _read(text)
    if not kinds:
        # A schema without types allows everything, but a name may consist of digits.
        return value if isinstance(value, list | dict) else text
    if "string" in kinds and not (value is None and "null" in kinds):
        return text
    if isinstance(value, float) and value.is_integer() and "integer" in kinds:
        value = int(value)
    return value if any(kind in kinds for kind in _kinds(value)) else text


def _kinds(value: object) -> tuple[str, ...]:
    return _KINDS.get(type(value), ("string",))


def _read(text: str) -> Any:
    stripped = text.strip()
    if stripped.lower() in _CONSTANTS:
        return _CONSTANTS[stripped.lower()]
    try:
        return json.loads(stripped, parse_constant=lambda name: name)
    except (ValueError, RecursionError):
        return text


def unwrapped(text: str) -> str:
    """A value without the line break that separates it on either side."""
    return text.removeprefix("\n").removesuffix("\n")


def json_text(value: object) -> str:
    """JSON in the form it is streamed."""
    return json.dumps(value, ensure_ascii=False)


class CallReader:
    """Takes an answer's text; returns its pieces as text or as parts of calls.

    A call that cannot be parsed is text, too. One that is cut off inside its arguments stays text:
    half a call must not be run. An answer may consist of openings that begin no call, so nothing is
    copied or searched again for each.

    Attributes:
        calls: the complete ones.
    """

    def __init__(self, tools: Tools) -> None:
        self._tools = tools
        self._names = {tool["function"]["name"] for tool in tools.described}
        # Pending text; where in it the current call starts, in case it is not one; how far it is
        # parsed; and up to where the step's pattern is known to be absent.
        self._held = ""
        self._start = self._at = self._looked = 0
        self._gap = ""
        self._cut = False
        self._step: Callable[[bool], list[Piece] | None] = self._plain
        self._index = -1
        self._id = self._name = ""
        self._arguments: list[str] = []
        self._properties: dict[str, object] = {}
        self._seen: set[str] = set()
        self._key = ""
        self._schema: object = None
        self._streams = self._value_begun = False
        # For a JSON call: open braces, the length last tried, whether a string is open.
        self._depth = self._tried = 0
        self._quoted = False
        self._said: list[str] = []
        self.calls: list[Call] = []

    @property
    def text(self) -> str:
        """The text returned so far."""
        return "".join(self._said)

    @property
    def unfinished(self) -> str:
        """The last call's source text if it was cut off; "" if it is complete."""
        return self._held[self._start :] if self._index >= len(self.calls) else ""

    def feed(self, text: str) -> list[Piece]:
        """Add text; returns the pieces that it completes."""
        if not self._tools.callable:
            return self._say(text)
        self._held += text
        return self._run(last=False)

    def finish(self, *, cut: bool = False) -> list[Piece]:
        """The pieces held back until the end; `cut`: the answer was cut off."""
        self._cut = cut
        return self._run(last=True)

    def _run(self, *, last: bool) -> list[Piece]:
        pieces: list[Piece] = []
        while (more := self._step(last)) is not None:
            pieces += more
        settled = self._at if self._step == self._plain else self._start
        self._held = self._held[settled:]
        self._start, self._at, self._looked = 0, self._at - settled, self._looked - settled
        return pieces

    def _go_on(self, step: Callable[[bool], list[Piece] | None], at: int) -> None:
        """Parse the pending text from `at` on with `step`."""
        self._step, self._at, self._looked = step, at, at

    def _skip_blanks(self, at: int) -> int:
        """The index of the first non-blank from `at` on."""
        found = _BLANKS.match(self._held, at)
        assert found is not None
        return found.end()

    def _may_become(self, at: int, *tags: str) -> bool:
        """Whether the pending text from `at` on is a prefix of a tag, or empty."""
        rest = self._held[at : at + _LONGEST_TAG]
        return any(tag.startswith(rest) for tag in tags)

    # Each step returns the pieces it completed, or None if it needs more text.

    def _plain(self, last: bool) -> list[Piece] | None:
        held, at = self._held, self._at
        opening = self._opening()
        if opening is not None:
            before = held[at:opening].rstrip()
            self._gap = held[at + len(before) : opening]
            self._start = opening
            self._go_on(self._opened, opening)
            return self._say(before)
        if last:
            rest, self._at = held[at:], len(held)
            return self._say(rest) if rest.strip() or (rest and not self.calls) else None
        # Line breaks before a call belong to neither text nor call.
        end = max(at, len(held) - len(FUNCTION) - LONGEST_NAME)
        kept = len(held) - held_back(held[end:], (OPEN, FUNCTION))
        function = held.rfind(FUNCTION, end)
        if function >= 0 and ">" not in held[function:]:
            kept = min(kept, function)
        text = held[at:kept].rstrip()
        self._at += len(text)
        self._looked = max(self._at, end)
        return self._say(text) if text else None

    def _opening(self) -> int | None:
        """Where a call opens; without the outer tag only if it names an available tool."""
        for found in _OPENING.finditer(self._held, self._looked):
            if found[1] is None or found[1] in self._names:
                return found.start()
        return None

    def _opened(self, last: bool) -> list[Piece] | None:
        outer = len(OPEN) if self._held.startswith(OPEN, self._start) else 0
        self._looked = inner = self._skip_blanks(max(self._looked, self._start + outer))
        if self._held.startswith(FUNCTION, inner):
            self._go_on(self._named, inner)
            return []
        if self._held.startswith("{", inner):
            self._depth = self._tried = 0
            self._quoted = False
            self._go_on(self._json, inner)
            return []
        return None if not last and self._may_become(inner, FUNCTION) else self._no_call()

    def _named(self, last: bool) -> list[Piece] | None:
        begin = self._at + len(FUNCTION)
        end = self._held.find(">", begin, begin + LONGEST_NAME + 1)
        if end < 0:
            whole = len(self._held) > begin + LONGEST_NAME
            return self._no_call() if last or whole else None
        name = self._held[begin:end].strip()
        if not name or "\n" in name:
            return self._no_call()
        self._looked = inner = self._skip_blanks(max(self._looked, end + 1))
        if self._held.startswith(_AFTER_VALUE, inner):
            self._go_on(self._between, inner)
            return [self._begin(name), self._argue("{")]
        return None if not last and self._may_become(inner, *_AFTER_VALUE) else self._no_call()

    def _between(self, last: bool) -> list[Piece] | None:
        """Between two parameters; other text there is ignored."""
        held = self._held
        found = _TAG.search(held, self._looked)
        if found is None:
            self._looked = max(self._looked, len(held) - _LONGEST_TAG + 1)
            if not last or self._cut or held[self._at :].strip():
                return None
            self._go_on(self._plain, self._at)
            return [self._end("}")]
        if found[0] != PARAMETER:
            step = self._ended if found[0] == FUNCTION_END else self._plain
            self._go_on(step, found.end())
            return [self._end("}")]
        end = held.find(">", found.end())
        if end < 0:
            self._looked = found.start()
            return None
        self._key = held[found.end() : end].strip()
        self._schema = self._properties.get(self._key)
        self._streams = is_text(self._schema) and self._key not in self._seen
        self._value_begun = False
        self._go_on(self._value, end + 1)
        return []

    def _value(self, last: bool) -> list[Piece] | None:
        end = self._value_end(last)
        if end is not None:
            value = self._held[self._at : end[0]]
            self._go_on(self._between, end[1])
            pieces = self._stream(value, whole=True) if self._streams else self._settle(value)
            self._seen.add(self._key)
            return pieces
        if self._streams and not last:
            sure = self._sure_end()
            if sure > self._at + 1:
                value, self._at = self._held[self._at : sure], sure
                return self._stream(value, whole=False)
        return None

    def _value_end(self, last: bool) -> tuple[int, int] | None:
        """Where the value ends, and where the rest begins; None while uncertain."""
        held = self._held
        at = held.find(PARAMETER_END, self._looked)
        while at >= 0:
            after = at + len(PARAMETER_END)
            inner = self._skip_blanks(after)
            if held.startswith(_AFTER_VALUE, inner) or (last and inner == len(held)):
                return at, after
            if self._may_become(inner, *_AFTER_VALUE):
                self._looked = at
                return None
            at = held.find(PARAMETER_END, after)
        self._looked = max(self._looked, len(held) - len(PARAMETER_END) + 1)
        bare = self._bare_end() if last else None
        return (bare, bare) if bare is not None else None

    def _bare_end(self) -> int | None:
        """Where the function may end without an end tag of its value: if nothing else follows."""
        held = self._held
        at = held.rfind(FUNCTION_END, self._at)
        if at < 0:
            return None
        inner = self._skip_blanks(at + len(FUNCTION_END))
        alone = (
            self._skip_blanks(inner + len(CLOSE)) == len(held)
            if held.startswith(CLOSE, inner)
            else self._may_become(inner, CLOSE)
        )
        return at if alone else None

    def _sure_end(self) -> int:
        """Up to where the pending text is certainly part of the value."""
        held = self._held
        cut = len(held) - held_back(held[-_LONGEST_TAG:], (PARAMETER_END, FUNCTION_END))
        if held.startswith(PARAMETER_END, self._looked):
            cut = min(cut, self._looked)
        bare = self._bare_end()
        if bare is not None:
            cut = min(cut, bare)
        # The line break before the end is not part of the value.
        return cut - (held[self._at : cut][-1:] == "\n")

    def _stream(self, value: str, *, whole: bool) -> list[Piece]:
        """More of a text value; `whole` ends it."""
        head = ""
        if not self._value_begun:
            self._value_begun = True
            value = value.removeprefix("\n")
            head = self._comma() + json_text(self._key) + ': "'
        if whole:
            return [self._argue(head + json_text(value.removesuffix("\n"))[1:])]
        return [self._argue(head + json_text(value)[1:-1])]

    def _settle(self, value: str) -> list[Piece]:
        """A value that is converted only once complete; the first of a repeated one counts."""
        if self._key in self._seen:
            return []
        shown = json_text(typed(unwrapped(value), self._schema))
        return [self._argue(f"{self._comma()}{json_text(self._key)}: {shown}")]

    def _ended(self, last: bool) -> list[Piece] | None:
        """After a function: the end of the call, another function, or text again."""
        inner = self._skip_blanks(self._at)
        if self._held.startswith(CLOSE, inner):
            self._go_on(self._plain, inner + len(CLOSE))
            return []
        if not last and self._may_become(inner, CLOSE, FUNCTION):
            return None
        self._go_on(self._plain, self._at)
        return []

    def _json(self, last: bool) -> list[Piece] | None:
        end = self._object_end()
        size = len(self._held) - self._at
        # Each attempt parses everything: once it may be complete, and before that ever more rarely.
        if end is None and not last and size < 2 * self._tried:
            return None
        self._tried = size
        text = self._held[self._at : end]
        try:
            value, length = _DECODER.raw_decode(text)
        except RecursionError:
            return self._no_call()
        except ValueError as error:
            # Incomplete words, numbers and escapes are reported at their start.
            at = getattr(error, "pos", 0)
            half = len(text) - at <= LONGEST_WORD or "Unterminated" in str(error)
            return None if half and end is None and not last else self._no_call()
        name = value.get("name") if isinstance(value, dict) else None
        arguments = value.get("arguments", value.get("parameters", {})) if name else None
        if not isinstance(name, str) or not isinstance(arguments, dict):
            return self._no_call()
        self._go_on(self._ended, self._at + length)
        return [self._begin(name), self._end(json_text(arguments))]

    def _object_end(self) -> int | None:
        """Where the object ends or becomes invalid; scans each character once."""
        for mark in _JSON_MARK.finditer(self._held, self._looked):
            self._looked = mark.end()
            if mark[0] == '"':
                self._quoted = not self._quoted
            elif mark[0][0] != "\\" and not self._quoted:
                self._depth += {"{": 1, "}": -1}.get(mark[0], 0)
                if mark[0] == OPEN or not self._depth:
                    return self._looked
        # The rest of a possible mark is still to come.
        self._looked = max(
            self._looked, len(self._held) - held_back(self._held[-len(OPEN) :], _JSON_MARKS)
        )
        return None

    # Output.

    def _say(self, text: str) -> list[Piece]:
        if not text:
            return []
        self._said.append(text)
        return [Said(text)]

    def _no_call(self) -> list[Piece]:
        """It was not a call: output its opening as text, and parse what follows again."""
        opening = OPEN if self._held.startswith(OPEN, self._start) else FUNCTION
        self._go_on(self._plain, self._start + len(opening))
        return self._say(self._gap + opening)

    def _begin(self, name: str) -> Piece:
        self._index += 1
        self._id, self._name, self._arguments = f"call_{uuid.uuid4().hex[:24]}", name, []
        properties = self._tools.schema(name).get("properties")
        self._properties = properties if isinstance(properties, dict) else {}
        self._seen = set()
        return CallBegan(self._index, self._id, name)

    def _argue(self, text: str) -> Piece:
        self._arguments.append(text)
        return CallArguments(self._index, text)

    def _comma(self) -> str:
        return ", " if len(self._arguments) > 1 else ""

    def _end(self, text: str) -> Piece:
        """The last piece of its arguments."""
        piece = self._argue(text)
        self.calls.append(Call(self._id, self._name, "".join(self._arguments)))
        return piece
