"""Earlier turns that keep their thinking: every prompt continues the one before, to the token."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from engine.message import Message, PromptOptions
from engine.text.text_model import TextModel
from tests.engine.text.conftest import OpenModel, Spell

CALL = {"name": "look", "arguments": {"at": "river"}}
SYSTEM = Message("system", "Be still.")


def turn(number: int, calls: int = 0) -> list[Message]:
    """A question, some calls with their results, and an answer, each after some thinking."""
    said = [Message("user", f"Why {number} stones?")]
    for at in range(calls):
        said.append(Message("assistant", "", thinking=f"Look {at}.", tool_calls=(CALL,)))
        said.append(Message("tool", f"stone {at} of {number}"))
    return [*said, Message("assistant", f"The river, {number}.", thinking=f"It asks {number}.")]


def generated(model: TextModel, message: Message, thinking: bool, spell: Spell | None) -> Message:
    """The answer with the ids that the model would have written after its prompt."""
    thought = f"{message.thinking}\n</think>\n\n" if thinking else ""
    text = thought + message.content
    if not message.tool_calls:
        # Tags are tokens of their own.
        ids = (
            model.encode(text)
            if spell is None
            else [
                id
                for at, part in enumerate(text.partition("</think>"))
                for id in (model.encode(part) if at == 1 else spell(part))
            ]
        )
        message = replace(message, token_ids=tuple(ids))
    return message if thinking else replace(message, thinking="")


@pytest.mark.parametrize("thinking", [False, True], ids=["direct", "thinking"])
@pytest.mark.parametrize("style", ["stripping", "tagged"])
@pytest.mark.parametrize("odd", [False, True], ids=["canonical", "odd tokens"])
def test_a_prompt_continues_every_earlier_one(
    open_model: OpenModel, bytes_of_ids: Spell, style: str, thinking: bool, odd: bool
) -> None:
    model = open_model(style)
    options = PromptOptions(thinking=thinking, keeps_thinking=True)
    spell = bytes_of_ids if odd else None
    said = [SYSTEM]
    before: tuple[int, ...] = ()
    for message in (
        *turn(1),
        *turn(2, calls=2),
        *turn(3),
        *turn(4, calls=1),
        Message("user", "So?"),
    ):
        if message.role != "assistant":
            said.append(message)
            continue
        prompt = model.render(said, options).ids
        assert prompt[: len(before)] == before
        answer = generated(model, message, thinking, spell)
        before = prompt + answer.token_ids
        said.append(answer)
    last = model.render(said, options)
    assert last.ids[: len(before)] == before
    assert not last.retokenised
    assert not last.edited
    usual = model.render(said, replace(options, keeps_thinking=False)).ids
    assert usual[: len(before)] != before
    # What follows a message is where the template's layout says it is.
    assert [model.decode(last.ids[s.start : s.end]) for s in last.spans][-1].endswith(
        "So?<|im_end|>\n"
    )


@pytest.mark.parametrize("style", ["chatml", "keeping", "alpaca", "nosystem", "spaced"])
def test_a_template_that_leaves_nothing_out_writes_the_same(
    open_model: OpenModel, style: str
) -> None:
    model = open_model(style)
    messages = [*turn(1), *turn(2), Message("user", "So?")]
    for thinking in (False, True):
        usual = model.render(messages, PromptOptions(thinking=thinking))
        assert model.render(messages, PromptOptions(thinking, keeps_thinking=True)) == usual


def test_where_a_turn_cannot_be_found_the_template_decides(open_model: OpenModel) -> None:
    loud = "{% for m in messages %}{{ m.content | upper }};{% endfor %}"
    model, messages = open_model(loud), [*turn(1), *turn(2)]
    assert model.render(messages, PromptOptions(keeps_thinking=True)) == model.render(messages)


def test_what_is_remembered_is_of_this_conversation(
    open_model: OpenModel, rng: random.Random
) -> None:
    model = open_model("stripping")
    chats = [[SYSTEM, *turn(n % 3), *turn(n % 2, calls=n % 2), *turn(n)] for n in range(6)]
    for chat in rng.choices(chats, k=20):
        messages = [*chat, Message("user", "So?")]
        options = PromptOptions(thinking=True, keeps_thinking=rng.random() < 0.5)
        assert model.render(messages, options) == open_model("stripping").render(messages, options)


def test_an_answer_is_continued_after_kept_turns(open_model: OpenModel) -> None:
    model = open_model("stripping")
    options = PromptOptions(thinking=True, keeps_thinking=True)
    messages = [SYSTEM, *turn(1), *turn(2)]
    begun = model.render(messages, replace(options, continues=True))
    following = model.render([*messages, Message("user", "So?")], options)
    assert following.ids[: len(begun.ids)] == begun.ids
