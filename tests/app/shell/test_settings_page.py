"""Ctrl+,: the page of settings, by keyboard and by mouse; each one takes effect as it promises."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QMessageBox, QPushButton

from app.core.log import logging_to_file
from app.core.options.shared import default_cache_dir
from app.core.places import PLACE_IDS
from app.core.preferences.book import Book
from app.core.preferences.table import SPECS
from app.core.preferences.words import WORDS
from app.core.store.downloads import downloads
from app.core.words.tr import set_texts
from app.settings.form import ChoiceField, FlagField, NumberField, ShareField
from app.settings.page.page import SettingsPage
from app.settings.page.rows import FormRow
from app.settings.page.shortcuts import ShortcutRow
from app.settings.page.storage import PlaceRow
from app.ui import motion, theme
from engine.commands import AuditInBackground, DropCache, Tune
from engine.events import Tuned
from tests.app.conftest import Desk, MakeDesk
from tests.app.core.preferences.test_book import OTHER
from tests.mostly_slow import mostly_slow
from tests.present import present

_Key = Qt.Key
CONTROL = Qt.KeyboardModifier.ControlModifier
NOTHING_HELD = Qt.KeyboardModifier.NoModifier


@pytest.fixture
def desk(make_desk: MakeDesk, tmp_path: Path) -> Desk:
    desk = make_desk()
    desk.window.book.path = tmp_path / "settings.json"
    desk.bridge.settings.config = desk.window.book.config(desk.bridge.settings.config)
    desk.window.resize(1100, 800)
    desk.window.activateWindow()
    desk.window.chat.composer.focus()
    return desk


def opened(desk: Desk, *, folded: bool = False) -> SettingsPage:
    """The page, opened by its key; all its rows are there unless it is `folded`."""
    focused = present(QApplication.focusWidget())
    desk.qtbot.keyClick(focused, _Key.Key_Comma, CONTROL)
    assert desk.window.settings_page.on_screen
    page = present(desk.window.settings_page.page)
    for part in page.parts:
        if part.fold is not None:
            part.fold.setChecked(not folded)
    return page


def enter(desk: Desk, page: SettingsPage, name: str, value: Any) -> None:
    """Change a setting as a user would who has no mouse."""
    field = page.settings[name].field
    if isinstance(field, ChoiceField):
        field.setFocus()
        desk.qtbot.keyClick(field, _Key.Key_Home)
        values = SPECS[name].kind.values  # type: ignore[attr-defined]
        for _ in range(values.index(value)):
            desk.qtbot.keyClick(field, _Key.Key_Down)
    elif isinstance(field, FlagField):
        desk.qtbot.keyClick(field, _Key.Key_Space)
    elif isinstance(field, ShareField):
        desk.qtbot.keyClick(field, _Key.Key_Home)
        for _ in range(round(value * 20)):
            desk.qtbot.keyClick(field, _Key.Key_Right)
    else:
        assert isinstance(field, NumberField)
        field.selectAll()
        shown = value >> 20 if name.endswith("_bytes") else value
        before = len(desk.window.book.overruled), desk.window.book.saved
        desk.qtbot.keyClicks(field, str(shown))
        # Not before it is meant: 4096 begins with 4.
        assert before == (len(desk.window.book.overruled), desk.window.book.saved)
        desk.qtbot.keyClick(field, _Key.Key_Return)


def posted(desk: Desk, kind: type) -> list[Any]:
    return [command for command in desk.loop.posted if isinstance(command, kind)]


class TestEverySetting:
    @pytest.mark.slow
    @pytest.mark.parametrize("name", [name for name in SPECS if name != "shortcuts"])
    def test_the_keyboard_sets_it_for_good(self, desk: Desk, name: str) -> None:
        page = opened(desk)
        enter(desk, page, name, OTHER[name])
        assert desk.window.book.now(name) == OTHER[name]
        assert Book(desk.window.book.path).now(name) == OTHER[name]
        row = page.settings[name]
        assert not row.problem.isVisible()
        row.reset.click()
        assert desk.window.book.is_default(name)
        assert Book(desk.window.book.path).is_default(name)
        theme.keeper().set_mode("system")

    def test_each_has_words_and_a_row(self, desk: Desk) -> None:
        assert WORDS.keys() == SPECS.keys()
        assert opened(desk).settings.keys() == SPECS.keys() - {"shortcuts"}

    def test_a_row_says_when_it_counts_if_that_is_not_at_once(self, desk: Desk) -> None:
        for name, row in opened(desk).settings.items():
            at_once = SPECS[name].effect == "live"
            assert row.effect.isVisibleTo(row) is not at_once
            assert at_once or row.effect.text().startswith("Takes effect ")


class TestAdvanced:
    def test_it_is_folded_until_it_is_wanted(self, desk: Desk) -> None:
        page = opened(desk, folded=True)
        assert page.settings["cache_bytes"].isVisibleTo(page)
        assert not page.settings["policy"].isVisibleTo(page)
        fold = present(next(part for part in page.parts if part.section.id == "cache").fold)
        fold.setFocus()
        desk.qtbot.keyClick(fold, _Key.Key_Space)
        assert page.settings["policy"].isVisibleTo(page)
        assert not page.settings["threads"].isVisibleTo(page)
        assert desk.window.layout_controller.state().unfolded == ("settings.cache",)

    def test_a_search_looks_into_it_and_a_link_opens_it(self, desk: Desk) -> None:
        page = opened(desk, folded=True)
        desk.qtbot.keyClicks(page.search, "threads")
        assert page.settings["threads"].isVisibleTo(page)
        page.search.clear()
        assert not page.settings["threads"].isVisibleTo(page)
        page.show_setting("threads")
        assert page.settings["threads"].isVisibleTo(page)

    def test_it_says_what_in_it_is_changed(self, desk: Desk) -> None:
        page = opened(desk, folded=True)
        fold = present(next(part for part in page.parts if part.section.id == "model").fold)
        assert fold.text() == "Advanced"
        desk.window.preferences.set("threads", 3)
        assert fold.text() == "Advanced · 1 changed"
        desk.window.book.reset("threads")


class TestAtOnce:
    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("name", "look"),
        [
            ("theme", lambda desk: theme.current().dark),
            ("text_px", lambda desk: theme.message_px(14) == OTHER["text_px"]),
            ("reduced_motion", lambda desk: motion.reduced()),
            ("evict_deleted", lambda desk: desk.session.removals.always),
            ("background_audit", lambda desk: desk.window.menus.audit.isChecked()),
        ],
    )
    def test_it_counts(self, desk: Desk, name: str, look: Callable[[Desk], bool]) -> None:
        page = opened(desk)
        assert not look(desk)
        enter(desk, page, name, OTHER[name])
        assert look(desk)
        page.settings[name].reset.click()
        assert not look(desk)

    def test_the_idle_audit_reaches_the_engine(self, desk: Desk) -> None:
        desk.open()
        enter(desk, opened(desk), "background_audit", True)
        assert posted(desk, AuditInBackground)[-1].on

    def test_the_key_that_sends(self, desk: Desk) -> None:
        desk.open()
        enter(desk, opened(desk), "send_key", "ctrl+enter")
        desk.window.settings_page.close()
        composer = desk.window.chat.composer
        field = present(composer.focusWidget())
        desk.qtbot.keyClicks(field, "One")
        desk.qtbot.keyClick(field, _Key.Key_Return)
        desk.qtbot.keyClicks(field, "Two")
        assert composer.text == "One\nTwo"
        desk.qtbot.keyClick(field, _Key.Key_Return, CONTROL)
        desk.until(lambda: bool(desk.turns))
        assert desk.turns[0].text == "One\nTwo"
        desk.window.book.reset("send_key")

    def test_the_log(self, desk: Desk, tmp_path: Path) -> None:
        with logging_to_file("info", tmp_path / "logs") as log:
            page = opened(desk)
            enter(desk, page, "log_level", "error")
            logging.getLogger("app").warning("Not written.")
            enter(desk, page, "log_level", "debug")
            logging.getLogger("app").debug("Written.")
        text = log.path.read_text(encoding="utf-8")
        assert "Not written." not in text
        assert "Written." in text

    @pytest.mark.slow
    def test_the_menu_sets_it_too(self, desk: Desk) -> None:
        page = opened(desk)
        desk.window.menus.themes["dark"].trigger()
        field = page.settings["theme"].field
        assert isinstance(field, ChoiceField)
        assert field.currentText() == "Dark"
        assert Book(desk.window.book.path).now("theme") == "dark"
        desk.window.book.reset("theme")


class TestAtTheNextRequest:
    @pytest.mark.slow
    @pytest.mark.parametrize("name", [n for n, s in SPECS.items() if s.effect == "request"])
    def test_the_open_model_takes_it_over(self, desk: Desk, name: str) -> None:
        desk.open()
        page = opened(desk)
        enter(desk, page, name, OTHER[name])
        tune = posted(desk, Tune)[-1]
        assert getattr(tune, SPECS[name].engine) == OTHER[name]
        desk.loop.emit(Tuned(number=tune.number, sentence=""))
        desk.until(lambda: SPECS[name].engine not in desk.bridge.settings.waiting())
        desk.bridge.open_model(Path("/models/another"))
        desk.until(lambda: desk.bridge.folder == Path("/models/another"))
        assert getattr(desk.loop.config, SPECS[name].engine) == OTHER[name]

    def test_what_if_goes_before_it(self, desk: Desk) -> None:
        desk.open()
        desk.session.applied.apply(str(desk.bridge.folder), {"interval": 128})
        before = len(posted(desk, Tune))
        page = opened(desk)
        enter(desk, page, "interval", 512)
        assert len(posted(desk, Tune)) == before
        assert "What if has set 128" in page.settings["interval"].note.text()


class TestWhenAModelIsOpened:
    @pytest.mark.slow
    @pytest.mark.parametrize("name", [n for n, s in SPECS.items() if s.effect == "open"])
    def test_the_next_one_has_it(self, desk: Desk, name: str) -> None:
        desk.open()
        page = opened(desk)
        enter(desk, page, name, OTHER[name])
        row = page.settings[name]
        assert "still has its earlier value" in row.note.text()
        assert row.again.isVisible()
        row.again.click()
        desk.until(lambda: len(desk.loops) == 2 and not desk.bridge.settings.waiting())
        assert getattr(desk.loop.config, SPECS[name].engine) == OTHER[name]
        desk.until(lambda: not row.note.isVisible())


class TestAtTheNextStart:
    @pytest.mark.parametrize(
        "name", mostly_slow(n for n, s in SPECS.items() if s.effect == "start")
    )
    def test_it_waits_and_says_so(self, desk: Desk, name: str) -> None:
        page = opened(desk)
        enter(desk, page, name, OTHER[name])
        assert page.settings[name].note.text() == "Waits for the next start."
        page.settings[name].reset.click()
        assert not page.settings[name].note.isVisible()


class TestArrows:
    def test_a_number_counts_once_they_rest(self, desk: Desk) -> None:
        field = opened(desk).settings["decode_interval"].field
        assert isinstance(field, NumberField)
        desk.qtbot.keyClick(field, _Key.Key_Up)
        desk.qtbot.keyClick(field, _Key.Key_Up)
        assert desk.window.book.is_default("decode_interval")
        desk.qtbot.waitUntil(lambda: desk.window.book.now("decode_interval") == 320)

    def test_leaving_the_page_means_what_was_typed(self, desk: Desk) -> None:
        field = opened(desk).settings["threads"].field
        assert isinstance(field, NumberField)
        field.selectAll()
        desk.qtbot.keyClicks(field, "3")
        desk.window.settings_page.close()
        assert desk.window.book.now("threads") == 3


class TestWrongValues:
    def test_are_explained_beside_the_field_and_not_set(self, desk: Desk) -> None:
        page = opened(desk)
        enter(desk, page, "interval", 100)
        row = page.settings["interval"]
        assert row.problem.text() == "Interval C must be a multiple of 64 from 0 to 1048576."
        assert desk.window.book.is_default("interval")
        enter(desk, page, "interval", 128)
        assert not row.problem.isVisible()

    def test_the_command_line_is_named(self, desk: Desk) -> None:
        desk.window.book.overruled["theme"] = "dark"
        page = opened(desk)
        row = page.settings["theme"]
        assert row.note.text() == "The command line of this start says: Dark."
        desk.window.preferences.set("theme", "light")
        assert not row.note.isVisible()
        desk.window.book.reset("theme")

    def test_a_file_that_cannot_be_written_is_told(self, desk: Desk, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("")
        desk.window.book.path = tmp_path / "file" / "settings.json"
        enter(desk, opened(desk), "reduced_motion", True)
        assert motion.reduced()
        assert "cannot be saved" in desk.window.status.notice
        motion.set_reduced(False)


class TestCost:
    def test_of_the_intervals_is_told_for_the_open_model(self, desk: Desk) -> None:
        page = opened(desk)
        assert not page.settings["interval"].cost.isVisible()
        desk.open()
        text = page.settings["interval"].cost.text()
        assert "at most 1,024 tokens, 512 on average" in text
        assert "A checkpoint of this model takes" in text
        assert page.settings["decode_interval"].cost.isVisible()


class TestFinding:
    def test_a_search_leaves_what_matches(self, desk: Desk) -> None:
        page = opened(desk)
        desk.qtbot.keyClicks(page.search, "dark")
        shown = [row.title for part in page.parts for row in part.rows if row.isVisible()]
        assert shown[0] == "Theme"
        assert not page.settings["interval"].isVisible()
        desk.qtbot.keyClick(page.search, _Key.Key_Escape)
        assert page.settings["interval"].isVisibleTo(page)
        desk.qtbot.keyClicks(page.search, "xyzzy")
        assert page.nothing.text() == "No setting is called “xyzzy”."

    def test_english_words_find_a_setting_in_another_language(self, desk: Desk) -> None:
        set_texts({"Theme": "主题", "Light or dark.": "浅色或深色。"})
        try:
            row = FormRow("主题", "浅色或深色。")
        finally:
            set_texts({})
        assert row.matches("theme")
        assert row.matches("dark")
        assert row.matches("主题")
        assert not row.matches("interval")

    def test_the_palette_leads_to_a_setting(self, desk: Desk) -> None:
        desk.qtbot.keyClick(present(QApplication.focusWidget()), _Key.Key_K, CONTROL)
        palette = desk.window.command_palette.palette
        desk.qtbot.keyClicks(palette.field, "interval d")
        desk.qtbot.keyClick(palette.field, _Key.Key_Return)
        page = present(desk.window.settings_page.page)
        row = page.settings["decode_interval"]
        assert row.property("sought")
        assert row.isAncestorOf(present(QApplication.focusWidget()))

    def test_the_list_leads_to_a_section(self, desk: Desk) -> None:
        page = opened(desk)
        item = page.list.item(5)
        at = page.list.visualItemRect(item).center()
        desk.qtbot.mouseClick(page.list.viewport(), Qt.MouseButton.LeftButton, pos=at)
        top = page.area.verticalScrollBar().value()
        assert top > 0
        assert page.list.currentRow() == 5


class TestLeaving:
    def test_the_way_back_leads_to_the_message(self, desk: Desk) -> None:
        page = opened(desk)
        desk.qtbot.keyClick(page.search, _Key.Key_Escape)
        assert not desk.window.settings_page.on_screen
        assert desk.window.chat.composer.isAncestorOf(present(QApplication.focusWidget()))

    def test_a_command_of_the_chat_makes_the_page_give_way(self, desk: Desk) -> None:
        opened(desk)
        desk.window.menus.new.trigger()
        assert not desk.window.settings_page.on_screen

    def test_from_the_debugger_it_leads_back_there(self, desk: Desk) -> None:
        desk.window.debugger.show(True)
        desk.window.menus.settings.trigger()
        assert desk.window.settings_page.on_screen
        present(desk.window.settings_page.page).back.click()
        assert desk.window.debugger.on_screen


class TestShortcuts:
    def row(self, page: SettingsPage, id: str) -> ShortcutRow:
        rows = [row for part in page.parts for row in part.rows if isinstance(row, ShortcutRow)]
        return next(row for row in rows if row.command.id == id)

    def press(self, desk: Desk, row: ShortcutRow, key: Qt.Key, held: Any = NOTHING_HELD) -> None:
        row.field.setFocus()
        desk.qtbot.keyClick(row.field, _Key.Key_Space)
        assert row.field.waits
        desk.qtbot.keyClick(row.field, key, held)

    def test_another_key_counts_at_once_and_is_kept(self, desk: Desk) -> None:
        row = self.row(opened(desk), "new")
        self.press(desk, row, _Key.Key_Y, CONTROL)
        assert row.field.text() == "Ctrl+Y"
        assert desk.window.menus.new.shortcut().toString() == "Ctrl+Y"
        assert Book(desk.window.book.path).now("shortcuts") == (("new", ("Ctrl+Y",)),)
        row.reset.click()
        assert desk.window.menus.new.shortcut().toString() == "Ctrl+N"
        assert desk.window.book.is_default("shortcuts")

    def test_a_clash_is_said_and_can_be_solved(self, desk: Desk) -> None:
        page = opened(desk)
        row = self.row(page, "lab")
        self.press(desk, row, _Key.Key_R, CONTROL)
        assert row.problem.text() == "Ctrl+R is taken by “Regenerate”."
        assert desk.window.menus.lab.shortcut().toString() == "Ctrl+M"
        row.instead.click()
        assert desk.window.menus.lab.shortcut().toString() == "Ctrl+R"
        assert desk.window.menus.regenerate.shortcut().isEmpty()
        assert self.row(page, "regenerate").field.text() == "none"

    def test_keys_of_text_fields_cannot_be_had(self, desk: Desk) -> None:
        row = self.row(opened(desk), "lab")
        self.press(desk, row, _Key.Key_C, CONTROL)
        assert "taken by “text fields”" in row.problem.text()
        assert not row.instead.isVisible()
        self.press(desk, row, _Key.Key_X)
        assert row.problem.text() == "X writes a letter; hold Ctrl or Alt as well."
        self.press(desk, row, _Key.Key_Delete)
        assert row.problem.text() == "Del belongs to fields and lists."
        assert desk.window.book.is_default("shortcuts")

    def test_backspace_takes_them_away_and_escape_changes_nothing(self, desk: Desk) -> None:
        row = self.row(opened(desk), "lab")
        self.press(desk, row, _Key.Key_Escape)
        assert row.field.text() == "Ctrl+M"
        self.press(desk, row, _Key.Key_Backspace)
        assert desk.window.menus.lab.shortcut().isEmpty()
        assert desk.window.settings_page.on_screen

    def test_all_can_be_reset(self, desk: Desk) -> None:
        page = opened(desk)
        self.press(desk, self.row(page, "lab"), _Key.Key_Y, CONTROL)
        buttons = page.findChildren(QPushButton)
        next(one for one in buttons if one.text() == "Reset all").click()
        assert desk.window.menus.lab.shortcut().toString() == "Ctrl+M"


class TestData:
    def test_all_conversations_are_deleted_after_a_question(self, desk: Desk) -> None:
        desk.open()
        for text in ("One", "Two"):
            desk.say(text)
            desk.window.menus.new.trigger()
        self.count(desk)
        self.delete(desk, "conversations")
        box = present(desk.window.findChild(QMessageBox))
        assert box.text() == "Delete all 2 conversations?"
        delete = next(one for one in box.buttons() if one.text() == "Delete")
        delete.click()
        assert all(one.empty for one in desk.session.conversations)

    def test_with_nothing_to_delete_a_sentence_says_so(self, desk: Desk) -> None:
        desk.open()
        desk.window.settings_page.storage.actions()["delete:conversations"]()
        assert desk.window.status.currentMessage() == "There are no conversations to delete."

    def test_what_lies_where_is_counted(self, desk: Desk) -> None:
        segment = default_cache_dir() / ("ab" * 16) / f"{'0f' * 16}.safetensors"
        segment.parent.mkdir(parents=True)
        segment.write_bytes(b"x" * 4096)
        rows = self.count(desk)
        assert rows["cache"].amount.text() == "4.00 KiB"
        assert rows["models"].amount.text() == "nothing"
        assert not rows["models"].buttons[-1].isEnabled()
        # What few people ever have is not there until they do.
        assert rows["downloads"].isHidden()
        assert not rows["models"].isHidden()

    def test_the_cache_is_deleted_after_a_question(self, desk: Desk) -> None:
        desk.open()
        segment = default_cache_dir() / ("ab" * 16) / f"{'0f' * 16}.safetensors"
        segment.parent.mkdir(parents=True)
        segment.write_bytes(b"x" * 4096)
        beside = segment.with_name("notes.txt")
        beside.touch()
        rows = self.count(desk)
        self.delete(desk, "cache")
        box = present(desk.window.findChild(QMessageBox))
        assert box.text() == "Delete Cache files (4.00 KiB)?"
        next(one for one in box.buttons() if one.text() == "Keep").click()
        assert segment.exists()
        self.delete(desk, "cache")
        box = desk.window.findChildren(QMessageBox)[-1]
        next(one for one in box.buttons() if one.text() == "Delete").click()
        desk.until(lambda: not segment.exists())
        # The open engine forgets what it has in memory, too.
        assert any(isinstance(one, DropCache) for one in desk.loop.posted)
        assert beside.exists()
        desk.until(lambda: rows["cache"].amount.text() == "nothing")

    def test_the_open_model_stays(self, desk: Desk) -> None:
        folder = downloads().folder("owner/open")
        storage = desk.window.settings_page.storage
        models = next(one for one in storage.places() if one.id == "models")
        desk.bridge.open_model(folder)
        desk.until(lambda: desk.session.model_folder == str(folder))
        assert storage._kept(models) == (folder,)
        desk.bridge.open_model(Path("/models/elsewhere"))
        desk.until(lambda: desk.session.model_folder == "/models/elsewhere")
        assert storage._kept(models) == ()

    def test_downloads_that_run_are_not_deleted(self, desk: Desk) -> None:
        storage = desk.window.settings_page.storage
        storage.downloading = lambda: True
        storage.actions()["delete:downloads"]()
        assert "pause that in View > Models" in desk.window.status.currentMessage()
        assert desk.window.findChild(QMessageBox) is None

    def test_settings_go_when_the_window_closes(self, desk: Desk) -> None:
        self.count(desk)
        desk.window.settings_page.storage.actions()["delete:settings"]()
        box = present(desk.window.findChild(QMessageBox))
        assert "They go when this window closes." in box.informativeText()
        next(one for one in box.buttons() if one.text() == "Delete").click()
        assert desk.window.settings_page.storage.at_exit == {"settings"}

    def test_everything_goes_with_the_program(self, desk: Desk) -> None:
        self.count(desk)
        ends: list[bool] = []
        desk.window.closed.connect(lambda: ends.append(True))
        desk.window.settings_page.storage.actions()["delete:all"]()
        box = present(desk.window.findChild(QMessageBox))
        next(one for one in box.buttons() if one.text() == "Delete and quit").click()
        assert desk.window.settings_page.storage.at_exit == set(PLACE_IDS)
        assert ends == [True]

    def count(self, desk: Desk) -> dict[str, PlaceRow]:
        """The rows, once everything was counted."""
        page = opened(desk)
        rows = {
            row.id: row for part in page.parts for row in part.rows if isinstance(row, PlaceRow)
        }
        desk.until(lambda: rows["all"].amount.text() != "…")
        return rows

    def delete(self, desk: Desk, id: str) -> None:
        """Press the button of a row with the keyboard."""
        page = present(desk.window.settings_page.page)
        (row,) = (
            row
            for part in page.parts
            for row in part.rows
            if isinstance(row, PlaceRow) and row.id == id
        )
        button = row.buttons[-1]
        button.setEnabled(True)
        button.setFocus()
        desk.qtbot.keyClick(button, _Key.Key_Space)
