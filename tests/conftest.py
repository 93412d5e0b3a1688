"""What holds for every test: it writes to nobody's log or conversations, and ends soon."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest


@pytest.fixture(scope="module", autouse=True)
def long_lived_things_kept_out_of_collections() -> None:
    """Many tests collect garbage; what was alive before their module is not theirs to look at.

    Modules, items and caches are most of all objects: each collection would visit them again.
    """
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def log_of_their_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        yield
