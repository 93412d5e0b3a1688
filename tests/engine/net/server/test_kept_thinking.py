"""Thinking kept in history: each turn of a chat processes its new tokens and no others."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from engine import Engine
from engine.net.server import ServeConfig, Server
from tests.engine.net.server.conftest import TOKEN, Caller
from tests.engine.net.server.scripted import Script, script

__all__ = ["script"]
KWARGS = "chat_template_kwargs"
QUESTIONS = ("What do you like?", "And what else?", "Why?")
# The engine remembers prompts that are no longer cached, so no chat begins as another did.
NUMBERS = itertools.count(1)
# In tokens that its text has anyway, as far as this model's tokenizer goes.
THOUGHT, ANSWER = "It asks what I like.", "Tea, and rain."


@dataclass
class Chat:
    """A chat by OpenAI's interface, which sends thinking back."""

    path = "/v1/chat/completions"
    history: list[dict[str, Any]] = field(default_factory=list)

    def body(self) -> dict[str, Any]:
        return {"messages": self.history, "max_tokens": 200, KWARGS: {"enable_thinking": True}}

    def heard(self, said: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        """Take up an answer. Returns all its tokens with its prompt's, and Biplane's report."""
        self.history.append(said["choices"][0]["message"])
        assert self.history[-1]["reasoning_content"] == THOUGHT
        return said["usage"]["total_tokens"], said["usage"]["biplane"]


class Responses(Chat):
    path = "/v1/responses"

    def body(self) -> dict[str, Any]:
        return {"input": self.history, "reasoning": {"effort": "high"}}

    def heard(self, said: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        assert [item["type"] for item in said["output"]] == ["reasoning", "message"]
        self.history += said["output"]
        return said["usage"]["total_tokens"], said["usage"]["biplane"]


class Messages(Chat):
    path = "/v1/messages"

    def body(self) -> dict[str, Any]:
        return {"messages": self.history, "max_tokens": 200, "thinking": {"type": "adaptive"}}

    def heard(self, said: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        assert said["content"][0]["thinking"] == THOUGHT
        self.history.append({"role": "assistant", "content": said["content"]})
        told = said["usage"]["biplane"]
        prompt = told["reused"] + told["replayed"] + told["new"]
        return prompt + said["usage"]["output_tokens"], told


class Ollama(Chat):
    path = "/api/chat"

    def body(self) -> dict[str, Any]:
        return {"messages": self.history, "think": True, "stream": False}

    def heard(self, said: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        assert said["message"]["thinking"] == THOUGHT
        self.history.append(said["message"])
        return said["prompt_eval_count"] + said["eval_count"], said["biplane"]


CHATS: tuple[Callable[[], Chat], ...] = (Chat, Responses, Messages, Ollama)


@pytest.fixture
def start(engine: Engine) -> Iterator[Callable[..., Caller]]:
    """Starts servers on one engine; a new one knows no answer of another."""
    begun: list[tuple[Server, Caller]] = []

    def started(**settings: Any) -> Caller:
        server = Server(ServeConfig(port=0, token=TOKEN, **settings))
        server.attach(engine.loop, engine.model)
        server.start()
        begun.append((server, Caller(server)))
        return begun[-1][1]

    engine.drop_cache()
    yield started
    for server, caller in begun:
        caller.close()
        assert server.stop()


def turns(
    chat: Chat, callers: list[Caller], script: Script
) -> Iterator[tuple[int, dict[str, Any]]]:
    """The tokens before each turn that are not new to it, and Biplane's report of the turn."""
    before, number = 0, next(NUMBERS)
    for caller, question in zip(callers, QUESTIONS, strict=False):
        chat.history.append({"role": "user", "content": f"{number}: {question}"})
        script.add(f"{THOUGHT}\n</think>\n\n{ANSWER}")
        total, told = chat.heard(caller.post(chat.path, chat.body()))
        yield before, told
        before = total


@pytest.mark.parametrize("kind", CHATS)
@pytest.mark.parametrize("other", [False, True], ids=["same server", "another server"])
def test_every_turn_processes_its_new_tokens_alone(
    kind: Callable[[], Chat], other: bool, start: Callable[..., Caller], script: Script
) -> None:
    """Another server knows the thinking only from the client, which sends it back."""
    first = start(keep_thinking=True)
    callers = [first, *(start(keep_thinking=True) if other else first for _ in QUESTIONS[1:])]
    for before, told in turns(kind(), callers, script):
        assert (told["reused"], told["replayed"]) == (before, 0)
        assert told["reread_for_thinking"] == 0


@pytest.mark.parametrize("kind", CHATS)
def test_without_it_usage_says_what_is_read_again(
    kind: Callable[[], Chat], start: Callable[..., Caller], script: Script
) -> None:
    caller = start()
    (_, first), (before, second), (_, third) = turns(kind(), [caller] * 3, script)
    assert first["reread_for_thinking"] == 0
    for told in (second, third):
        assert told["reason"] == "template dropped thinking"
        assert told["replayed"] == 0
    # The answer and the end of its message, without the thinking.
    (read,) = {told["reread_for_thinking"] for told in (second, third)}
    assert second["reused"] + read + len(THOUGHT.split()) < before
    assert read > len(ANSWER.split())


def template_keeps(keeps: bool) -> dict[str, Any]:
    return {KWARGS: {"enable_thinking": True, "preserve_thinking": keeps}}


def clears_none(keeps: bool) -> dict[str, Any]:
    kept = "all" if keeps else {"type": "thinking_turns", "value": 1}
    return {"context_management": {"edits": [{"type": "clear_thinking_20251015", "keep": kept}]}}


@pytest.mark.parametrize("keeps", [True, False])
@pytest.mark.parametrize(("kind", "more"), [(Chat, template_keeps), (Messages, clears_none)])
def test_a_request_can_ask_for_it(
    kind: Callable[[], Chat],
    more: Callable[[bool], dict[str, Any]],
    keeps: bool,
    start: Callable[..., Caller],
    script: Script,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By the names that clients know it by; it holds against the server's setting, too."""

    chat = kind()
    usual = chat.body
    monkeypatch.setattr(chat, "body", lambda: usual() | more(keeps))
    caller = start(keep_thinking=not keeps)
    _, (before, told) = turns(chat, [caller] * 2, script)
    assert (told["reused"] == before) is keeps
    assert (told["reread_for_thinking"] > 0) is not keeps


def test_it_is_a_yes_or_a_no(start: Callable[..., Caller]) -> None:
    body = {"messages": [{"role": "user", "content": "Hm?"}], KWARGS: {"preserve_thinking": 1}}
    refused = start().send("POST", Chat.path, body)
    assert refused.status_code == 400
    assert refused.json()["error"]["param"] == f"{KWARGS}.preserve_thinking"
