"""The namespace's name: the same for the same numbers, another for anything else."""

from __future__ import annotations

import json
import random
import struct
from collections.abc import Callable
from pathlib import Path

import pytest
from gguf import GGMLQuantizationType as Kind

from engine.errors import ModelError
from engine.gguf.header import read_header
from engine.model.random_checkpoint import random_checkpoint
from engine.model.safetensors_file import SafetensorsFile
from engine.storage.fingerprint import fingerprint
from tests.engine.run.conftest import TINY
from tests.gguf_files import converted, metadata, quantised, write, write_checkpoint


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


STRAYS: dict[str, bytes] = {
    "empty": b"",
    "a header longer than any file": struct.pack("<Q", 1 << 60) + b"{}",
    "no JSON": struct.pack("<Q", 4) + b"????",
    "no tensors": struct.pack("<Q", 8) + b'{"a": 1}',
    "a whole one": struct.pack("<Q", 2) + b"{}",
}


@pytest.mark.parametrize("stray", STRAYS.values(), ids=list(STRAYS))
@pytest.mark.parametrize("files", [1, 3])
def test_a_file_that_is_not_loaded_does_not_count(tmp_path: Path, stray: bytes, files: int) -> None:
    random_checkpoint(tmp_path, TINY, 1, __import__("torch").float32, files)
    before = fingerprint(tmp_path)
    (tmp_path / "adapter.safetensors").write_bytes(stray)
    if files > 1:
        (tmp_path / "model.safetensors").write_bytes(stray)
    assert fingerprint(tmp_path) == before


def folder_instead(file: Path) -> None:
    file.unlink()
    file.mkdir()


def _cut(folder: Path) -> None:
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:-100])


DAMAGE: dict[str, tuple[str, Callable[[Path], object]]] = {
    "no weights": ("model.safetensors", lambda f: (f / "model.safetensors").unlink()),
    "cut short": ("model.safetensors", _cut),
    "a header too long": (
        "model.safetensors",
        lambda f: (f / "model.safetensors").write_bytes(STRAYS["a header longer than any file"]),
    ),
    "no configuration": ("config.json", lambda f: (f / "config.json").unlink()),
    "a damaged configuration": ("config.json", lambda f: (f / "config.json").write_text("{")),
    "a folder for a configuration": (
        "config.json",
        lambda f: folder_instead(f / "config.json"),
    ),
}


@pytest.mark.parametrize(("name", "damage"), DAMAGE.values(), ids=list(DAMAGE))
def test_what_cannot_be_read_is_said_with_its_name(
    folder: Path, name: str, damage: Callable[[Path], object]
) -> None:
    damage(folder)
    with pytest.raises(ModelError, match=name):
        fingerprint(folder)


def test_a_file_that_fails_while_it_is_sampled_is_named(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from engine.storage import fingerprint as module

    class Gone(SafetensorsFile):
        """A file that is deleted once its header was read."""

        def __init__(self, path: Path) -> None:
            super().__init__(path)
            path.unlink()

    monkeypatch.setattr(module, "SafetensorsFile", Gone)
    with pytest.raises(ModelError, match=r"^model\.safetensors cannot be read: .+\.$"):
        fingerprint(folder)


class TestGguf:
    """A file is known by its contents: any byte of a tensor, wherever it is called what."""

    @pytest.fixture
    def path(self, folder: Path) -> Path:
        made = folder / "model.gguf"
        write_checkpoint(folder, made, quantised(Kind.Q8_0))
        return made

    def test_renamed_or_copied_it_is_the_same(self, path: Path, tmp_path: Path) -> None:
        before = fingerprint(path, "cpu")
        copy = tmp_path / "other.gguf"
        copy.write_bytes(path.read_bytes())
        assert fingerprint(copy, "cpu") == before
        assert fingerprint(path.rename(path.with_name("new.gguf")), "cpu") == before
        assert fingerprint(copy, "cuda") != before

    def test_what_does_not_matter_may_differ(self, folder: Path, path: Path) -> None:
        config = json.loads((folder / "config.json").read_text())
        other = folder / "named.gguf"
        facts = metadata(config) | {"general.name": "Another", "general.quantized_by": "somebody"}
        write(other, converted(folder, config), facts, quantised(Kind.Q8_0))
        assert fingerprint(other) == fingerprint(path)

    def test_what_matters_counts(self, folder: Path, path: Path) -> None:
        config, other = json.loads((folder / "config.json").read_text()), folder / "other.gguf"
        tensors = converted(folder, config)
        write(
            other, tensors, metadata(config) | {"qwen35.rope.freq_base": 5.0}, quantised(Kind.Q8_0)
        )
        assert fingerprint(other) != fingerprint(path)
        write(other, tensors, metadata(config), quantised(Kind.Q4_0))
        assert fingerprint(other) != fingerprint(path)

    def test_any_changed_byte_counts(self, path: Path) -> None:
        before, raw = fingerprint(path), path.read_bytes()
        draw = random.Random(2)
        places = list(read_header(path).tensors.values())
        for place in draw.sample(places, 12):
            changed = bytearray(raw)
            changed[place.start + draw.randrange(place.nbytes)] ^= 1 << draw.randrange(8)
            path.write_bytes(changed)
            assert fingerprint(path) != before

    def test_parts_are_the_same_model(self, folder: Path, path: Path) -> None:
        write_checkpoint(folder, folder / "big.gguf", quantised(Kind.Q8_0), split_max_tensors=7)
        parts = sorted(folder.glob("big-*.gguf"))
        assert len(parts) > 2
        assert {fingerprint(part) for part in parts} == {fingerprint(path)}
