"""What the rows of events are called, in both languages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from typing import get_args

import pytest

from app.core.words import language
from app.core.words.engine_words import said
from app.debugger.timeline.logic.events import KIND_OF, row_name, short_name
from engine.cache.eviction.cause import Cause
from engine.cache.tiers.by_hand import Deed
from engine.cache.tiers.intake import Intake
from engine.stored_state import Provenance
from engine.verdict import VerdictStatus

WORDS = (
    *(*Cause, *Intake, *get_args(Provenance), *get_args(VerdictStatus), *get_args(Deed)),
    *("host", "disk", "by user", "checkpoint"),
)


@pytest.fixture
def chinese() -> Iterator[None]:
    language.speak("zh_CN")
    yield
    language.speak(language.ENGLISH)


def test_where_a_row_was_and_went_stands_before_its_cause() -> None:
    kind = KIND_OF["kv_evicted"]
    assert short_name(kind, "kv pressure", "host", "disk") == "KV · host → disk: kv pressure"
    assert row_name(kind, "kv pressure", "host") == "KV evicted: kv pressure · host"
    assert short_name(kind, "", "device", "") == "KV"


@pytest.mark.usefixtures("chinese")
@pytest.mark.parametrize("word", [word for word in WORDS if word != Intake.TAKEN])
def test_no_word_of_the_engine_is_left_in_english(word: str) -> None:
    assert not re.search("[a-z]", said(word))
    kind = KIND_OF["kv_evicted"]
    for tier, copy in product(("device", "host"), ("", "disk")):
        assert not re.search("[a-z:]", short_name(kind, word, tier, copy))
