"""A view that is made quickly is like any other."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace

import pytest

from engine.snapshot import CheckpointView, NodeView
from engine.stored_state import StoredState
from engine.trace.merged_views import make_checkpoint, make_node


def test_it_equals_one_made_in_the_ordinary_way() -> None:
    held = make_checkpoint(StoredState(9), 3, 100, 1.0, 2.0, 4)
    assert held == CheckpointView(StoredState(9), 3, 100, 1.0, 2.0, 4)
    quick = make_node(5, 0, 0, 9, 1, 0, 36, 1.0, 2.0, 7, held, tier="host")
    assert quick == NodeView(5, 0, 0, 9, 1, 0, 36, 1.0, 2.0, 7, held, tier="host")
    assert type(quick) is NodeView
    assert hash(quick) == hash(replace(quick))
    assert replace(quick, hits=8).hits == 8
    assert not quick.tombstone


def test_it_cannot_be_changed_either() -> None:
    quick = make_node(5, 0, 0, 9, 1, 0, 36, 1.0, 2.0, 7, None)
    with pytest.raises(FrozenInstanceError):
        quick.hits = 9  # type: ignore[misc]
