"""The page of an empty conversation: prompts that send, and the demo's way to real models."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from app.chat.first_page import FirstPage
from app.core.session.records import EnginePhase
from app.models.logic.shelf import FAMILY
from tests.app.conftest import Desk, MakeDesk
from tests.present import present


def prompts(desk: Desk) -> list[QPushButton]:
    return [button for button in desk.window.chat.first.prompts if button.isVisible()]


@pytest.fixture
def demo(make_desk: MakeDesk) -> Desk:
    """A window whose model counts as the bundled one."""
    desk = make_desk()
    desk.bridge.open_model(Path("/app/assets/demo_model"))
    desk.until(lambda: desk.session.engine.phase is EnginePhase.READY)
    desk.settle()
    return desk


class TestPrompts:
    def test_one_click_sends_what_the_button_says(self, desk: Desk) -> None:
        first, *others = prompts(desk)
        assert len(others) == 2
        desk.qtbot.mouseClick(first, Qt.MouseButton.LeftButton)
        desk.until(lambda: not desk.session.busy)
        assert desk.turns[0].text == "Explain in three sentences why the sky is blue."
        assert desk.turns[0].text == first.text()
        assert not desk.window.chat.first.isVisible()

    def test_they_are_reached_and_pressed_by_keyboard(self, desk: Desk) -> None:
        second = prompts(desk)[1]
        second.setFocus(Qt.FocusReason.TabFocusReason)
        QTest.keyClick(second, Qt.Key.Key_Space)
        desk.until(lambda: not desk.session.busy)
        assert desk.turns[0].text == second.text()

    def test_what_is_in_the_composer_stays_there(self, desk: Desk) -> None:
        desk.window.chat.composer.set_text("half a thought")
        prompts(desk)[0].click()
        desk.until(lambda: not desk.session.busy)
        assert desk.window.chat.composer.text == "half a thought"

    def test_without_a_model_there_are_none(self, make_desk: MakeDesk) -> None:
        assert prompts(make_desk()) == []

    def test_after_the_first_conversation_there_are_none(self, desk: Desk) -> None:
        desk.say("Hello")
        desk.window.menus.new.trigger()
        assert desk.window.chat.first.isVisible()
        assert prompts(desk) == []

    def test_where_room_is_short_the_last_parts_go_first(self, qtbot: object, desk: Desk) -> None:
        page = desk.window.chat.first
        page.resize(400, 60)
        shown = [part.isVisible() for part in page._parts]
        assert shown == sorted(shown, reverse=True)
        assert shown[0]
        assert not shown[-1]


class TestDemo:
    def test_its_prompts_are_what_it_was_trained_for(self, demo: Desk) -> None:
        assert [button.text() for button in prompts(demo)] == [
            "My name is Ada and my lucky number is 27.",
            "How does the cache work?",
            "Tell me a joke.",
        ]

    def test_real_models_that_fit_are_named_and_lead_to_their_page(self, demo: Desk) -> None:
        page = demo.window.chat.first
        demo.until(lambda: bool(page.models))
        assert 1 <= len(page.models) <= 3
        assert set(page.models) <= {known.repo for known in FAMILY}
        key, button = next(iter(page.models.items()))
        assert button.text().startswith(f"{key.partition('/')[2]} · ")
        assert button.text().endswith(" GiB")
        demo.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        window = present(demo.window.models.window)
        row = present(window.model.rows[window.list.currentIndex().row()].entry)
        assert row.key == key
        window.close()

    def test_all_models_are_one_click_away(self, demo: Desk) -> None:
        demo.qtbot.mouseClick(demo.window.chat.first.get, Qt.MouseButton.LeftButton)
        present(demo.window.models.window).close()

    def test_another_model_is_no_demo(self, desk: Desk) -> None:
        desk.settle()
        assert not desk.window.chat.first.get.isVisible()


def test_names_that_are_no_longer_suggested_go(qtbot: object, desk: Desk) -> None:
    page = FirstPage(desk.window)
    page.show_models([("a", "A · 1 GiB"), ("b", "B · 2 GiB")])
    page.show_models([("b", "B · 2 GiB")])
    assert list(page.models) == ["b"]
