"""Which lineage of segments a prompt contains."""

from __future__ import annotations

import numpy as np

from engine.storage.disk_index import DiskIndex, Lineage, StoredSegment
from engine.storage.segment_file import Segment
from tests.engine.storage.small_segments import TOKENS, segment

PROMPT = np.asarray(TOKENS, np.int32)


def index_of(*parts: Segment, used: float = 1.0) -> DiskIndex:
    index = DiskIndex()
    for part in parts:
        index.add(StoredSegment(part.meta, part.tokens, part.tags, part.nbytes, used))
    return index


def ends(lineage: Lineage) -> list[int]:
    return [entry.meta.end for entry in lineage]


def anything(lineage: Lineage) -> bool:
    return True


def test_two_segments_from_the_same_start_are_both_explored() -> None:
    index = index_of(segment(50), segment(20), segment(60, 20))
    assert ends(index.match(PROMPT, anything)) == [20, 60]
    assert ends(index.match(PROMPT[:55], anything)) == [50]


def test_the_very_end_of_a_prompt_needs_a_hidden_row() -> None:
    index = index_of(segment(20), segment(50, 20, has_hidden=False))
    assert ends(index.match(PROMPT[:50], anything)) == [20]
    assert ends(index.match(PROMPT[:51], anything)) == [20, 50]


def test_an_end_that_is_of_no_use_does_not_hide_what_lies_below_it() -> None:
    index = index_of(segment(20), segment(50, 20))
    assert ends(index.match(PROMPT, lambda lineage: lineage[-1].meta.end != 20)) == [20, 50]
    assert ends(index.match(PROMPT, lambda lineage: lineage[-1].meta.end != 50)) == [20]


def test_an_orphan_is_never_matched() -> None:
    index = index_of(segment(50, 20))
    assert index.match(PROMPT, anything) == ()
    assert ends(tuple(index.orphans())) == [50]


def test_a_prompt_that_differs_in_its_last_token_does_not_match() -> None:
    other = PROMPT.copy()
    other[49] = 0
    assert ends(index_of(segment(20), segment(50, 20)).match(other, anything)) == [20]


def test_what_goes_first_is_a_leaf_and_the_deepest_of_equals() -> None:
    index = index_of(segment(20), segment(50, 20), segment(40))
    oldest = index.oldest()
    assert oldest is not None
    assert oldest.meta.end == 50


def test_with_a_segment_goes_all_that_hangs_under_it() -> None:
    index = index_of(segment(20), segment(40, 20), segment(60, 40), segment(30))
    assert {entry.meta.end for entry in index.remove(segment(20).meta.key)} == {20, 40, 60}
    assert ends(tuple(index.entries())) == [30]
