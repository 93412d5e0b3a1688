"""The list model of the conversations."""

from __future__ import annotations

from datetime import date

import pytest
from PySide6.QtCore import QModelIndex, Qt
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from app.conversations.logic.steps import headings
from app.conversations.panel import HEADING, PAGE, ConversationModel
from app.core.session.model import Session
from app.core.session.records import Conversation


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


class TestPages:
    @pytest.fixture
    def session(self) -> Session:
        session = Session()
        now = session.current.updated
        ids = range(1000, 11_000)
        many = [
            Conversation(id, f"c{id}", True, updated=now - 3600.0 * (id - 999), pinned=id < 1150)
            for id in ids
        ]
        session.adopt(many, None)
        return session

    def test_rows_come_when_they_are_asked_for_with_the_right_headings(
        self, session: Session, qtbot: QtBot
    ) -> None:
        model = ConversationModel(session)
        assert model.rowCount() == PAGE
        everything = headings(session.conversations, date.today())
        while model.canFetchMore(QModelIndex()):
            with qtbot.assertNotEmitted(model.modelReset):
                model.fetchMore(QModelIndex())
            count = model.rowCount()
            assert [model.index(i).data(HEADING) for i in range(count)] == everything[:count]
            if count > 5 * PAGE:
                break
        ids = [model.conversation_at(model.index(i)) for i in range(model.rowCount())]
        assert ids == [one.id for one in session.conversations[: len(ids)]]

    def test_one_that_is_far_below_is_fetched_only_to_be_renamed(self, session: Session) -> None:
        model = ConversationModel(session)
        assert model.index_of(session.conversations[550].id).row() == 550
        assert model.rowCount() == 600
        far = session.conversations[9000].id
        assert not model.index_of(far).isValid()
        assert model.rowCount() == 600
        assert model.index_of(far, fetch=True).row() == 9000

    def test_a_change_moves_one_row_and_not_all(self, session: Session, qtbot: QtBot) -> None:
        model = ConversationModel(session)
        session.touch(session.conversations[160])
        with qtbot.assertNotEmitted(model.modelReset), qtbot.waitSignal(model.rowsInserted):
            model.refresh(160)
        session.touch(session.conversations[170])
        with qtbot.assertNotEmitted(model.modelReset), qtbot.waitSignal(model.rowsMoved):
            model.refresh(160)
        with qtbot.assertNotEmitted(model.dataChanged), qtbot.assertNotEmitted(model.rowsMoved):
            model.refresh(160)
        assert [model.index(i).data() for i in (149, 150)] == [
            session.conversations[149].title,
            session.conversations[150].title,
        ]
        model.refresh()
        assert model.rowCount() == PAGE

    def test_it_is_a_sound_model(self, session: Session, qtmodeltester: ModelTester) -> None:
        qtmodeltester.check(ConversationModel(session))
