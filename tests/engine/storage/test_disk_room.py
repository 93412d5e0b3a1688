"""What is kept where there is no room for everything: what was used last, and nothing twice."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from engine.cache.tiers.lower import FileCause
from engine.private_files import OwnFolder
from engine.storage.disk_index import StoredSegment
from engine.storage.disk_store import DiskStore, Unwatched
from engine.storage.segment_file import Segment, Sizes, file_bytes, write_segment
from tests.engine.storage.samples import (
    FINGERPRINT,
    STATE_BYTES,
    TOKEN_BYTES,
    segment,
    tokens_of,
)

LONG_AGO = 1_000_000.0


def whole(seed: int, length: int = 20) -> Segment:
    """A segment of its own; all of one length weigh the same."""
    return segment(tokens_of(seed, length), 0, length)


def size_of(part: Segment) -> int:
    return file_bytes(part, FINGERPRINT)


class Kept(Unwatched):
    """A store with room for so many bytes, and what it told of the segments that went."""

    def __init__(self, folder: Path, budget: int) -> None:
        self.went: list[tuple[str, FileCause]] = []
        sizes = Sizes(TOKEN_BYTES, STATE_BYTES, budget)
        self.store = DiskStore(folder, FINGERPRINT, sizes, lambda said: None, self)

    def removed(self, entry: StoredSegment, cause: FileCause) -> None:
        self.went.append((entry.meta.key, cause))

    def has(self, part: Segment) -> bool:
        return part.meta.key in self.store


def test_the_length_of_a_file_is_known_before_it_is_written(tmp_path: Path) -> None:
    for length in (1, 10, 300):
        part = whole(length, length)
        assert write_segment(OwnFolder(tmp_path), part, FINGERPRINT) == size_of(part)


def test_only_what_was_used_before_gives_way(tmp_path: Path) -> None:
    old, middle, new = whole(1), whole(2), whole(3)
    kept = Kept(tmp_path, 2 * size_of(old))
    assert kept.store.put(middle, LONG_AGO + 2)
    assert kept.store.put(new, LONG_AGO + 3)
    assert not kept.store.put(old, LONG_AGO + 1)
    assert kept.went == []
    newest = whole(4)
    assert kept.store.put(newest, LONG_AGO + 4)
    assert kept.went == [(middle.meta.key, FileCause.NO_ROOM)]
    assert kept.has(new)
    kept.store.close()


def test_what_went_for_want_of_room_waits_until_it_is_used_again(tmp_path: Path) -> None:
    """Also where there is room again: else two could take turns for ever."""
    small, large = whole(1, 10), whole(2, 60)
    kept = Kept(tmp_path, size_of(large) + size_of(small) - 1)
    assert kept.store.put(small, LONG_AGO + 1)
    assert kept.store.put(large, LONG_AGO + 2)
    kept.store.remove(large.meta.key, FileCause.QUARANTINED)
    assert not kept.store.put(small, LONG_AGO + 1)
    assert kept.store.put(small, LONG_AGO + 3)
    kept.store.close()


def test_nothing_goes_for_what_does_not_fit_even_then(tmp_path: Path) -> None:
    old, new, large = whole(1), whole(2), whole(3, 200)
    kept = Kept(tmp_path, 2 * size_of(old))
    kept.store.put(old, LONG_AGO + 1)
    kept.store.put(new, LONG_AGO + 2)
    assert not kept.store.put(large, LONG_AGO + 3)
    assert kept.went == []
    kept.store.close()


def test_what_a_segment_goes_on_from_never_gives_way_to_it(tmp_path: Path) -> None:
    ids = tokens_of(7, 60)
    below, above = segment(ids, 20, 60), segment(ids, 0, 20)
    other = whole(8)
    kept = Kept(tmp_path, size_of(above) + size_of(below))
    assert kept.store.put(above, LONG_AGO)
    assert kept.store.put(other, LONG_AGO + 1)
    assert kept.store.put(below, LONG_AGO + 2)
    assert kept.has(above)
    assert kept.went == [(other.meta.key, FileCause.NO_ROOM)]
    # It is as young now as what hangs under it.
    assert not kept.store.put(other, LONG_AGO + 1.5)
    kept.store.close()


def test_a_restart_knows_what_was_used_last(tmp_path: Path) -> None:
    parts = [whole(seed) for seed in range(3)]
    kept = Kept(tmp_path, 3 * size_of(parts[0]))
    for at, part in zip((2, 0, 1), parts, strict=True):
        kept.store.put(part, LONG_AGO + at)
    kept.store.close()
    again = Kept(tmp_path, 3 * size_of(parts[0]))
    assert again.store.put(whole(9), LONG_AGO + 0.5)
    assert [key for key, _ in again.went] == [parts[1].meta.key]
    again.store.close()


def test_one_that_looks_older_than_what_goes_on_from_it_stays_with_it(tmp_path: Path) -> None:
    ids = tokens_of(7, 40)
    above, below, other = segment(ids, 0, 20), segment(ids, 20, 40), whole(8)
    kept = Kept(tmp_path, 1 << 20)
    for part in (above, below, other):
        kept.store.put(part)
    kept.store.close()
    folder = tmp_path / FINGERPRINT
    for part, used in ((above, 1), (below, 3), (other, 2)):
        os.utime(folder / part.meta.file_name, (LONG_AGO + used, LONG_AGO + used))
    again = Kept(tmp_path, sum(size_of(part) for part in (above, below, other)))
    assert again.store.room(LONG_AGO + 2.5, ()) == size_of(other)
    again.store.close()


def test_random_segments_come_to_rest_and_keep_what_was_used_last(tmp_path: Path) -> None:
    """Offered again and again, nothing is written that goes for what was offered later."""
    for seed in range(8):
        print(f"seed {seed}")
        rng = np.random.default_rng(seed)
        parts = [whole(at, int(rng.integers(5, 60))) for at in range(12)]
        uses = rng.permutation(12) + LONG_AGO
        budget = int(sum(map(size_of, parts)) * rng.uniform(0.2, 0.8))
        kept = Kept(tmp_path / str(seed), budget)
        order = np.argsort(-uses)
        for _ in range(3):
            for at in order:
                if parts[at].meta.key not in kept.store:
                    kept.store.put(parts[at], float(uses[at]))
        kept.store.flush()
        assert kept.went == []
        held = [at for at in order if kept.has(parts[at])]
        assert kept.store.written_bytes == sum(size_of(parts[at]) for at in held)
        for at in set(range(12)) - set(held):
            younger = sum(size_of(parts[one]) for one in held if uses[one] > uses[at])
            assert younger + size_of(
                parts[at]
            ) > budget or kept.store.used_bytes > budget - size_of(parts[at])
        kept.store.close()


def test_a_file_that_a_better_one_takes_the_place_of_is_told(tmp_path: Path) -> None:
    ids = tokens_of(3, 20)
    coarse, fine = segment(ids, 0, 20, provenance="decode", cut_hash=None), segment(ids, 0, 20)
    kept = Kept(tmp_path, 1 << 20)
    kept.store.put(coarse)
    kept.store.put(fine)
    assert kept.went == [(fine.meta.key, FileCause.SUPERSEDED)]
    kept.store.flush()
    assert kept.store.used_bytes == size_of(fine)
    kept.store.close()


def test_one_that_takes_the_place_of_another_is_no_older_than_what_goes_on_from_it(
    tmp_path: Path,
) -> None:
    """Else it is offered as room, cannot go, and the new one is the first to be deleted."""
    ids = tokens_of(7, 60)
    first, second = segment(ids, 0, 20), segment(ids, 20, 60)
    again = segment(ids, 0, 20, created=13.5)
    other = whole(8, 30)
    kept = Kept(tmp_path, size_of(first) + size_of(second) + 100)
    assert kept.store.put(first, LONG_AGO)
    assert kept.store.put(second, LONG_AGO + 5)
    assert kept.store.put(again, LONG_AGO + 1)
    kept.went.clear()
    assert not kept.store.put(whole(9, 1), LONG_AGO + 3), "nothing can go for it"
    assert kept.went == []
    assert kept.store.put(other, LONG_AGO + 6)
    assert kept.has(other)
    kept.store.close()


@pytest.mark.parametrize("why", ["larger than the budget", "damaged"])
def test_what_goes_on_from_a_file_that_is_left_out_leaves_no_file(tmp_path: Path, why: str) -> None:
    """Also right after it was written, when a file above it might still be on its way."""
    ids = tokens_of(7, 240)
    above = segment(ids, 0, 200)
    parts = [above, segment(ids, 200, 210), segment(ids, 210, 220), segment(ids, 200, 240)]
    kept = Kept(tmp_path, sum(map(size_of, parts)))
    for part in parts:
        assert kept.store.put(part)
    kept.store.close()
    budget = sum(map(size_of, parts))
    if why == "damaged":
        path = tmp_path / FINGERPRINT / above.meta.file_name
        path.write_bytes(path.read_bytes()[:-1])
    else:
        budget = size_of(above) - 1
    again = Kept(tmp_path, budget)
    assert (again.store.files, again.store.used_bytes) == (0, 0)
    assert list((tmp_path / FINGERPRINT).iterdir()) == []
    again.store.close()


def test_what_goes_on_from_a_file_that_is_not_there_yet_is_left_to_who_writes_it(
    tmp_path: Path,
) -> None:
    ids = tokens_of(7, 60)
    (tmp_path / FINGERPRINT).mkdir()
    for part in (segment(ids, 20, 40), segment(ids, 40, 60)):
        write_segment(OwnFolder(tmp_path / FINGERPRINT), part, FINGERPRINT)
    kept = Kept(tmp_path, 1 << 20)
    assert (kept.store.files, kept.store.used_bytes) == (0, 0)
    assert len(list((tmp_path / FINGERPRINT).iterdir())) == 2
    kept.store.close()
