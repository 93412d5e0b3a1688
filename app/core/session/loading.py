"""A model being loaded, as the window shows it: stage, progress, and what cancelling does."""

from __future__ import annotations

from dataclasses import dataclass

from app.core.session.model import Session
from app.core.session.records import EnginePhase
from app.core.words import format as fmt
from app.core.words.engine_words import said
from app.core.words.joining import in_turn, titled
from app.core.words.tr import tr


@dataclass(frozen=True, slots=True)
class Loading:
    """What to show while a model is being opened.

    Attributes:
        title: the model's name.
        stage: the current stage, with bytes done and total where known.
        note: what can be done meanwhile, and what cancelling leads to.
        fraction: 0 to 1; None if unknown.
    """

    title: str
    stage: str
    note: str
    fraction: float | None = None


def loading(session: Session) -> Loading | None:
    """None while no model is being opened."""
    engine, coming = session.engine, session.coming
    if coming is not None:
        stage = _stage(coming.stage, coming.fraction, coming.total_bytes)
        note = tr("{name} stays open until then.").format(name=_open_name(session))
        return Loading(_title(coming.name), stage, note, coming.fraction)
    if not engine.name or engine.phase not in (EnginePhase.LOADING, EnginePhase.CLOSING):
        return None
    if engine.phase is EnginePhase.CLOSING:
        stage = _first_upper(engine.stage)
        if engine.stage == tr("Closing the model"):
            stage = tr("Closing the model before and saving its cache")
    else:
        stage = _stage(engine.stage, engine.fraction, engine.total_bytes)
    note = tr("What you send meanwhile is answered once it is open.")
    if session.previous:
        back = tr("Cancel goes back to {name}.").format(name=session.previous)
        note = in_turn(note, back)
    return Loading(_title(engine.name), stage, note, engine.fraction)


def _title(name: str) -> str:
    return tr("Opening {name}").format(name=name)


def _open_name(session: Session) -> str:
    model = session.engine.model
    return model.name if model is not None else session.previous


def _stage(stage: str, fraction: float | None, total: int) -> str:
    """ "Loading weights: 0.58 of 1.63 GiB"."""
    shown = stage_words(stage)
    if fraction is None or not total:
        return shown
    done = fmt.byte_size(round(fraction * total))
    of = tr("{amount} of {total}").format(amount=done, total=fmt.byte_size(total))
    return titled(shown, fmt.shared_unit(of))


def stage_words(stage: str) -> str:
    """The current stage of opening a model: "Loading weights"."""
    return _first_upper(said(stage))


def _first_upper(text: str) -> str:
    return text[:1].upper() + text[1:]
