"""Messages typed at the prompt, key by key, and messages from a pipe."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import PipeInput, create_pipe_input

from app.cli.message_source import PipedMessages, TypedMessages, message_source
from app.core.options.shared import UsageError

ENTER, ALT_ENTER, CTRL_C, CTRL_D, UP = "\r", "\x1b\r", "\x03", "\x04", "\x1b[A"


@pytest.fixture
def keys() -> Iterator[PipeInput]:
    """A terminal's keyboard."""
    with create_pipe_input() as made, create_app_session(input=made):
        yield made


def paste(text: str) -> str:
    """As a terminal sends what was pasted."""
    return f"\x1b[200~{text}\x1b[201~"


class TestTyped:
    @pytest.mark.parametrize(
        ("pressed", "said"),
        [
            ("hello" + ENTER, "hello"),
            ("  hello  " + ENTER, "hello"),
            (ENTER, ""),
            ("one" + ALT_ENTER + "two" + ENTER, "one\ntwo"),
            (paste("one\ntwo\n/quit\n") + ENTER, "one\ntwo\n/quit"),
            (paste("one\r\ntwo\rthree") + " four" + ENTER, "one\ntwo\nthree four"),
            ("wrong" + CTRL_C + "right" + ENTER, "right"),
            (CTRL_C + "a" + CTRL_C + "b" + ENTER, "b"),
            (CTRL_C + CTRL_C, None),
            ("half" + CTRL_C + CTRL_C, None),
            (CTRL_D, None),
            ("half" + CTRL_C + CTRL_D, None),
        ],
        ids=repr,
    )
    def test_keys(self, keys: PipeInput, pressed: str, said: str | None) -> None:
        source = TypedMessages(None)
        keys.send_text(pressed)
        assert source.next() == said

    def test_leaving_takes_two_in_one_line(self, keys: PipeInput) -> None:
        source = TypedMessages(None)
        keys.send_text(CTRL_C + "a" + ENTER)
        assert source.next() == "a"
        keys.send_text(CTRL_C + "b" + ENTER)
        assert source.next() == "b"

    def test_history_of_this_chat_and_of_those_before(
        self, keys: PipeInput, tmp_path: Path
    ) -> None:
        source = TypedMessages(tmp_path / "history")
        for text in ("first", "second\nwith two lines"):
            keys.send_text(paste(text) + ENTER)
            assert source.next() == text
        keys.send_text(UP + UP + UP + ENTER)
        assert source.next() == "first"
        later = TypedMessages(tmp_path / "history")
        keys.send_text(UP + ENTER)
        assert later.next() == "first"

    def test_without_a_file_nothing_is_kept(self, keys: PipeInput, tmp_path: Path) -> None:
        source = TypedMessages(None)
        for pressed in ("hello" + ENTER, UP + ENTER):
            keys.send_text(pressed)
            assert source.next() == "hello"
        assert list(tmp_path.iterdir()) == []

    def test_a_history_that_cannot_be_kept_is_said_once(
        self, keys: PipeInput, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        source = TypedMessages(tmp_path)
        for _ in range(3):
            keys.send_text("hello" + ENTER)
            assert source.next() == "hello"
        assert capsys.readouterr().err.count("Input history is off") == 1


class TestPiped:
    def test_a_message_a_line(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setattr(sys, "stdin", io.StringIO("one\n\n  two \nthree"))
        source = PipedMessages()
        assert [source.next() for _ in range(6)] == ["one", "", "two", "three", None, None]
        assert capsys.readouterr().out == ""

    def test_bytes_that_are_no_text(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        (tmp_path / "in").write_bytes(b"fine\n\xff\n")
        with (tmp_path / "in").open(encoding="utf-8") as file:
            monkeypatch.setattr(sys, "stdin", file)
            with pytest.raises(UsageError, match="UTF-8"):
                PipedMessages().next()

    def test_no_standard_input(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys, "stdin", None)
        source = message_source(None)
        assert isinstance(source, PipedMessages)
        assert source.next() is None
