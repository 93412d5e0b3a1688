"""Answers in a format: valid by it, in every interface, and refused where it cannot be kept."""

from __future__ import annotations

import json
import re
from typing import Any, Literal

import anthropic
import openai
import pydantic
import pytest

from engine import Engine
from engine.net.server import Server
from engine.net.server.asked import Tools
from engine.net.server.formats import Writer
from engine.text.json_rule import closed, json_rule
from tests.engine.net.server.conftest import TOKEN, Caller

CHAT, TEXT = "/v1/chat/completions", "/v1/completions"
RESPONSES, MESSAGES = "/v1/responses", "/v1/messages"
ASK = [{"role": "user", "content": "Hello! What is a checkpoint?"}]
PERSON: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "maxLength": 12},
        "age": {"type": "integer", "minimum": 0, "maximum": 120},
        "likes": {"type": "array", "items": {"enum": ["tea", "rain"]}, "maxItems": 2},
    },
    "required": ["name", "age", "likes"],
    "additionalProperties": False,
}
THINK = {"chat_template_kwargs": {"enable_thinking": True}}
STATED = {"type": "json_schema", "json_schema": {"name": "x", "schema": PERSON, "strict": True}}
SHORT = {"temperature": 0.8, "seed": 7, "max_tokens": 300}


def is_person(text: str) -> bool:
    value = json.loads(text)
    assert set(value) == {"name", "age", "likes"}
    assert len(value["name"]) <= 12
    assert 0 <= value["age"] <= 120
    assert isinstance(value["age"], int)
    assert len(value["likes"]) <= 2
    return set(value["likes"]) <= {"tea", "rain"}


def chat(caller: Caller, **more: Any) -> Any:
    return caller.post(CHAT, {"messages": ASK, **SHORT, **more})["choices"][0]


class TestJson:
    @pytest.mark.parametrize("seed", range(3))
    @pytest.mark.parametrize("more", [{}, THINK], ids=["plain", "thinking"])
    def test_by_a_schema(self, caller: Caller, seed: int, more: dict[str, Any]) -> None:
        for temperature in (0, 1.5):
            said = chat(
                caller, response_format=STATED, temperature=temperature, **more | {"seed": seed}
            )
            assert is_person(said["message"]["content"])
            assert said["finish_reason"] == "stop"
            assert bool(said["message"].get("reasoning_content")) == bool(more)

    def test_streamed_and_from_the_cache_it_is_the_same(
        self, caller: Caller, engine: Engine
    ) -> None:
        asked = {"messages": ASK, **SHORT, "response_format": STATED}
        engine.drop_cache()
        cold = caller.post(CHAT, asked)
        warm = caller.post(CHAT, asked)
        assert warm["usage"]["biplane"]["reused"] > 0
        chunks = caller.events(CHAT, asked | {"stream": True})[:-1]
        text = "".join(chunk["choices"][0]["delta"].get("content", "") for chunk in chunks)
        assert text == warm["choices"][0]["message"]["content"]
        assert text == cold["choices"][0]["message"]["content"]

    def test_any_object(self, caller: Caller) -> None:
        said = chat(caller, response_format={"type": "json_object"}, temperature=0)
        assert said["finish_reason"] == "length" or isinstance(
            json.loads(said["message"]["content"]), dict
        )
        assert said["message"]["content"].startswith("{")

    @pytest.mark.parametrize(
        "more",
        [
            {"response_format": {"type": "json_object", "schema": PERSON}},
            {"response_format": {"type": "json_schema", "schema": PERSON}},
            {"json_schema": PERSON},
            {"guided_json": PERSON},
            {"guided_json": json.dumps(PERSON)},
            {"structured_outputs": {"json": PERSON}},
        ],
        ids=str,
    )
    def test_in_the_forms_of_other_servers(self, caller: Caller, more: dict[str, Any]) -> None:
        assert is_person(chat(caller, **more)["message"]["content"])
        said = caller.post(TEXT, {"prompt": "A person:", **SHORT, **more})
        assert is_person(said["choices"][0]["text"])

    def test_in_the_other_interfaces(self, caller: Caller) -> None:
        form = {"type": "json_schema", "name": "x", "schema": PERSON, "strict": True}
        said = caller.post(RESPONSES, {"input": "Hello!", "text": {"format": form}})
        assert is_person(said["output"][0]["content"][0]["text"])
        assert said["text"]["format"]["schema"] == PERSON
        for name in ("output_format", "output_config"):
            stated: Any = {"type": "json_schema", "schema": PERSON}
            more = {name: stated if name == "output_format" else {"format": stated}}
            said = caller.post(MESSAGES, {"messages": ASK, "max_tokens": 300, **more})
            assert is_person(said["content"][0]["text"])

    def test_what_models_return_is_parsed_by_the_official_clients(self, server: Server) -> None:
        class Person(pydantic.BaseModel):
            # Anthropic's client leaves out bounds of numbers.
            age: Literal[18, 42]
            likes: bool

        with openai.OpenAI(base_url=f"{server.url}/v1", api_key=TOKEN, max_retries=0) as client:
            said = client.chat.completions.parse(
                model="any", messages=[{"role": "user", "content": "Who?"}], response_format=Person
            )
            assert isinstance(said.choices[0].message.parsed, Person)
            told = client.responses.parse(model="any", input="Who?", text_format=Person)
            assert isinstance(told.output_parsed, Person)
        with anthropic.Anthropic(base_url=server.url, api_key=TOKEN, max_retries=0) as other:
            parsed = other.messages.parse(
                model="any",
                messages=[{"role": "user", "content": "Who?"}],
                max_tokens=200,
                output_format=Person,
            )
            assert isinstance(parsed.parsed_output, Person)


class TestClosed:
    def test_only_objects_that_name_their_properties_and_say_nothing_of_others(self) -> None:
        shut = {"type": "object", "additionalProperties": False}
        given: dict[str, Any] = {"properties": {"a": {"properties": {}}}}
        assert closed(given) == shut | {"properties": {"a": {"properties": {}} | shut}}
        assert closed({"items": {"properties": {}}}) == {"items": {"properties": {}} | shut}
        others: tuple[dict[str, Any], ...] = (
            {"type": "object"},
            {"type": "object", "properties": {}, "additionalProperties": True},
            {"type": ["object", "null"], "properties": {}, "patternProperties": {}},
            {"type": "object", "properties": {}, "allOf": [{"properties": {}}]},
            {"const": {"properties": {}}},
        )
        for kept in others:
            assert closed(kept) == kept

    def test_integers_end(self) -> None:
        most = (1 << 53) - 1
        assert closed({"type": "integer"}) == {
            "type": "integer",
            "minimum": -most,
            "maximum": most,
        }
        half = {"type": ["integer", "null"], "exclusiveMinimum": 3}
        assert closed(half) == half | {"maximum": most}
        assert closed({"type": "number"}) == {"type": "number"}

    def test_too_deep(self) -> None:
        deep: Any = {}
        for _ in range(3_000):
            deep = {"items": deep}
        with pytest.raises(ValueError, match="too deep"):
            json_rule(deep)


class TestOther:
    @pytest.mark.parametrize(
        ("more", "pattern"),
        [
            ({"guided_regex": "[a-c]{3}-[0-9]{1,3}/x"}, r"[a-c]{3}-[0-9]{1,3}/x"),
            ({"structured_outputs": {"regex": "yes|no"}}, r"yes|no"),
            ({"guided_choice": ["tea", "rain"]}, r"tea|rain"),
            ({"grammar": 'root ::= "a" [0-9]{2} ("b" | "c")'}, r"a[0-9]{2}[bc]"),
            ({"guided_grammar": 'start: "x" /[0-9]{1,3}/'}, r"x[0-9]{1,3}"),
        ],
        ids=str,
    )
    def test_patterns_choices_and_grammars(
        self, caller: Caller, more: dict[str, Any], pattern: str
    ) -> None:
        for extra in ({}, THINK):
            said = chat(caller, max_tokens=400, **more, **extra)
            assert re.fullmatch(pattern, said["message"]["content"]), said


class TestRefused:
    @pytest.mark.parametrize(
        ("schema", "path"),
        [
            ({"type": "wizard"}, ""),
            ({"properties": {"a": {"type": "wizard"}}}, ".properties.a"),
            ({"properties": {"a": {"items": {"not": {}}}}}, ".properties.a.items"),
            ({"anyOf": [{}, {"$ref": "#/$defs/none"}]}, ".anyOf[1]"),
            ({"properties": {"a": {"type": "string", "pattern": "("}}}, ".properties.a"),
            (
                {"$defs": {"b": {"format": "zzz", "type": "string"}}, "$ref": "#/$defs/b"},
                ".$defs.b",
            ),
            ({"enum": ["x" * 300_000]}, ""),
        ],
        ids=lambda one: str(one)[:40],
    )
    def test_a_schema_that_cannot_be_used_is_named_with_its_place(
        self, caller: Caller, schema: dict[str, Any], path: str
    ) -> None:
        form = {"type": "json_schema", "json_schema": {"name": "x", "schema": schema}}
        for stream in (False, True):
            asked = {"messages": ASK, "response_format": form, "stream": stream}
            told = caller.send("POST", CHAT, asked)
            error = told.json()["error"]
            where = f"response_format.json_schema.schema{path}"
            assert (told.status_code, error["param"]) == (400, where), error

    @pytest.mark.parametrize(
        ("more", "param"),
        [
            ({"response_format": {"type": "wizardry"}}, "response_format.type"),
            ({"response_format": {"type": "json_schema"}}, "response_format.schema"),
            ({"response_format": STATED, "grammar": 'root ::= "a"'}, "grammar"),
            ({"response_format": STATED, "min_tokens": 5}, "min_tokens"),
            ({"response_format": STATED, "ignore_eos": True}, "ignore_eos"),
            ({"grammar": "root ::= ("}, "grammar"),
            ({"guided_regex": "("}, "guided_regex"),
            ({"guided_choice": [5]}, "guided_choice"),
            ({"guided_json": "{"}, "guided_json"),
            ({"structured_outputs": {"wizardry": 1}}, "structured_outputs.wizardry"),
            (
                {
                    "response_format": STATED,
                    "messages": [*ASK, {"role": "assistant", "content": "{"}],
                },
                "response_format.json_schema.schema",
            ),
        ],
        ids=str,
    )
    def test_by_name(self, caller: Caller, more: dict[str, Any], param: str) -> None:
        told = caller.send("POST", CHAT, {"messages": ASK, "max_tokens": 9} | more)
        error = told.json()["error"]
        assert (told.status_code, error["param"]) == (400, param), error


LOOK: dict[str, Any] = {
    "name": "look",
    "description": "Look at a file.",
    "parameters": {
        "type": "object",
        "properties": {
            "path": {"type": "string", "maxLength": 10},
            "lines": {"type": "integer", "minimum": 1, "maximum": 9},
            "how": {"enum": ["fast", "well"]},
        },
        "required": ["path", "lines", "how"],
        "additionalProperties": False,
    },
}
STOP: dict[str, Any] = {"name": "stop", "parameters": {"type": "object", "properties": {}}}


def tools(*functions: dict[str, Any], **more: Any) -> list[dict[str, Any]]:
    return [{"type": "function", "function": one | more} for one in functions]


def is_look(call: Any) -> bool:
    value = json.loads(call["function"]["arguments"])
    assert set(value) == {"path", "lines", "how"}
    assert 1 <= value["lines"] <= 9
    return value["how"] in ("fast", "well")


class TestCalls:
    """The bundled model was not taught to call tools, so each call is the grammar's doing."""

    @pytest.mark.parametrize("seed", range(10))
    def test_a_forced_one_is_made(self, caller: Caller, seed: int) -> None:
        named = {"type": "function", "function": {"name": "look"}}
        for choice in (named, "required") if seed < 3 else (named,):
            said = chat(caller, tools=tools(LOOK, STOP), tool_choice=choice, seed=seed, **THINK)
            assert said["finish_reason"] == "tool_calls"
            assert not said["message"]["content"]
            first = said["message"]["tool_calls"][0]
            if choice == named or first["function"]["name"] == "look":
                assert is_look(first)
            else:
                assert first["function"] == {"name": "stop", "arguments": "{}"}

    def test_several_only_where_they_are_wanted(self, caller: Caller) -> None:
        for several in (None, False, True):
            more = {"parallel_tool_calls": several, "tool_choice": "required", "max_tokens": 900}
            said = chat(caller, tools=tools(STOP), **more)
            count = len(said["message"]["tool_calls"])
            assert count == 1 if not several else 1 <= count <= 17

    def test_streamed(self, caller: Caller) -> None:
        asked = {"messages": ASK, **SHORT, "tools": tools(LOOK), "tool_choice": "required"}
        whole = caller.post(CHAT, asked)["choices"][0]["message"]["tool_calls"]
        chunks = caller.events(CHAT, asked | {"stream": True})[:-1]
        deltas = [d for chunk in chunks for d in chunk["choices"][0]["delta"].get("tool_calls", ())]
        text = "".join(d["function"]["arguments"] for d in deltas if d["index"] == 0)
        assert json.loads(text) == json.loads(whole[0]["function"]["arguments"])

    def test_the_next_turn_extends_it(self, caller: Caller, engine: Engine) -> None:
        engine.drop_cache()
        asked = {"messages": ASK, **SHORT, "tools": tools(LOOK)}
        said = caller.post(CHAT, asked | {"tool_choice": "required"})
        message = said["choices"][0]["message"]
        result = {"role": "tool", "tool_call_id": message["tool_calls"][0]["id"], "content": "x"}
        after = caller.post(CHAT, asked | {"messages": [*ASK, message, result]})
        told, before = after["usage"]["biplane"], said["usage"]
        assert told["replayed"] == 0
        assert told["reused"] >= before["prompt_tokens"]

    def test_in_the_other_interfaces(self, caller: Caller) -> None:
        flat = {"type": "function", **LOOK}
        said = caller.post(
            RESPONSES, {"input": "Hello!", "tools": [flat], "tool_choice": "required"}
        )
        assert is_look({"function": said["output"][0]})
        tool = {"name": "look", "input_schema": LOOK["parameters"]}
        for choice in ({"type": "any"}, {"type": "tool", "name": "look"}):
            asked = {"messages": ASK, "max_tokens": 300, "tools": [tool], "tool_choice": choice}
            (use,) = caller.post(MESSAGES, asked)["content"]
            assert use["type"] == "tool_use"
            assert set(use["input"]) == {"path", "lines", "how"}

    def test_a_strict_one_whose_schema_cannot_be_used(self, caller: Caller) -> None:
        odd = {"name": "odd", "parameters": {"properties": {"a": {"not": {}}}}}
        told = caller.send("POST", CHAT, {"messages": ASK, "tools": tools(odd, strict=True)})
        assert told.status_code == 400
        assert told.json()["error"]["param"] == "tools[0].function.parameters.properties.a"
        # Where it is not strict, a forced call has any arguments.
        said = chat(caller, tools=tools(odd), tool_choice="required", max_tokens=200)
        assert said["finish_reason"] in ("tool_calls", "length")

    def test_beside_a_format_the_answer_is_either(self, caller: Caller) -> None:
        for seed in range(6):
            said = chat(caller, tools=tools(LOOK), response_format=STATED, seed=seed)
            calls = said["message"].get("tool_calls")
            assert is_look(calls[0]) if calls else is_person(said["message"]["content"])

    def test_where_calls_are_strict_text_stays_free(self, caller: Caller) -> None:
        free = chat(caller, temperature=0, max_tokens=12, tools=tools(LOOK))
        strict = chat(caller, temperature=0, max_tokens=12, tools=tools(LOOK, strict=True))
        assert strict["message"]["content"] == free["message"]["content"]


@pytest.mark.parametrize("schema", [False, True])
def test_a_limit_ends_the_thinking(caller: Caller, schema: bool) -> None:
    """Anthropic's budget; a format holds for what comes after it."""
    form = {"output_format": {"type": "json_schema", "schema": PERSON}} if schema else {}
    body = {"model": "m", "max_tokens": 300, "messages": ASK, **form}
    lengths = []
    for most in (0, 5):
        thinking = {"type": "enabled"} | ({"budget_tokens": most} if most else {})
        answer = caller.post(MESSAGES, body | {"thinking": thinking, "temperature": 0})
        blocks = {block["type"]: block for block in answer["content"]}
        lengths.append(len(blocks["thinking"]["thinking"].split()))
        assert blocks["text"]["text"]
    assert 0 < lengths[1] <= 5 < lengths[0]


def test_one_call_is_one_call(engine: Engine) -> None:
    """Where several are forbidden, not even one tag holds two."""
    grammars = engine.on_core(lambda core: core.grammars)
    call = '<tool_call>\n{"name": "stop", "arguments": {}}\n</tool_call>'
    for several in (None, False):
        offered = Tools(tuple(tools(STOP)), "auto", several=several, paths=("a",))
        grammar = Writer(grammars, tags=False).written(None, offered)
        assert bool(grammar) is (several is False)
    assert follows(engine, grammar, f"I stop.{call}")
    assert follows(engine, grammar, "I go on.")
    assert not follows(engine, grammar, f"{call}\n{call}")
    assert not follows(engine, grammar, call.replace("}\n", "} "))


class TestTags:
    """Calls in tags, which the bundled model's template does not write."""

    def test_a_call_follows_its_schema(self, engine: Engine) -> None:
        described = tuple(tools(LOOK, STOP))
        given = Tools(described, "required", paths=("a", "b"), strict=frozenset({"look"}))
        grammars = engine.on_core(lambda core: core.grammars)
        grammar = Writer(grammars, tags=True).written(None, given)
        assert not grammars.check(grammar)
        right = (
            "look>\n<parameter=path>\na.py\nb</parameter>\n</parameter>\n"
            "<parameter=lines>\n5\n</parameter>\n<parameter=how>\nwell\n</parameter>\n"
            "</function>\n</tool_call>"
        )
        assert follows(engine, grammar, right)
        assert follows(engine, grammar, "stop>\n</function>\n</tool_call>")
        for wrong in (
            right.replace("5", "50"),
            right.replace("well", "ill"),
            right.replace("lines", "line"),
            "walk>\n</function>\n</tool_call>",
            "look>\n</function>\n</tool_call>",
        ):
            assert not follows(engine, grammar, wrong)


def follows(engine: Engine, grammar: str, text: str) -> bool:
    """Whether each token of a text is allowed in its place, and the end after it."""

    def walk(core: Any) -> bool:
        constraint = core.grammars.constraint(grammar, thinking=False)
        for token in [*core.text.encode(text), min(core.text.end_ids)]:
            if not constraint.allowed()[token]:
                return False
            constraint.take(token)
        return True

    return engine.on_core(walk)
