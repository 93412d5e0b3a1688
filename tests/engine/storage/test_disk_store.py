"""The store: found again after a restart, within its budget, whatever happens on the disk."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from engine.private_files import OwnFolder
from engine.storage import disk_writer
from engine.storage.disk_index import Lineage
from engine.storage.segment_file import write_segment
from tests.engine.storage.samples import (
    FINGERPRINT,
    begins_as_a_segment,
    open_store,
    same,
    segment,
    tokens_of,
)

ANY = lambda lineage: True  # noqa: E731
ROOT = Path(__file__).resolve().parents[3]


def files(folder: Path) -> list[Path]:
    return sorted((folder / FINGERPRINT).iterdir())


def end_of(lineage: Lineage) -> int:
    return lineage[-1].meta.end if lineage else 0


class TestMatch:
    def test_the_deepest_whole_chain_wins(self, tmp_path: Path) -> None:
        store, ids = open_store(tmp_path), tokens_of(1, 300)
        for start, end in ((0, 100), (100, 180), (0, 160), (160, 290)):
            assert store.put(segment(ids, start, end))
        assert end_of(store.match(ids, ANY)) == 290
        assert end_of(store.match(ids[:289], ANY)) == 180
        assert end_of(store.match(ids[:99], ANY)) == 0
        other = ids.copy()
        other[170] += 1
        assert end_of(store.match(other, ANY)) == 160
        store.close()

    def test_a_state_at_the_very_end_needs_a_hidden_row(self, tmp_path: Path) -> None:
        store, ids = open_store(tmp_path), tokens_of(1, 100)
        store.put(segment(ids, 0, 60))
        store.put(segment(ids, 60, 100, has_hidden=False))
        assert end_of(store.match(ids, ANY)) == 60
        store.close()

    def test_a_condition_of_the_caller_counts(self, tmp_path: Path) -> None:
        store, ids = open_store(tmp_path), tokens_of(1, 100)
        store.put(segment(ids, 0, 60))
        store.put(segment(ids, 60, 90))
        assert (
            end_of(store.match(ids, lambda lineage: lineage[-1].meta.state.cut_hash == 17 + 60))
            == 60
        )
        store.close()


class TestRestart:
    def test_everything_is_found_again(self, tmp_path: Path) -> None:
        store, ids, told = open_store(tmp_path), tokens_of(1, 300), list[str]()
        made = [segment(ids, 0, 100), segment(ids, 100, 180), segment(ids, 180, 300)]
        for one in made:
            store.put(one)
        assert all(same(one, store) for one in made), "what waits can be read too"
        store.close()
        again = open_store(tmp_path, told)
        assert end_of(again.match(ids, ANY)) == 300
        assert all(same(one, again) for one in made)
        assert again.used_bytes == sum(path.stat().st_size for path in files(tmp_path))
        assert told == []
        again.close()

    def test_a_segment_without_its_parent_is_of_no_use(self, tmp_path: Path) -> None:
        store, ids = open_store(tmp_path), tokens_of(1, 300)
        first = segment(ids, 0, 100)
        for one in (first, segment(ids, 100, 180), segment(ids, 180, 300)):
            store.put(one)
        store.close()
        (tmp_path / FINGERPRINT / first.meta.file_name).unlink()
        for path in files(tmp_path):
            os.utime(path, (1, 1))
        again = open_store(tmp_path)
        assert end_of(again.match(ids, ANY)) == 0
        assert files(tmp_path) == []
        again.close()

    def test_what_another_process_may_be_writing_is_left_alone(self, tmp_path: Path) -> None:
        store, ids = open_store(tmp_path), tokens_of(1, 300)
        store.close()
        write_segment(OwnFolder(tmp_path / FINGERPRINT), segment(ids, 100, 180), FINGERPRINT)
        half = files(tmp_path)[0].read_bytes()[:100]
        (tmp_path / FINGERPRINT / f"{os.getpid()}.7.tmp").write_bytes(half)
        (tmp_path / FINGERPRINT / "999999999.7.tmp").write_bytes(half)
        again = open_store(tmp_path)
        assert again.files == 0
        assert len(files(tmp_path)) == 2
        again.close()

    @pytest.mark.slow
    def test_kill_9_loses_at_most_what_was_being_written(self, tmp_path: Path) -> None:
        code = (
            "import sys; from pathlib import Path\n"
            "from tests.engine.storage.samples import open_store, segment, tokens_of\n"
            "store = open_store(Path(sys.argv[1])); ids = tokens_of(1, 100_000)\n"
            "print('go', flush=True)\n"
            "for at in range(10_000):\n"
            "    store.put(segment(ids, 10 * at, 10 * at + 10)); store.flush()\n"
            "    print(at, flush=True)\n"
        )
        ids = tokens_of(1, 100_000)
        for wait_s in (0.05, 0.2):
            child = subprocess.Popen(
                [sys.executable, "-c", code, str(tmp_path)],
                cwd=ROOT,
                stdout=subprocess.PIPE,
                text=True,
            )
            assert child.stdout is not None
            assert child.stdout.readline() == "go\n"
            time.sleep(wait_s)
            child.send_signal(signal.SIGKILL)
            said = child.stdout.read().split()
            child.wait()
            done = int(said[-1]) + 1 if said else 0
            told: list[str] = []
            store = open_store(tmp_path, told)
            assert end_of(store.match(ids, ANY)) >= 10 * done
            assert told == []
            assert not [path for path in files(tmp_path) if path.suffix == ".tmp"]
            store.close()


class TestBudget:
    def test_the_oldest_goes_first_and_never_before_what_hangs_under_it(
        self, tmp_path: Path
    ) -> None:
        one = segment(tokens_of(0, 20), 0, 10)
        store = open_store(tmp_path, budget=7 * 2000)
        for seed in range(20):
            ids = tokens_of(seed, 20)
            store.put(segment(ids, 0, 10))
            store.put(segment(ids, 10, 20))
            store.flush()
            for entry in store.entries():
                assert not entry.meta.parent or entry.meta.parent in store
        assert one.meta.key not in store
        assert end_of(store.match(tokens_of(19, 20), ANY)) == 20
        assert 0 < store.used_bytes <= 7 * 2000
        assert store.used_bytes == sum(path.stat().st_size for path in files(tmp_path))
        store.close()

    def test_use_keeps_a_chain_across_a_restart(self, tmp_path: Path) -> None:
        store = open_store(tmp_path)
        for seed in range(5):
            store.put(segment(tokens_of(seed, 20), 0, 10))
        store.flush()
        for at, path in enumerate(files(tmp_path)):
            os.utime(path, (100 + at, 100 + at))
        kept = segment(tokens_of(2, 20), 0, 10).meta.key
        store.touch([kept])
        store.close()
        size = files(tmp_path)[0].stat().st_size
        again = open_store(tmp_path, budget=size + size // 2)
        assert [entry.meta.key for entry in again.entries()] == [kept]
        again.close()

    def test_what_is_larger_than_the_budget_is_not_taken(self, tmp_path: Path) -> None:
        store = open_store(tmp_path, budget=100)
        assert not store.put(segment(tokens_of(1, 20), 0, 10))
        store.close()


class TestFaults:
    def test_a_full_disk_is_said_once_and_nothing_raises(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        told: list[str] = []
        store = open_store(tmp_path, told)
        first = segment(tokens_of(1, 20), 0, 10)
        store.put(first)
        store.flush()

        def full(*_: object) -> int:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(disk_writer, "write_segment", full)
        for seed in range(2, 6):
            store.put(segment(tokens_of(seed, 20), 0, 10))
            store.flush()
        assert len(told) == 1
        assert "No space left" in told[0]
        assert same(first, store)
        assert store.files == 1
        store.close()

    def test_a_folder_that_cannot_be_made_is_said(self, tmp_path: Path) -> None:
        (tmp_path / "taken").write_text("a file")
        told: list[str] = []
        store = open_store(tmp_path / "taken", told)
        assert len(told) == 1
        assert not store.put(segment(tokens_of(1, 20), 0, 10))
        assert store.match(tokens_of(1, 20), ANY) == ()
        store.close()

    def test_a_file_that_vanishes_is_named_and_its_followers_go(self, tmp_path: Path) -> None:
        told: list[str] = []
        store, ids = open_store(tmp_path, told), tokens_of(1, 30)
        for start in (0, 10, 20):
            store.put(segment(ids, start, start + 10))
        store.flush()
        gone = segment(ids, 10, 20).meta
        (tmp_path / FINGERPRINT / gone.file_name).unlink()
        assert store.kv(gone.key) is None
        assert gone.file_name in told[0]
        assert segment(ids, 20, 30).meta.file_name in told[1]
        assert end_of(store.match(ids, ANY)) == 10
        store.close()

    @pytest.mark.slow
    def test_two_processes_share_a_folder(self, tmp_path: Path) -> None:
        code = (
            "import sys; from pathlib import Path\n"
            "from tests.engine.storage.samples import open_store, same, segment, tokens_of\n"
            "import numpy as np\n"
            "seed = int(sys.argv[2]); rng = np.random.default_rng(seed)\n"
            "for round in range(4):\n"
            "    told = []\n"
            "    store = open_store(Path(sys.argv[1]), told, budget=60_000)\n"
            "    for _ in range(40):\n"
            "        ids = tokens_of(int(rng.integers(12)), 60)\n"
            "        for start in (0, 20, 40):\n"
            "            one = segment(ids, start, start + 20)\n"
            "            if one.meta.key not in store: store.put(one)\n"
            "            for kv in [store.kv(one.meta.key)]:\n"
            "                assert kv is None or (kv[0] == one.k).all()\n"
            "    store.close()\n"
            "    assert all('is gone' in said for said in told), told\n"
        )
        pair = [
            subprocess.Popen([sys.executable, "-c", code, str(tmp_path), str(seed)], cwd=ROOT)
            for seed in (1, 2)
        ]
        assert [child.wait(60) for child in pair] == [0, 0]
        told: list[str] = []
        store = open_store(tmp_path, told)
        assert told == []
        for entry in store.entries():
            assert store.kv(entry.meta.key) is not None
            assert store.state(entry.meta.key) is not None
        store.close()


@pytest.mark.parametrize("part", range(4))
def test_a_thousand_damaged_or_foreign_files(tmp_path: Path, part: int) -> None:
    """Seeded fuzz of real files: nothing raises, no wrong byte comes back, each one is named."""
    rng = np.random.default_rng(part)
    print(f"seed {part}")
    ids = [tokens_of(seed, 40) for seed in range(5)]
    made = [segment(whole, start, start + 20) for whole in ids for start in (0, 20)]
    for count in range(25):
        folder = tmp_path / str(count)
        store = open_store(folder)
        for one in made:
            store.put(one)
        store.close()
        damaged, foreign = set(), {}
        for path in files(folder):
            path = path.with_name(damage(path, rng))
            damaged.add(path.name)
            os.utime(path, (1, 1))
            if not begins_as_a_segment(path):
                foreign[path.name] = path.read_bytes()
        told: list[str] = []
        again = open_store(folder, told)
        for whole in ids:
            lineage = again.match(whole, ANY)
            for entry in lineage:
                again.kv(entry.meta.key)
                again.state(entry.meta.key)
        for one in made:
            kv, state = again.kv(one.meta.key), again.state(one.meta.key)
            assert kv is None or ((kv[0] == one.k).all() and (kv[1] == one.v).all())
            assert state is None or all((state[n] == one.state[n]).all() for n in one.state)
        again.close()
        left = {path.name: path.read_bytes() for path in files(folder) if path.name in damaged}
        assert left == foreign, told
        assert all(any(name in said for said in told) for name in damaged), told


def damage(path: Path, rng: np.random.Generator) -> str:
    """Do one of many things to a file; returns the name that must be reported."""
    raw = bytearray(path.read_bytes())
    header = 8 + int.from_bytes(raw[:8], "little")
    kind = int(rng.integers(12))
    if kind == 0:
        raw[int(rng.integers(8))] ^= 1 << int(rng.integers(8))
    elif kind in (1, 2):
        raw[8 + int(rng.integers(header - 8))] ^= 1 << int(rng.integers(8))
    elif kind in (3, 4, 5):
        raw[header + int(rng.integers(len(raw) - header))] ^= 1 << int(rng.integers(8))
    elif kind == 6:
        del raw[int(rng.integers(len(raw))) :]
    elif kind == 7:
        raw = bytearray()
    elif kind == 8:
        raw = bytearray(rng.bytes(int(rng.integers(1, 4000))))
    elif kind == 9:
        raw[:8] = (1 << 62).to_bytes(8, "little")
    elif kind == 10:
        bomb = b'{"__metadata__":' + b"[" * 100_000
        raw = bytearray(len(bomb).to_bytes(8, "little") + bomb)
    else:
        raw[8:header] = raw[8:header].replace(FINGERPRINT.encode(), b"0" * 32)
    path.write_bytes(raw)
    return path.name
