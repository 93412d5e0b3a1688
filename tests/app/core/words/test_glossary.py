"""Every term of the cache has a plain sentence, and is found in texts."""

from __future__ import annotations

from typing import get_args

import pytest

from app.core.words.glossary import KINDS, LABELS, TERMS, explained, explanation, marked
from engine.analysis.why.cause import Cause
from engine.cache.eviction.cause import Cause as Eviction
from engine.cache.tiers.intake import Intake
from engine.cache.tiers.lower import FileCause
from engine.reuse import Reason
from engine.stored_state import Provenance, TierName, Why
from engine.verdict import VerdictStatus

NAMES = {
    *(one.value for kinds in (Eviction, FileCause, Intake, Reason, Cause) for one in kinds),
    *(one for kinds in (Provenance, TierName, Why, VerdictStatus) for one in get_args(kinds)),
} - {""}


@pytest.mark.parametrize("name", sorted(NAMES))
def test_every_cause_reason_and_verdict_of_the_engine_is_explained(name: str) -> None:
    assert explanation(name)


def test_nothing_is_explained_that_the_engine_does_not_have() -> None:
    assert set(KINDS) == NAMES


def test_an_explanation_is_one_short_sentence() -> None:
    meanings = [*KINDS.values(), *(term.meaning for term in (*TERMS, *LABELS))]
    for meaning in meanings:
        assert meaning[0].isupper() or meaning[0] in "“0123456789", meaning
        assert meaning.endswith("."), meaning
        assert len(meaning) <= 160, meaning


def test_a_term_is_found_in_any_case_and_in_the_plural() -> None:
    assert explanation("Tombstones") == explanation("tombstone") != ""
    assert explanation("no such term") == ""


def test_a_tooltip_has_the_text_first_and_each_meaning_once() -> None:
    text = explained("Node 7", "tombstone", "tombstones", "no such term")
    assert text == f"Node 7\n{explanation('tombstone')}"
    assert explained("Node 7") == "Node 7"


def test_only_the_first_mention_of_a_term_is_marked() -> None:
    text = marked("A tombstone, two tombstones.")
    assert text.count("<a ") == 1
    assert text.startswith('A <a href="tombstone" title="A stretch')
    assert text.endswith("</a>, two tombstones.")


def test_the_longest_term_is_marked_and_parts_of_words_are_not() -> None:
    assert ">KV plane</a>" in marked("The KV plane is full.")
    assert "<a " not in marked("Anodes and prefixed.")


def test_a_marked_text_is_escaped() -> None:
    assert marked("a < b\n<b>") == "a &lt; b<br>&lt;b&gt;"


def test_words_with_an_everyday_meaning_are_marked_where_a_text_says_so() -> None:
    assert "<a " not in marked("a new key")
    assert ">key</a>" in marked("a new key", "key")
    assert ">new</a>" not in marked("a new key", "key")
