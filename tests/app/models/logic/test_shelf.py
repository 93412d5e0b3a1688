"""Which models are listed, and in what order."""

from __future__ import annotations

from pathlib import Path

from app.models.logic.shelf import FAMILY, shelf
from engine.hub.library import Downloaded, Unfinished
from engine.hub.manifest import Manifest, RemoteFile

DEMO = Path("/demo")


def manifest(repo: str) -> Manifest:
    file = RemoteFile("config.json", 10, "", "0" * 40)
    return Manifest(repo, "main", "a" * 40, "mit", False, (file,))


def test_at_first_the_demo_and_the_family() -> None:
    made = shelf(DEMO, (), (), (), {})
    assert [entry.kind for entry in made] == ["bundled"] + ["known"] * len(FAMILY)
    assert made[0].here


def test_what_is_here_is_listed_once() -> None:
    repo = FAMILY[0].repo
    folder = Path("/models/Qwen/Qwen3.5-0.8B")
    made = shelf(
        DEMO,
        (folder, Path("/own/model"), DEMO),
        (Downloaded(folder, manifest(repo)),),
        (Unfinished(manifest(FAMILY[1].repo), 5),),
        {repo: manifest(repo), "Org/Other": manifest("Org/Other")},
    )
    kinds = [entry.kind for entry in made]
    assert kinds[:5] == ["bundled", "downloaded", "folder", "begun", "found"]
    assert kinds[5:] == ["known"] * (len(FAMILY) - 2)
    assert len({entry.key for entry in made}) == len(made)
    assert made[3].done_bytes == 5


def test_what_is_damaged_says_so() -> None:
    made = shelf(DEMO, (), (Downloaded(Path("/m"), manifest("a/b"), "It is damaged."),), (), {})
    assert made[1].problem == "It is damaged."
