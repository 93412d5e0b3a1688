"""What a model needs beside the memory of this machine."""

from __future__ import annotations

import pytest
import torch

from app.models.logic.shelf import FAMILY
from engine.model.needs import needs_of_config

MIB = 1 << 20


def test_what_this_process_holds_is_told_from_what_other_programs_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    config = FAMILY[0].config
    before = needs_of_config(config)
    held = torch.ones(256 * MIB, dtype=torch.uint8)
    after = needs_of_config(config)
    assert after.own_bytes - before.own_bytes == pytest.approx(held.nbytes, abs=32 * MIB)
    assert 0 < after.own_bytes < after.total_bytes - after.free_bytes


def test_the_sizes_of_a_model_are_worked_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    config = FAMILY[-1].config | {"max_position_embeddings": 12_345}
    first = needs_of_config(config)
    # Only the memory is looked at again.
    monkeypatch.setattr("engine.model.needs.parameter_count", None)
    second = needs_of_config(dict(config))
    assert second.formats is first.formats
    assert second.context == 12_345
