"""What is said at the end of the context, and what can go on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core.session.context_use import ContextEnd, context_end
from app.core.session.model import Session
from app.core.session.recent import recent_part
from app.core.session.records import Turn
from engine import commands, events
from tests.app.core.session.test_model import answer, submitted
from tests.app.fake_loop import MODEL
from tests.app.samples import plan, report
from tests.present import present


def talk(context: int, *, stop: events.StopReason = "end") -> Session:
    """Four questions and answers of equal length, 1,000 tokens in all."""
    session = Session()
    model = replace(MODEL, context=context)
    session.apply(events.EngineReady(model=model))
    for number in range(4):
        total = 250 * number + 150
        made = report(plan(0, 0, total), generated=100)
        ends = stop if number == 3 else "end"
        submit = submitted(session.send(f"{number}" + "q" * 99))
        answer(session, submit, f"{number}" + "a" * 99, report=made, stop=ends)
    return session


def refuse(session: Session, draft: str, tokens: int | None) -> ContextEnd | None:
    (probe,) = session.probe_draft(draft).commands
    assert isinstance(probe, commands.Probe)
    refused = events.ProbeRefused(probe=probe.probe, sentence="No.", tokens=tokens)
    session.apply(refused)
    return context_end(session)


class TestRecent:
    def test_it_begins_with_a_question_and_fills_half_of_the_context(self) -> None:
        turns = [Turn(n, "user" if n % 2 else "assistant", "x" * 100) for n in range(1, 9)]
        found = present(recent_part(turns, 800, 1000))
        assert (found.first, found.kept, found.left_out) == (5, 4, 4)

    def test_the_draft_takes_its_share(self) -> None:
        turns = [Turn(n, "user" if n % 2 else "assistant", "x" * 100) for n in range(1, 9)]
        found = present(recent_part(turns, 1000, 1000, draft=200))
        assert found.kept == 2

    def test_thinking_counts_and_errors_do_not(self) -> None:
        turns = [Turn(n, "user" if n % 2 else "assistant", "x" * 100) for n in range(1, 9)]
        turns[7].thinking = "t" * 400
        turns.append(Turn(9, "error", "e" * 5000))
        assert present(recent_part(turns, 1200, 1400)).kept == 2

    def test_nothing_where_the_last_messages_alone_are_too_long(self) -> None:
        turns = [Turn(1, "user", "x"), Turn(2, "assistant", "y" * 900)]
        assert recent_part(turns, 900, 1000) is None
        assert recent_part([], 0, 1000) is None


class TestEnd:
    def test_far_from_it_nothing_is_said(self) -> None:
        assert context_end(talk(32_768)) is None
        assert context_end(Session()) is None

    def test_near_it_the_last_messages_can_go_on(self) -> None:
        said = present(context_end(talk(1050)))
        assert "are left" in said.sentence
        assert not said.urgent
        assert present(said.recent).kept + present(said.recent).left_out == 8

    def test_an_answer_that_it_cut_says_so(self) -> None:
        said = present(context_end(talk(1000, stop="context")))
        assert said.sentence.startswith("The answer stopped because the context of 1,000 tokens")
        assert said.urgent
        assert said.recent is not None

    def test_a_message_that_does_not_fit_is_said_to_before_it_is_sent(self) -> None:
        session = talk(2000)
        said = present(refuse(session, "w" * 500, 2100))
        assert said.sentence.startswith("With this message the prompt has 2,100 tokens")
        assert (said.urgent, said.elsewhere) == (True, True)
        assert session.current.draft == "w" * 500
        session.probe_draft("")
        assert context_end(session) is None

    def test_a_message_that_is_too_long_alone_must_be_shortened(self) -> None:
        said = present(refuse(talk(2000), "w" * 50_000, 40_000))
        assert said.sentence.startswith("This message is too long")
        assert not said.elsewhere
        assert said.recent is None

    def test_a_refusal_for_another_reason_is_not_the_end(self) -> None:
        assert refuse(talk(32_768), "w", None) is None

    def test_where_not_even_a_question_fits(self) -> None:
        session = talk(1100)
        (probe,) = session.probe_conversation().commands
        assert isinstance(probe, commands.Probe)
        refused = events.ProbeRefused(probe=probe.probe, sentence="No.", tokens=1120)
        session.apply(refused)
        assert present(context_end(session)).sentence.startswith("The context is full.")


class TestGoingOn:
    def test_the_last_messages_are_copied_and_the_others_named(self) -> None:
        session = talk(1050)
        source = session.current
        recent = present(present(context_end(session)).recent)
        outcome = session.continue_recent(recent)
        made = session.current
        assert made is not source
        assert [t.text for t in made.turns] == [t.text for t in source.turns[recent.left_out :]]
        assert [t.token_ids for t in made.turns] == [
            t.token_ids for t in source.turns[recent.left_out :]
        ]
        assert made.turns[0].role == "user"
        assert not {t.id for t in made.turns} & {t.id for t in source.turns}
        assert made.title.startswith("Continued: ")
        notes = [c.text for c in outcome.changes if hasattr(c, "text")]
        assert notes == [
            f"The first {recent.left_out} messages were left out here, and can be read in "
            f"“{source.title}”."
        ]
        assert len(source.turns) == 8

    @pytest.mark.parametrize("gone", [0, 99_999])
    def test_what_is_gone_cannot(self, gone: int) -> None:
        session = talk(1050)
        recent = replace(present(present(context_end(session)).recent), first=gone)
        assert not session.continue_recent(recent).changes
