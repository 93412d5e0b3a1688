"""The owners of a cached prefix, and related conversations: pure functions over turns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.core.session.records import Conversation, MessageTree, Turn
from engine.commands import Claim
from engine.events import NodeOwner
from engine.message import Message, PromptOptions

# Limit for branches of a deleted conversation, and of each that stays; the latest come first.
MOST_BRANCHES = 48
MOST_KEPT_BRANCHES = 12
# Conversations to compare token by token, the most similar ones.
MOST_KIN = 8
# Compared characters of a first message; more would not change the result.
MOST_COMPARED = 2000


@dataclass(frozen=True, slots=True)
class Beginning:
    """How a conversation begins: its system text, and the first messages of its branches."""

    conversation: int
    system: str
    firsts: tuple[str, ...]


def message_at(branch: Sequence[Turn], tokens: int) -> int | None:
    """The message of a branch that contains a position of its prompt.

    Answers know their position: their report has their prompt's length and the generated tokens.
    In later prompts, an answer that others follow has no thinking.

    Args:
        tokens: before the position, counted in the prompt of the branch's last answer.
    """
    found: int | None = None
    for at, turn in enumerate(branch):
        found = turn.id
        last = at == len(branch) - 1
        if turn.is_answer and turn.report is not None:
            start = turn.report.plan.total + turn.report.generated - turn.tokens
            length = turn.tokens if last else turn.tokens - turn.thinking_tokens
            if tokens <= start + length:
                return turn.id
        elif turn.role == "user" and not last:
            answer = branch[at + 1]
            total = None if answer.report is None else answer.report.plan.total
            carried = 0 if answer.report is None else answer.tokens - answer.report.generated
            if total is not None and tokens <= total - carried:
                return turn.id
    return found


def owned_message(tree: MessageTree, leaf: int | None, owner: NodeOwner) -> int | None:
    """The message at a node's end, on the branch that the sequence ran on.

    Args:
        leaf: of the branch on screen, the fallback for an unknown sequence.
    """
    ran = (t.id for t in tree.turns.values() if owner.request in (t.request, t.id))
    return message_at(tree.path(next(ran, leaf)), owner.tokens)


def prompts(
    one: Conversation, tree: MessageTree, model: str, most: int = MOST_BRANCHES
) -> tuple[tuple[Message, ...], ...]:
    """One prompt for each leaf of a conversation, latest first."""
    leaves = sorted(tree.leaves(), reverse=True)[:most]
    return tuple(messages for leaf in leaves if (messages := one.messages(model, tree.path(leaf))))


def claim(one: Conversation, tree: MessageTree, leaf: int | None, model: str) -> Claim | None:
    """The claim of a branch for a conversation; None if it has no answers."""
    spoken = [
        turn
        for turn in tree.path(leaf)
        if turn.role == "user" or (turn.is_answer and (turn.text or turn.thinking))
    ]
    messages = one.messages(model, spoken)
    if not any(turn.is_answer for turn in spoken):
        return None
    marks = (*(0 for message in messages if message.role == "system"), *(t.id for t in spoken))
    return Claim(one.id, messages, PromptOptions(thinking=one.thinking), marks)


def kin(one: Beginning, others: Iterable[Beginning], most: int = MOST_KIN) -> list[int]:
    """The conversations with the most similar beginning to `one`, most similar first.

    Earlier ones of `others` are preferred among equals.
    """
    ranked = sorted(others, key=lambda other: -_shared(one, other))
    return [other.conversation for other in ranked[:most]]


def _shared(one: Beginning, other: Beginning) -> int:
    """The length of the common beginning of two conversations, in characters."""
    same = _common(one.system, other.system)
    if one.system != other.system:
        return same
    pairs = (_common(a, b) for a in one.firsts for b in other.firsts)
    # Without a common system text as well, the same template opens both.
    return same + 1 + max(pairs, default=0)


def _common(a: str, b: str) -> int:
    """The length of the common prefix, found by bisection."""
    same, most = 0, min(len(a), len(b))
    while same < most:
        middle = (same + most + 1) // 2
        if a[same:middle] == b[same:middle]:
            same = middle
        else:
            most = middle - 1
    return same
