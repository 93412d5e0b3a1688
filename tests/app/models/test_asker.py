"""Questions on a thread of their own."""

from __future__ import annotations

import threading
import time

from app.models.findings import Answer, Asker


def all_answers(asker: Asker, count: int) -> list[Answer]:
    found: list[Answer] = []
    for _ in range(1000):
        found += asker.take()
        if len(found) == count and not asker.busy:
            return found
        time.sleep(0.005)
    raise AssertionError(f"only {found}")


def test_answers_and_errors() -> None:
    asker = Asker()
    error = ValueError("no")

    def fail() -> object:
        raise error

    asker.ask("one", lambda: 1)
    asker.ask("two", fail)
    assert all_answers(asker, 2) == [Answer("one", 1), Answer("two", error=error)]


def test_the_thread_ends_with_the_last_question() -> None:
    asker = Asker()
    gate = threading.Event()
    asker.ask("slow", gate.wait)
    assert asker.busy
    gate.set()
    assert [answer.value for answer in all_answers(asker, 1)] == [True]
    asker.ask("again", lambda: 2)
    assert [answer.value for answer in all_answers(asker, 1)] == [2]


def test_what_has_not_begun_is_given_up() -> None:
    asker = Asker()
    began, gate = threading.Event(), threading.Event()

    def slow() -> bool:
        began.set()
        return gate.wait()

    asker.ask("slow", slow)
    asker.ask("never", lambda: 3)
    assert began.wait(60)
    threading.Timer(0.05, gate.set).start()
    asker.wait(60)
    assert [answer.key for answer in all_answers(asker, 1)] == ["slow"]
