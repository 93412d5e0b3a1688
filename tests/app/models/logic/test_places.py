"""Where GGUF files are looked for, and which of them are listed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from app.models.logic import places
from app.models.logic.places import gguf_files, known_folders, model_place
from tests.engine.model.conftest import BASE
from tests.gguf_files import metadata, write


def model(path: Path, arch: str = "qwen35", more: Mapping[str, object] | None = None) -> Path:
    """A file that looks like a model to whoever reads its header alone."""
    import torch

    path.parent.mkdir(parents=True, exist_ok=True)
    facts = {key.replace("qwen35", arch): value for key, value in metadata(BASE).items()}
    facts |= {"general.architecture": arch} | dict(more or {})
    write(path, {"token_embd.weight": torch.zeros(320, 64)}, facts)
    return path


def test_what_was_chosen(tmp_path: Path) -> None:
    inside = tmp_path / "config.json"
    inside.write_text("{}")
    assert model_place(inside) == tmp_path
    assert model_place(tmp_path) == tmp_path
    assert model_place(tmp_path / "a.GGUF") == tmp_path / "a.GGUF"


def test_every_program_is_asked_by_its_own_variable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.models.logic.places.sys.platform", "linux")
    usual = known_folders(tmp_path, {})
    assert usual["LM Studio"][0] == tmp_path / ".lmstudio/models"
    assert usual["llama.cpp"] == (tmp_path / ".cache/llama.cpp",)
    assert usual["Jan"][0] == tmp_path / ".local/share/Jan/data/llamacpp/models"
    assert usual["Hugging Face"] == (tmp_path / ".cache/huggingface/hub",)
    set_ = {"LLAMA_CACHE": "/l", "HF_HOME": "/h", "XDG_DATA_HOME": "/d"}
    moved = known_folders(tmp_path, set_)
    assert moved["llama.cpp"] == (Path("/l"),)
    assert moved["Hugging Face"] == (Path("/h/hub"),)
    assert moved["Jan"][0] == Path("/d/Jan/data/llamacpp/models")
    assert known_folders(tmp_path, {"HF_HUB_CACHE": "/c"})["Hugging Face"] == (Path("/c"),)


class TestFinding:
    def find(self, *folders: Path) -> list[str]:
        return [path.name for path in gguf_files({"One": folders})]

    def test_models_that_can_be_opened(self, tmp_path: Path) -> None:
        model(tmp_path / "owner/name/b.gguf")
        model(tmp_path / "owner/name/A.GGUF")
        model(tmp_path / "owner/other/llama.gguf", "llama")
        model(tmp_path / "owner/other/mmproj-x.gguf", "clip")
        (tmp_path / "owner/damaged.gguf").write_bytes(b"GGUF")
        (tmp_path / "owner/notes.txt").write_text("GGUF")
        assert self.find(tmp_path, tmp_path / "gone") == ["A.GGUF", "b.gguf"]

    def test_a_split_model_once_and_only_whole(self, tmp_path: Path) -> None:
        import torch

        tensors = {f"{at}": torch.zeros(64) for at in range(3)}
        tensors["token_embd.weight"] = torch.zeros(320, 64)
        write(tmp_path / "big.gguf", tensors, metadata(BASE), split_max_tensors=2)
        assert self.find(tmp_path) == ["big-00001-of-00002.gguf"]
        (tmp_path / "big-00002-of-00002.gguf").unlink()
        assert self.find(tmp_path) == []

    def test_two_names_of_one_file(self, tmp_path: Path) -> None:
        blob = model(tmp_path / "blobs" / "one.gguf").rename(tmp_path / "blobs" / "0")
        (tmp_path / "a").mkdir()
        for name in ("x.gguf", "y.gguf"):
            (tmp_path / "a" / name).symlink_to(blob)
        assert self.find(tmp_path) == ["x.gguf"]

    def test_links_lead_nowhere(self, tmp_path: Path) -> None:
        model(tmp_path / "real" / "a.gguf")
        (tmp_path / "real" / "round").symlink_to(tmp_path)
        assert self.find(tmp_path / "real") == ["a.gguf"]

    def test_folders_without_end(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(places, "MOST_SEEN", 50)
        monkeypatch.setattr(places, "MOST_DEPTH", 2)
        for at in range(100):
            (tmp_path / "many" / f"{at:03}").mkdir(parents=True)
        model(tmp_path / "many" / "zzz.gguf")
        model(tmp_path / "deep/a/b/c/x.gguf")
        model(tmp_path / "deep/a/y.gguf")
        assert self.find(tmp_path / "many") == []
        assert self.find(tmp_path / "deep") == ["y.gguf"]
