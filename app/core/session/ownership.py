"""Whose a cached prefix is, and which conversations are related: pure functions over turns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.core.session.records import Conversation, MessageTree, Turn
from engine.commands import Claim
from engine.events import NodeOwner
from engine.message import Message, PromptOptions

# Branches of a deleted conversation, and of each that stays; those written last come first.
MOST_BRANCHES = 48
MOST_KEPT_BRANCHES = 12
# Conversations that one is compared with token by token, the most similar ones.
MOST_KIN = 8
# Characters of a first message that are compared; more of it decides nothing.
MOST_COMPARED = 2000


@dataclass(frozen=True, slots=True)
class Beginning:
    """How a conversation begins: its system text, and the first messages of its branches."""

    conversation: int
    system: str
    firsts: tuple[str, ...]


def message_at(branch: Sequence[Turn], tokens: int) -> int | None:
    """The message of a branch in which a position of its prompt lies.

    Answers say where they are: their report has the length of their prompt and what they generated.
    An answer that others follow stands in later prompts without its thinking.

    Args:
        tokens: before the position; counted in the prompt of the branch's last answer.
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
        leaf: of the branch on screen, for a sequence of which nothing else is known.
    """
    ran = (t.id for t in tree.turns.values() if owner.request in (t.request, t.id))
    return message_at(tree.path(next(ran, leaf)), owner.tokens)


def prompts(
    one: Conversation, tree: MessageTree, model: str, most: int = MOST_BRANCHES
) -> tuple[tuple[Message, ...], ...]:
    """One prompt for each end of a conversation's branches, those written last first."""
    leaves = sorted(tree.leaves(), reverse=True)[:most]
    return tuple(messages for leaf in leaves if (messages := one.messages(model, tree.path(leaf))))


def claim(one: Conversation, tree: MessageTree, leaf: int | None, model: str) -> Claim | None:
    """What says that a branch is a conversation's; None if nothing was ever answered in it."""
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
    """The conversations that begin most like `one`, the most similar first.

    Earlier ones of `others` are preferred among equals.
    """
    ranked = sorted(others, key=lambda other: -_shared(one, other))
    return [other.conversation for other in ranked[:most]]


def _shared(one: Beginning, other: Beginning) -> int:
    """Characters that two conversations have in common from the start."""
    same = _common(one.system, other.system)
    if one.system != other.system:
        return same
    pairs = (_common(a, b) for a in one.firsts for b in other.firsts)
    # Without a system text in common, too, the same template opens both.
    return same + 1 + max(pairs, default=0)


def _common(a: str, b: str) -> int:
    """The number of leading characters that are equal, found by halving."""
    same, most = 0, min(len(a), len(b))
    while same < most:
        middle = (same + most + 1) // 2
        if a[same:middle] == b[same:middle]:
            same = middle
        else:
            most = middle - 1
    return same
