"""The one record of a stored state: what it promises, and which of two is better."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from typing import Any

import msgspec
import numpy as np
import pytest

from engine.journal.fields import StateSaid, state_fields
from engine.plain import as_plain
from engine.snapshot import CheckpointView
from engine.storage.segment_file import SegmentMeta, meta_of, meta_text
from engine.stored_state import StoredState
from engine.verdict import Verdict, VerdictStatus


def audited(status: VerdictStatus) -> Verdict:
    return Verdict(status, 0.07, 1e-3, 12.5)


PLAIN = StoredState(20)
EXACT = replace(PLAIN, cut_hash=5)
HIDDEN = replace(PLAIN, has_hidden=True)
DRIFTED = replace(PLAIN, verdict=audited("drifted"))
BFLOAT16 = replace(PLAIN, stored="bfloat16", error=0.002)
INT8 = replace(PLAIN, stored="int8", error=0.02)
WRONG = replace(EXACT, verdict=audited("quarantined"))
# No attribute as by default.
FULL = StoredState(20, "branch", 2**62, True, "int8", 0.0125, "disk", audited("drifted"), "branch")


def test_the_sample_has_an_own_value_for_every_attribute() -> None:
    other = StoredState(0)
    assert all(getattr(FULL, f.name) != getattr(other, f.name) for f in fields(StoredState))


class TestExact:
    def test_a_prefill_at_known_cuts_is(self) -> None:
        assert EXACT.exact

    @pytest.mark.parametrize(
        "changed",
        [
            {"cut_hash": None},
            {"provenance": "decode"},
            {"stored": "bfloat16"},
            {"error": 1e-9},
            {"verdict": audited("drifted")},
        ],
        ids=str,
    )
    def test_anything_else_is_not(self, changed: dict[str, Any]) -> None:
        assert not replace(EXACT, **changed).exact

    def test_being_verified_changes_nothing(self) -> None:
        assert replace(EXACT, verdict=audited("verified")).exact


class TestOrder:
    ORDER = (EXACT, HIDDEN, PLAIN, DRIFTED, BFLOAT16, INT8)

    def test_each_is_better_than_all_behind_it_and_never_the_other_way(self) -> None:
        for at, one in enumerate(self.ORDER):
            assert not one.better_than(one)
            for other in self.ORDER[at + 1 :]:
                assert one.better_than(other)
                assert not other.better_than(one)

    def test_anything_is_better_than_a_wrong_one(self) -> None:
        assert all(one.better_than(WRONG) for one in self.ORDER)

    def test_of_two_exact_ones_with_other_cuts_the_newer_stays(self) -> None:
        other = replace(EXACT, cut_hash=6)
        assert EXACT.better_than(other)
        assert other.better_than(EXACT)

    def test_a_hidden_row_does_not_take_the_place_of_exact_bits(self) -> None:
        assert not HIDDEN.better_than(EXACT)


class TestLineage:
    def test_a_state_is_no_better_than_the_one_it_was_computed_from(self) -> None:
        made = EXACT.computed_from(INT8)
        assert (made.stored, made.error, made.exact) == ("int8", 0.02, False)
        assert EXACT.computed_from(DRIFTED).error == 0.07
        assert EXACT.computed_from(None) == EXACT

    def test_a_verdict_stays_with_the_state_it_was_on(self) -> None:
        assert EXACT.computed_from(replace(EXACT, verdict=audited("verified"))) == EXACT

    def test_packing_keeps_the_coarsest_format_and_the_largest_error(self) -> None:
        assert replace(PLAIN).packed("bfloat16", 0.002) == BFLOAT16
        assert INT8.packed("bfloat16", 0.002) == INT8
        assert BFLOAT16.packed("int8", 0.02) == INT8


def said(raw: dict[str, Any]) -> StateSaid:
    """What a line with these fields says of a state."""
    return msgspec.convert(raw, StateSaid)


class TestEveryWay:
    """What is written of a state is all of it; a new attribute must not be lost on any way."""

    def test_a_file(self) -> None:
        meta = SegmentMeta("a" * 32, "b" * 32, 5, 12.5, FULL)
        assert meta_of(meta_text(meta)) == meta
        assert meta_of(meta_text(meta)).state.why == "branch"

    def test_a_file_that_does_not_say_why_or_says_it_in_other_words(self) -> None:
        meta = SegmentMeta("a" * 32, "b" * 32, 5, 12.5, replace(FULL, why=""))
        assert "why" not in json.loads(meta_text(meta))
        assert meta_of(meta_text(meta)) == meta
        for strange in ("of old", 7, ["branch"]):
            text = json.dumps(json.loads(meta_text(meta)) | {"why": strange})
            assert meta_of(text).state.why == ""

    def test_a_line_of_a_trace(self) -> None:
        # Its verdict is an entry of its own.
        assert said(state_fields(FULL)).state() == replace(FULL, verdict=None)
        assert said(state_fields(FULL)).state().why == "branch"

    def test_a_view_as_plain_data(self) -> None:
        plain = as_plain(CheckpointView(FULL, 3, 1000, 1.0, 2.0, 4))
        assert plain.keys() >= {f.name for f in fields(StoredState)} | {"exact", "slot", "hits"}
        assert plain["verdict"] == {"status": "drifted", "largest": 0.07, "kl": 1e-3, "time": 12.5}

    def test_a_line_of_an_older_trace_says_only_that_it_was_exact(self) -> None:
        raw = {"position": 20, "provenance": "prefill", "stored": "none", "error": 0.0}
        assert said(raw | {"exact": True}).state().exact
        assert not said(raw | {"exact": False}).state().exact
        assert said(raw).state("disk") == replace(PLAIN, tier="disk")
        assert said(raw).state().why == ""


def test_plain_data_leaves_other_values_alone() -> None:
    assert as_plain({"a": (1, None, [2.5])}) == {"a": [1, None, [2.5]]}
    assert as_plain(PLAIN)["position"] == 20
    assert np.isclose(as_plain([INT8])[0]["error"], 0.02)
