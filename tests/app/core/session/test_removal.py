"""Removing deleted conversations from the cache, without a window."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from app.core.session.changes import NOTHING, Changed, Noted, Outcome
from app.core.session.model import Session
from app.core.session.records import Turn
from app.core.session.removal import UNREADABLE, WAITS
from engine import commands, events
from tests.app.core.session.test_model import answer, ready, submitted
from tests.app.fake_loop import MODEL


def forget_of(outcome: Outcome) -> commands.Forget:
    (found,) = (c for c in outcome.commands if isinstance(c, commands.Forget))
    return found


def chatted(session: Session, *texts: str) -> int:
    """A new conversation in which these were said; its number."""
    session.new_conversation()
    for text in texts:
        answer(session, submitted(session.send(text)), f"So, {text.lower()}")
    return session.current.id


def stage(session: Session) -> str:
    shown = session.removals.shown
    return "" if shown is None else shown.stage


def done(session: Session, command: commands.Forget, **more: Any) -> str:
    event = events.Forgotten(number=command.number, **({"bytes": 5 << 20, "files": 2} | more))
    return noted(session.apply(event))


def noted(outcome: Outcome) -> str:
    """The notice of an outcome."""
    (note,) = (change for change in outcome.changes if isinstance(change, Noted))
    return note.text


class TestRemoving:
    def test_a_deletion_offers_it_and_asks_nothing_of_the_engine(self) -> None:
        session = ready()
        one = chatted(session, "One")
        outcome = session.delete(one)
        assert stage(session) == "offered"
        assert outcome.commands == ()

    def test_every_branch_goes_and_what_begins_alike_is_named(self) -> None:
        session = ready()
        kept = chatted(session, "Hello there", "And more")
        gone = chatted(session, "Hello you")
        answer(session, submitted(session.edit(session.current.turns[0].id, "Hi")), "Ho")
        session.delete(gone)
        command = forget_of(session.remove_deleted())
        assert command.owner == gone
        assert [[m.content for m in prompt] for prompt in command.gone] == [  # type: ignore[union-attr]
            ["Hi", "Ho"],
            ["Hello you", "So, hello you"],
        ]
        said = session.conversation(kept).messages(MODEL.folder)
        assert command.kept == (said,)
        assert stage(session) == "running"
        assert done(session, command).replace("\u00a0", " ") == (
            "Evicted from the cache: 5.00 MiB, 2 files."
        )
        assert stage(session) == "done"
        assert session.remove_deleted() == NOTHING

    def test_what_the_engine_could_not_do_is_said(self) -> None:
        session = ready()
        session.delete(chatted(session, "One"))
        command = forget_of(session.remove_deleted())
        assert done(session, command, sentence="A file could not go.") == "A file could not go."
        session.delete(chatted(session, "Two"))
        command = forget_of(session.remove_deleted())
        assert done(session, command, bytes=0, files=0) == "Nothing of it was left in the cache."

    def test_conversations_in_the_store_are_read_without_loading_them(self) -> None:
        session = ready()
        one = chatted(session, "One")
        other = chatted(session, "Other")
        stored = session.conversation(other)
        turns = list(stored.tree.turns.values())
        session.select(one)
        stored.loaded, stored.leaf = False, turns[-1].id
        stored.tree, stored.turns = type(stored.tree)(), []
        session.peek_turns = lambda asked: turns if asked is stored else []
        session.read_firsts = lambda: {other: ("Other",)}
        session.delete(one)
        command = forget_of(session.remove_deleted())
        assert [m.content for m in command.kept[0]] == ["Other", "So, other"]  # type: ignore[union-attr]
        assert not stored.loaded
        session.delete(other)
        assert [m.content for m in forget_of(session.remove_deleted()).gone[0]] == [  # type: ignore[union-attr]
            "Other",
            "So, other",
        ]

    def test_one_that_cannot_be_read_is_not_said_to_be_gone(self) -> None:
        session = ready()
        stored = session.conversation(chatted(session, "One"))
        chatted(session, "Other")
        stored.loaded, stored.leaf = False, 99
        session.peek_turns = lambda _: [Turn(5, "error", "The disk is broken.")]
        session.delete(stored.id)
        outcome = session.remove_deleted()
        assert outcome.commands == ()
        assert noted(outcome) == UNREADABLE

    def test_always_asks_at_once(self) -> None:
        session = ready()
        session.delete(chatted(session, "One"))
        # The one that is on offer, too.
        assert forget_of(session.always_remove(True))
        assert forget_of(session.delete(chatted(session, "Two")))
        session.always_remove(False)
        assert session.delete(chatted(session, "Three")).commands == ()

    def test_an_undone_deletion_offers_nothing(self) -> None:
        session = ready()
        session.delete(chatted(session, "One"))
        session.restore()
        assert stage(session) == ""
        assert session.remove_deleted() == NOTHING
        # Nothing was said in it: there is nothing to remove.
        session.new_conversation()
        session.delete(session.current.id)
        assert stage(session) == ""


class TestModels:
    def test_without_a_model_it_waits_for_one(self) -> None:
        session = ready()
        one = chatted(session, "One")
        session.apply(events.EngineFailed(sentence="Gone."))
        session.delete(one)
        outcome = session.remove_deleted()
        assert outcome.commands == ()
        assert noted(outcome) == WAITS
        opened = session.apply(events.EngineReady(model=MODEL))
        done(session, forget_of(opened))
        again = session.apply(events.EngineReady(model=MODEL))
        assert not any(isinstance(c, commands.Forget) for c in again.commands)

    def test_an_engine_that_ends_before_it_answers_is_asked_again(self) -> None:
        session = ready()
        session.delete(chatted(session, "One"))
        first = forget_of(session.remove_deleted())
        session.apply(events.EngineFailed(sentence="Gone."))
        assert stage(session) == "waiting"
        second = forget_of(session.apply(events.EngineReady(model=MODEL)))
        assert second.gone == first.gone
        assert session.apply(events.Forgotten(number=first.number, bytes=1, files=1)) == (NOTHING)

    def test_undone_while_it_waits_it_stays(self) -> None:
        session = ready()
        one = chatted(session, "One")
        session.apply(events.EngineFailed(sentence="Gone."))
        session.delete(one)
        session.remove_deleted()
        session.restore()
        opened = session.apply(events.EngineReady(model=MODEL))
        assert not any(isinstance(c, commands.Forget) for c in opened.commands)

    def test_another_model_that_answered_in_it_is_named_and_asked_when_it_is_open(self) -> None:
        session = ready()
        one = chatted(session, "One")
        other = replace(MODEL, folder="/models/Other-2B", name="Other-2B")
        session.current.turns[-1].model = other.folder
        session.delete(one)
        sentence = done(session, forget_of(session.remove_deleted()))
        assert "Open Other-2B before closing Biplane" in sentence
        command = forget_of(session.apply(events.EngineReady(model=other)))
        assert "Open" not in done(session, command)


class TestClaims:
    def test_the_one_on_screen_first_then_the_latest_each_once(self) -> None:
        session = ready()
        first, second, third = (chatted(session, text) for text in ("One", "Two", "Three"))
        session.select(first)
        owners = [c.owner for _ in range(5) for c in session.claim_next().commands]  # type: ignore[union-attr]
        assert owners == [first, third, second]
        session.apply(events.EngineReady(model=MODEL))
        assert len(session.claim_next().commands) == 1

    def test_nothing_while_an_answer_is_written_or_without_a_model(self) -> None:
        session = ready()
        chatted(session, "One")
        session.send("Two")
        assert session.claim_next() == NOTHING
        session.apply(events.EngineFailed(sentence="Gone."))
        assert session.claim_next() == NOTHING

    def test_no_more_than_thirty(self) -> None:
        session = ready()
        for number in range(40):
            chatted(session, f"Chat {number}")
        assert sum(len(session.claim_next().commands) for _ in range(50)) == 30

    def test_each_request_says_whose_it_is(self) -> None:
        session = ready()
        assert submitted(session.send("One")).owner == session.current.id


class TestOpening:
    def test_the_message_at_the_end_of_a_node_is_shown_on_its_branch(self) -> None:
        session = ready()
        one = chatted(session, "One")
        asked, said = (turn.id for turn in session.current.turns)
        request = session.current.turns[1].request
        assert request is not None
        answer(session, submitted(session.edit(asked, "Another")), "So")
        chatted(session, "Two")
        outcome = session.open_owner(events.NodeOwner(one, 16, request))
        assert session.current.id == one
        assert [turn.id for turn in session.current.turns] == [asked, said]
        assert Changed.SOUGHT.of(one, said) in outcome.changes

    def test_one_that_is_deleted_is_not_opened(self) -> None:
        session = ready()
        assert session.open_owner(events.NodeOwner(999, 5)) == NOTHING

    def test_turns_are_found_after_a_restart_too(self) -> None:
        session = ready()
        one = chatted(session, "One")
        for turn in session.current.tree.turns.values():
            turn.request = None
        last: Turn = session.current.turns[-1]
        session.new_conversation()
        outcome = session.open_owner(events.NodeOwner(one, 16, last.id))
        assert Changed.SOUGHT.of(one, last.id) in outcome.changes
