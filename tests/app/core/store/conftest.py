"""Stores in a folder of the test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.core.store.opening import Opened, open_store
from app.core.store.store import Store

OpenStore = Callable[..., Opened]


@pytest.fixture
def open_again(tmp_path: Path) -> Iterator[OpenStore]:
    """Open the test's folder, after closing what was open."""
    opened: list[Store] = []

    def make(folder: Path = tmp_path / "data") -> Opened:
        while opened:
            opened.pop().close()
        made = open_store(folder, lambda _: None)
        opened.append(made.store)
        return made

    yield make
    while opened:
        opened.pop().close()


@pytest.fixture
def store(open_again: OpenStore) -> Store:
    opened = open_again()
    assert opened.sentence == ""
    return opened.store
