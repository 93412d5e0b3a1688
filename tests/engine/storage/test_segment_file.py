"""A segment's file: the very bytes back, or one exception."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors import safe_open

from engine.private_files import OwnFolder
from engine.storage.segment_file import DamagedSegment, SegmentFile, prefix_key, write_segment
from engine.verdict import Verdict
from tests.engine.storage.samples import FINGERPRINT, SIZES, TOKEN_BYTES, segment, tokens_of


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16], ids=str)
@pytest.mark.parametrize("span", [(0, 1), (0, 64), (63, 200)], ids=str)
def test_every_bit_comes_back(tmp_path: Path, dtype: torch.dtype, span: tuple[int, int]) -> None:
    verdict = Verdict("verified", 0.25, 1e-6, 3.0)
    made = segment(tokens_of(1, 200), *span, dtype=dtype, cut_hash=None, verdict=verdict)
    size = write_segment(OwnFolder(tmp_path), made, FINGERPRINT)
    path = tmp_path / made.meta.file_name
    assert path.stat().st_size == size
    sizes = replace(SIZES, token=TOKEN_BYTES * dtype.itemsize // 4)
    found = SegmentFile(OwnFolder(path.parent), path.name, FINGERPRINT, sizes)
    assert asdict(found.meta) == asdict(made.meta)
    assert np.array_equal(found.tokens, made.tokens)
    assert np.array_equal(found.tags, made.tags)
    k, v = found.kv()
    assert torch.equal(k, made.k)
    assert torch.equal(v, made.v)
    assert {n: t.dtype for n, t in found.state().items()} == {
        n: t.dtype for n, t in made.state.items()
    }
    assert all(torch.equal(part, made.state[name]) for name, part in found.state().items())


def test_the_safetensors_library_reads_it(tmp_path: Path) -> None:
    made = segment(tokens_of(1, 50), 0, 50)
    write_segment(OwnFolder(tmp_path), made, FINGERPRINT)
    with safe_open(tmp_path / made.meta.file_name, framework="pt") as file:
        assert torch.equal(file.get_tensor("k"), made.k)
        assert torch.equal(file.get_tensor("state.delta"), made.state["delta"])
        assert file.metadata()["fingerprint"] == FINGERPRINT


def test_a_write_that_fails_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = segment(tokens_of(1, 50), 0, 50)
    monkeypatch.setattr(OwnFolder, "rename", lambda *_: (_ for _ in ()).throw(OSError(28, "full")))
    with pytest.raises(OSError, match="full"):
        write_segment(OwnFolder(tmp_path), made, FINGERPRINT)
    assert list(tmp_path.iterdir()) == []


def test_another_fingerprint_is_refused(tmp_path: Path) -> None:
    made = segment(tokens_of(1, 50), 0, 50)
    write_segment(OwnFolder(tmp_path), made, FINGERPRINT)
    with pytest.raises(DamagedSegment, match="another model"):
        SegmentFile(OwnFolder(tmp_path), made.meta.file_name, "0" * 32, SIZES)


def test_another_name_is_refused(tmp_path: Path) -> None:
    made = segment(tokens_of(1, 50), 0, 50)
    write_segment(OwnFolder(tmp_path), made, FINGERPRINT)
    moved = (tmp_path / made.meta.file_name).rename(tmp_path / ("a" * 32 + ".safetensors"))
    with pytest.raises(DamagedSegment, match="another segment"):
        SegmentFile(OwnFolder(moved.parent), moved.name, FINGERPRINT, SIZES)


def test_a_key_names_the_tokens_and_nothing_else() -> None:
    ids = tokens_of(2, 30)
    assert prefix_key(ids) == prefix_key(ids.tolist()) == prefix_key(ids.astype(np.int64))
    assert prefix_key(ids) != prefix_key(ids[:-1])
    assert len(prefix_key([])) == 32
