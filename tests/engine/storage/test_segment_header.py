"""What a header may say, and what a restore does without."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from engine.private_files import OwnFolder
from engine.storage import segment_file
from engine.storage.segment_file import DamagedSegment, SegmentFile, meta_text, write_segment
from engine.verdict import Verdict
from tests.engine.storage.small_segments import NAMESPACE, SIZES, segment


def test_an_infinite_error_comes_back_as_it_was(tmp_path: Path) -> None:
    part = segment(40, 16, error=math.inf)
    drifted = replace(part.meta.state, verdict=Verdict("drifted", math.inf, 0.5, 3.0))
    part = replace(part, meta=replace(part.meta, state=drifted))
    written = write_segment(OwnFolder(tmp_path), part, NAMESPACE)
    path = tmp_path / part.meta.file_name
    file = SegmentFile(OwnFolder(path.parent), path.name, NAMESPACE, SIZES)
    assert file.meta == part.meta
    assert file.nbytes == written == path.stat().st_size
    assert (file.tokens.tolist(), file.tags.tolist()) == (part.tokens.tolist(), [1] * 24)
    k, v = file.kv()
    assert torch.equal(k, part.k)
    assert torch.equal(v, part.v)
    assert {n: t.dtype for n, t in file.state().items()} == {
        n: t.dtype for n, t in part.state.items()
    }
    assert all(torch.equal(tensor, part.state[name]) for name, tensor in file.state().items())


def test_damaged_kv_leaves_the_state_readable(tmp_path: Path) -> None:
    part = segment(20)
    write_segment(OwnFolder(tmp_path), part, NAMESPACE)
    path = tmp_path / part.meta.file_name
    raw = bytearray(path.read_bytes())
    raw[raw.index(part.k.numpy().tobytes())] ^= 1
    path.write_bytes(raw)
    file = SegmentFile(OwnFolder(path.parent), path.name, NAMESPACE, SIZES)
    assert torch.equal(file.state()["delta"], part.state["delta"])
    with pytest.raises(DamagedSegment, match="kv does not match its checksum"):
        file.kv()


@pytest.mark.parametrize(
    "wrong", [{"end": "20"}, {"verdict": ["drifted"]}, {"has_hidden": 1}, {"chain": 0.5}]
)
def test_a_field_of_the_wrong_type_is_damage_in_spite_of_a_right_checksum(
    tmp_path: Path, wrong: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    part = segment(20)
    text = json.dumps(json.loads(meta_text(part.meta)) | wrong)
    monkeypatch.setattr(segment_file, "meta_text", lambda meta: text)
    write_segment(OwnFolder(tmp_path), part, NAMESPACE)
    with pytest.raises(DamagedSegment):
        SegmentFile(OwnFolder(tmp_path), part.meta.file_name, NAMESPACE, SIZES)


def test_kv_of_fewer_tokens_than_the_span_is_damage(tmp_path: Path) -> None:
    part = segment(20)
    part = replace(part, k=part.k[:, :, :-1].contiguous())
    write_segment(OwnFolder(tmp_path), part, NAMESPACE)
    with pytest.raises(DamagedSegment, match="its k"):
        SegmentFile(OwnFolder(tmp_path), part.meta.file_name, NAMESPACE, SIZES)
