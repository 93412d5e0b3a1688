"""Actions by hand: numbers, answers, and what undo takes back."""

from __future__ import annotations

from app.core.session.acts import Acts
from app.core.session.changes import Changed, Noted
from app.core.session.model import Session
from engine.commands import UndoAct
from engine.events import Acted, ActProgress


def done(number: int, undo: str = "Unpin it") -> Acted:
    return Acted(number=number, node=3, done=True, sentence="Pinned.", undo=undo)


def test_undo_goes_back_one_action_at_a_time_and_never_forth() -> None:
    acts = Acts()
    first, second = acts.act("pin", 3), acts.act("drop state", 4)
    assert acts.waiting == {first.number, second.number}
    acts.take(done(first.number))
    acts.take(done(second.number, "Copy it back"))
    assert not acts.waiting
    assert acts.undo_words == "Copy it back"
    back = acts.undo()
    assert back == UndoAct(second.number + 1, second.number)
    acts.take(done(back.number, "Drop it again"))
    assert acts.undo_words == "Unpin it"
    again = acts.undo()
    assert again is not None
    assert again.of == first.number
    assert acts.undo() is None


def test_what_was_refused_is_not_undone() -> None:
    acts = Acts()
    command = acts.act("evict", 3)
    acts.take(Acted(number=command.number, node=3, done=False, sentence="It is pinned."))
    assert acts.undo() is None
    assert acts.last is not None
    assert acts.last.sentence == "It is pinned."


def test_the_session_follows_and_forgets_with_the_engine() -> None:
    session = Session()
    command = session.acts.act("checkpoint", 3)
    session.apply(ActProgress(number=command.number, done=64, total=128))
    assert session.acts.progress is not None
    outcome = session.apply(done(command.number))
    assert outcome.changes == {Changed.ACTS, Noted("Pinned.")}
    assert session.acts.progress is None
    session.abandon("The engine is gone.")
    assert session.acts.undo() is None
