"""The settings in a running program: set, reset, overruled, waited for, and kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from app.core.preferences.book import Book
from app.core.preferences.table import SPECS
from engine.config import EngineConfig

# A valid value of every setting that is not its default.
OTHER: dict[str, Any] = {
    "first_model": "bundled",
    "own_model": "always",
    "other_files": True,
    "device": "cpu",
    "weights": "int8",
    "expert_bytes": 5 << 20,
    "context": 4096,
    "threads": 3,
    "cache_bytes": 7 << 20,
    "state_share": 0.25,
    "host_bytes": 9 << 20,
    "disk_bytes": 0,
    "interval": 512,
    "decode_interval": 64,
    "policy": "lru",
    "mode": "exact",
    "compression": "int8",
    "drafts": "text",
    "parallel": 2,
    "background_audit": True,
    "send_key": "ctrl+enter",
    "show_figures": True,
    "evict_deleted": True,
    "theme": "dark",
    "scale": 150,
    "text_px": 18,
    "reduced_motion": True,
    "language": "zh_CN",
    "server_on": True,
    "server_port": 0,
    "server_keep_thinking": True,
    "server_leave_out": True,
    "shortcuts": (("new", ("Ctrl+Y",)),),
    "log_level": "debug",
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "settings.json"


class TestEverySetting:
    def test_none_is_forgotten_here(self) -> None:
        assert OTHER.keys() == SPECS.keys()

    def test_no_key_is_there_twice(self) -> None:
        assert len({spec.key for spec in SPECS.values()}) == len(SPECS)

    @pytest.mark.parametrize("name", SPECS)
    def test_it_survives_a_restart_and_can_be_reset(self, path: Path, name: str) -> None:
        assert Book(path).set(name, OTHER[name]) == ""
        again = Book(path)
        assert again.now(name) == OTHER[name]
        assert again.sentence == ""
        assert not again.is_default(name)
        assert again.reset(name) == ""
        assert Book(path).now(name) == SPECS[name].default

    @pytest.mark.parametrize("name", SPECS)
    def test_its_default_is_valid(self, name: str) -> None:
        spec = SPECS[name]
        assert spec.kind.check(spec.default) == spec.default

    @pytest.mark.parametrize("name", SPECS)
    def test_nonsense_is_refused_in_words(self, path: Path, name: str) -> None:
        book = Book(path)
        assert "must" in book.set(name, object())
        assert book.is_default(name)
        assert not path.exists()


class TestChanges:
    def test_who_listens_is_told_the_name(self, path: Path) -> None:
        book, heard = Book(path), list[str]()
        book.listen(heard.append)
        book.set("theme", "dark")
        book.set("theme", "dark")
        book.reset("theme")
        assert heard == ["theme", "theme"]

    def test_what_counts_at_the_next_start_waits(self, path: Path) -> None:
        book = Book(path)
        book.set("scale", 150)
        book.set("theme", "dark")
        assert book.waits("scale")
        assert not book.waits("theme")
        assert not Book(path).waits("scale")

    def test_a_file_that_cannot_be_written_is_told(self, tmp_path: Path) -> None:
        (tmp_path / "folder").write_text("a file")
        book = Book(tmp_path / "folder" / "settings.json")
        assert "cannot be saved" in book.set("theme", "dark")
        assert book.now("theme") == "dark"

    def test_without_a_file_it_is_for_this_run(self) -> None:
        book = Book()
        assert book.set("theme", "dark") == ""
        assert book.now("theme") == "dark"


class TestTheCommandLine:
    def test_goes_before_what_is_set_and_is_not_saved(self, path: Path) -> None:
        Book(path).set("theme", "dark")
        book = Book(path, {"theme": "light"})
        assert book.now("theme") == "light"
        assert book.saved.theme == "dark"
        assert Book(path).now("theme") == "dark"

    def test_makes_way_for_what_the_user_sets_now(self, path: Path) -> None:
        book = Book(path, {"theme": "light"})
        book.set("theme", "dark")
        assert book.now("theme") == "dark"
        assert book.overruled == {}

    def test_even_for_what_was_set_before(self, path: Path) -> None:
        Book(path).set("theme", "dark")
        book, heard = Book(path, {"theme": "light"}), list[str]()
        book.listen(heard.append)
        book.set("theme", "dark")
        assert heard == ["theme"]


class TestTheEngine:
    def test_gets_what_is_set(self, path: Path) -> None:
        book = Book(path, {"policy": "flops"})
        book.set("interval", 128)
        made = book.config(EngineConfig(cache_dir=path.parent))
        assert (made.interval, made.policy) == (128, "flops")
        assert made.cache_dir == path.parent


class TestAdopting:
    def test_takes_over_what_is_not_set_yet(self, path: Path) -> None:
        book = Book(path)
        book.set("evict_deleted", True)
        book.adopt({"theme": "dark", "evict_deleted": False})
        assert Book(path).now("theme") == "dark"
        assert Book(path).now("evict_deleted")
        assert not book.waits("theme")
