"""Drafts that depend on no clock and go wrong where a test wants them to."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest

from engine.plan.draft_depth import Depth
from engine.plan.draft_index import DraftIndex, Place


def draft_always(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    """Draft up to `most` tokens wherever an ending was seen before, whatever that costs."""
    monkeypatch.setattr(Depth, "best", lambda self, length, room, beside: min(room, most))


def ask_always(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    """Draft up to `most` tokens of the head at each step that drafts from nothing known."""

    def take(
        self: Depth, predictions: Iterator[tuple[int, float]], room: int, beside: int
    ) -> list[tuple[int, float]]:
        return list(itertools.islice(predictions, min(room, most)))

    monkeypatch.setattr(Depth, "asks_head", lambda self: True)
    monkeypatch.setattr(Depth, "from_head", take)


def draft_wrongly(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    """The same, but drafts go wrong at a place that changes from one to the next."""
    draft_always(monkeypatch, most)
    right, turns = DraftIndex.after, itertools.count()

    def wrong(self: DraftIndex, place: Place, count: int) -> list[int]:
        found = right(self, place, count)
        if count > 1:
            at = next(turns) % (most + 2)
            found[at:] = [(token + 1) % 500 for token in found[at:]]
        return found

    monkeypatch.setattr(DraftIndex, "after", wrong)
