"""The models: what is here, one that is not, one on its way, and what can go wrong with it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QSignalBlocker

from app.models.detail import Shown
from app.models.window import ModelsWindow
from engine.hub.download import Phase, Progress
from engine.hub.failures import HubError
from engine.hub.manifest import Manifest, RemoteFile
from tours.guide import Guide, Picture

_REPO, _MIXTURE = "Qwen/Qwen3.5-4B", "Qwen/Qwen3-Next-80B-A3B-Instruct"
_WHOLE, _COME = 8_410_000_000, 3_170_000_000
_FILES = (
    ("config.json", 2_480),
    ("model-00001-of-00002.safetensors", 5_100_000_000),
    ("model-00002-of-00002.safetensors", 3_297_000_000),
    ("tokenizer.json", 12_800_000),
)
_PROBLEMS = (
    HubError(
        "offline",
        "The connection to huggingface.co broke several times: check it and try again; what has "
        "come is kept.",
    ),
    HubError(
        "gated",
        "Qwen/Qwen3.5-4B is gated: accept its licence on huggingface.co/Qwen/Qwen3.5-4B, then "
        "enter a token of your account.",
    ),
    HubError("token", "huggingface.co does not accept this token: enter another one."),
    HubError(
        "disk",
        "Qwen/Qwen3.5-4B needs 7.8 GiB more on the disk of /home/ada/.local/share/biplane/models, "
        "where 5.2 GiB can be used: free some space, then try again.",
    ),
)
_NO_NETWORK = HubError(
    "offline", "huggingface.co cannot be reached: check the connection, and try again."
)


def models(guide: Guide) -> Iterator[Picture]:
    """The window in each of its states."""
    owner = guide.window.models
    owner.open()
    window = owner.window
    assert window is not None, "opening makes it"
    guide.until(lambda: not owner.busy)
    yield Picture("models", window)
    for name, repo in (("80b", _MIXTURE), ("4b", _REPO)):
        owner.choose(repo)
        yield Picture(f"models-{name}", window)
    yield from _of_other_programs(guide, window)
    owner.choose(_REPO)
    shown = window.detail.shown
    assert shown is not None, "a model was chosen"
    yield from _on_its_way(window, shown)
    for problem in _PROBLEMS:
        trouble = partial(window.show_model, replace(shown, problem=problem, can_keep=True))
        trouble()
        yield Picture(f"models-{problem.kind}", window, trouble)
    window.show_model(shown)
    # What is typed would be searched for.
    with QSignalBlocker(window.search):
        window.search.setText("small coder")
    window.show_note(str(_NO_NETWORK))
    yield Picture("models-no-network", window)
    window.close()


def _of_other_programs(guide: Guide, window: ModelsWindow) -> Iterator[Picture]:
    """The GGUF files of other programs, where this computer has some; the largest is chosen."""
    owner = guide.window.models
    owner.look_elsewhere(True)
    guide.until(lambda: not owner.busy)
    files = [entry.folder for entry in owner.findings.entries if entry.kind == "file"]
    sizes = {str(file): file.stat().st_size for file in files if file is not None}
    if sizes:
        owner.choose(max(sizes, key=lambda key: sizes[key]))
        guide.until(lambda: not owner.busy)
        yield Picture("models-gguf", window)
    owner.look_elsewhere(False)


def _on_its_way(window: ModelsWindow, shown: Shown) -> Iterator[Picture]:
    """A download that goes, that was paused, and that is whole."""
    files = tuple(RemoteFile(name, size, "ab12" * 16, "") for name, size in _FILES)
    manifest = Manifest(_REPO, "main", "0" * 40, "apache-2.0", gated=False, files=files)
    listed = replace(shown.entry, manifest=manifest)
    states: tuple[tuple[str, Phase, str], ...] = (
        ("listed", "done", "known"),
        ("downloading", "downloading", "known"),
        ("paused", "paused", "begun"),
        ("whole", "done", "downloaded"),
    )
    for name, phase, kind in states:
        progress = Progress(
            _REPO,
            phase,
            done_bytes=_COME,
            total_bytes=_WHOLE,
            file=_FILES[1][0],
            verified=("config.json", "tokenizer.json"),
            rate_bytes_s=31e6,
            manifest=manifest,
        )
        entry = replace(listed, kind=kind, done_bytes=_COME)  # type: ignore[arg-type]
        going = progress if phase == "downloading" else None
        show = partial(window.show_model, replace(shown, entry=entry, progress=going))
        show()
        yield Picture(f"models-{name}", window, show)
