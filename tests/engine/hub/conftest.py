"""A hub on this machine, and a folder to download to."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.hub.library import Library
from tests.engine.hub.hub_server import Hub, hub, tiny_repo


@pytest.fixture
def server() -> Iterator[Hub]:
    with hub() as made:
        made.publish(tiny_repo())
        yield made


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return Library(tmp_path / "models")
