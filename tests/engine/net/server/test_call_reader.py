"""Tool calls read out of an answer, however it is cut into pieces."""

from __future__ import annotations

import json
import random
from functools import partial
from typing import Any

import pytest

from engine.net.server.asked import Tools
from engine.net.server.call_reader import CallReader, typed
from engine.net.server.exchange import AnswerReader
from engine.net.server.pieces import CallArguments, CallBegan, Piece, Said
from tests.stopwatch import times_s

PROPERTIES = {
    "path": {"type": "string"},
    "text": {"type": "string"},
    "count": {"type": "integer"},
    "ratio": {"type": "number"},
    "all": {"type": "boolean"},
    "tags": {"type": "array"},
    "more": {"type": "object"},
    "maybe": {"type": ["string", "null"]},
    "either": {"anyOf": [{"type": "integer"}, {"type": "boolean"}]},
    "free": {},
}


def tool(name: str) -> dict[str, Any]:
    schema = {"type": "object", "properties": PROPERTIES}
    return {"type": "function", "function": {"name": name, "parameters": schema}}


TOOLS = Tools((tool("write"), tool("look")))


def xml(name: str, **values: str) -> str:
    lines = [f"<parameter={key}>\n{value}\n</parameter>" for key, value in values.items()]
    return "\n".join(["<tool_call>", f"<function={name}>", *lines, "</function>", "</tool_call>"])


class Read:
    """An answer, read in pieces of random sizes.

    Attributes:
        text: what came as text.
        calls: name and arguments of the calls that came, as their fragments say.
    """

    def __init__(self, answer: str, seed: int = 0, tools: Tools = TOOLS, cut: bool = False) -> None:
        rng = random.Random(seed)
        reader = CallReader(tools)
        pieces: list[Piece] = []
        at = 0
        while at < len(answer):
            size = rng.choice((1, 2, 3, 7, 40)) if seed else len(answer)
            pieces += reader.feed(answer[at : at + size])
            at += size
        pieces += reader.finish(cut=cut)
        self.text = "".join(piece.text for piece in pieces if isinstance(piece, Said))
        names = [piece.name for piece in pieces if isinstance(piece, CallBegan)]
        fragments = [""] * len(names)
        for piece in pieces:
            if isinstance(piece, CallArguments):
                fragments[piece.index] += piece.text
        self.fragments = fragments
        self.unfinished = reader.unfinished
        done = len(reader.calls)
        self.calls = [
            (name, json.loads(arguments))
            for name, arguments in zip(names[:done], fragments[:done], strict=True)
        ]
        assert [(call.name, call.arguments) for call in reader.calls] == list(
            zip(names[:done], fragments[:done], strict=True)
        )
        assert reader.text == self.text


@pytest.mark.parametrize("seed", range(8))
class TestTags:
    def test_text_and_a_call(self, seed: int) -> None:
        read = Read(f"I will look.\n\n{xml('look', path='a.py')}", seed)
        assert (read.text, read.calls) == ("I will look.", [("look", {"path": "a.py"})])

    def test_every_type(self, seed: int) -> None:
        values = {
            "path": "12",
            "count": "12",
            "ratio": "0.5",
            "all": "True",
            "tags": '["a", 1]',
            "more": '{"a": null}',
            "maybe": "null",
            "either": "true",
            "free": "7",
        }
        assert Read(xml("write", **values), seed).calls == [
            (
                "write",
                {
                    "path": "12",
                    "count": 12,
                    "ratio": 0.5,
                    "all": True,
                    "tags": ["a", 1],
                    "more": {"a": None},
                    "maybe": None,
                    "either": True,
                    "free": "7",
                },
            )
        ]

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "one line",
            "\nblank lines around\n\n",
            '"quotes" and \\ and \t and é and 😀',
            "a value with </parameter> in it",
            "</parameter>\nnot the end",
            "<parameter=x> and <function=y> and </function> in it",
            "</function>\n</tool_call> in it",
            "x < y </param",
            "<tool_call>\n<function=look>\n</function>",
        ],
    )
    def test_texts_arrive_as_they_are(self, seed: int, text: str) -> None:
        read = Read(xml("write", text=text, path="p"), seed)
        assert read.calls == [("write", {"text": text, "path": "p"})]
        assert read.text == ""

    def test_several_calls(self, seed: int) -> None:
        answer = f"Both:\n{xml('look', path='a')}\n{xml('look', path='b')}\n"
        read = Read(answer, seed)
        assert read.calls == [("look", {"path": "a"}), ("look", {"path": "b"})]
        assert read.text == "Both:"

    def test_without_parameters(self, seed: int) -> None:
        assert Read("<tool_call>\n<function=look>\n</function>\n</tool_call>", seed).calls == [
            ("look", {})
        ]

    def test_without_the_outer_tag(self, seed: int) -> None:
        inner = xml("look", path="a").removeprefix("<tool_call>\n")
        assert Read(inner, seed).calls == [("look", {"path": "a"})]
        assert Read("Use <function=other> here.", seed).text == "Use <function=other> here."

    def test_a_missing_end_of_the_last_value(self, seed: int) -> None:
        whole = xml("look", path="a.py")
        assert Read(whole.replace("\n</parameter>", ""), seed).calls == [("look", {"path": "a.py"})]

    @pytest.mark.parametrize(
        "answer",
        [
            "A <tool_call> is what starts a call.",
            "<tool_call>",
            "<tool_call>\nnothing\n</tool_call>",
            "<tool_call>\n<function=>\n</function>\n</tool_call>",
            "<tool_call>\n<function=look>\nhello\n</function>\n</tool_call>",
            "<tool_call>\n<function=look",
            "a < b and <tool",
            "spaces at the end  \n",
        ],
    )
    def test_no_call_is_text_as_it_was(self, seed: int, answer: str) -> None:
        read = Read(answer, seed)
        assert (read.text, read.calls) == (answer, [])

    def test_half_a_call_stays_half(self, seed: int) -> None:
        whole = xml("write", path="a.py", text="Hello\nyou")
        for size in range(whole.index("<parameter"), whole.index("</function>")):
            read = Read(whole[:size], seed, cut=True)
            assert read.calls == []
            assert read.text + read.unfinished == whole[:size]
        with pytest.raises(json.JSONDecodeError):
            json.loads(read.fragments[0])


@pytest.mark.parametrize("seed", range(8))
class TestJson:
    def test_a_call(self, seed: int) -> None:
        inner = '{"name": "look", "arguments": {"path": "</tool_call>", "a": 1.5}}'
        call = f"<tool_call>\n{inner}\n</tool_call>"
        read = Read(f"So:\n{call}\n{call}", seed)
        assert read.calls == [("look", {"path": "</tool_call>", "a": 1.5})] * 2
        assert read.text == "So:"

    @pytest.mark.parametrize(
        "inner",
        ['{"name": look}', "{}", '{"name": "look", "arguments": 5}', '{"name": 5}', "{'name': 1}"],
    )
    def test_what_is_none_is_text_and_the_next_one_counts(self, seed: int, inner: str) -> None:
        bad = f"<tool_call>\n{inner}\n</tool_call>"
        good = '<tool_call>\n{"name": "look", "arguments": {}}\n</tool_call>'
        read = Read(f"{bad}\n{good}", seed)
        assert (read.text, read.calls) == (bad, [("look", {})])

    def test_half_a_call_is_text(self, seed: int) -> None:
        whole = '<tool_call>\n{"name": "look", "arguments": {"path": "a"}}'
        for size in range(len("<tool_call>"), len(whole)):
            read = Read(whole[:size], seed, cut=True)
            assert (read.text, read.calls) == (whole[:size], [])


OPENED = "<tool_call>\n<function=write>\n"
OBJECT = '<tool_call>{"name": "look", "arguments": {"a": '


@pytest.mark.slow
@pytest.mark.parametrize(
    ("head", "unit"),
    [
        ("", "<tool_call>"),
        ("", "<function=look>"),
        ("", "<tool_call><function=look>\n"),
        ("", '<tool_call>{"a": 1, '),
        ("", "<tool_call>{}"),
        (f"{OPENED}<parameter=text>", "</parameter>"),
        (f"{OPENED}<parameter=count>", "</parameter>"),
        (f"{OPENED}<parameter=count>", "1 \n"),
        (OPENED, "<parameter=text>x</parameter>"),
        (f"{OBJECT}[", '{"b": 1}, '),
        (f'{OBJECT}"', '\\" } '),
    ],
)
@pytest.mark.parametrize("piece", [None, 6])
def test_four_times_the_text_takes_about_four_times_as_long(
    head: str, unit: str, piece: int | None
) -> None:
    def read(size: int) -> None:
        answer, reader = head + unit * (size // len(unit)), CallReader(TOOLS)
        for at in range(0, len(answer), piece or len(answer)):
            reader.feed(answer[at : at + (piece or len(answer))])
        reader.finish()

    size = 30_000 if piece is None else 12_000
    once, longer = (times_s(partial(read, n), 3)[0] for n in (size, 4 * size))
    # Sixteen times where each part is read again for every other one.
    assert longer < 9 * once + 0.01


class TestOff:
    @pytest.mark.parametrize("tools", [Tools(), Tools(TOOLS.described, "none")])
    def test_without_tools_nothing_is_a_call(self, tools: Tools) -> None:
        answer = xml("look", path="a")
        assert Read(answer, 3, tools).text == answer


@pytest.mark.parametrize("seed", range(6))
class TestThinking:
    def read(self, thought: str, answer: str, seed: int) -> AnswerReader:
        reader, rng = AnswerReader(TOOLS), random.Random(seed)
        for text, take in ((thought, reader.think), (answer, reader.say)):
            at = 0
            while at < len(text):
                size = rng.choice((1, 3, 9)) if seed else len(text)
                take(text[at : at + size])
                at += size
        reader.finish(cut=False)
        return reader

    def test_a_call_ends_the_thinking(self, seed: int) -> None:
        reader = self.read(f"I need the file.\n{xml('look', path='a')}", "", seed)
        assert reader.thinking == "I need the file."
        assert [call.name for call in reader.calls.calls] == ["look"]
        assert reader.in_thought

    @pytest.mark.parametrize(
        "thought",
        [
            *(
                "Then <tool_call> it is.",
                "\n<tool_call> alone",
                "It ends with <tool_call>",
                "a <",
                "",
            ),
            *("\n" * 2_000, "a" + "\n" * 2_000 + "<tool_call>"),
        ],
    )
    def test_naming_the_tag_does_not(self, seed: int, thought: str) -> None:
        reader = self.read(thought, "Yes.", seed)
        assert (reader.thinking, reader.calls.text) == (thought, "Yes.")
        assert not reader.in_thought


def test_random_answers_never_raise_and_lose_nothing() -> None:
    rng = random.Random(5)
    parts = [
        *("<tool_call>", "</tool_call>", "<function=look>", "<function=", "</function>", "\n"),
        *(
            "<parameter=path>",
            "<parameter=",
            "</parameter>",
            "a",
            "{",
            "}",
            '"',
            ' {"name": "look"',
        ),
        *(', "arguments": {}}', ">", "text "),
    ]
    for round_ in range(2_000):
        answer = "".join(rng.choice(parts) for _ in range(rng.randint(1, 14)))
        one, many = Read(answer, 0), Read(answer, round_ + 1)
        assert one.calls == many.calls, answer
        assert one.text.split() == many.text.split(), answer


@pytest.mark.parametrize(
    ("text", "schema", "value"),
    [
        ("5", {"type": "integer"}, 5),
        ("5.0", {"type": "integer"}, 5),
        ("five", {"type": "integer"}, "five"),
        ("5", {"enum": [1, 5]}, 5),
        ("a", {"enum": ["a"]}, "a"),
        ("[1]", {}, [1]),
        ("[1", {"type": "array"}, "[1"),
        ("[" * 20_000, {"type": "array"}, "[" * 20_000),
        ("NaN", {"type": "number"}, "NaN"),
        ("None", {"type": ["integer", "null"]}, None),
        ("1", {"type": 5}, "1"),
        ("1", "no schema", "1"),
    ],
)
def test_typed(text: str, schema: object, value: object) -> None:
    assert typed(text, schema) == value
