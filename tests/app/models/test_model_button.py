"""The button of the model in the chat's header, in the window on a fake engine."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.core.session.records import EnginePhase
from tests.app.conftest import Desk, MakeDesk


def offered(desk: Desk) -> list[str]:
    """The entries of its menu, without places and mnemonics."""
    menu = desk.window.model_button.models
    menu.aboutToShow.emit()
    actions = [one for one in menu.actions() if not one.isSeparator()]
    return [one.text().partition("\t")[0].replace("&", "") for one in actions]


ALWAYS = ["Models", "Open model…", "Connect…", "Weights and experts…"]


class TestState:
    def test_it_names_the_open_model_and_its_tooltip_has_the_details(self, desk: Desk) -> None:
        button = desk.window.model_button
        assert (button.state, button.text()) == ("Qwen3.5-0.8B", "Qwen3.5-0.8B")
        assert button.accessibleName() == "Model: Qwen3.5-0.8B"
        assert "parameters in" in button.toolTip()
        assert desk.window.chat.isAncestorOf(button)

    def test_without_one_it_offers_to_open_one(self, make_desk: MakeDesk) -> None:
        desk = make_desk()
        assert desk.window.model_button.state == "Open a model"
        assert offered(desk) == ALWAYS

    def test_while_one_is_opened_it_says_how_far(self, make_desk: MakeDesk) -> None:
        desk = make_desk(steps=1)
        desk.bridge.open_model(Path("/models/large"))
        desk.until(lambda: desk.session.engine.fraction is not None)
        desk.loop.hold = True
        assert desk.window.model_button.state == "Loading 33%"
        assert offered(desk)[0] == "Cancel opening the model"
        desk.loop.hold = False
        desk.until(lambda: desk.session.engine.phase is EnginePhase.READY)
        assert desk.window.model_button.state == "Qwen3.5-0.8B"

    def test_a_long_name_is_shortened_in_its_middle(self, desk: Desk) -> None:
        from dataclasses import replace

        from app.core.session.changes import Changed
        from tests.present import present

        long = "A-model-with-quite-a-long-name-that-nobody-would-read-whole-35B-A3B-int4"
        model = replace(present(desk.session.engine.model), name=long)
        desk.session.engine = replace(desk.session.engine, model=model)
        desk.window.apply(frozenset({Changed.ENGINE}))
        desk.settle()
        button = desk.window.model_button
        assert button.state == long
        assert "…" in button.text()
        assert button.text().endswith("int4")
        assert button.width() <= 260


class TestMenu:
    def test_recent_models_come_first_and_what_it_runs_on_last(self, desk: Desk) -> None:
        desk.open("other")
        desk.until(lambda: len(desk.window.recent.folders) == 2)
        assert offered(desk) == ["1  other", "2  model", *ALWAYS, "bfloat16 on cpu"]
        last = desk.window.model_button.models.actions()[-1]
        assert not last.isEnabled()

    def test_one_is_switched_to_by_keyboard(self, desk: Desk) -> None:
        desk.open("other")
        desk.until(lambda: len(desk.window.recent.folders) == 2)
        button = desk.window.model_button
        assert button.focusPolicy() & Qt.FocusPolicy.TabFocus
        menu = button.models
        menu.popup(button.mapToGlobal(button.rect().bottomLeft()))
        menu.setActiveAction(desk.window.recent.actions[1])
        QTest.keyClick(menu, Qt.Key.Key_Return)
        desk.until(lambda: desk.bridge.folder == Path("/models/model"))
        menu.close()

    def test_a_conversation_with_another_model_can_be_answered_by_either(self, desk: Desk) -> None:
        desk.say("Hello")
        desk.window.menus.new.trigger()
        desk.open("other")
        desk.until(lambda: desk.session.coming is None and len(desk.loops) == 2)
        desk.until(lambda: desk.session.engine.phase is EnginePhase.READY)
        desk.window.drafts.select(desk.session.conversations[1].id)
        assert "Open this conversation's model" in offered(desk)
        assert "Go on with the open model" in offered(desk)
