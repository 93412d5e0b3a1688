"""The user's actions on settings of the conversation on screen: sampling, system text, presets."""

from __future__ import annotations

from dataclasses import replace

from app.session.changes import (
    NOTHING,
    Outcome,
    PresetsChanged,
    PreviewChanged,
    SamplingChanged,
    SettingsChanged,
)
from app.session.model import Session
from app.session.presets import clean
from app.session.records import EnginePhase
from app.session.requests import with_question
from app.session.settings import (
    overrides_of,
    problem,
    to_json,
    with_value,
    without,
)
from app.session.weighing import Weighing
from app.store.records import Preset
from engine.commands import CountTokens, Probe
from engine.message import Message, PromptOptions


def set_value(session: Session, name: str, value: object) -> Outcome:
    """Set a field of the sampling, from the next message on; an invalid value changes nothing."""
    if problem(name, value):
        return NOTHING
    # Until a model is open nobody knows what its defaults are.
    if session.engine.model is not None and value == getattr(session.sampling, name):
        return reset(session, name)
    return _set_sampling(session, with_value(session.current.sampling, name, value))


def reset(session: Session, name: str) -> Outcome:
    """Return a field to its default."""
    return _set_sampling(session, without(session.current.sampling, name))


def reset_all(session: Session) -> Outcome:
    """Return all fields to their defaults."""
    return _set_sampling(session, "")


def _set_sampling(session: Session, text: str) -> Outcome:
    conversation = session.current
    if text == conversation.sampling:
        return NOTHING
    conversation.sampling = text
    return Outcome.of(SamplingChanged(conversation.id))


# The system text


def draft_system(session: Session, text: str) -> Outcome:
    """Keep a system text that is being written and not applied."""
    conversation = session.current
    draft = None if text.strip() == conversation.system else text
    if draft == conversation.system_draft:
        return NOTHING
    conversation.system_draft = draft
    return Outcome.of(SettingsChanged(conversation.id))


def apply_system(session: Session, text: str) -> Outcome:
    """Make a text the system text, from the next message on."""
    conversation = session.current
    conversation.system_draft = None
    changed = session.set_system(text) | Outcome.of(SamplingChanged(conversation.id))
    # What was known about the cache was about the other text.
    session.forecast.forget()
    return changed | Outcome.of(PreviewChanged()) | session.probe_conversation()


def revert_system(session: Session) -> Outcome:
    """Give up the system text that is not applied."""
    session.current.system_draft = None
    return Outcome.of(SamplingChanged(session.current.id))


def weigh(session: Session, text: str) -> Outcome:
    """Ask how many tokens a system text has and, unless an answer runs, what it would cost."""
    if session.engine.phase is not EnginePhase.READY:
        return NOTHING
    conversation, stripped = session.current, text.strip()
    made = session.weighing = Weighing(conversation.id, text, next(session.numbers))
    count = Outcome.of(commands=(CountTokens(made.count, (stripped,)),))
    if session.busy or stripped == conversation.system:
        return count
    made.now_probe, made.then_probe = next(session.numbers), next(session.numbers)
    as_it_is = with_question(conversation.messages(session.model_folder))
    rest = as_it_is[1:] if conversation.system.strip() else as_it_is
    changed = (Message("system", stripped), *rest) if stripped else rest
    options = PromptOptions(thinking=conversation.thinking)
    asked = (made.now_probe, as_it_is), (made.then_probe, changed)
    probes = (Probe(number, prompt, options, conversation.id) for number, prompt in asked)
    return count | Outcome.of(commands=tuple(probes))


# Presets


def apply_preset(session: Session, name: str) -> Outcome:
    """Take a preset's sampling; its system text becomes a draft, whose cost is seen first."""
    preset = session.presets.find(name)
    if preset is None:
        return NOTHING
    outcome = Outcome.of(SamplingChanged(session.current.id))
    if preset.sampling:
        outcome |= _set_sampling(session, to_json(overrides_of(preset.sampling)))
    if preset.system:
        outcome |= draft_system(session, preset.system)
    return outcome


def save_preset(session: Session, name: str, *, sampling: bool, system: str) -> Outcome:
    """Save the conversation's sampling, a system text, or both under a name.

    An empty `system`, and false `sampling`, are left out; a preset of that name is replaced.
    """
    name = clean(name)
    if not name or not (sampling or system.strip()):
        return NOTHING
    own = (session.current.sampling or "{}") if sampling else ""
    session.presets.put(Preset(name, system.strip(), own))
    return Outcome.of(PresetsChanged())


def rename_preset(session: Session, name: str, to: str) -> Outcome:
    """Give a preset another name, unless another preset has it."""
    presets, to = session.presets, clean(to)
    found, other = presets.find(name), presets.find(to)
    if found is None or not to or (other is not None and other is not found):
        return NOTHING
    presets.take(found.name)
    presets.put(replace(found, name=to))
    return Outcome.of(PresetsChanged())


def remove_preset(session: Session, name: str) -> Outcome:
    """Remove a preset; `restore_preset` brings the last one back."""
    removed = session.presets.take(name)
    if removed is None:
        return NOTHING
    session.presets.removed = removed
    return Outcome.of(PresetsChanged())


def restore_preset(session: Session) -> Outcome:
    """Bring back the last removed preset, unless a new one has its name."""
    removed, session.presets.removed = session.presets.removed, None
    if removed is None:
        return NOTHING
    if session.presets.find(removed.name) is None:
        session.presets.put(removed)
    return Outcome.of(PresetsChanged())
