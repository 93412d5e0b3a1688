"""Which models are listed, and in what order."""

from __future__ import annotations

from pathlib import Path

from app.models.logic.shelf import FAMILY, shelf
from engine.hub.library import Downloaded, Unfinished
from engine.hub.manifest import Manifest, RemoteFile
from tests.present import present

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


class TestGguf:
    def repo(self, *names: str) -> Manifest:
        files = tuple(RemoteFile(name, 100, "0" * 64, "") for name in names)
        return Manifest("Org/Q-GGUF", "main", "a" * 40, "mit", False, files)

    def test_each_model_of_a_repository_is_one_to_download(self) -> None:
        found = self.repo(
            "Q-Q4_K_M.gguf", "Q-BF16-00001-of-00002.gguf", "Q-BF16-00002-of-00002.gguf"
        )
        made = [entry for entry in shelf(DEMO, (), (), (), {found.repo: found}) if entry.choice]
        assert [(entry.name, entry.key) for entry in made] == [
            ("Q-Q4_K_M", "Org/Q-GGUF/Q-Q4_K_M"),
            ("Q-BF16", "Org/Q-GGUF/Q-BF16"),
        ]
        assert [present(entry.manifest).bytes for entry in made] == [100, 200]

    def test_a_downloaded_one_is_opened_by_its_file(self) -> None:
        folder = Path("/models/Org/Q-GGUF")
        here = Downloaded(folder, self.repo("LICENSE", "Q-Q8_0.gguf"))
        made = shelf(DEMO, (folder / "Q-Q8_0.gguf",), (here,), (), {})
        assert [entry.kind for entry in made[:3]] == ["bundled", "downloaded", "known"]
        assert made[1].folder == folder
        assert made[1].place == folder / "Q-Q8_0.gguf"

    def test_files_of_other_programs_are_listed_once(self) -> None:
        one, two = Path("/lm/a.gguf"), Path("/hf/b.gguf")
        made = shelf(DEMO, (one,), (), (), {}, files=(two, one))
        assert [(entry.kind, entry.name) for entry in made[1:3]] == [
            ("file", "a.gguf"),
            ("file", "b.gguf"),
        ]
        assert made[1].here
