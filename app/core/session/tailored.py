"""User actions on settings of the conversation on screen: sampling, system text, presets."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from app.core.session.changes import NOTHING, Changed, Outcome
from app.core.session.presets import Presets, clean
from app.core.session.records import EnginePhase
from app.core.session.requests import Requests, with_question
from app.core.session.settings import (
    overrides_of,
    problem,
    to_json,
    with_value,
    without,
)
from app.core.session.weighing import Weighing
from app.core.store.records import Preset
from engine.commands import CountTokens, Probe
from engine.message import Message, PromptOptions


@dataclass(slots=True)
class Tailored(Requests):
    """Requests, and the settings of the conversation on screen.

    Attributes:
        presets: named sampling and system texts.
        weighing: the system text that was probed last.
    """

    presets: Presets = field(default_factory=Presets)
    weighing: Weighing | None = None

    def set_sampling(self, name: str, value: object) -> Outcome:
        """Set a field of the sampling, from the next message on; an invalid value is ignored."""
        if problem(name, value):
            return NOTHING
        # Until a model is open its defaults are unknown.
        if self.engine.model is not None and value == getattr(self.sampling, name):
            return self.reset_sampling(name)
        return self._sample_by(with_value(self.current.sampling, name, value))

    def reset_sampling(self, name: str) -> Outcome:
        """Return a field to its default."""
        return self._sample_by(without(self.current.sampling, name))

    def reset_all_sampling(self) -> Outcome:
        """Return all fields to their defaults."""
        return self._sample_by("")

    def _sample_by(self, text: str) -> Outcome:
        conversation = self.current
        if text == conversation.sampling:
            return NOTHING
        conversation.sampling = text
        return Outcome.of(Changed.SAMPLING.of(conversation.id))

    # The system text

    def draft_system(self, text: str) -> Outcome:
        """Keep a system text as a draft, without applying it."""
        conversation = self.current
        draft = None if text.strip() == conversation.system else text
        if draft == conversation.system_draft:
            return NOTHING
        conversation.system_draft = draft
        return Outcome.of(Changed.SETTINGS.of(conversation.id))

    def apply_system(self, text: str) -> Outcome:
        """Make a text the system text, from the next message on."""
        conversation = self.current
        conversation.system_draft = None
        changed = self.set_system(text) | Outcome.of(Changed.SAMPLING.of(conversation.id))
        # Earlier answers were about the other text.
        self.forecast.forget()
        return changed | Outcome.of(Changed.PREVIEW) | self.probe_conversation()

    def revert_system(self) -> Outcome:
        """Discard the system draft."""
        self.current.system_draft = None
        return Outcome.of(Changed.SAMPLING.of(self.current.id))

    def weigh_system(self, text: str) -> Outcome:
        """Ask for a system text's token count and, unless an answer is running, its cost."""
        if self.engine.phase is not EnginePhase.READY:
            return NOTHING
        conversation, stripped = self.current, text.strip()
        made = self.weighing = Weighing(conversation.id, text, next(self.numbers))
        count = Outcome.of(commands=(CountTokens(made.count, (stripped,)),))
        if self.busy or stripped == conversation.system:
            return count
        made.now_probe, made.then_probe = next(self.numbers), next(self.numbers)
        as_it_is = with_question(conversation.messages(self.model_folder))
        rest = as_it_is[1:] if conversation.system.strip() else as_it_is
        changed = (Message("system", stripped), *rest) if stripped else rest
        options = PromptOptions(thinking=conversation.thinking)
        asked = (made.now_probe, as_it_is), (made.then_probe, changed)
        probes = (Probe(number, prompt, options, conversation.id) for number, prompt in asked)
        return count | Outcome.of(commands=tuple(probes))

    # Presets

    def apply_preset(self, name: str) -> Outcome:
        """Apply a preset's sampling; its system text becomes a draft, to show its cost first."""
        preset = self.presets.find(name)
        if preset is None:
            return NOTHING
        outcome = Outcome.of(Changed.SAMPLING.of(self.current.id))
        if preset.sampling:
            outcome |= self._sample_by(to_json(overrides_of(preset.sampling)))
        if preset.system:
            outcome |= self.draft_system(preset.system)
        return outcome

    def save_preset(self, name: str, *, sampling: bool, system: str) -> Outcome:
        """Save the conversation's sampling, a system text, or both under a name.

        An empty `system`, and false `sampling`, are left out; a preset of that name is replaced.
        """
        name = clean(name)
        if not name or not (sampling or system.strip()):
            return NOTHING
        own = (self.current.sampling or "{}") if sampling else ""
        self.presets.put(Preset(name, system.strip(), own))
        return Outcome.of(Changed.PRESETS)

    def rename_preset(self, name: str, to: str) -> Outcome:
        """Give a preset another name, unless another preset has it."""
        presets, to = self.presets, clean(to)
        found, other = presets.find(name), presets.find(to)
        if found is None or not to or (other is not None and other is not found):
            return NOTHING
        presets.take(found.name)
        presets.put(replace(found, name=to))
        return Outcome.of(Changed.PRESETS)

    def remove_preset(self, name: str) -> Outcome:
        """Remove a preset; `restore_preset` brings the last one back."""
        removed = self.presets.take(name)
        if removed is None:
            return NOTHING
        self.presets.removed = removed
        return Outcome.of(Changed.PRESETS)

    def restore_preset(self) -> Outcome:
        """Bring back the last removed preset, unless a new one has its name."""
        removed, self.presets.removed = self.presets.removed, None
        if removed is None:
            return NOTHING
        if self.presets.find(removed.name) is None:
            self.presets.put(removed)
        return Outcome.of(Changed.PRESETS)
