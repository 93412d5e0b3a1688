"""The thread that searches: the newest question is answered, and what was just said is found."""

from __future__ import annotations

import queue
from collections.abc import Iterator

import pytest

from app.core.store.searcher import Answer, Searcher
from app.core.store.store import Store
from tests.app.core.store.made import conversation, message


@pytest.fixture
def answers() -> queue.Queue[Answer]:
    return queue.Queue()


@pytest.fixture
def searcher(store: Store, answers: queue.Queue[Answer]) -> Iterator[Searcher]:
    made = Searcher(store, answers.put)
    yield made
    made.close()


def test_what_was_posted_just_now_is_found(
    store: Store, searcher: Searcher, answers: queue.Queue[Answer]
) -> None:
    store.save_conversation(conversation(leaf=1))
    store.save_message(message(1, content="half a sentence", complete=False))
    searcher.ask("half")
    assert [hit.message for hit in answers.get(timeout=60).hits] == [1]
    store.save_message(message(1, content="another sentence"))
    searcher.ask("half")
    assert answers.get(timeout=60) == Answer("half")


def test_only_the_newest_of_many_questions_need_be_answered(
    store: Store, searcher: Searcher, answers: queue.Queue[Answer]
) -> None:
    store.save_conversation(conversation(leaf=1))
    store.save_message(message(1, content="words"))
    for number in range(50):
        searcher.ask(f"w{number}")
    searcher.ask("words")
    got = [answers.get(timeout=60)]
    while got[-1].query != "words":
        got.append(answers.get(timeout=60))
    assert [hit.message for hit in got[-1].hits] == [1]
    assert len(got) < 51


def test_a_deleted_conversation_is_not_found(
    store: Store, searcher: Searcher, answers: queue.Queue[Answer]
) -> None:
    store.save_conversation(conversation(leaf=1))
    store.save_message(message(1, content="words"))
    store.save_conversation(conversation(leaf=1, deleted_at=5.0))
    searcher.ask("words lift")
    assert answers.get(timeout=60).hits == ()


def test_without_a_question_there_is_no_thread(store: Store) -> None:
    made = Searcher(store, lambda _: None)
    assert made._thread is None
    made.close()


def test_titles_do_not_crowd_out_messages(store: Store) -> None:
    for id in range(1, 41):
        store.save_conversation(conversation(id, title="words", leaf=100 + id))
        store.save_message(message(100 + id, conversation=id, content="words"))
    assert store.flush()
    found = store.search("words", 20)
    assert [hit.message is None for hit in found] == [True] * 5 + [False] * 15
