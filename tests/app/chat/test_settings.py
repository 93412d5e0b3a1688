"""The panel of settings, by keyboard and by mouse, on a fake engine."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QAction, QWheelEvent
from PySide6.QtWidgets import QApplication, QMenu, QPushButton, QWidget

from app.chat.answer_message import AnswerMessage
from app.core.session.settings import NAMES
from app.settings.form import Fold, NumberField
from app.settings.panel import SamplingRow, SettingsPanel
from app.settings.preset_dialog import PresetDialog
from app.ui.widgets import IconButton
from engine.commands import Cancel, Probe, Submit
from engine.config import Sampling
from engine.message import Message
from tests.app.conftest import Desk, MakeDesk
from tests.app.fake_loop import messages_of
from tests.app.settle import settle
from tests.app.sight import cut_labels
from tests.mostly_slow import mostly_slow
from tests.present import present

CONTROL = Qt.KeyboardModifier.ControlModifier
CONTROL_ALT = CONTROL | Qt.KeyboardModifier.AltModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
LEFT = Qt.MouseButton.LeftButton
LONG = "word " * 400
SIZES = [(564, 360), (700, 500), (1000, 670), (1366, 740)]


def panel(desk: Desk) -> SettingsPanel:
    return desk.window.chat.settings


def press(desk: Desk, key: Qt.Key, held: Qt.KeyboardModifier | None = None) -> None:
    """A key to whatever has the focus."""
    target = present(QApplication.focusWidget())
    desk.qtbot.keyClick(target, key, held or Qt.KeyboardModifier.NoModifier)
    settle()


def open_panel(desk: Desk) -> SettingsPanel:
    desk.window.activateWindow()
    desk.window.chat.composer.focus()
    settle()
    press(desk, Qt.Key.Key_Comma, CONTROL_ALT)
    assert panel(desk).isVisible()
    panel(desk).fold.setChecked(True)
    return panel(desk)


def row(desk: Desk, name: str) -> SamplingRow:
    return panel(desk).rows[name]


def enter(desk: Desk, name: str, text: str) -> None:
    """Type into a field, as a user does who replaces what is there."""
    field = row(desk, name).field
    field.setFocus()
    settle()
    press(desk, Qt.Key.Key_A, CONTROL)
    press(desk, Qt.Key.Key_Delete)
    for letter in text:
        if letter == "\n":
            desk.qtbot.keyClick(field, Qt.Key.Key_Return)
        else:
            desk.qtbot.keyClicks(field, letter)
    settle()


def shown(desk: Desk, name: str) -> str:
    field = row(desk, name).field
    return field.lineEdit().text() if isinstance(field, NumberField) else field.toPlainText()


def sent(desk: Desk, text: str = "Hi") -> Submit:
    """What the next message asks of the engine."""
    desk.say(text)
    return next(c for c in reversed(desk.loop.posted) if isinstance(c, Submit))


def mark(desk: Desk) -> str:
    return desk.window.chat.settings_button.text()


class TestOpening:
    def test_by_key_it_takes_the_focus_and_gives_it_back(self, desk: Desk) -> None:
        open_panel(desk)
        assert row(desk, "temperature").field.hasFocus()
        press(desk, Qt.Key.Key_Escape)
        assert not panel(desk).isVisible()
        desk.qtbot.keyClicks(present(QApplication.focusWidget()), "x")
        assert desk.window.chat.composer.text == "x"

    def test_the_key_again_closes_it_from_inside_and_goes_to_it_from_outside(
        self, desk: Desk
    ) -> None:
        open_panel(desk)
        desk.window.chat.composer.focus()
        settle()
        press(desk, Qt.Key.Key_Comma, CONTROL_ALT)
        assert row(desk, "temperature").field.hasFocus()
        press(desk, Qt.Key.Key_Comma, CONTROL_ALT)
        assert not panel(desk).isVisible()

    def test_by_mouse_and_by_menu(self, desk: Desk) -> None:
        button = desk.window.chat.settings_button
        for _ in range(2):
            before = panel(desk).isVisible()
            desk.qtbot.mouseClick(button, LEFT)
            assert panel(desk).isVisible() is not before
            assert button.isChecked() is not before
        desk.window.menus.chat_settings.trigger()
        assert panel(desk).isVisible()
        close = next(
            b for b in panel(desk).findChildren(QWidget) if b.accessibleName().startswith("Close")
        )
        desk.qtbot.mouseClick(close, LEFT)
        assert not panel(desk).isVisible()

    def test_escape_closes_it_and_lets_the_answer_go_on(self, make_desk: MakeDesk) -> None:
        desk = make_desk(answer=lambda _: ("", LONG), steps=1)
        desk.open()
        desk.say("Go", wait=False)
        desk.until(lambda: len(desk.turns[-1].text) > 20)
        open_panel(desk)
        for name in ("temperature", "stop"):
            row(desk, name).field.setFocus()
            press(desk, Qt.Key.Key_Escape)
            assert not panel(desk).isVisible()
            open_panel(desk)
        panel(desk).system.editor.setFocus()
        press(desk, Qt.Key.Key_Escape)
        assert not panel(desk).isVisible()
        assert not any(isinstance(c, Cancel) for c in desk.loop.posted)
        desk.loop.steps = 50
        desk.until(lambda: not desk.session.busy)
        assert desk.turns[-1].stop == "end"

    def test_tab_goes_from_field_to_field(self, desk: Desk) -> None:
        open_panel(desk)
        enter(desk, "top_p", "0.5")
        TestSystemText().write(desk, "Be kind.")
        panel(desk).presets.setFocus()
        names = []
        for _ in range(18):
            focused = present(QApplication.focusWidget())
            text = focused.text() if isinstance(focused, QPushButton | Fold) else ""
            names.append(text or focused.accessibleName())
            press(desk, Qt.Key.Key_Tab)
        assert names == [
            "Presets",
            "Close the settings",
            "Reset all",
            "Temperature",
            "Max tokens",
            "Advanced · 1 changed",
            "Top-p, changed",
            "Top-k",
            "Min-p",
            "Repetition",
            "Presence",
            "Seed",
            "Stop at",
            "Answer as JSON schema",
            "Reset Top-p",
            "System text",
            "Revert",
            "Apply",
        ]

    def test_every_field_says_what_it_is(self, desk: Desk) -> None:
        open_panel(desk)
        names = [row(desk, name).field.accessibleName() for name in NAMES]
        assert len(set(names)) == len(NAMES)
        assert all(names)
        buttons = panel(desk).findChildren(QPushButton)
        assert all(b.accessibleName() or b.text() for b in buttons)

    @pytest.mark.parametrize("size", mostly_slow((size,) for size in SIZES), ids=str)
    def test_the_conversation_stays_usable(self, desk: Desk, size: tuple[int, int]) -> None:
        desk.say(LONG)
        desk.window.resize(*size)
        desk.until(lambda: desk.window.size().width() == size[0])
        open_panel(desk)
        settle()
        chat = desk.window.chat
        composer = chat.composer
        assert composer.visibleRegion().boundingRect() == composer.rect()
        assert cut_labels(composer) == []
        assert composer.width() >= 280
        assert not frame(panel(desk)).intersects(frame(composer))
        over = frame(panel(desk)).intersects(frame(chat.view))
        assert over == (chat.width() < 560 + panel(desk).width())
        if size[1] >= 670:
            assert chat.view.height() >= 150
            assert panel(desk).height() >= 250
        desk.say("Still here")
        assert desk.turns[-2].text == "Still here"


def frame(widget: QWidget) -> Any:
    return widget.rect().translated(widget.mapToGlobal(QPoint(0, 0)))


class TestFields:
    def test_every_setting_reaches_the_next_message(self, desk: Desk) -> None:
        open_panel(desk)
        wanted = Sampling(0.3, 7, 0.8, 0.05, 1.2, -1.5, 99, 42, ("END", "\n\n"))
        typed = {
            "temperature": "0,3",
            "top_k": "7",
            "top_p": ".8",
            "min_p": "0.05",
            "repetition_penalty": "1.2",
            "presence_penalty": "-1.5",
            "max_tokens": "99",
            "seed": "42",
            "stop": "END\n\\n\\n",
        }
        for name, text in typed.items():
            enter(desk, name, text)
        assert mark(desk) == "9"
        assert sent(desk).sampling == wanted
        assert shown(desk, "temperature") == "0,3"

    def test_a_change_while_an_answer_runs_is_for_the_next_one(self, make_desk: MakeDesk) -> None:
        desk = make_desk(answer=lambda _: ("", LONG), steps=1)
        desk.open()
        desk.say("Go", wait=False)
        desk.until(lambda: len(desk.turns[-1].text) > 20)
        open_panel(desk)
        enter(desk, "max_tokens", "3")
        desk.loop.steps = 100
        desk.until(lambda: not desk.session.busy)
        assert desk.turns[-1].stop == "end"
        assert sent(desk).sampling.max_tokens == 3
        assert answer_of(desk).turn.stop == "length"

    @pytest.mark.parametrize(
        ("name", "text", "sentence"),
        [
            ("temperature", "200", "Temperature is 200.0; it must be a number from 0 to 100."),
            ("temperature", "warm", "Temperature is 'warm'; it must be a number from 0 to 100."),
            ("top_p", "1.5", "Top-p is 1.5; it must be a number from 0 to 1."),
            ("top_k", "-1", "Top-k is -1; it must be a whole number of at least 0."),
            ("max_tokens", "0", "Max tokens is 0; it must be a whole number of at least 1."),
            ("seed", "x", "Seed is 'x'; it must be a whole number, or empty."),
        ],
    )
    def test_a_wrong_value_is_explained_and_not_applied(
        self, desk: Desk, name: str, text: str, sentence: str
    ) -> None:
        open_panel(desk)
        enter(desk, name, text)
        assert row(desk, name).problem.text() == sentence
        desk.window.chat.composer.focus()
        settle()
        assert shown(desk, name) == text
        assert sent(desk).sampling == Sampling()
        assert shown(desk, name) == text
        desk.qtbot.mouseClick(row(desk, name).reset, LEFT)
        assert row(desk, name).problem.text() == ""
        assert shown(desk, name) == ("" if name == "seed" else f"{getattr(Sampling(), name):g}")

    def test_a_wrong_value_leaves_the_one_before_it(self, desk: Desk) -> None:
        """Not what was typed on the way: 20 is valid, 200 is not."""
        open_panel(desk)
        enter(desk, "temperature", "0.3")
        row(desk, "top_k").field.setFocus()
        settle()
        enter(desk, "temperature", "200")
        assert sent(desk).sampling.temperature == 0.3

    def test_an_emptied_field_is_the_default_once_left(self, desk: Desk) -> None:
        open_panel(desk)
        enter(desk, "temperature", "0.1")
        enter(desk, "temperature", "")
        assert shown(desk, "temperature") == ""
        assert sent(desk).sampling.temperature == 0.7
        desk.window.chat.composer.focus()
        settle()
        assert shown(desk, "temperature") == "0.7"

    def test_an_emptied_seed_is_random_even_if_the_start_gave_one(
        self, make_desk: MakeDesk
    ) -> None:
        desk = make_desk()
        desk.session.given = {"seed": 5}
        desk.open()
        open_panel(desk)
        assert shown(desk, "seed") == "5"
        enter(desk, "seed", "")
        assert row(desk, "seed").field.lineEdit().placeholderText() == "random"  # type: ignore[union-attr]
        assert sent(desk).sampling.seed is None
        assert mark(desk) == "1"
        row(desk, "seed").reset.click()
        assert sent(desk).sampling.seed == 5

    def test_arrows_and_page_keys_step(self, desk: Desk) -> None:
        open_panel(desk)
        for key, text in (
            (Qt.Key.Key_Up, "0.8"),
            (Qt.Key.Key_Down, "0.7"),
            (Qt.Key.Key_Down, "0.6"),
            (Qt.Key.Key_PageDown, "0"),
        ):
            press(desk, key)
            assert shown(desk, "temperature") == text
        assert sent(desk).sampling.temperature == 0.0

    def test_the_arrows_of_a_field_by_mouse(self, desk: Desk) -> None:
        open_panel(desk)
        field = row(desk, "top_k").field
        desk.qtbot.mouseClick(field, LEFT, pos=QPoint(field.width() - 9, 7))
        assert shown(desk, "top_k") == "21"
        desk.qtbot.mouseClick(field, LEFT, pos=QPoint(field.width() - 9, field.height() - 7))
        desk.qtbot.mouseClick(field, LEFT, pos=QPoint(field.width() - 9, field.height() - 7))
        assert sent(desk).sampling.top_k == 19

    def test_over_the_messages_they_make_way_for_what_is_focused_behind_them(
        self, desk: Desk
    ) -> None:
        desk.say("Hello")
        desk.window.resize(1000, 700)
        open_panel(desk)
        settle()
        desk.window.chat.composer.focus()
        assert panel(desk).isVisible()
        buttons = desk.window.chat.view.findChildren(IconButton)
        behind = max(buttons, key=lambda one: one.mapTo(desk.window, QPoint(0, 0)).x())
        behind.setFocus(Qt.FocusReason.TabFocusReason)
        assert not panel(desk).isVisible()
        assert behind.hasFocus()

    def test_the_wheel_scrolls_and_changes_nothing(self, desk: Desk) -> None:
        desk.window.resize(1000, 500)
        open_panel(desk)
        bar = panel(desk)._area.verticalScrollBar()
        assert bar.maximum() > 0
        for name in ("temperature", "top_p"):
            field = row(desk, name).field
            assert isinstance(field, NumberField)
            wheel(field.lineEdit())
        assert bar.value() > 0
        assert sent(desk).sampling == Sampling()

    def test_a_changed_one_is_marked_and_reset(self, make_desk: MakeDesk) -> None:
        desk = make_desk()
        desk.session.given = {"top_k": 7}
        desk.open()
        open_panel(desk)
        assert mark(desk) == ""
        for name, default, source in (
            ("temperature", "0.7", "Biplane's own default"),
            ("top_k", "7", "start option"),
        ):
            reset = row(desk, name).reset
            assert not reset.isVisible()
            enter(desk, name, "3")
            assert reset.isVisible()
            assert reset.toolTip() == f"Reset to {default} ({source})"
            assert row(desk, name).field.accessibleName().endswith(", changed")
        press(desk, Qt.Key.Key_Escape)
        assert mark(desk) == "2"
        button = desk.window.chat.settings_button
        assert button.accessibleName() == "Settings: Temperature, Top-k changed"
        open_panel(desk)
        desk.qtbot.mouseClick(row(desk, "temperature").reset, LEFT)
        assert (mark(desk), shown(desk, "temperature")) == ("1", "0.7")
        desk.qtbot.mouseClick(panel(desk).reset_all, LEFT)
        assert (mark(desk), shown(desk, "top_k")) == ("", "7")
        assert not panel(desk).reset_all.isVisible()

    def test_each_conversation_has_its_own(self, desk: Desk) -> None:
        desk.say("One")
        first = desk.session.current.id
        open_panel(desk)
        enter(desk, "temperature", "0")
        enter(desk, "top_p", "9")
        desk.window.menus.new.trigger()
        assert (shown(desk, "temperature"), mark(desk)) == ("0.7", "")
        assert row(desk, "top_p").problem.text() == ""
        assert sent(desk, "Two").sampling == Sampling()
        desk.window.chats.chosen.emit(first)
        assert (shown(desk, "temperature"), mark(desk)) == ("0", "1")


def wheel(over: QWidget) -> None:
    """A turn of the wheel, which Qt offers to each widget around until one takes it."""
    target: QWidget | None = over
    while target is not None:
        spot = QPointF(target.width() / 2, target.height() / 2)
        event = QWheelEvent(
            spot,
            target.mapToGlobal(spot),
            QPoint(),
            QPoint(0, -120),
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(target, event)
        if event.isAccepted():
            break
        target = target.parentWidget()
    settle()


class TestSystemText:
    def write(self, desk: Desk, text: str) -> None:
        editor = panel(desk).system.editor
        editor.setFocus()
        settle()
        press(desk, Qt.Key.Key_A, CONTROL)
        desk.qtbot.keyClicks(editor, text)

    def test_it_is_applied_only_when_told_to(self, desk: Desk) -> None:
        desk.say("One")
        open_panel(desk)
        system = panel(desk).system
        assert not system.apply_button.isVisible()
        self.write(desk, "Be kind.")
        assert system.apply_button.isVisible()
        assert sent(desk, "Two").prompt[0] == Message("user", "One")
        system.editor.setFocus()
        press(desk, Qt.Key.Key_Return, CONTROL)
        assert not system.apply_button.isVisible()
        assert mark(desk) == "1"
        assert sent(desk, "Three").prompt[0] == Message("system", "Be kind.")

    def test_its_cost_is_told_before(self, desk: Desk) -> None:
        desk.say(LONG)
        desk.window.resize(1000, 600)
        open_panel(desk)
        self.write(desk, "Be kind.")
        system = panel(desk).system
        assert system.cost.text() == ""
        desk.qtbot.waitUntil(lambda: "re-reads" in system.cost.text())
        settle()
        assert system.cost.visibleRegion().boundingRect() == system.cost.rect()
        submit = next(c for c in reversed(desk.loop.posted) if isinstance(c, Submit))
        before = (*messages_of(submit), Message("assistant", desk.turns[-1].text))
        now = desk.loop.plan(tokens_of(desk, (*before, Message("user", ""))))
        changed = (Message("system", "Be kind."), *before, Message("user", ""))
        then = desk.loop.plan(tokens_of(desk, changed))
        assert then.computed > now.computed > 0
        told = f"Applying it re-reads {then.computed + then.replayed:,} tokens "
        told += f"instead of {now.computed + now.replayed}, about 0.18 s."
        assert system.cost.text() == f"2 tokens. {told}"
        press(desk, Qt.Key.Key_Return, CONTROL)
        assert system.cost.text() == "2 tokens."

    def test_while_an_answer_runs_it_is_counted_and_weighed_afterwards(
        self, make_desk: MakeDesk
    ) -> None:
        desk = make_desk(answer=lambda _: ("", LONG), steps=1)
        desk.open()
        desk.say("Go", wait=False)
        desk.until(lambda: len(desk.turns[-1].text) > 20)
        open_panel(desk)
        self.write(desk, "Be kind.")
        cost = panel(desk).system.cost
        wanted = "2 tokens. The cost is shown once the answer is finished."
        desk.qtbot.waitUntil(lambda: cost.text() == wanted)
        desk.loop.steps = 100
        desk.until(lambda: not desk.session.busy)
        desk.qtbot.waitUntil(lambda: "re-reads" in cost.text())

    def test_by_mouse_applied_and_reverted(self, desk: Desk) -> None:
        open_panel(desk)
        system = panel(desk).system
        self.write(desk, "Be kind.")
        desk.qtbot.mouseClick(system.apply_button, LEFT)
        self.write(desk, "Be brief.")
        desk.qtbot.mouseClick(system.revert_button, LEFT)
        assert system.text == "Be kind."
        assert not system.revert_button.isVisible()
        assert sent(desk).prompt[0] == Message("system", "Be kind.")

    def test_closing_keeps_what_is_not_applied(self, desk: Desk) -> None:
        desk.say("One")
        first = desk.session.current.id
        open_panel(desk)
        self.write(desk, "Be ki")
        press(desk, Qt.Key.Key_Escape)
        button = desk.window.chat.settings_button
        assert button.accessibleName().endswith("a system text is not applied yet")
        desk.window.menus.new.trigger()
        open_panel(desk)
        assert panel(desk).system.text == ""
        self.write(desk, "Another")
        desk.window.chats.chosen.emit(first)
        assert panel(desk).system.text == "Be ki"
        desk.window.menus.new.trigger()
        assert panel(desk).system.text == "Another"

    def test_tab_leaves_the_field(self, desk: Desk) -> None:
        open_panel(desk)
        panel(desk).system.editor.setFocus()
        press(desk, Qt.Key.Key_Tab)
        assert not panel(desk).system.editor.hasFocus()
        assert panel(desk).system.text == ""


def tokens_of(desk: Desk, messages: tuple[Message, ...]) -> list[int]:
    return desk.loop._text.prompt(Probe(0, messages))[0]


class TestPresets:
    def items(self, desk: Desk, *path: str) -> list[QAction]:
        button = panel(desk).presets
        menu = present(button.menu())
        menu.aboutToShow.emit()
        for name in path:
            found = next(a for a in menu.actions() if a.text() == name)
            inner = found.menu()
            assert isinstance(inner, QMenu)
            menu = inner
        return menu.actions()

    def pick(self, desk: Desk, *path: str) -> None:
        *above, name = path
        next(a for a in self.items(desk, *above) if a.text() == name).trigger()
        settle()

    def dialog(self, desk: Desk) -> PresetDialog:
        return next(d for d in desk.window.findChildren(PresetDialog) if d.isVisible())

    def save(self, desk: Desk, name: str) -> None:
        self.pick(desk, "Save as preset…")
        dialog = self.dialog(desk)
        desk.qtbot.keyClicks(dialog.name, name)
        desk.qtbot.keyClick(dialog.name, Qt.Key.Key_Return)
        settle()

    def test_saved_chosen_renamed_deleted_and_brought_back(self, desk: Desk) -> None:
        open_panel(desk)
        enter(desk, "temperature", "0")
        TestSystemText().write(desk, "You fly.")
        self.save(desk, "Pilot & co")
        panel(desk).reset_all.click()
        panel(desk).system.revert_button.click()
        self.pick(desk, "Pilot && co")
        assert shown(desk, "temperature") == "0"
        assert panel(desk).system.text == "You fly."
        assert panel(desk).system.pending
        assert sent(desk).prompt[0] == Message("user", "Hi")
        panel(desk).system.apply_button.click()
        assert panel(desk).presets.text() == "Pilot & co"
        assert sent(desk, "On").prompt[0] == Message("system", "You fly.")
        self.pick(desk, "Rename", "Pilot && co")
        dialog = self.dialog(desk)
        desk.qtbot.keyClicks(dialog.name, "Flyer")
        desk.qtbot.keyClick(dialog.name, Qt.Key.Key_Return)
        settle()
        assert panel(desk).presets.text() == "Flyer"
        assert not panel(desk).undo.isVisible()
        self.pick(desk, "Delete", "Flyer")
        assert panel(desk).presets.text() == "Presets"
        assert panel(desk).undo.isVisible()
        assert [a.text() for a in self.items(desk)][2] == "No presets yet"
        desk.qtbot.mouseClick(panel(desk).undo, LEFT)
        assert panel(desk).presets.text() == "Flyer"
        assert not panel(desk).undo.isVisible()

    def test_one_is_chosen_by_key(self, desk: Desk) -> None:
        open_panel(desk)
        enter(desk, "temperature", "0")
        self.save(desk, "Strict")
        panel(desk).reset_all.click()
        button = panel(desk).presets
        menu = present(button.menu())

        def choose() -> None:
            for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Return):
                desk.qtbot.keyClick(menu, key)

        desk.window.activateWindow()
        button.setFocus()
        settle()
        # The menu keeps the keys for itself until it closes.
        QTimer.singleShot(50, button, choose)
        desk.qtbot.keyClick(button, Qt.Key.Key_Space)
        desk.qtbot.waitUntil(lambda: shown(desk, "temperature") == "0")
        assert button.text() == "Strict"

    def test_the_models_defaults(self, desk: Desk) -> None:
        open_panel(desk)
        enter(desk, "temperature", "0")
        enter(desk, "top_p", "7")
        self.pick(desk, "Model's defaults")
        assert (shown(desk, "temperature"), shown(desk, "top_p")) == ("0.7", "0.95")
        assert row(desk, "top_p").problem.text() == ""

    def test_a_name_that_is_taken_is_said(self, desk: Desk) -> None:
        open_panel(desk)
        for name in ("One", "Two"):
            self.save(desk, name)
        self.pick(desk, "Rename", "Two")
        dialog = self.dialog(desk)
        dialog.name.setText("one")
        assert dialog.sentence == "Another preset is called “One”."
        desk.qtbot.keyClick(dialog.name, Qt.Key.Key_Return)
        assert dialog.isVisible()
        dialog.close()
        self.pick(desk, "Save as preset…")
        again = self.dialog(desk)
        again.name.setText("ONE")
        assert again.sentence == "“One” is replaced."
        again.sampling.setChecked(False)
        assert again.sentence == "Choose what goes into the preset."
        again.close()
        settle()
        assert [one.name for one in desk.session.presets.saved] == ["One", "Two"]


def answer_of(desk: Desk) -> AnswerMessage:
    widget = desk.window.chat.view.widgets[desk.turns[-1].id]
    assert isinstance(widget, AnswerMessage)
    return widget


class TestContinue:
    @pytest.fixture
    def cut(self, make_desk: MakeDesk) -> Desk:
        """An answer that was cut at the length limit."""
        desk = make_desk(answer=lambda _: ("", "One two three four five six seven eight nine."))
        desk.session.given = {"max_tokens": 4}
        desk.open()
        desk.say("Count")
        return desk

    def test_by_mouse_it_goes_on_in_the_same_message(self, cut: Desk) -> None:
        before, turn = cut.turns[-1].text, cut.turns[-1].id
        button = answer_of(cut).ending.button
        assert answer_of(cut).ending.words.text() == "Cut at the length limit"
        assert button.isVisible()
        cut.qtbot.mouseClick(button, LEFT)
        assert not answer_of(cut).ending.button.isVisible()
        cut.until(lambda: not cut.session.busy)
        assert cut.turns[-1].id == turn
        assert cut.turns[-1].text.startswith(before)
        assert len(cut.turns[-1].text) > len(before)

    def test_by_key_with_a_draft_in_the_composer(self, cut: Desk) -> None:
        before = cut.turns[-1].text
        cut.window.activateWindow()
        cut.window.chat.composer.focus()
        cut.window.chat.composer.set_text("A draft")
        press(cut, Qt.Key.Key_Return, CONTROL | SHIFT)
        cut.until(lambda: not cut.session.busy)
        assert len(cut.turns[-1].text) > len(before)
        assert cut.window.chat.composer.text == "A draft"
        assert len(cut.turns) == 2

    def test_a_finished_answer_offers_nothing(self, desk: Desk) -> None:
        desk.say("Hi")
        assert not answer_of(desk).ending.button.isVisible()
        assert not desk.window.menus.continue_.isEnabled()

    def test_a_stopped_answer_goes_on(self, make_desk: MakeDesk) -> None:
        desk = make_desk(answer=lambda _: ("", LONG), steps=1)
        desk.open()
        desk.say("Go", wait=False)
        desk.until(lambda: len(desk.turns[-1].text) > 20)
        assert not answer_of(desk).ending.button.isVisible()
        assert not desk.window.menus.continue_.isEnabled()
        desk.window.menus.stop.trigger()
        desk.loop.steps = 100
        desk.until(lambda: not desk.session.busy)
        before = desk.turns[-1].text
        assert desk.window.menus.continue_.isEnabled()
        answer_of(desk).ending.button.click()
        desk.until(lambda: not desk.session.busy)
        assert desk.turns[-1].text.startswith(before)
        assert desk.turns[-1].stop == "end"


def test_what_is_folded_stays_so_until_it_is_opened(desk: Desk) -> None:
    desk.window.chat.show_settings(True)
    settle()
    assert row(desk, "temperature").isVisible()
    assert row(desk, "max_tokens").isVisible()
    assert not row(desk, "top_p").isVisible()
    desk.qtbot.mouseClick(panel(desk).fold, LEFT)
    assert row(desk, "top_p").isVisible()
    desk.window.chat.show_settings(False)
    desk.window.chat.show_settings(True)
    assert row(desk, "top_p").isVisible()
    assert desk.window.layout_controller.state().unfolded == ("sampling",)


def test_a_schema_is_sent_with_the_next_message(desk: Desk) -> None:
    schema = '{"type": "object"}'
    open_panel(desk)
    enter(desk, "grammar", schema)
    assert sent(desk).sampling.grammar == schema
    assert row(desk, "grammar").problem.text() == ""
    enter(desk, "grammar", '{"type"')
    assert "is not JSON" in row(desk, "grammar").problem.text()
