"""Opening a model folder: what is read, in which order, and what is not an error."""

from __future__ import annotations

import json
import shutil
import struct
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path

import pytest

from engine import Engine, EngineConfig, ModelError, Sampling
from kernels.native.library import library
from tests.engine.run.conftest import CACHE_BYTES


@pytest.fixture
def folder(tiny_folder: Path, tmp_path: Path) -> Path:
    """A copy of the tiny model, to be modified."""
    return Path(shutil.copytree(tiny_folder, tmp_path / "copy"))


def refusal(folder: Path) -> str:
    with pytest.raises(ModelError) as caught:
        Engine.open(folder, EngineConfig(cache_bytes=CACHE_BYTES, threads=1))
    sentence = str(caught.value)
    assert sentence.endswith(".")
    return sentence


def test_a_stray_damaged_file_does_not_keep_the_model_from_opening(
    folder: Path, tmp_path: Path
) -> None:
    """With the disk tier on, and with weights that are kept on disk: both look at the files."""
    (folder / "stray.safetensors").write_bytes(struct.pack("<Q", 1 << 60) + b"{}")
    config = EngineConfig(
        cache_bytes=CACHE_BYTES,
        threads=1,
        disk_bytes=1 << 20,
        cache_dir=tmp_path / "cache",
        weights="int8",
    )
    with Engine.open(folder, config) as engine:
        assert engine.model.weights == "int8"
    assert list((tmp_path / "cache" / "weights").glob("*-int8"))


@pytest.mark.parametrize("also", [(), ("tokenizer.json", "chat_template.jinja")])
def test_another_architecture_is_reported_before_anything_missing(
    folder: Path, also: tuple[str, ...]
) -> None:
    for name in also:
        (folder / name).unlink()
    values = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**values, "model_type": "llama"}))
    sentence = refusal(folder)
    assert '"llama"' in sentence
    assert "not supported" in sentence
    for known in ("qwen3_5", "qwen3_5_moe", "qwen3_next"):
        assert known in sentence
    assert "tokenizer" not in sentence


def emptied(folder: Path) -> None:
    for path in folder.iterdir():
        path.unlink()


FOLDERS: dict[str, tuple[str, Callable[[Path], object]]] = {
    "none": ("There is no folder", lambda f: shutil.rmtree(f)),
    "empty": ("config.json", lambda f: emptied(f)),
    "no tokenizer": ("tokenizer.json", lambda f: (f / "tokenizer.json").unlink()),
    "no weights": ("model.safetensors", lambda f: (f / "model.safetensors").unlink()),
}


@pytest.mark.parametrize(("named", "change"), FOLDERS.values(), ids=list(FOLDERS))
def test_whatever_is_missing_is_named(
    folder: Path, named: str, change: Callable[[Path], object]
) -> None:
    change(folder)
    assert named in refusal(folder)


def test_a_bad_recommendation_is_a_note_and_the_default_is_taken(folder: Path) -> None:
    """Every sampling value out of range, in a file that also contains something useful."""
    said = {"temperature": -1, "top_k": 50.0, "top_p": "high", "repetition_penalty": 1e9}
    (folder / "generation_config.json").write_text(json.dumps(said))
    with Engine.open(folder, EngineConfig(cache_bytes=CACHE_BYTES, threads=1)) as engine:
        assert engine.model.sampling == replace(Sampling(), top_k=50)
        assert engine.model.recommended == ("top_k",)
        assert [note.split()[1] for note in engine.model.notes] == [
            "temperature",
            "top_p",
            "repetition_penalty",
        ]


def test_the_kernels_in_c_use_as_many_threads_as_the_engine(folder: Path) -> None:
    native = library()
    if native is None:
        pytest.skip("the kernels in C are not compiled")
    # A small model takes one thread unless told otherwise.
    for asked, taken in ((3, 3), (0, 1), (2, 2)):
        with Engine.open(folder, EngineConfig(cache_bytes=CACHE_BYTES, threads=asked)):
            assert native.call.biplane_threads() == taken


def test_an_interrupted_wait_leaves_no_engine_behind(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Interrupted(Future[object]):
        """Ctrl+C comes while the model is being read."""

        def result(self, timeout: float | None = None) -> object:
            raise KeyboardInterrupt

    monkeypatch.setattr("engine.api.Future", Interrupted)
    with pytest.raises(KeyboardInterrupt):
        Engine.open(folder, EngineConfig(cache_bytes=CACHE_BYTES, threads=1))
    left = [thread for thread in threading.enumerate() if thread.name == "biplane-engine"]
    for thread in left:
        thread.join(60)
    assert not any(thread.is_alive() for thread in left)


def test_a_damaged_gguf_file(tmp_path: Path) -> None:
    file = tmp_path / "model.gguf"
    file.write_bytes(b"GGUF")
    assert refusal(file) == "model.gguf is damaged: it ends after 4 bytes; download it again."
