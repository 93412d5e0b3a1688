"""Reads tool calls out of an answer as it is written, in the two ways of the family.

Which of the two a model was taught stands in its template: tags for the function and each parameter
(`<function=NAME>`, `<parameter=KEY>`), or one JSON object. What comes after the opening tag tells
them apart.
"""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Callable

from engine.serve.asked import Tools
from engine.serve.call_values import is_text, json_text, typed, unwrapped
from engine.serve.pieces import Call, CallArguments, CallBegan, Piece, Said
from engine.text.stop_strings import held_back

OPEN, CLOSE = "<tool_call>", "</tool_call>"
FUNCTION, FUNCTION_END = "<function=", "</function>"
PARAMETER, PARAMETER_END = "<parameter=", "</parameter>"
LONGEST_NAME = 128
LONGEST_WORD = 12
# Line breaks in texts are no reason to lose a call.
_DECODER = json.JSONDecoder(strict=False)
# What may follow a value: only there does its end tag count, since a value may spell it out.
_AFTER_VALUE = (PARAMETER, FUNCTION_END, CLOSE)


class CallReader:
    """Takes an answer's text, returns what of it is text and what belongs to calls.

    A call that cannot be read is text, too. One that is cut off inside its arguments stays as it
    is: nobody should run half a call.

    Attributes:
        calls: those that are complete.
        text: the text returned so far.
    """

    def __init__(self, tools: Tools) -> None:
        self._tools = tools
        self._names = {tool["function"]["name"] for tool in tools.described}
        self._held = ""
        # All that was fed, and where in it the call being read starts, in case it is none.
        self._fed = ""
        self._start = 0
        self._gap = ""
        self._cut = False
        self._step: Callable[[bool], list[Piece] | None] = self._plain
        self._index = -1
        self._call = Call("", "", "")
        self._schema: dict[str, object] = {}
        self._seen: set[str] = set()
        self._key = ""
        self._value_begun = False
        self.calls: list[Call] = []
        self.text = ""

    @property
    def unfinished(self) -> str:
        """The last call as it was written, if it was cut off; "" if it is complete."""
        return self._fed[self._start :] if self._index >= len(self.calls) else ""

    def feed(self, text: str) -> list[Piece]:
        """What this text settles."""
        if not self._tools.callable:
            self.text += text
            return [Said(text)] if text else []
        self._fed += text
        self._held += text
        return self._run(last=False)

    def finish(self, *, cut: bool = False) -> list[Piece]:
        """What was held back until the end; `cut`: the answer would have gone on."""
        self._cut = cut
        return self._run(last=True)

    def _run(self, *, last: bool) -> list[Piece]:
        pieces: list[Piece] = []
        while (more := self._step(last)) is not None:
            pieces += more
        return pieces

    # Each step returns what it settled, or None if it has to wait for more text.

    def _plain(self, last: bool) -> list[Piece] | None:
        at = self._opening()
        if at is not None:
            before = self._held[:at].rstrip()
            self._gap = self._held[len(before) : at]
            self._held = self._held[at:]
            self._start = len(self._fed) - len(self._held)
            self._step = self._opened
            return self._say(before)
        if last:
            rest, self._held = self._held, ""
            return self._say(rest) if rest.strip() or (rest and not self.calls) else None
        # Line breaks before a call belong to neither.
        kept = len(self._held) - held_back(self._held, (OPEN, FUNCTION))
        at = self._held.rfind(FUNCTION)
        if at >= 0 and ">" not in self._held[at:] and len(self._held) - at < LONGEST_NAME:
            kept = min(kept, at)
        kept = len(self._held[:kept].rstrip())
        if not kept:
            return None
        text, self._held = self._held[:kept], self._held[kept:]
        return self._say(text)

    def _opening(self) -> int | None:
        """Where a call opens; without the outer tag only if it names a tool that is there."""
        found = [self._held.find(OPEN)]
        found += [
            match.start()
            for match in re.finditer(r"<function=([^<>\n]+)>", self._held)
            if match[1] in self._names
        ]
        return min((at for at in found if at >= 0), default=None)

    def _opened(self, last: bool) -> list[Piece] | None:
        head = self._held.removeprefix(OPEN)
        inner = head.lstrip()
        if inner.startswith(FUNCTION):
            self._held = inner
            self._step = self._named
            return []
        if inner.startswith("{"):
            self._held = inner
            self._step = self._json
            return []
        if not last and (not inner or FUNCTION.startswith(inner)):
            return None
        return self._no_call()

    def _named(self, last: bool) -> list[Piece] | None:
        end = self._held.find(">")
        name = self._held[len(FUNCTION) : end].strip() if end >= 0 else ""
        if end >= 0 and name and "\n" not in name and len(name) <= LONGEST_NAME:
            inner = self._held[end + 1 :].lstrip()
            if inner.startswith(_AFTER_VALUE):
                self._held = inner
                self._step = self._between
                return [self._begin(name), self._argue("{")]
            if not last and any(tag.startswith(inner) for tag in _AFTER_VALUE):
                return None
        elif end < 0 and not last and len(self._held) < LONGEST_NAME:
            return None
        return self._no_call()

    def _between(self, last: bool) -> list[Piece] | None:
        """Between two parameters; what is there besides them means nothing."""
        found = [(self._held.find(tag), tag) for tag in (PARAMETER, FUNCTION_END, CLOSE)]
        at, tag = min(((at, tag) for at, tag in found if at >= 0), default=(-1, ""))
        if at < 0:
            if not last or self._cut or self._held.strip():
                return None
            at, tag = 0, ""
        if tag != PARAMETER:
            self._held = self._held[at + len(tag) :]
            self._step = self._ended if tag == FUNCTION_END else self._plain
            return [self._end("}")]
        end = self._held.find(">", at)
        if end < 0:
            return None
        self._key = self._held[at + len(PARAMETER) : end].strip()
        self._held = self._held[end + 1 :]
        self._value_begun = False
        self._step = self._value
        return []

    def _value(self, last: bool) -> list[Piece] | None:
        properties = self._schema.get("properties")
        schema = properties.get(self._key) if isinstance(properties, dict) else None
        streams = is_text(schema) and self._key not in self._seen
        end = self._value_end(last)
        if end is not None:
            value = self._held[: end[0]]
            self._held = self._held[end[1] :]
            self._step = self._between
            pieces = self._stream(value, whole=True) if streams else self._settle(value, schema)
            self._seen.add(self._key)
            return pieces
        if streams and not last:
            kept = len(self._held) - self._uncertain()
            if kept > 1:
                value, self._held = self._held[:kept], self._held[kept:]
                return self._stream(value, whole=False)
        return None

    def _value_end(self, last: bool) -> tuple[int, int] | None:
        """Where the value ends, and where what follows begins; None as long as it is not sure."""
        at = self._held.find(PARAMETER_END)
        while at >= 0:
            after = at + len(PARAMETER_END)
            rest = self._held[after:].lstrip()
            if rest.startswith(_AFTER_VALUE) or (last and not rest):
                return at, after
            if any(tag.startswith(rest) for tag in _AFTER_VALUE):
                return None
            at = self._held.find(PARAMETER_END, after)
        bare = self._bare_end() if last else None
        return (bare, bare) if bare is not None else None

    def _bare_end(self) -> int | None:
        """Where the function may end without an end of its value: if nothing else follows."""
        at = self._held.rfind(FUNCTION_END)
        rest = self._held[at + len(FUNCTION_END) :].lstrip()
        more = rest.removeprefix(CLOSE)
        alone = CLOSE.startswith(rest) or (more != rest and not more.strip())
        return at if at >= 0 and alone else None

    def _uncertain(self) -> int:
        """How much of the held text may still turn out to be the value's end."""
        at = self._held.find(PARAMETER_END)
        while at >= 0:
            rest = self._held[at + len(PARAMETER_END) :].lstrip()
            if any(tag.startswith(rest) for tag in _AFTER_VALUE):
                break
            at = self._held.find(PARAMETER_END, at + 1)
        bare = self._bare_end()
        cut = min(
            len(self._held) if at < 0 else at,
            len(self._held) if bare is None else bare,
            len(self._held) - held_back(self._held, (PARAMETER_END, FUNCTION_END)),
        )
        # The line break before the end is not part of the value.
        return len(self._held) - len(self._held[:cut].removesuffix("\n"))

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

    def _settle(self, value: str, schema: object) -> list[Piece]:
        """A value that is typed only once it is whole; of a repeated one the first counts."""
        if self._key in self._seen:
            return []
        shown = json_text(typed(unwrapped(value), schema))
        return [self._argue(f"{self._comma()}{json_text(self._key)}: {shown}")]

    def _ended(self, last: bool) -> list[Piece] | None:
        """After a function: the end of the call, another function, or text again."""
        rest = self._held.lstrip()
        if rest.startswith(CLOSE):
            self._held = rest.removeprefix(CLOSE)
        elif not last and (CLOSE.startswith(rest) or FUNCTION.startswith(rest)):
            return None
        self._step = self._plain
        return []

    def _json(self, last: bool) -> list[Piece] | None:
        try:
            value, end = _DECODER.raw_decode(self._held)
        except RecursionError:
            return self._no_call()
        except ValueError as error:
            at = getattr(error, "pos", 0)
            # Words, numbers and escapes that are not complete are reported where they start.
            open_end = len(self._held) - at <= LONGEST_WORD or "Unterminated" in str(error)
            if open_end and not last and CLOSE not in self._held[at:]:
                return None
            return None if "Unterminated" in str(error) and not last else self._no_call()
        name = value.get("name") if isinstance(value, dict) else None
        arguments = value.get("arguments", value.get("parameters", {})) if name else None
        if not isinstance(name, str) or not isinstance(arguments, dict):
            return self._no_call()
        self._held = self._held[end:]
        self._step = self._ended
        return [self._begin(name), self._end(json_text(arguments))]

    # What is told.

    def _say(self, text: str) -> list[Piece]:
        self.text += text
        return [Said(text)] if text else []

    def _no_call(self) -> list[Piece]:
        """It only looked like one: its opening is text, and what follows is read anew."""
        whole = self._fed[self._start :]
        opening = OPEN if whole.startswith(OPEN) else FUNCTION
        self._held = whole[len(opening) :]
        self._step = self._plain
        return self._say(self._gap + opening)

    def _begin(self, name: str) -> Piece:
        self._index += 1
        self._call = Call(f"call_{uuid.uuid4().hex[:24]}", name, "")
        self._schema = self._tools.schema(name)
        self._seen = set()
        return CallBegan(self._index, self._call.id, name)

    def _argue(self, text: str) -> Piece:
        self._call = Call(self._call.id, self._call.name, self._call.arguments + text)
        return CallArguments(self._index, text)

    def _comma(self) -> str:
        return ", " if self._call.arguments != "{" else ""

    def _end(self, text: str) -> Piece:
        """The last of its arguments."""
        piece = self._argue(text)
        self.calls.append(self._call)
        return piece
