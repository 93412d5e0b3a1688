"""The language that is set, looked up before the settings are opened for good."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.core.preferences.book import Book
from app.core.preferences.language import saved_language
from app.core.preferences.table import LANGUAGES
from app.core.words import language


def test_what_was_set_is_found(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    assert saved_language(path) == "system"
    Book(path).set("language", "zh_CN")
    assert saved_language(path) == "zh_CN"


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{", '{"settings": 5}', '{"settings": {"appearance.language": ["en"]}}', "\udcff"],
)
def test_a_damaged_file_counts_as_none_and_stays(tmp_path: Path, text: str) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    assert saved_language(path) == "system"
    assert path.exists()


def test_the_setting_offers_what_is_spoken() -> None:
    assert set(LANGUAGES) == set(language.CHOICES)
