"""How full the context is: what was said, what the draft adds, and how much of it is warm."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from app.core.session.context_use import ContextUse, context_use
from app.core.session.model import Session
from app.core.session.records import EnginePhase, EngineState, Preview, Turn, TurnState
from engine import events
from engine.commands import Probe
from tests.app.fake_loop import MODEL
from tests.app.samples import plan, report

WINDOW = MODEL.context


@pytest.fixture
def session() -> Session:
    """One answer of 73 tokens to a prompt of 4,800."""
    made = Session(engine=EngineState(EnginePhase.READY, MODEL))
    given = plan(4000, 0, 800)
    made.current.turns += [
        Turn(8, "user", "Hello"),
        Turn(9, "assistant", "Hi", plan=given, report=report(given), tokens=73),
    ]
    made.current.answering = made.current.turns[-1]
    return made


def answered(session: Session, probe: Probe, reused: int, computed: int) -> None:
    given = plan(reused, 0, computed)
    session.apply(events.ProbeAnswered(probe=probe.probe, plan=given))


def gauged(session: Session) -> Probe:
    (command,) = session.probe_conversation().commands
    assert isinstance(command, Probe)
    return command


class TestUse:
    def test_nothing_is_known_at_first(self, session: Session) -> None:
        assert context_use(Session()) is None
        assert context_use(Session(engine=EngineState(EnginePhase.READY, MODEL))) is None
        session.engine = EngineState()
        assert context_use(session) is None

    def test_prompt_and_answer_count(self, session: Session) -> None:
        assert context_use(session) == ContextUse(4873, None, WINDOW)

    def test_what_is_warm_comes_from_a_probe(self, session: Session) -> None:
        answered(session, gauged(session), 4790, 95)
        assert context_use(session) == ContextUse(4873, 4790, WINDOW)

    def test_a_draft_counts_once_it_was_probed(self, session: Session) -> None:
        answered(session, gauged(session), 4790, 95)
        session.forecast.preview = Preview(session.current.id, plan(4790, 0, 300))
        assert context_use(session) == ContextUse(5090, 4790, WINDOW)
        session.forecast.preview = Preview(session.current.id + 1, plan(1, 0, 1))
        assert context_use(session) == ContextUse(4873, 4790, WINDOW)

    def test_while_it_runs_only_what_was_reused_is_warm(self, session: Session) -> None:
        session.current.turns[-1].state = TurnState.WRITING
        assert context_use(session) == ContextUse(4873, 4000, WINDOW)

    def test_a_conversation_of_an_earlier_start(self, session: Session) -> None:
        session.current.turns[-1].plan = None
        assert context_use(session) is None
        answered(session, gauged(session), 4096, 800)
        assert context_use(session) == ContextUse(4896, 4096, WINDOW)

    @pytest.mark.parametrize(("used", "tight"), [(899, False), (900, True), (1000, True)])
    def test_where_it_gets_tight(self, used: int, tight: bool) -> None:
        assert ContextUse(used, None, 1000).nearly_full is tight


class TestGauge:
    def test_it_asks_for_what_a_next_question_would_reuse(self, session: Session) -> None:
        probe = gauged(session)
        roles = [(m.role, m.content) for m in probe.prompt if not isinstance(m, int)]
        assert roles == [("user", "Hello"), ("assistant", "Hi"), ("user", "")]

    def test_not_while_something_runs_and_not_without_a_model(self, session: Session) -> None:
        session.current.turns[-1].state = TurnState.WRITING
        assert session.probe_conversation().commands == ()
        session.current.turns[-1].state = TurnState.DONE
        session.engine = replace(session.engine, phase=EnginePhase.LOADING)
        assert session.probe_conversation().commands == ()
        empty = Session(engine=EngineState(EnginePhase.READY, MODEL))
        assert empty.probe_conversation().commands == ()

    def test_it_is_forgotten_with_the_next_question(self, session: Session) -> None:
        probe = gauged(session)
        answered(session, probe, 4790, 95)
        session.send("And?")
        assert session.forecast.gauged is None

    def test_an_answer_that_comes_late_is_not_taken_for_another_conversation(
        self, session: Session
    ) -> None:
        probe = gauged(session)
        session.new_conversation()
        answered(session, probe, 4790, 95)
        assert session.forecast.gauged is None

    def test_another_model_has_another_cache(self, session: Session) -> None:
        answered(session, gauged(session), 4790, 95)
        session.opening(Path("/models/other"))
        assert session.forecast.gauged is None
