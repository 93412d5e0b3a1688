"""The namespace's name: the same for the same numbers, another for anything else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.model.random_checkpoint import random_checkpoint
from engine.storage.fingerprint import fingerprint
from tests.engine.run.conftest import TINY


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    random_checkpoint(tmp_path, TINY, 1, __import__("torch").float32)
    return tmp_path


def test_it_is_stable_and_does_not_know_the_folder(folder: Path, tmp_path: Path) -> None:
    first = fingerprint(folder, "float32", "cpu")
    assert first == fingerprint(folder, "cpu", "float32")
    moved = folder.rename(folder.parent / "moved")
    assert fingerprint(moved, "float32", "cpu") == first
    assert len(first) == 32


def test_settings_and_positions_count(folder: Path) -> None:
    before = fingerprint(folder, "float32")
    assert fingerprint(folder, "bfloat16") != before
    config = json.loads((folder / "config.json").read_text())
    config["rope_theta"] = 5.0
    (folder / "config.json").write_text(json.dumps(config))
    assert fingerprint(folder, "float32") != before


def test_other_weights_count_wherever_they_are(folder: Path) -> None:
    """A retraining that touches one tensor only is seen, whichever it is."""
    before = fingerprint(folder)
    path = next(folder.glob("*.safetensors"))
    raw = path.read_bytes()
    length = int.from_bytes(raw[:8], "little")
    header = json.loads(raw[8 : 8 + length])
    header.pop("__metadata__", None)
    for entry in header.values():
        start, end = (8 + length + at for at in entry["data_offsets"])
        changed = bytearray(raw)
        changed[start:end] = bytes(byte ^ 1 for byte in raw[start:end])
        path.write_bytes(changed)
        assert fingerprint(folder) != before
    path.write_bytes(raw)
    assert fingerprint(folder) == before
