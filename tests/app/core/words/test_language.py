"""Which language is spoken, and what becomes of one that cannot be read."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.core.words import language
from app.core.words.language import TranslationError, finished_texts, read_messages
from app.core.words.tr import set_texts, texts, tr, trn


@pytest.fixture(autouse=True)
def _english_afterwards() -> Iterator[None]:
    yield
    language.speak(language.ENGLISH)


class TestChoice:
    @pytest.mark.parametrize(
        ("environment", "spoken"),
        [
            ({}, "en"),
            ({"LANG": "C.UTF-8"}, "en"),
            ({"LANG": "de_DE.UTF-8"}, "en"),
            ({"LANG": "zh_CN.UTF-8"}, "zh_CN"),
            ({"LANG": "zh_SG"}, "zh_CN"),
            ({"LANG": "zh_TW.UTF-8"}, "en"),
            ({"LANG": "en_GB.UTF-8", "LC_ALL": "zh_CN"}, "zh_CN"),
            ({"LANG": "de_DE.UTF-8", "LANGUAGE": "de:zh_CN:en"}, "zh_CN"),
            ({"LANG": "C", "LANGUAGE": "zh_CN"}, "en"),
        ],
    )
    def test_the_systems(self, environment: dict[str, str], spoken: str) -> None:
        assert language.wanted([], environment) == spoken

    def test_an_option_goes_before_the_environment_and_that_before_the_setting(self) -> None:
        environment = {"LANG": "en_US", language.VARIABLE: "zh_CN"}
        assert language.wanted([], environment, "en") == "zh_CN"
        assert language.wanted(["--language", "en"], environment) == "en"
        assert language.wanted(["--language=en"], environment) == "en"
        assert language.wanted(["--language", "system"], environment, "zh_CN") == "en"

    def test_a_setting_goes_before_the_system(self) -> None:
        assert language.wanted([], {"LANG": "en_US"}, "zh_CN") == "zh_CN"

    def test_a_screenshot_is_english_unless_it_says_otherwise(self) -> None:
        environment = {"LANG": "zh_CN", language.VARIABLE: "zh_CN"}
        assert language.wanted(["--screenshot=x.png"], environment, "zh_CN") == "en"
        named = ["--screenshot", "x.png", "--language", "zh_CN"]
        assert language.wanted(named, environment) == "zh_CN"


class TestSpeaking:
    def test_chinese(self) -> None:
        language.speak("zh_CN")
        assert language.current() == "zh_CN"
        assert tr("New conversation") != "New conversation"

    def test_english_again(self) -> None:
        language.speak("zh_CN")
        language.speak("en")
        assert not texts()

    def test_a_language_without_a_file_leaves_english(self) -> None:
        language.speak("tlh")
        assert language.current() == "en"


class TestPlural:
    def test_english_has_two_forms(self) -> None:
        assert [trn("{n} file", "{n} files", n) for n in (0, 1, 2)] == [
            "{n} files",
            "{n} file",
            "{n} files",
        ]

    def test_another_language_is_looked_up_by_the_form_for_many(self) -> None:
        set_texts({"{n} files": "{n} 个文件"})
        assert trn("{n} file", "{n} files", 1) == "{n} 个文件"


class TestFile:
    def read(self, folder: Path, text: str) -> dict[str, str]:
        path = folder / "some.ts"
        path.write_text(text, encoding="utf-8")
        return finished_texts(read_messages(path))

    def test_what_counts(self, tmp_path: Path) -> None:
        found = self.read(
            tmp_path,
            """<TS><context><name>Biplane</name>
            <message><source>Quit</source><translation>退出</translation></message>
            <message><source>Full</source><comment>disk</comment><translation>已满</translation>
            </message>
            <message numerus="yes"><source>{n} files</source>
            <translation><numerusform>{n} 个文件</numerusform></translation></message>
            <message><source>A</source><translation type="unfinished">甲</translation></message>
            <message><source>B</source><translation type="vanished">乙</translation></message>
            </context></TS>""",
        )
        set_texts(found)
        assert len(found) == 3
        assert (tr("Full", "disk"), tr("Full"), tr("A")) == ("已满", "Full", "A")

    @pytest.mark.parametrize(
        "text",
        ["", "<TS>", "no xml", '<!DOCTYPE TS [<!ENTITY a "aa">]><TS>&a;</TS>'],
    )
    def test_what_cannot_be_read_is_said(self, tmp_path: Path, text: str) -> None:
        with pytest.raises(TranslationError, match=r"some\.ts"):
            self.read(tmp_path, text)

    def test_a_file_that_is_too_long_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(TranslationError, match="too long"):
            self.read(tmp_path, " " * (5 << 20))


def test_the_window_comes_up_in_the_language_of_the_option() -> None:
    """Also constants of modules are translated: the language is set before they are imported."""
    code = (
        "from app.core.words.language import speak; speak('zh_CN');"
        "from app.ui.menus.menus import Menus; from PySide6.QtWidgets import *;"
        "app = QApplication([]); bar = QMenuBar(); menus = Menus(bar);"
        "print(menus.new.text(), menus.edits['copy'].text())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={"QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": ":".join(sys.path), "PATH": ""},
    )
    assert done.stdout.split() == ["新建对话", "复制"]
