"""The list model of the conversations."""

from __future__ import annotations

from PySide6.QtCore import Qt
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from app.chats.model import HEADING, ConversationModel
from app.session.model import Session


class TestConversationModel:
    def test_it_is_a_sound_model(self, qtmodeltester: ModelTester) -> None:
        session = Session()
        session.rename(session.current.id, "One")
        session.new_conversation()
        qtmodeltester.check(ConversationModel(session))

    def test_a_title_changes_without_a_reset(self, qtbot: QtBot) -> None:
        session = Session()
        model = ConversationModel(session)
        session.rename(session.current.id, "Wings")
        with qtbot.assertNotEmitted(model.modelReset), qtbot.waitSignal(model.dataChanged):
            model.refresh()
        assert model.data(model.index(0)) == "Wings"

    def test_editing_asks_for_a_new_name(self, qtbot: QtBot) -> None:
        session = Session()
        model = ConversationModel(session)
        with qtbot.waitSignal(model.renamed) as told:
            model.setData(model.index(0), "New", Qt.ItemDataRole.EditRole)
        assert told.args == [session.current.id, "New"]

    def test_the_first_row_of_a_group_carries_its_heading(self, qtbot: QtBot) -> None:
        session = Session()
        session.rename(session.current.id, "One")
        session.new_conversation()
        session.rename(session.current.id, "Two")
        model = ConversationModel(session)
        assert [model.index(row).data(HEADING) for row in range(2)] == ["Today", ""]
        session.pin(session.conversations[1].id, True)
        model.refresh()
        assert [model.index(row).data() for row in range(2)] == ["One", "Two"]
        assert [model.index(row).data(HEADING) for row in range(2)] == ["Pinned", "Today"]
        spoken = model.index(0).data(Qt.ItemDataRole.AccessibleTextRole)
        assert spoken == "One, pinned"
