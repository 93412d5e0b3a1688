"""Long conversations in a store: 250,000 tokens in many messages, or in few."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from app.bench.stream import mixed
from app.core.session.report_json import dump_report
from app.core.store.records import StoredConversation, StoredMessage, StoredRole
from app.core.store.store import Store
from engine.reuse import Reason, ReusePlan, ReuseReport

# English and code have about four characters per token.
TOKENS = 250_000
CHARS = 4 * TOKENS
MANY_TURNS = 500
FEW_CHARS = (250_000, 250_000, 1_000_000)
SEARCHED = 10_000
_TALKS = 200
_WAIT_S = 60.0
_QUESTION = "Question {n}: how does part {n} of it work, and what would you change about it?"
_WORDS = (
    "The {n}th message is about rivers, gardens and machines number {n}, "
    "with some words that every message has and one that only few have: {rare}. "
)
_PLAN = ReusePlan(
    900, 640, 96, 164, Reason.NEW_TOKENS, "The end of the prompt is new.", 7, None, 0.4
)
_REPORT = ReuseReport(_PLAN, 250, 0.21, 4.4, 60.5, 1.2, 0.4, 180.0)


def add_many(store: Store, number: int) -> int:
    """Five hundred messages of 500 tokens on average, with code, tables and lists."""
    answers = MANY_TURNS // 2
    chars = CHARS // answers
    texts = [(_QUESTION.format(n=n), mixed(chars + 37 * (n % 23))) for n in range(answers)]
    return _add(store, number, f"{MANY_TURNS} messages", texts)


def add_few(store: Store, number: int) -> int:
    """Answers of a quarter of a megabyte and of a full one."""
    texts = [(_QUESTION.format(n=n), mixed(chars)) for n, chars in enumerate(FEW_CHARS)]
    return _add(store, number, "Few messages", texts)


def add_searched(store: Store, number: int) -> None:
    """Ten thousand messages in two hundred conversations."""
    each = SEARCHED // _TALKS // 2
    for talk in range(_TALKS):
        texts = [(_QUESTION.format(n=n), _said(n)) for n in range(talk * each, (talk + 1) * each)]
        number = _add(store, number, f"Conversation {talk} about rivers", texts)


def _said(n: int) -> str:
    return _WORDS.format(n=n, rare=f"quokka{n % 50}") * 4


def _add(store: Store, number: int, title: str, texts: list[tuple[str, str]]) -> int:
    """Save a conversation; returns the next unused id."""
    messages = list(_messages(number, texts))
    with store.together():
        store.save_conversation(
            StoredConversation(
                number, title, created=1.7e9, updated=1.7e9 + number, leaf=messages[-1].id
            )
        )
        for message in messages:
            store.save_message(message)
    store.flush(_WAIT_S)
    return number + len(messages) + 1


def _messages(number: int, texts: list[tuple[str, str]]) -> Iterator[StoredMessage]:
    said: list[tuple[StoredRole, str]] = []
    for question, answer in texts:
        said += [("user", question), ("assistant", answer)]
    ids = [None, *range(number + 1, number + 1 + len(said))]
    for (parent, id), (role, text) in zip(pairwise(ids), said, strict=True):
        assert id is not None
        answers = role == "assistant"
        yield StoredMessage(
            id=id,
            conversation=number,
            parent_id=parent,
            role=role,
            content=text,
            created=1.7e9 + id,
            token_ids=tuple(range(len(text) // 4)) if answers else (),
            stop="end" if answers else "",
            report=dump_report(_REPORT) if answers else "",
            complete=True,
        )
