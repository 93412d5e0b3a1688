"""Anchors: true prefixes, at the places where follow-up prompts really leave."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace

import pytest

from engine.message import Message, PromptOptions
from engine.text.prompt import RenderedPrompt
from tests.engine.text.conftest import OpenModel, Spell
from tests.stopwatch import times_s

STYLES = ("stripping", "tagged", "chatml", "keeping", "alpaca", "nosystem")
CALL = {"name": "look", "arguments": {"at": "river"}}


def shared(one: RenderedPrompt, other: RenderedPrompt) -> int:
    pairs = zip(one.ids, other.ids, strict=False)
    return sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], pairs))


def at(prompt: RenderedPrompt, kind: str) -> list[int]:
    return [anchor.position for anchor in prompt.anchors if anchor.kind == kind]


def words(rng: random.Random, count: int) -> str:
    stock = ["window", "river", "the", "7", "étés", "東京", "stone;", "more\n\nthan", "\nWhy"]
    return " ".join(rng.choice(stock) for _ in range(count))


class TestPlaces:
    @pytest.mark.parametrize("thinking", [False, True], ids=["direct", "thinking"])
    def test_stripping_template(
        self, open_model: OpenModel, chat: list[Message], thinking: bool
    ) -> None:
        model = open_model("stripping")
        prompt = model.render(chat, PromptOptions(thinking=thinking))
        text = {a.kind: model.decode(prompt.ids[: a.position]) for a in prompt.anchors}
        assert text["system"].endswith("Be still.<|im_end|>\n<|im_start|>user\n")
        assert text["answer"].endswith("open?<|im_end|>\n<|im_start|>assistant\n")
        assert text["user"].endswith("the tree.<|im_end|>\n<|im_start|>user\n")
        assert text["next turn"].endswith("7 stones?<|im_end|>\n<|im_start|>assistant\n")
        assert len(prompt.anchors) == 4

    def test_without_a_system_text_the_first_user_start_is_a_user_anchor(
        self, open_model: OpenModel, chat: list[Message]
    ) -> None:
        prompt = open_model("stripping").render(chat[1:])
        assert not at(prompt, "system")
        assert len(at(prompt, "user")) == 2

    @pytest.mark.parametrize("style", ["chatml", "alpaca", "nosystem"])
    def test_a_prompt_that_history_repeats_has_no_next_turn_anchor(
        self, open_model: OpenModel, chat: list[Message], style: str
    ) -> None:
        assert not at(open_model(style).render(chat[1:]), "next turn")

    def test_a_template_that_keeps_thinking_diverges_nowhere(
        self, open_model: OpenModel, chat: list[Message]
    ) -> None:
        model = open_model("keeping")
        assert not at(model.render(chat, PromptOptions(thinking=True)), "next turn")

    @pytest.mark.parametrize("thinking", [False, True], ids=["direct", "thinking"])
    def test_tool_loop_diverges_at_its_first_assistant_row(
        self, open_model: OpenModel, chat: list[Message], thinking: bool
    ) -> None:
        model = open_model("stripping")
        loop = [*chat]
        for n in range(3):
            loop += [
                Message("assistant", "", thinking=f"look {n}", tool_calls=(CALL,)),
                Message("tool", f"stone {n}"),
            ]
        options = PromptOptions(thinking=thinking)
        prompt = model.render(loop, options)
        head = model.decode(prompt.ids[: at(prompt, "next turn")[0]])
        assert head.endswith("7 stones?<|im_end|>\n<|im_start|>assistant\n")
        follow = [*loop, Message("assistant", "Done."), Message("user", "And?")]
        assert shared(prompt, model.render(follow, options)) == at(prompt, "next turn")[0]

    def test_tool_call_opener(self, open_model: OpenModel, chat: list[Message]) -> None:
        model = open_model("stripping")
        loop = [*chat, Message("assistant", "", tool_calls=(CALL,)), Message("tool", "stone")]
        prompt = model.render(loop)
        opener = model.decode(prompt.ids[: at(prompt, "tool call")[0]])
        assert "<tool_call>\n" in opener
        assert opener.endswith('{"name":') or opener.endswith('{"name": "')
        other = replace(loop[-2], tool_calls=({"name": "go", "arguments": {}},))
        changed = model.render([*loop[:-2], other, loop[-1]])
        assert shared(prompt, changed) >= at(prompt, "tool call")[0]

    def test_markers_that_start_alike_are_different_tokens(
        self, open_model: OpenModel, chat: list[Message]
    ) -> None:
        said = "{% if m.role == 'assistant' %}</think>{% endif %}{{ m.content }}<|im_end|>"
        model = open_model(
            "{% for m in messages %}<|im_start|>{{ m.role }}\n" + said + "{% endfor %}"
            "{% if add_generation_prompt %}<|im_start|>assistant\n<think>{% endif %}"
        )
        prompt = model.render(chat)
        assert at(prompt, "next turn") == [len(prompt.ids) - 1]
        follow = model.render([*chat, Message("assistant", "So."), Message("user", "And?")])
        assert shared(prompt, follow) == len(prompt.ids) - 1

    def test_a_refused_dummy_conversation_gives_no_anchor_and_no_error(
        self, open_model: OpenModel
    ) -> None:
        once = "{% if messages | length > 1 %}{{ raise_exception('one message') }}{% endif %}"
        prompt = open_model(once + "<|im_start|>{{ messages[0].content }}").render(
            [Message("user", "Why?")]
        )
        assert at(prompt, "next turn") == []
        assert at(prompt, "user") == [1]


class TestProperties:
    @pytest.mark.parametrize("style", STYLES)
    @pytest.mark.parametrize("thinking", [False, True], ids=["direct", "thinking"])
    def test_every_anchor_is_shared_with_the_next_turn(
        self,
        open_model: OpenModel,
        bytes_of_ids: Spell,
        rng: random.Random,
        style: str,
        thinking: bool,
    ) -> None:
        model = open_model(style)
        options = PromptOptions(thinking=thinking)
        thinks = thinking and style in ("stripping", "tagged", "keeping")
        messages = [] if style == "nosystem" else [Message("system", words(rng, 4))]
        for _ in range(6):
            messages.append(Message("user", words(rng, rng.randint(1, 8))))
            prompt = model.render(messages, options)
            answer, thought = words(rng, 6).strip(), words(rng, 5).strip() if thinks else ""
            spelt = f"{thought}\n</think>\n\n{answer}" if thinks else answer
            ids = tuple(
                token
                for part in spelt.replace("</think>", "\0</think>\0").split("\0")
                for token in (
                    model.encode(part)
                    if part == "</think>" or rng.random() < 0.5
                    else bytes_of_ids(part)
                )
            )
            messages.append(Message("assistant", answer, thought, token_ids=ids))
            follow = model.render([*messages, Message("user", words(rng, 3))], options)
            common = shared(prompt, follow)
            positions = [anchor.position for anchor in prompt.anchors]
            assert positions == sorted(set(positions))
            assert all(0 < position < len(prompt.ids) for position in positions)
            assert all(position <= common for position in positions)
            # The last anchor is not merely true: it is where the next turn leaves.
            assert common == len(prompt.ids) or common == at(prompt, "next turn")[0]
            # What is an anchor of history stays one.
            assert set(positions) <= {anchor.position for anchor in follow.anchors}

    @pytest.mark.parametrize("style", STYLES)
    def test_editing_a_user_message_leaves_its_anchor_shared(
        self, open_model: OpenModel, chat: list[Message], style: str
    ) -> None:
        model = open_model(style)
        chat = chat[1:] if style == "nosystem" else chat
        prompt = model.render(chat)
        for index, position in zip(
            [k for k, m in enumerate(chat) if m.role == "user"],
            sorted(at(prompt, "system") + at(prompt, "user")),
            strict=True,
        ):
            edited = [*chat[:index], replace(chat[index], content="Zwei.")]
            assert shared(prompt, model.render(edited)) >= position

    @pytest.mark.parametrize("style", [*STYLES, "spaced"])
    def test_editing_an_answer_leaves_its_anchor_shared(
        self, open_model: OpenModel, bytes_of_ids: Spell, chat: list[Message], style: str
    ) -> None:
        model = open_model(style)
        chat = chat[1:] if style == "nosystem" else chat
        index = next(k for k, m in enumerate(chat) if m.role == "assistant")
        said = chat[index]
        chat[index] = replace(said, token_ids=bytes_of_ids(said.content))
        prompt = model.render(chat)
        (position,) = at(prompt, "answer")
        edited = [*chat[:index], replace(said, content="stones."), *chat[index + 1 :]]
        assert shared(prompt, model.render(edited)) >= position

    def test_a_text_that_merges_with_its_header_moves_the_anchor_before_the_merge(
        self, open_model: OpenModel
    ) -> None:
        model = open_model("chatml")
        prompt = model.render([Message("user", "\n\nWhy?")])
        plain = model.render([Message("user", "Why?")])
        (position,) = at(prompt, "user")
        assert position < at(plain, "user")[0]
        assert prompt.ids[:position] == plain.ids[:position]


def test_long_conversations_are_quick_once_seen(open_model: OpenModel, rng: random.Random) -> None:
    model = open_model("stripping")
    messages = [Message("system", words(rng, 40))]
    for _ in range(20):
        messages += [Message("user", words(rng, 60)), Message("assistant", words(rng, 250))]
    messages.append(Message("user", "More?"))
    first = model.render(messages)
    turns: list[RenderedPrompt] = []

    def answer() -> None:
        said = Message("assistant", f"{len(turns)}.")
        turns.append(model.render([*messages, said, Message("user", "And?")]))

    took = times_s(answer, 5)
    assert len(first.ids) > 10_000
    assert {a.position for a in first.anchors} <= {a.position for a in turns[-1].anchors}
    # It takes 30 ms.
    assert took[0] < 0.06, took
