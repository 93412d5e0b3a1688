"""One budget for the files of all models: the least recently used go first, whosever they are."""

from __future__ import annotations

import os
from pathlib import Path

from engine.storage.disk_store import DiskStore, Neighbours
from tests.engine.storage.samples import open_store, segment, tokens_of

FIRST, SECOND = "a" * 32, "b" * 32
ANY = lambda lineage: True  # noqa: E731


def total(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def filled(folder: Path, name: str, seed: int, used: float, chats: int = 4) -> int:
    """Keep some chats of a model, used from a moment on; returns their bytes."""
    store = open_store(folder, name=name)
    for number in range(chats):
        ids = tokens_of(seed + number, 200)
        assert store.put(segment(ids, 0, 100), used + number)
        assert store.put(segment(ids, 100, 200), used + number)
    store.close()
    return store.used_bytes


def ends(store: DiskStore, seed: int, chats: int = 4) -> list[int]:
    """How far each chat is still there."""
    found = [store.match(tokens_of(seed + number, 200), ANY) for number in range(chats)]
    return [lineage[-1].meta.end if lineage else 0 for lineage in found]


class TestOneBudget:
    def test_both_stay_where_there_is_room(self, tmp_path: Path) -> None:
        first = filled(tmp_path, FIRST, 1, 1000.0)
        second = filled(tmp_path, SECOND, 50, 2000.0)
        store = open_store(tmp_path, budget=first + second, name=FIRST)
        assert ends(store, 1) == [200] * 4
        store.close()
        assert total(tmp_path) == first + second

    def test_the_other_models_oldest_make_way(self, tmp_path: Path) -> None:
        first = filled(tmp_path, FIRST, 1, 1000.0)
        budget = first + first // 2
        told: list[str] = []
        store = open_store(tmp_path, told, budget=budget, name=SECOND)
        for number in range(4):
            ids = tokens_of(50 + number, 200)
            assert store.put(segment(ids, 0, 100), 2000.0 + number)
            assert store.put(segment(ids, 100, 200), 2000.0 + number)
        store.close()
        assert total(tmp_path) <= budget
        again = open_store(tmp_path, told, budget=budget, name=FIRST)
        # The last one used is the last one left, and none is left without what it continues.
        assert ends(again, 1) == [0, 0, 200, 200]
        again.close()
        assert told == []

    def test_older_ones_of_ones_own_go_before_newer_ones_of_another(self, tmp_path: Path) -> None:
        first = filled(tmp_path, FIRST, 1, 3000.0)
        second = filled(tmp_path, SECOND, 50, 1000.0)
        store = open_store(tmp_path, budget=first + second // 2, name=SECOND)
        assert ends(store, 50) == [0, 0, 200, 200]
        store.close()
        again = open_store(tmp_path, budget=first + second // 2, name=FIRST)
        assert ends(again, 1) == [200] * 4
        again.close()

    def test_what_was_used_before_everything_else_is_not_stored(self, tmp_path: Path) -> None:
        first = filled(tmp_path, FIRST, 1, 3000.0)
        store = open_store(tmp_path, budget=first, name=SECOND)
        assert not store.put(segment(tokens_of(50, 100), 0, 100), 1000.0)
        store.close()
        assert total(tmp_path) == first

    def test_what_another_engine_writes_meanwhile_counts_at_the_end(self, tmp_path: Path) -> None:
        one = filled(tmp_path, FIRST, 1, 1000.0)
        store = open_store(tmp_path, budget=one, name=FIRST)
        filled(tmp_path, SECOND, 50, 2000.0)
        store.close()
        assert total(tmp_path) <= one

    def test_only_cache_files_count(self, tmp_path: Path) -> None:
        for name in ("weights", SECOND, "notes"):
            (tmp_path / name).mkdir()
            (tmp_path / name / "large.bin").write_bytes(bytes(1 << 16))
        os.symlink("/dev/zero", tmp_path / SECOND / "link.safetensors")
        assert Neighbours(tmp_path, FIRST).nbytes == 0

    def test_a_folder_that_is_not_there_holds_nothing(self, tmp_path: Path) -> None:
        others = Neighbours(tmp_path / "none", FIRST)
        assert others.nbytes == 0
        assert not others.remove_older(None)
