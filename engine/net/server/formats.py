"""What an answer has to look like, as a grammar: JSON by a schema, a pattern, a choice, calls."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from engine.net.server.asked import Format, Kind, Tools
from engine.net.server.call_reader import (
    CLOSE,
    FUNCTION,
    FUNCTION_END,
    OPEN,
    PARAMETER,
    PARAMETER_END,
    is_text,
)
from engine.net.server.problem import Refused, wrong
from engine.net.wire import AnswerFormat, Sampling
from engine.text.grammar import Grammars
from engine.text.json_rule import ALONE, BY_NAME, LISTED, json_rule

# A model that was not taught to call tools would not end by itself.
MOST_CALLS = 16
_ANY_OBJECT: dict[str, Any] = {"type": "object"}
_ANY_TEXT = "/(?s:.*)/"
# Names that llama.cpp and vLLM have.
_FIELDS: dict[str, Kind] = {
    "json_schema": "json",
    "grammar": "grammar",
    "guided_json": "json",
    "guided_regex": "regex",
    "guided_choice": "choice",
    "guided_grammar": "grammar",
}
_DEFINITIONS = ("$defs", "definitions")


def format_of(body: Sampling, form: AnswerFormat | None, path: str) -> Format | None:
    """The format that a body asks for, in any interface's form. Raises Refused.

    `form`, at `path`: in the form of the body's own interface.
    """
    found = list(_formats(body, form, path))
    if len(found) > 1:
        raise wrong(found[1].path, f"{found[1].path} and {found[0].path} cannot both decide.")
    return found[0] if found else None


def _formats(body: Sampling, form: AnswerFormat | None, path: str) -> Iterator[Format]:
    if form is not None and (form.type or "text") != "text":
        yield _stated(form, path)
    for name, kind in _FIELDS.items():
        value = getattr(body, name)
        if value is not None and value != "":
            yield Format(kind, value, name)
    for name, value in (body.structured_outputs or {}).items():
        inside = f"structured_outputs.{name}"[:80]
        if value in (None, False):
            continue
        if name == "json_object":
            yield Format("json", _ANY_OBJECT, inside)
        elif f"guided_{name}" in _FIELDS:
            yield Format(_FIELDS[f"guided_{name}"], value, inside)
        else:
            raise wrong(inside, "structured_outputs holds json, regex, choice or grammar.")


def _stated(form: AnswerFormat, path: str) -> Format:
    inner = form.json_schema
    match form.type:
        case "json_object" if form.schema is None:
            return Format("json", _ANY_OBJECT, path)
        case "json_object" | "json_schema" if inner is None:
            schema, at = form.schema, f"{path}.schema"
        case "json_schema":
            schema, at = inner.schema if inner else None, f"{path}.json_schema.schema"
        case _:
            raise wrong(
                f"{path}.type", f'{path}.type must be "text", "json_object" or "json_schema".'
            )
    if schema is None:
        raise wrong(at, f"{at} is missing: send the schema of the answer.")
    return Format("json", schema, at)


class Writer:
    """Writes the grammar of one request; each part is compiled once to see whether it can be."""

    def __init__(self, grammars: Grammars, *, tags: bool) -> None:
        """tags: whether the model writes calls as tags rather than JSON."""
        self._grammars = grammars
        self._tags = tags
        self._rules: list[str] = []

    def written(self, form: Format | None, tools: Tools) -> str:
        """The grammar of an answer; "" if it may be anything. Raises Refused.

        A forced call is begun in the prompt, so its grammar is that of the rest.
        """
        if form is not None and form.kind == "grammar":
            if tools.callable:
                raise wrong(form.path, f"{form.path} says what the answer is: leave tools out.")
            return self._of_grammar(form)
        if tools.forced:
            start = self._forced(tools)
        elif form is not None:
            start = self._answer(form)
            if tools.callable:
                start = f"{start} | {self._calls(tools)}"
        elif tools.callable and (tools.strict or tools.one):
            start = f"text ({self._calls(tools)})?"
            self._rules.append(f"text: {_ANY_TEXT}")
        else:
            return ""
        return "\n".join([f"start: {start}", *self._rules])

    def _of_grammar(self, form: Format) -> str:
        from llguidance.gbnf_to_lark import any_to_lark

        if not isinstance(form.value, str):
            raise wrong(form.path, f"{form.path} must be a string.")
        try:
            lark = str(any_to_lark(form.value))
        except Exception as error:
            raise wrong(form.path, f"{form.path} cannot be read: {error}.") from None
        return self._checked(lark, form.path)

    def _answer(self, form: Format) -> str:
        value, path = form.value, form.path
        match form.kind:
            case "json":
                if isinstance(value, str):
                    value = _parsed(value, path)
                return self._json(value, path)
            case "regex" if isinstance(value, str):
                body = "/" + value.replace("/", "\\/") + "/"
            case "choice" if isinstance(value, list) and all(isinstance(v, str) for v in value):
                body = " | ".join(json.dumps(one) for one in value)
            case _:
                raise wrong(path, f"{path} must be a string, or a list of strings for a choice.")
        self._checked(f"start: {body}", path)
        self._rules.append(f"answer: {body}")
        return "answer"

    def _json(self, schema: object, path: str) -> str:
        """A rule for JSON by a schema. Raises Refused, naming the part that cannot be used."""
        written = _rule(schema, path)
        said = self._grammars.check(f"start: {written}")
        if said:
            raise self._unusable(schema, schema, path, said)
        self._rules.append(f"json_{len(self._rules)}: {written}")
        return f"json_{len(self._rules) - 1}"

    def _unusable(self, schema: Any, root: Any, path: str, said: str) -> Refused:
        """The error, for the innermost part that cannot be compiled by itself."""
        kept = {name: root[name] for name in _DEFINITIONS if name in root}
        for inside, part in _parts(schema):
            if isinstance(part, dict):
                at = f"{path}.{inside}" if inside[0] != "[" else path + inside
                why = self._grammars.check(f"start: {_rule(kept | part, at)}")
                if why:
                    return self._unusable(part, root, at, why)
        return _refused(path, said)

    def _checked(self, grammar: str, path: str) -> str:
        said = self._grammars.check(grammar)
        if said:
            raise _refused(path, said)
        return grammar

    # Calls.

    def _forced(self, tools: Tools) -> str:
        close = f'"\\n" {self._grammars.literal(CLOSE)}'
        call = self._tag_call if self._tags else self._json_call
        rest = " | ".join(call(tools, at, named=not tools.name) for at in _of(tools))
        more = f' ("\\n" {self._calls(tools)})?' if tools.several and not tools.name else ""
        return f"({rest}) {close}{more}"

    def _calls(self, tools: Tools) -> str:
        """A rule for one call or several, as the template writes them."""
        opening, closing = self._grammars.literal(OPEN), self._grammars.literal(CLOSE)
        call = self._tag_call if self._tags else self._json_call
        bodies = [call(tools, at, whole=True) for at in range(len(tools.described))]
        self._rules.append(f'call: {opening} "\\n" ({" | ".join(bodies)}) "\\n" {closing}')
        more = "" if tools.one else f' ("\\n" call){{0,{MOST_CALLS - 1}}}'
        self._rules.append(f"calls: call{more}")
        return "calls"

    def _json_call(self, tools: Tools, at: int, *, named: bool = True, whole: bool = False) -> str:
        name, schema, path = tools.at(at)
        arguments = self._arguments(_ANY_OBJECT | schema, path, strict=name in tools.strict)
        head = json.dumps(name, ensure_ascii=False) + ', "arguments":'
        # The quote before the name is in the prompt of a forced call.
        head = '{"name": ' + head if whole else head[1:] if named else ""
        return f'{json.dumps(head + " ", ensure_ascii=False)} {arguments} "}}"'

    def _arguments(self, schema: dict[str, Any], path: str, *, strict: bool) -> str:
        try:
            return self._json(schema, path)
        except Refused:
            if strict:
                raise
            # Nobody asked for these arguments to follow their schema.
            return self._json(_ANY_OBJECT, path)

    def _tag_call(self, tools: Tools, at: int, *, named: bool = True, whole: bool = False) -> str:
        name, schema, path = tools.at(at)
        properties = schema.get("properties")
        required = schema.get("required")
        kept = {one: schema[one] for one in _DEFINITIONS if one in schema}
        parameters = []
        for key, inner in (properties if isinstance(properties, dict) else {}).items():
            place = f"{path}.properties.{key}"
            value = self._parameter(key, inner, kept, place, strict=name in tools.strict)
            must = isinstance(required, list) and key in required
            parameters.append(value if must else f"{value}?")
        head = f"{FUNCTION}{name}>\n" if whole else f"{name}>\n" if named else ""
        return " ".join(
            [*([json.dumps(head)] if head else []), *parameters, json.dumps(FUNCTION_END)]
        )

    def _parameter(
        self, key: str, schema: Any, kept: dict[str, Any], path: str, *, strict: bool
    ) -> str:
        rule = f"value_{len(self._rules)}"
        end = json.dumps(f"\n{PARAMETER_END}\n")
        options = schema.get("enum") if isinstance(schema, dict) else None
        if isinstance(options, list) and options and all(isinstance(o, str) for o in options):
            choice = " | ".join(json.dumps(option, ensure_ascii=False) for option in options)
            self._rules.append(f"{rule}: ({choice}) {end}")
        elif is_text(schema) or not isinstance(schema, dict) or not schema:
            self._rules.append(f"{rule}[suffix={end}]: {_ANY_TEXT}")
        else:
            value = self._arguments(kept | schema, path, strict=strict)
            rule = f"value_{len(self._rules)}"
            self._rules.append(f"{rule}: {value} {end}")
        return f"{json.dumps(f'{PARAMETER}{key}>{chr(10)}', ensure_ascii=False)} {rule}"


def _of(tools: Tools) -> list[int]:
    """The indexes of the tools that a forced call may be of."""
    return [
        at for at in range(len(tools.described)) if not tools.name or tools.at(at)[0] == tools.name
    ]


def _rule(schema: object, path: str) -> str:
    """JSON by a schema, in a grammar. Raises Refused."""
    try:
        return json_rule(schema)
    except ValueError as error:
        raise wrong(path, f"{path} {error}.") from None


def _parts(schema: Any) -> Iterator[tuple[str, Any]]:
    """The schemas inside a schema, with their places."""
    for name in BY_NAME:
        inner = schema.get(name)
        for key, part in (inner if isinstance(inner, dict) else {}).items():
            yield f"{name}.{key}"[:80], part
    for name in LISTED:
        inner = schema.get(name)
        for at, part in enumerate(inner if isinstance(inner, list) else ()):
            yield f"{name}[{at}]", part
    for name in ALONE:
        if name in schema:
            yield name, schema[name]


def _parsed(text: str, path: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise wrong(path, f"{path} is not JSON.") from None


def _refused(path: str, said: str) -> Refused:
    return wrong(path, f"{path} cannot be used: {said.rstrip('.')}.")
