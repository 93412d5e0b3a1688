"""`biplane chat` on the bundled model: commands, stopping, a pipe, and a run on a terminal."""

from __future__ import annotations

import argparse
import io
import os
import pty
import re
import select
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from app.cli import chat
from app.cli.chat import AnswerText
from app.cli.main import main, make_parser
from app.core.options.shared import demo_model_dir
from engine import Engine, EngineConfig, Message
from engine.events import RequestFailed

# The terminal is asked to mark pasted text: the program waits for keys.
PROMPT = re.escape("\x1b[?2004h")
QUICK = ["--threads", "1", "--cache-mb", "8", "--max-tokens", "24", "--temperature", "0"]


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine.open(demo_model_dir(), EngineConfig(threads=1, cache_bytes=8 << 20)) as opened:
        yield opened


class Sayings:
    """Messages said by somebody who types, one after the other."""

    typed = True

    def __init__(self, said: Sequence[str]) -> None:
        self._said = list(said)

    def next(self) -> str | None:
        return self._said.pop(0) if self._said else None


@pytest.fixture
def conversation(engine: Engine) -> chat.Conversation:
    args: argparse.Namespace = make_parser().parse_args(["chat", *QUICK, "--no-history"])
    return chat.Conversation(engine, args)


def roles(conversation: chat.Conversation) -> list[str]:
    return [message.role for message in conversation.messages]


class TestCommands:
    def test_a_message_is_answered_and_remembered(
        self, conversation: chat.Conversation, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert conversation.take("hello there")
        assert roles(conversation) == ["user", "assistant"]
        answer = conversation.messages[-1]
        assert answer.content
        assert answer.token_ids
        assert capsys.readouterr().out.startswith(f"{answer.content}\n  reused ")

    def test_again_and_new(self, conversation: chat.Conversation) -> None:
        conversation.take("hello there")
        conversation.take("/again")
        assert roles(conversation) == ["user", "assistant"]
        conversation.take("/new")
        assert conversation.messages == []

    def test_more_goes_on_where_the_answer_was_cut(
        self, conversation: chat.Conversation, capsys: pytest.CaptureFixture[str]
    ) -> None:
        conversation.take("who are you?")
        whole = conversation.messages[-1].content
        conversation.take("/new")
        conversation.sampling = replace(conversation.sampling, max_tokens=6)
        conversation.take("who are you?")
        cut = conversation.messages[-1].content
        assert len(cut) < len(whole)
        capsys.readouterr()
        conversation.sampling = replace(conversation.sampling, max_tokens=18)
        assert conversation.take("/more")
        assert roles(conversation) == ["user", "assistant"]
        answer = conversation.messages[-1]
        assert answer.content == whole
        shown = capsys.readouterr().out
        assert shown.startswith(f"{whole.removeprefix(cut).strip()}\n  reused ")

    def test_more_that_fails_keeps_the_answer(
        self, conversation: chat.Conversation, capsys: pytest.CaptureFixture[str]
    ) -> None:
        conversation.take("hello there")
        conversation.messages[-1] = Message("assistant", "")
        before = list(conversation.messages)
        assert not conversation.take("/more")
        assert conversation.messages == before
        assert "nothing to continue" in capsys.readouterr().err

    @pytest.mark.parametrize("said", ["/nothing", "/again", "/more", "/help"])
    def test_what_is_no_command_shows_them(
        self, conversation: chat.Conversation, said: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert conversation.take(said)
        assert capsys.readouterr().out == f"{chat.HELP}\n"
        assert conversation.messages == []

    @pytest.mark.parametrize("said", ["/etc/hosts is what", "/new\nsecond line"])
    def test_text_that_begins_with_a_slash_is_a_message(
        self, conversation: chat.Conversation, said: str
    ) -> None:
        conversation.take(said)
        assert conversation.messages[0].content == said

    def test_thinking_is_shown_apart_and_kept(
        self, conversation: chat.Conversation, capsys: pytest.CaptureFixture[str]
    ) -> None:
        conversation.take("/think")
        conversation.take("who are you?")
        answer = conversation.messages[-1]
        assert answer.thinking
        shown = capsys.readouterr().out
        assert shown.startswith(f"Thinking is on.\nThinking:\n{answer.thinking.strip()}\n\nAnswer:")
        assert "\x1b" not in shown

    def test_a_failed_again_keeps_the_answer(
        self,
        conversation: chat.Conversation,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        conversation.take("hello there")
        before = list(conversation.messages)

        def fail(*_: object) -> Iterator[RequestFailed]:
            yield RequestFailed(request=1, sentence="It cannot be run.")

        monkeypatch.setattr(conversation.engine, "generate", fail)
        assert not conversation.take("/again")
        assert not conversation.take("more")
        assert conversation.messages == before
        assert capsys.readouterr().err.count("biplane: It cannot be run.") == 2


class TestStopping:
    @pytest.fixture(autouse=True)
    def _typed(self, conversation: chat.Conversation) -> None:
        conversation._source = Sayings([])

    def stopping_at(self, monkeypatch: pytest.MonkeyPatch, piece: int) -> None:
        """Ctrl+C arrives while the numbered piece of an answer is shown."""
        pieces = iter(range(1, 1000))
        add = AnswerText.add

        def interrupted(self: AnswerText, text: str, *, thinking: bool) -> None:
            if next(pieces) == piece:
                raise KeyboardInterrupt
            add(self, text, thinking=thinking)

        monkeypatch.setattr(AnswerText, "add", interrupted)

    def test_what_came_is_kept_and_the_chat_goes_on(
        self,
        conversation: chat.Conversation,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        conversation.take("hello there")
        whole = conversation.messages.pop().content
        conversation.messages.clear()
        capsys.readouterr()
        self.stopping_at(monkeypatch, 4)
        assert conversation.take("hello there")
        kept = conversation.messages[-1]
        assert kept.role == "assistant"
        assert 0 < len(kept.content) < len(whole)
        assert whole.startswith(kept.content)
        assert capsys.readouterr().out == f"{kept.content.strip()}\n  stopped\n"
        assert conversation.take("and now?")
        assert roles(conversation) == ["user", "assistant"] * 2
        assert conversation.engine.snapshot().live is None

    def test_before_anything_came_the_message_is_taken_back(
        self, conversation: chat.Conversation, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.stopping_at(monkeypatch, 1)
        conversation.take("hello there")
        assert conversation.messages == []

    def test_thinking_that_came_is_kept_too(
        self, conversation: chat.Conversation, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        conversation.take("/think")
        self.stopping_at(monkeypatch, 4)
        conversation.take("who are you?")
        kept = conversation.messages[-1]
        assert kept.thinking
        assert not kept.content

    @pytest.mark.parametrize("piece", [1, 3])
    def test_more_that_is_stopped_keeps_all_that_came(
        self, conversation: chat.Conversation, monkeypatch: pytest.MonkeyPatch, piece: int
    ) -> None:
        conversation.sampling = replace(conversation.sampling, max_tokens=6)
        conversation.take("who are you?")
        cut = conversation.messages[-1]
        self.stopping_at(monkeypatch, piece)
        assert conversation.take("/more")
        kept = conversation.messages[-1]
        assert roles(conversation) == ["user", "assistant"]
        assert kept.content.startswith(cut.content)
        if piece == 1:
            assert kept == cut
        else:
            assert len(kept.content) > len(cut.content)

    def test_after_the_end_nothing_is_kept_twice(
        self, conversation: chat.Conversation, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def interrupted(*_: object) -> str:
            raise KeyboardInterrupt

        monkeypatch.setattr(chat, "stats_line", interrupted)
        assert conversation.take("hello there")
        assert roles(conversation) == ["user", "assistant"]


class TestPipe:
    def run(self, monkeypatch: pytest.MonkeyPatch, said: str, *more: str) -> int:
        monkeypatch.setattr(sys, "stdin", io.StringIO(said))
        return main(["chat", *QUICK, "--disk-mb", "0", *more])

    def test_answers_and_nothing_else(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert self.run(monkeypatch, "hello there\n\n/new\nhello there\n") == 0
        out, err = capsys.readouterr()
        lines = out.splitlines()
        assert lines[0] == lines[3] != ""
        assert lines[1].startswith("  reused 0 ")
        assert len(lines) == 6
        assert err == ""

    def test_quit_ends_it(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert self.run(monkeypatch, "/quit\nhello there\n") == 0
        assert capsys.readouterr().out == ""

    def test_a_message_that_was_not_answered_is_an_exit_code(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert self.run(monkeypatch, "x " * 20_000 + "\nhello there\n") == 1
        out, err = capsys.readouterr()
        assert out
        assert err.startswith("biplane: ")
        assert len(err.splitlines()) == 1

    def test_ctrl_c_ends_it(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        def interrupted(*_: object, **__: object) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr(AnswerText, "add", interrupted)
        assert self.run(monkeypatch, "hello there\nmore\n") == 130


class Terminal:
    """A real terminal with the program on it."""

    def __init__(self, command: list[str], env: dict[str, str]) -> None:
        self._master, slave = pty.openpty()
        self.process = subprocess.Popen(
            command, stdin=slave, stdout=slave, stderr=slave, env=env, start_new_session=True
        )
        os.close(slave)
        self.shown = ""

    def press(self, text: str) -> None:
        os.write(self._master, text.encode())

    def until(self, pattern: str, within_s: float = 60.0) -> str:
        """What was shown up to the pattern; it is looked for after what was found before."""
        ends = time.monotonic() + within_s
        while not (found := re.search(pattern, self.shown)):
            left = ends - time.monotonic()
            assert left > 0, f"{pattern!r} never came, but {self.shown!r}"
            if select.select([self._master], [], [], left)[0]:
                self.shown += os.read(self._master, 65536).decode()
        before, self.shown = self.shown[: found.end()], self.shown[found.end() :]
        return before

    def close(self) -> int:
        """The exit code."""
        code = self.process.wait(60)
        os.close(self._master)
        return code


def test_a_whole_chat_on_a_terminal(tmp_path: Path) -> None:
    env = {
        **os.environ,
        "XDG_STATE_HOME": str(tmp_path),
        "TERM": "xterm",
        "PROMPT_TOOLKIT_NO_CPR": "1",
    }
    env.pop("NO_COLOR", None)
    command = [sys.executable, "-m", "app.cli.main", "chat", "--disk-mb", "0", *QUICK, "--think"]
    command += ["--max-tokens", "300"]
    terminal = Terminal(command, env)
    try:
        terminal.until("Ctrl\\+D leaves")
        terminal.until(PROMPT)
        terminal.press("\x1b[200~who are\nyou?\x1b[201~\r")
        answer = terminal.until("reused 0 ")
        assert re.search("\x1b\\[2m.*\x1b\\[0m\r\n\r\n\\w", answer, re.DOTALL)
        terminal.until(PROMPT)
        terminal.press("half a thought\x03")
        terminal.until("again")
        terminal.press("\x03")
        assert terminal.close() == 0
    finally:
        terminal.process.kill()
    history = tmp_path / "biplane" / "chat_history"
    assert history.read_text() == '"who are\\nyou?"\n'
    assert history.stat().st_mode & 0o777 == 0o600
