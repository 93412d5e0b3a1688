"""Days in words, in English and in another language."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime

import pytest

from app.core.words.format import long_day, moment, short_day
from app.core.words.language import speak

TODAY = date(2026, 11, 21)


def test_english() -> None:
    assert short_day(date(2026, 5, 3), TODAY) == "3 May"
    assert short_day(date(2025, 5, 3), TODAY) == "3 May 2025"
    assert long_day(date(2026, 11, 19), TODAY) == "Thursday, 19 November"
    assert long_day(date(2025, 12, 31), TODAY) == "Wednesday, 31 December 2025"
    assert moment(datetime(2026, 11, 21, 17, 49)) == "21 November 2026, 17:49"


@pytest.fixture
def in_chinese() -> Iterator[None]:
    speak("zh_CN")
    yield
    speak("en")


@pytest.mark.usefixtures("in_chinese")
def test_chinese() -> None:
    assert short_day(date(2025, 5, 3), TODAY) == "2025年5月3日"
    assert long_day(date(2026, 11, 19), TODAY) == "11月19日星期四"
    assert moment(datetime(2026, 11, 21, 17, 49)) == "2026年11月21日 17:49"
