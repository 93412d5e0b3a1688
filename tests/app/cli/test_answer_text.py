"""How an answer is shown while it comes: dim thinking on a terminal, headings elsewhere."""

from __future__ import annotations

import io
import sys

import pytest

from app.cli.chat import AnswerText

Pieces = list[tuple[str, str]]
THOUGHT: Pieces = [
    ("thinking", "\n"),
    ("thinking", "Hm"),
    ("thinking", ", so.\n"),
    ("thinking", "\nYes."),
    ("thinking", "\n\n"),
    ("answer", "\n\n"),
    ("answer", "It "),
    ("answer", "is\n"),
    ("answer", "so."),
    ("answer", "\n"),
]


class Terminal(io.StringIO):
    """Standard output that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def shown(monkeypatch: pytest.MonkeyPatch, out: io.StringIO, pieces: Pieces) -> str:
    monkeypatch.setattr(sys, "stdout", out)
    text = AnswerText()
    for channel, piece in pieces:
        text.add(piece, thinking=channel == "thinking")
    text.end()
    for channel in ("thinking", "answer"):
        assert getattr(text, channel) == "".join(p for c, p in pieces if c == channel)
    return out.getvalue()


@pytest.fixture(autouse=True)
def _plain_surroundings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")


def test_on_a_terminal_thinking_is_dim_and_a_blank_line_follows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = shown(monkeypatch, Terminal(), THOUGHT)
    plain = whole.replace("\x1b[2m", "").replace("\x1b[0m", "")
    assert plain == "Hm, so.\n\nYes.\n\nIt is\nso.\n"
    dim, _, rest = whole.rpartition("\x1b[0m")
    assert dim.startswith("\x1b[2mHm")
    assert rest == "\n\nIt is\nso.\n"


@pytest.mark.parametrize("why", ["no terminal", "NO_COLOR", "dumb"])
def test_elsewhere_there_are_headings_and_no_codes(
    monkeypatch: pytest.MonkeyPatch, why: str
) -> None:
    out = io.StringIO() if why == "no terminal" else Terminal()
    if why == "NO_COLOR":
        monkeypatch.setenv("NO_COLOR", "1")
    if why == "dumb":
        monkeypatch.setenv("TERM", "dumb")
    whole = shown(monkeypatch, out, THOUGHT)
    assert whole == "Thinking:\nHm, so.\n\nYes.\n\nAnswer:\nIt is\nso.\n"


@pytest.mark.parametrize("made", [Terminal, io.StringIO])
def test_without_thinking_nothing_is_put_around_it(
    monkeypatch: pytest.MonkeyPatch, made: type[io.StringIO]
) -> None:
    pieces = [("thinking", "\n\n"), ("answer", "\n Hello"), ("answer", "  there ")]
    assert shown(monkeypatch, made(), pieces) == "Hello  there\n"


def test_an_answer_that_never_began_leaves_no_line(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shown(monkeypatch, Terminal(), [("answer", "\n")]) == ""


def test_a_terminal_is_not_sent_the_models_own_codes(monkeypatch: pytest.MonkeyPatch) -> None:
    pieces = [("answer", "a\x1b]0;title\x07b\r\x9bc\td")]
    assert shown(monkeypatch, Terminal(), pieces) == "a�]0;title�b��c\td\n"
    assert shown(monkeypatch, io.StringIO(), pieces) == "a\x1b]0;title\x07b\r\x9bc\td\n"


def test_no_standard_output(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    AnswerText().add("hello", thinking=False)
