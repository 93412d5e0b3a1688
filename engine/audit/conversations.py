"""The audit's conversations: every way a chat can return to its own history.

Each is a generator of steps that is sent the model's answer to each step. A step's prompt is
checked cached against cold; then, if the step asks for an answer, one is generated with the
cache on, so that what the next step finds in the cache is what a user's next turn would find.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass

from engine.commands import Prompt
from engine.message import Message, PromptOptions

ANSWER_TOKENS = 24
THINKING = PromptOptions(thinking=True)
PLAIN = PromptOptions()
SYSTEM = Message(
    "system",
    "You are a careful assistant on board a small aeroplane. You keep the logbook, the map and "
    "the tea. You answer in one or two sentences and you remember what you were told. The crew "
    "are Marta, who flies, and Ivo, who repairs what Marta flies. The aeroplane is yellow, it has "
    "two wings one above the other, and it carries at most three hundred and twelve kilograms.",
)
TOOLS = (
    {
        "type": "function",
        "function": {
            "name": "weather",
            "description": "The weather at a place.",
            "parameters": {"type": "object", "properties": {"place": {"type": "string"}}},
        },
    },
)


@dataclass(frozen=True, slots=True)
class Step:
    """A prompt to check, and whether the model must answer it for the steps that follow."""

    prompt: Prompt
    options: PromptOptions = PLAIN
    answer: bool = True


Answers = Generator[Step, Message, None]
TokenIds = Callable[[Prompt, PromptOptions], tuple[int, ...]]


def _turns(count: int) -> tuple[str, ...]:
    said = (
        "Good morning! My name is Oda and the parcel weighs 47 kilograms.",
        "What is the weather like over the hills today?",
        "Please write down that we land at the lake at half past nine.",
        "Who repairs the aeroplane, and what colour is it?",
        "Thank you. How much did I say the parcel weighs?",
    )
    assert count <= len(said), f"there are only {len(said)} user messages"
    return said[:count]


def exact_extension(ids: TokenIds) -> Answers:
    """The prompt, the answer and more text, as raw token ids: nothing is rendered again."""
    prompt = ids((SYSTEM, Message("user", _turns(1)[0])), PLAIN)
    for said in _turns(4)[1:]:
        answer = yield Step(prompt)
        prompt = prompt + answer.token_ids + ids((Message("user", said),), PLAIN)
    yield Step(prompt)


def regenerate(ids: TokenIds) -> Answers:
    """The same question again after an answer."""
    messages = (SYSTEM, Message("user", _turns(1)[0]))
    for _ in range(3):
        yield Step(messages)


def edit_two_turns_back(ids: TokenIds) -> Answers:
    """A user message is changed after two more turns have been built on it."""
    messages: list[Message] = [SYSTEM]
    for said in _turns(4):
        messages.append(Message("user", said))
        messages.append((yield Step(tuple(messages))))
    edited = [*messages[:-4], Message("user", "Wait. Before that, is the tea still warm?")]
    answer = yield Step(tuple(edited))
    yield Step((*edited, answer, Message("user", "Good.")))


def stripped_thinking(ids: TokenIds) -> Answers:
    """The model thinks, and the template drops the thinking from the next prompt."""
    messages: list[Message] = [SYSTEM]
    for said in _turns(5):
        messages.append(Message("user", said))
        messages.append((yield Step(tuple(messages), THINKING)))


def no_think(ids: TokenIds) -> Answers:
    """Plain chat: many templates prompt with empty thinking and later drop it."""
    messages: list[Message] = [SYSTEM]
    for said in _turns(5):
        messages.append(Message("user", said))
        messages.append((yield Step(tuple(messages))))


def tool_loop(ids: TokenIds) -> Answers:
    """Calls and their responses, then a real user message that re-renders them all."""
    options = PromptOptions(thinking=True, tools=TOOLS)
    messages: list[Message] = [SYSTEM, Message("user", _turns(2)[1])]
    for place in ("the hills", "the lake", "the old mill"):
        yield Step(tuple(messages), options, answer=False)
        call = {"name": "weather", "arguments": {"place": place}}
        messages.append(Message("assistant", "", f"I look at {place}.", tool_calls=(call,)))
        messages.append(Message("tool", f'{{"place": "{place}", "sky": "clear"}}'))
    messages.append((yield Step(tuple(messages), options)))
    messages.append(Message("user", "And is it windy?"))
    yield Step(tuple(messages), options)


def alternating_chats(ids: TokenIds) -> Answers:
    """Two chats with nothing in common, in rotation."""
    other = Message("system", "Answer every question about gardens, seeds and rain. " * 6)
    chats: list[list[Message]] = [[SYSTEM], [other]]
    for said in _turns(4):
        for chat in chats:
            chat.append(Message("user", said))
            chat.append((yield Step(tuple(chat))))


def same_prompt_twice(ids: TokenIds) -> Answers:
    """The second prompt contains nothing new."""
    messages = (SYSTEM, Message("user", _turns(3)[2]))
    yield Step(messages, answer=False)
    yield Step(messages, answer=False)


def one_token_shorter(ids: TokenIds) -> Answers:
    """A prompt that ends one token before a stored state."""
    prompt = ids((SYSTEM, Message("user", _turns(4)[3])), PLAIN)
    yield Step(prompt, answer=False)
    yield Step(prompt[:-1], answer=False)


def shared_system_text(ids: TokenIds) -> Answers:
    """Several chats that begin with the same system text."""
    for said in _turns(5):
        chat = (SYSTEM, Message("user", said))
        answer = yield Step(chat)
        yield Step((*chat, answer, Message("user", "Go on.")))


CONVERSATIONS: tuple[Callable[[TokenIds], Answers], ...] = (
    exact_extension,
    regenerate,
    edit_two_turns_back,
    stripped_thinking,
    no_think,
    tool_loop,
    alternating_chats,
    same_prompt_twice,
    one_token_shorter,
    shared_system_text,
)
