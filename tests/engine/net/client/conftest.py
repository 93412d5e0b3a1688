"""Clients that are closed after the test, with every thread of theirs."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.engine.net.client.client import Client


@pytest.fixture
def connect() -> Iterator[Callable[..., Client]]:
    made: list[Client] = []
    before = set(threading.enumerate())

    def new(url: str, **more: Any) -> Client:
        made.append(Client(url, **more))
        return made[-1]

    yield new
    for client in made:
        assert client.loop.close(60)
    left = [t for t in threading.enumerate() if t not in before and "biplane" in t.name]
    for thread in left:
        thread.join(60)
    assert not [t for t in left if t.is_alive()]
