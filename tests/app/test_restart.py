"""The whole window on a fake engine, ended and started again: everything is there."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.chat.answer_message import AnswerMessage
from app.core.session import unsent
from app.core.session.attachments import attachment, parted
from app.core.store.connection import NAME
from app.core.store.opening import data_folder
from app.core.store.rows import unpacked
from app.shell.options import parse
from engine.commands import Submit
from tests.app.fake_loop import messages_of
from tests.app.shell.test_run import Run

LONG = "word " * 400


class Program(Run):
    """One start of the program; conversations are those of the start before it."""

    def use(self, *acts: Callable[[], object]) -> None:
        """Start, let each act begin once nothing is running, and quit."""
        options = parse(["--model", "/models/a"])
        steps = [(self.idle, act) for act in acts]
        assert self.go(options, *steps, (self.idle, self.close)) == 0

    def idle(self) -> bool:
        if not self.ready():
            return False
        session = self.window._session
        return session.engine.model is not None and not session.busy

    def say(self, text: str) -> Callable[[], object]:
        def act() -> None:
            self.window.chat.composer.set_text(text)
            self.window.chat.composer.send()

        return act

    @property
    def titles(self) -> list[str]:
        model = self.window.chats.list.model()
        return [model.index(row, 0).data() for row in range(model.rowCount())]

    @property
    def texts(self) -> list[str]:
        return [turn.text for turn in self.window._session.current.turns]


@pytest.fixture(autouse=True)
def on_a_screen(qtbot: QtBot) -> None:
    """These run the program itself."""


class TestRestart:
    def test_what_the_cache_saves_is_told_in_one_start_only(self) -> None:
        told: list[list[str]] = []
        for _ in range(2):
            program = Program()

            def look(program: Program = program) -> None:
                widgets = program.window.chat.view.widgets.values()
                answers = [one for one in widgets if isinstance(one, AnswerMessage)]
                told.append([one.note.words.text() for one in answers if one.note is not None])

            long = program.say("one two three four five six seven eight nine ten " * 3)
            program.use(long, long, long, look)
        (saved,), nothing = told
        assert saved.endswith("not read again")
        assert nothing == []

    def test_everything_is_there_and_the_prompt_is_faithful(self) -> None:
        first = Program()

        def type_something() -> None:
            first.window.chat.composer.set_text("Half a thou")

        first.use(
            first.say("One"),
            first.say("Two"),
            lambda: first.window.menus.new.trigger(),
            first.say("Other"),
            lambda: first.window.chats.chosen.emit(first.window._session.conversations[1].id),
            type_something,
        )
        ids = generated()
        again = Program()
        seen: dict[str, object] = {}

        def look() -> None:
            window = again.window
            widgets = list(window.chat.view.widgets.values())
            answer = widgets[-1]
            assert isinstance(answer, AnswerMessage)
            seen["titles"], seen["texts"] = again.titles, again.texts
            seen["draft"] = window.chat.composer.text
            seen["widgets"] = len(widgets)
            shown = answer.stats.text()
            seen["figures"] = shown.replace("\u00a0", " ").replace("\u2060", "")

        again.use(look, again.say("Three"))
        assert seen["titles"] == ["Other", "One"]
        assert seen["texts"] == ["One", "You said **One**.", "Two", "You said **Two**."]
        assert seen["draft"] == "Half a thou"
        assert seen["widgets"] == 4
        assert re.fullmatch(r"[\d.]+ s · [\d,]+ tok/s", str(seen["figures"]))
        (asked,) = (c for c in again.loops[0].posted if isinstance(c, Submit))
        messages = messages_of(asked)
        assert [m.content for m in messages] == [
            "One",
            "You said **One**.",
            "Two",
            "You said **Two**.",
            "Three",
        ]
        assert [m.token_ids for m in messages if m.role == "assistant"] == ids[:2]
        assert all(ids)

    def test_a_renamed_and_a_deleted_one(self) -> None:
        first = Program()
        first.use(
            first.say("One"),
            lambda: first.window.chats.renamed.emit(first.window._session.current.id, "Wings"),
            lambda: first.window.menus.new.trigger(),
            first.say("Gone"),
            lambda: first.window.chats.delete_current(),
        )
        again = Program()
        seen: list[object] = []
        again.use(
            lambda: seen.append(again.titles),
            lambda: seen.append(again.window.menus.restore.isEnabled()),
        )
        assert seen == [["Wings"], False]
        assert b"Gone" not in (data_folder() / NAME).read_bytes()

    def test_an_answer_that_the_end_cut_off_keeps_its_ids(self) -> None:
        first = Program()
        options = parse(["--model", "/models/a"])

        def begin() -> None:
            first.loops[0].steps = 1
            first.loops[0]._answer = lambda _: ("", LONG)
            first.say("Go")()

        def writing() -> bool:
            return len(first.texts) == 2 and len(first.texts[1]) > 20

        assert first.go(options, (first.idle, begin), (writing, first.close)) == 0
        again = Program()
        endings: list[str] = []

        def look() -> None:
            answer = list(again.window.chat.view.widgets.values())[-1]
            assert isinstance(answer, AnswerMessage)
            endings.append(answer.ending.words.text())

        again.use(look)
        assert endings == ["Stopped"]
        assert len(generated()[0]) > 2

    def test_damage_is_said_and_the_window_opens(self) -> None:
        first = Program()
        first.use(first.say("One"))
        path = data_folder() / NAME
        path.write_bytes(b"no database " * 500)
        again = Program()
        notices: list[str] = []
        again.use(
            lambda: notices.extend(again.window._session.log.notices),
            again.say("Two"),
        )
        assert any(n.startswith("Your conversations were damaged") for n in notices)
        third = Program()
        titles: list[list[str]] = []
        third.use(lambda: titles.append(third.titles))
        assert titles == [["Two"]]
        assert len(list(path.parent.glob("conversations-*.sqlite"))) == 1

    def test_a_screenshot_reads_and_writes_none(self, tmp_path: Path) -> None:
        first = Program()
        first.use(first.say("Private"))
        before = (data_folder() / NAME).read_bytes()
        options = parse(
            ["--model", "/models/a", "--screenshot", str(tmp_path / "x.png"), "--say", "Public"]
        )
        assert options.conversations is None
        picture = Program()
        assert picture.go(options) == 0
        assert (data_folder() / NAME).read_bytes() == before

    def test_a_draft_is_saved_while_it_is_typed(self) -> None:
        first = Program()
        found: list[str] = []

        def look() -> bool:
            raw = sqlite3.connect(data_folder() / NAME)
            found[:] = [text for (text,) in raw.execute("SELECT text FROM drafts")]
            raw.close()
            return found == ["Not sent yet"]

        options = parse(["--model", "/models/a"])

        def type_something() -> None:
            first.window.chat.composer.set_text("Not sent yet")

        first.go(options, (first.idle, type_something), (look, first.close))
        assert found == ["Not sent yet"]


class TestUnsent:
    """What is not sent yet is there again."""

    def test_files_and_queued_messages(self) -> None:
        first = Program()
        options = parse(["--model", "/models/a"])

        def begin() -> None:
            first.loops[0].steps = 1
            first.loops[0]._answer = lambda _: ("", LONG)
            first.say("Go")()

        def writing() -> bool:
            return len(first.texts) == 2 and len(first.texts[1]) > 20

        def add() -> None:
            session, bridge = first.window._session, first.window._bridge
            files = [attachment(name, "spruce", 6) for name in ("a.txt", "b.txt", "c.txt")]
            first.say("Next")()
            first.say("After that")()
            bridge.perform(session.attach(session.current.id, files).outcome)
            bridge.perform(session.detach(session.current.files[1].id))
            first.window.chat.composer.set_text("Half a thou")

        steps = [(first.idle, begin), (writing, add), (first.shown, first.close)]
        assert first.go(options, *steps) == 0
        again = Program()
        seen: dict[str, object] = {}

        def look() -> None:
            chat = again.window.chat
            seen["files"] = [chip.file.name for chip in chat.composer.chips.chips]
            seen["draft"] = chat.composer.text
            seen["queue"] = [row.text.text() for row in chat.queue.rows]
            seen["why"] = chat.queue.why.text()
            chat.queue.send.click()

        again.use(look, again.say("Last"))
        assert seen == {
            "files": ["a.txt", "c.txt"],
            "draft": "Half a thou",
            "queue": ["Next: Next", "Then: After that"],
            "why": unsent.CLOSED,
        }
        asked = [c for c in again.loops[0].posted if isinstance(c, Submit)]
        said = [messages_of(submit)[-1].content for submit in asked]
        assert [parted(text).text for text in said] == ["Next", "After that", "Last"]
        third = Program()
        third.use(
            lambda: seen.update(files=third.window._session.current.files),
            lambda: seen.update(queue=third.window._session.current.queue),
        )
        assert (seen["files"], seen["queue"]) == ([], [])

    def test_a_conversation_with_nothing_but_a_file_is_kept(self) -> None:
        first = Program()

        def add() -> None:
            session = first.window._session
            files = [attachment("a.txt", "spruce", 6)]
            attached = session.attach(session.current.id, files)
            first.window._bridge.perform(attached.outcome)

        first.use(add)
        again = Program()
        seen: list[str] = []
        again.use(lambda: seen.extend(f.name for f in again.window._session.current.files))
        assert seen == ["a.txt"]


def generated() -> list[tuple[int, ...]]:
    """The saved token ids of the answers, in the order of writing."""
    raw = sqlite3.connect(data_folder() / NAME)
    rows = raw.execute("SELECT token_ids FROM messages WHERE role = 'assistant' ORDER BY id")
    found = [unpacked(blob) for (blob,) in rows]
    raw.close()
    return found
