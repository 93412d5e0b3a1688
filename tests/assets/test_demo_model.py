"""The bundled weights: a sample of what `python -m assets.demo.evaluate` measures in full."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from assets.demo.bundle import MODEL_FOLDER
from assets.demo.evaluate import answering, spoken
from assets.demo.examine import Reply, examine_chats, examine_honesty, examine_inside

# In bytes: the model travels with the program.
LARGEST = 16_000_000


@pytest.fixture(scope="module")
def reply() -> Iterator[Reply]:
    with answering("cache", MODEL_FOLDER, threads=2) as answer:
        yield spoken(answer, thinking=False)


def test_it_says_so_where_it_cannot_know(reply: Reply) -> None:
    marks = list(examine_honesty(reply, every=10))
    assert len(marks) == 20
    assert sum(mark.right for mark in marks) >= 17, [m.said for m in marks if not m.right]


def test_it_understands_everyday_wording(reply: Reply) -> None:
    marks = list(examine_chats(reply, every=4))
    assert len(marks) == 10
    assert sum(mark.right for mark in marks) >= 6, [m.said for m in marks if not m.right]


def test_it_still_knows_its_corpus(reply: Reply) -> None:
    marks = list(examine_inside(reply, every=8))
    assert len(marks) > 15
    assert sum(mark.right for mark in marks) >= len(marks) - 1, [
        m.said for m in marks if not m.right
    ]


def test_it_is_small_enough_to_travel() -> None:
    assert sum(file.stat().st_size for file in MODEL_FOLDER.iterdir()) <= LARGEST
