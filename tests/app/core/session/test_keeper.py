"""A session and its store: the next start has what this one had."""

from __future__ import annotations

import itertools
import os
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from app.core.session import transfer
from app.core.session.changes import Outcome
from app.core.session.keeper import Keeper
from app.core.session.model import Session
from app.core.session.model_choice import elsewhere
from app.core.session.records import UNTITLED, TurnState
from app.core.store import writer
from app.core.store.export import to_json
from app.core.store.importing import read_file
from app.core.store.opening import open_store
from app.core.store.records import StoreError
from app.core.store.store import Store
from engine import commands, events
from tests.app.core.store.made import conversation
from tests.app.fake_loop import MODEL, messages_of
from tests.app.samples import plan, report

# Goes on from run to run.
CLOCK = itertools.count()


class Run:
    """One run of the program, without a window and an engine.

    Attributes:
        said: sentences for the user.
    """

    def __init__(self, folder: Path) -> None:
        self.said: list[str] = []
        opened = open_store(folder, self.said.append)
        self.store: Store = opened.store
        self.session = Session(clock=self.tick)
        self.keeper = Keeper(self.session, self.store, self.said.append)
        self.keeper.restore()
        self.session.apply(events.EngineReady(model=MODEL))

    def tick(self) -> float:
        return 1000.0 + next(CLOCK)

    def do(self, outcome: Outcome) -> Outcome:
        """Carry out an action, as the bridge does."""
        self.keeper.keep(outcome.changes)
        return outcome

    def ask(self, outcome: Outcome) -> commands.Submit:
        (submit,) = (c for c in self.do(outcome).commands if isinstance(c, commands.Submit))
        return submit

    def stream(self, submit: commands.Submit, text: str) -> None:
        number = submit.request
        self.do(self.session.apply(events.RequestStarted(request=number, plan=plan(10, 0, 5))))
        delta = events.TextDelta(request=number, text=text, channel="answer", tokens=1, time=1.0)
        self.do(self.session.apply(delta))

    def finish(self, submit: commands.Submit, text: str, ids: tuple[int, ...] = (1, 2, 3)) -> None:
        ended = events.RequestFinished(
            request=submit.request,
            stop="end",
            text=text,
            thinking="",
            token_ids=ids,
            report=report(plan(10, 0, 5)),
        )
        self.do(self.session.apply(ended))

    def chat(self, asked: str, answered: str = "Yes.", ids: tuple[int, ...] = (1, 2, 3)) -> None:
        submit = self.ask(self.session.send(asked))
        self.stream(submit, answered[:2])
        self.finish(submit, answered, ids)

    @property
    def shown(self) -> list[tuple[str, list[str]]]:
        """Titles and texts, as a user would see them."""
        found = []
        for one in list(self.session.conversations):
            self.session.select(one.id)
            found.append((one.title, [turn.text for turn in one.turns]))
        return found


Start = Callable[[], Run]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Begin a run, after ending the one before it."""
    runs: list[Run] = []

    def make() -> Run:
        while runs:
            runs.pop().keeper.close()
        runs.append(Run(tmp_path / "data"))
        return runs[-1]

    yield make
    while runs:
        runs.pop().keeper.close()


class TestRestart:
    def test_conversations_and_the_one_on_screen_are_there(self, start: Start) -> None:
        run = start()
        run.chat("One", "First")
        run.chat("Two", "Second")
        run.do(run.session.new_conversation())
        run.chat("Other", "Third")
        first = run.session.conversations[1].id
        run.do(run.session.select(first))
        again = start()
        assert again.session.current.id == first
        assert again.session.current.title == "One"
        assert [turn.text for turn in again.session.current.turns] == [
            "One",
            "First",
            "Two",
            "Second",
        ]
        assert again.shown[0] == ("Other", ["Other", "Third"])
        assert again.said == []

    def test_the_next_prompt_carries_the_generated_ids(self, start: Start) -> None:
        start().chat("One", "First", (5, 6, 7))
        again = start()
        messages = messages_of(again.ask(again.session.send("Two")))
        assert [message.content for message in messages] == ["One", "First", "Two"]
        assert messages[1].token_ids == (5, 6, 7)

    def test_another_models_ids_stay_where_they_are(self, start: Start) -> None:
        start().chat("One", "First", (5, 6, 7))
        again = start()
        other = events.ModelInfo(
            **{n: getattr(MODEL, n) for n in MODEL.__slots__} | {"folder": "/x"}
        )
        again.session.choosing = again.session.current.id
        again.session.apply(events.EngineReady(model=other))
        messages = messages_of(again.ask(again.session.send("Two")))
        assert messages[1].token_ids == ()
        third = start()
        assert third.session.current.turns[1].token_ids == (5, 6, 7)

    def test_the_figures_under_an_answer_are_there(self, start: Start) -> None:
        run = start()
        run.chat("One", "First")
        before = run.session.current.turns[-1]
        after = start().session.current.turns[-1]
        assert after.report == before.report
        assert (after.state, after.stop, after.plan) == (TurnState.DONE, "end", before.plan)

    def test_settings_and_drafts_are_there(self, start: Start) -> None:
        run = start()
        run.chat("One")
        run.do(run.session.set_system("Be kind."))
        run.do(run.session.set_thinking(True))
        run.do(run.session.keep_draft("Half a thou"))
        run.do(run.session.rename(run.session.current.id, "Wings"))
        run.do(run.session.new_conversation())
        run.do(run.session.probe_draft("Another draft"))
        again = start()
        assert again.session.current.draft == "Another draft"
        (other,) = (c for c in again.session.conversations if c.title == "Wings")
        assert (other.system, other.thinking, other.draft, other.named) == (
            "Be kind.",
            True,
            "Half a thou",
            True,
        )

    def test_an_empty_one_is_not_kept(self, start: Start) -> None:
        run = start()
        run.chat("One")
        run.do(run.session.new_conversation())
        run.do(run.session.keep_draft("x"))
        run.do(run.session.keep_draft(""))
        again = start()
        assert [c.title for c in again.session.conversations] == [UNTITLED, "One"]
        assert again.session.current.empty
        assert len(start().session.conversations) == 2

    def test_ids_go_on_where_they_ended(self, start: Start) -> None:
        start().chat("One")
        again = start()
        again.do(again.session.new_conversation())
        again.chat("Two")
        third = start()
        ids = [turn.id for c in third.session.conversations for turn in third.store.messages(c.id)]
        assert len(ids) == len(set(ids)) == 4

    def test_imported_ones_of_one_moment_stay_in_the_order_of_their_file(
        self, start: Start, tmp_path: Path
    ) -> None:
        run = start()
        titles = ["Wing", "Spar", "Rib", "Strut"]
        listed = [conversation(number, title=title) for number, title in enumerate(titles, 1)]
        path = tmp_path / "all.json"
        path.write_text(to_json((replace(one, updated=200.0, named=True), ()) for one in listed))
        run.do(run.keeper.adopt(run.keeper.transfer.receive(path)))
        for one in (run, start()):
            found = [c.title for c in one.session.conversations if c.title != UNTITLED]
            assert found == titles

    def test_pinned_ones_come_first(self, start: Start) -> None:
        run = start()
        run.chat("One")
        first = run.session.current.id
        run.do(run.session.new_conversation())
        run.chat("Two")
        run.do(run.session.pin(first, True))
        assert [title for title, _ in run.shown] == ["One", "Two"]
        assert [title for title, _ in start().shown[:2]] == ["One", "Two"]
        again = start()
        again.do(again.session.pin(first, False))
        assert [title for title, _ in again.shown] == ["Two", "One"]


class TestTree:
    def test_an_edit_and_a_regenerated_answer_leave_the_earlier_ones(self, start: Start) -> None:
        run = start()
        run.chat("One", "First")
        run.finish(run.ask(run.session.regenerate()), "First again")
        asked = run.session.current.turns[0].id
        run.finish(run.ask(run.session.edit(asked, "Uno")), "Primo")
        again = start()
        assert [turn.text for turn in again.session.current.turns] == ["Uno", "Primo"]
        tree = again.store.messages(again.session.current.id)
        texts = {message.id: message.content for message in tree}
        pairs = [(texts.get(m.parent_id or 0), m.content) for m in tree]
        assert pairs == [
            (None, "One"),
            ("One", "First"),
            ("One", "First again"),
            (None, "Uno"),
            ("Uno", "Primo"),
        ]

    def test_what_failed_never_was(self, start: Start) -> None:
        run = start()
        run.chat("One", "First")
        submit = run.ask(run.session.send("Two"))
        failed = events.RequestFailed(request=submit.request, sentence="Too long.")
        run.do(run.session.apply(failed))
        again = start()
        assert [turn.text for turn in again.session.current.turns] == ["One", "First"]
        assert len(again.store.messages(again.session.current.id)) == 2
        assert again.session.current.draft == "Two"


class TestInterrupted:
    def test_a_partial_answer_is_marked_and_can_be_asked_for_again(
        self, start: Start, tmp_path: Path
    ) -> None:
        run = start()
        submit = run.ask(run.session.send("One"))
        run.stream(submit, "Half an ans")
        run.do(run.session.keep_draft("And"))
        again = start()
        turn = again.session.current.turns[-1]
        assert (turn.text, turn.state) == ("Half an ans", TurnState.INTERRUPTED)
        assert not again.session.busy
        assert again.session.current.draft == "And"
        again.finish(again.ask(again.session.regenerate()), "A whole answer")
        assert start().session.current.turns[-1].text == "A whole answer"

    @pytest.mark.parametrize("streamed", ["", "Half an ans"])
    def test_a_first_answer_cut_by_a_kill_goes_on_with_the_model_that_began_it(
        self, start: Start, streamed: str
    ) -> None:
        run = start()
        submit = run.ask(run.session.send("One"))
        run.stream(submit, streamed)
        # Not by the keeper, which would save once more.
        run.store.close()
        again = start()
        other = events.ModelInfo(
            **{n: getattr(MODEL, n) for n in MODEL.__slots__} | {"folder": "/x", "name": "x"}
        )
        again.session.apply(events.EngineReady(model=other))
        assert again.do(again.session.continue_answer()).commands == ()
        asked = elsewhere(again.session)
        assert asked is not None
        assert (asked.folder, asked.waits) == (MODEL.folder, True)

    def test_a_draft_in_a_new_conversation_is_on_screen_after_a_kill(self, start: Start) -> None:
        run = start()
        run.chat("One")
        run.do(run.session.new_conversation())
        run.do(run.session.keep_draft("Half a thou"))
        # Not by the keeper, which would save once more.
        run.store.close()
        assert start().session.current.draft == "Half a thou"

    def test_one_that_had_not_begun(self, start: Start) -> None:
        run = start()
        run.ask(run.session.send("One"))
        again = start()
        assert [turn.state for turn in again.session.current.turns] == [
            TurnState.DONE,
            TurnState.INTERRUPTED,
        ]
        prompt = messages_of(again.ask(again.session.send("Two")))
        assert [message.content for message in prompt] == ["One", "Two"]


class TestDeleting:
    def test_it_can_be_undone_until_the_end(self, start: Start) -> None:
        run = start()
        run.chat("One", "First")
        run.do(run.session.delete(run.session.current.id))
        assert run.store.flush()
        assert len(run.store.deleted()) == 1
        run.do(run.session.restore())
        assert start().shown[0] == ("One", ["One", "First"])

    def test_after_the_end_it_is_gone_for_good(self, start: Start, tmp_path: Path) -> None:
        run = start()
        run.chat("Secretive", "Whispered")
        run.do(run.session.delete(run.session.current.id))
        again = start()
        assert [c.title for c in again.session.conversations] == [UNTITLED]
        again.keeper.close()
        raw = (tmp_path / "data" / "conversations.sqlite").read_bytes()
        assert b"Secretive" not in raw
        assert b"Whispered" not in raw

    def test_only_the_last_one_can_come_back(self, start: Start) -> None:
        run = start()
        for text in ("One", "Two"):
            run.do(run.session.new_conversation())
            run.chat(text)
        for _ in range(2):
            run.do(run.session.delete(run.session.conversations[0].id))
        assert run.store.flush()
        assert len(run.store.deleted()) == 1
        run.do(run.session.restore())
        assert [title for title, texts in start().shown if texts] == ["One"]

    def test_one_that_was_not_opened_in_this_run(self, start: Start) -> None:
        run = start()
        run.chat("One", "First")
        run.do(run.session.new_conversation())
        run.chat("Two", "Second")
        again = start()
        (other,) = (c for c in again.session.conversations if c.title == "One")
        again.do(again.session.delete(other.id))
        again.do(again.session.restore())
        assert ("One", ["One", "First"]) in start().shown

    def test_after_a_kill_it_stays_deleted(self, start: Start, tmp_path: Path) -> None:
        run = start()
        run.chat("One")
        run.do(run.session.delete(run.session.current.id))
        # Not closed by the keeper, so nothing is purged at the end.
        run.store.close()
        again = start()
        assert [c.title for c in again.session.conversations] == [UNTITLED]


class TestFullDisk:
    @pytest.fixture
    def run(self, start: Start, monkeypatch: pytest.MonkeyPatch) -> Run:
        """The answer to "One" is on the disk, which is full now."""
        run = start()
        run.chat("One", "First")
        assert run.keeper.unsaved() == []

        def refuse(*_: object) -> bool:
            raise sqlite3.OperationalError("database or disk is full")

        monkeypatch.setattr(writer, "_commit", refuse)
        return run

    def test_what_is_not_on_it_is_known_until_it_is(
        self, run: Run, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        first = run.session.current
        run.do(run.session.new_conversation())
        assert run.keeper.unsaved() == []
        run.chat("Two", "Second")
        assert run.keeper.unsaved() == [run.session.current]
        run.do(run.session.keep_draft("And"))
        run.do(run.session.select(first.id))
        run.do(run.session.rename(first.id, "Wings"))
        assert len(run.keeper.unsaved()) == 2
        monkeypatch.undo()
        assert run.keeper.unsaved() == []

    @pytest.mark.parametrize("name", ["chat.md", "chat.json"])
    def test_exporting_a_conversation_has_what_is_not_on_it(
        self, run: Run, tmp_path: Path, name: str
    ) -> None:
        run.chat("Two", "Second")
        run.keeper.export(run.session.current.id, tmp_path / name)
        text = (tmp_path / name).read_text()
        assert all(said in text for said in ("One", "First", "Two", "Second"))

    def test_exporting_all_has_what_is_not_on_it(self, run: Run, tmp_path: Path) -> None:
        run.do(run.session.new_conversation())
        run.chat("Two", "Second")
        run.keeper.transfer.write_all(tmp_path / "all.json", run.keeper.listed())
        run.keeper.rescue(tmp_path / "rescued.json")
        for name in ("all.json", "rescued.json"):
            read = read_file(tmp_path / name).conversations
            texts = [[m.content for m in one.messages] for one in read]
            assert texts == [["Two", "Second"], ["One", "First"]]

    def test_an_import_that_cannot_be_saved_is_refused_and_leaves_nothing(
        self, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = tmp_path / "all.json"
        run.keeper.rescue(path)
        with pytest.raises(StoreError, match="none was imported"):
            run.keeper.transfer.receive(path)
        monkeypatch.undo()
        assert run.store.flush()
        assert len(run.store.conversations()) == 1

    def test_a_file_that_was_there_stays_where_the_new_one_cannot_be_written(
        self, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = tmp_path / "chat.md"
        path.write_text("What was exported before.")
        monkeypatch.setattr(transfer, "open_private", lambda _: os.open("/dev/full", os.O_WRONLY))
        with pytest.raises(StoreError, match=r"chat.md cannot be written: No space left"):
            run.keeper.export(run.session.current.id, path)
        assert path.read_text() == "What was exported before."


class TestTrouble:
    def test_one_that_cannot_be_read_says_so_and_the_others_can(
        self, start: Start, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        run = start()
        run.chat("One", "First")
        run.do(run.session.new_conversation())
        run.chat("Two", "Second")
        again = start()
        assert again.store.flush()
        (other,) = (c for c in again.session.conversations if c.title == "One")

        def refuse(_: int) -> None:
            raise StoreError("This part of the conversations cannot be read.")

        monkeypatch.setattr(again.store, "messages", refuse)
        again.do(again.session.select(other.id))
        assert [turn.role for turn in other.turns] == ["error"]
        assert again.said == ["This part of the conversations cannot be read."]
        monkeypatch.undo()
        # Nothing was saved over what could not be read.
        assert ("One", ["One", "First"]) in start().shown
