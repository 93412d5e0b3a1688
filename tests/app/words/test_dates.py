"""Days in both languages, whatever the locale of the process."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime

import pytest

from app.words import language
from app.words.dates import full_day, moment, short_day

FRIDAY = date(2026, 7, 3)


@pytest.fixture
def chinese() -> Iterator[None]:
    language.speak("zh_CN")
    yield
    language.speak(language.ENGLISH)


def test_english() -> None:
    assert full_day(FRIDAY, year=False) == "Friday, 3 July"
    assert full_day(FRIDAY, year=True) == "Friday, 3 July 2026"
    assert (short_day(FRIDAY, year=False), short_day(FRIDAY, year=True)) == ("3 Jul", "3 Jul 2026")
    assert moment(datetime(2026, 11, 23, 9, 41)) == "23 November 2026, 09:41"


@pytest.mark.usefixtures("chinese")
def test_chinese() -> None:
    assert full_day(FRIDAY, year=False) == "7月3日 星期五"
    assert full_day(FRIDAY, year=True) == "2026年7月3日 星期五"
    assert (short_day(FRIDAY, year=False), short_day(FRIDAY, year=True)) == (
        "7月3日",
        "2026年7月3日",
    )
    assert moment(datetime(2026, 11, 23, 9, 41)) == "2026年11月23日 09:41"
