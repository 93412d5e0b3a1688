"""What prompts of the conversation on screen would reuse: the answers to probes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from app.core.session.records import Preview
from engine.reuse import ReusePlan

# The draft, the conversation on screen, or the branch through a turn.
Subject = Literal["draft", "conversation"] | int


@dataclass(frozen=True, slots=True)
class CannotRun:
    """Why a prompt cannot run; `tokens` is its length if it is too long."""

    sentence: str
    tokens: int | None


@dataclass(slots=True)
class Forecast:
    """Valid until something runs or another conversation is opened.

    Attributes:
        preview: with the text in the composer.
        refusal: why the text in the composer cannot be sent, if it cannot.
        gauged: without the text in the composer.
        full: why not even an empty question could follow; None if one could.
        siblings: continuing from another branch, by its first turn.
    """

    preview: Preview | None = None
    refusal: CannotRun | None = None
    gauged: Preview | None = None
    full: CannotRun | None = None
    siblings: dict[int, ReusePlan] = field(default_factory=dict)
    _asked: dict[int, Subject] = field(default_factory=dict)

    def forget(self) -> None:
        """Invalidate all answers, pending ones too."""
        self.preview = self.gauged = self.refusal = self.full = None
        self.siblings, self._asked = {}, {}

    def ask(self, probe: int, subject: Subject) -> None:
        """A probe was sent; it supersedes an earlier one about the same subject."""
        self._asked = {n: s for n, s in self._asked.items() if s != subject}
        self._asked[probe] = subject

    def asked(self, subject: Subject) -> bool:
        """Whether the answer is pending."""
        return subject in self._asked.values()

    def answered(self, probe: int) -> Subject | None:
        """The subject of a probe; None if it is stale."""
        return self._asked.pop(probe, None)

    def learn(self, subject: Subject, known: Preview) -> None:
        if subject == "draft":
            self.preview, self.refusal = known, None
        elif subject == "conversation":
            self.gauged, self.full = known, None
        else:
            self.siblings[subject] = known.plan

    def refused(self, probe: int, refusal: CannotRun) -> Subject | None:
        """A prompt cannot run. Returns the probe's subject; None if it is stale."""
        subject = self._asked.get(probe)
        if isinstance(subject, int):
            # It stays pending until something changes, so that it is not probed in a loop.
            return subject
        self._asked.pop(probe, None)
        if subject == "draft":
            self.preview, self.refusal = None, refusal
        elif subject == "conversation":
            self.gauged, self.full = None, refusal
        return subject

    def drop_draft(self) -> bool:
        """Forget the draft; whether anything was known of it."""
        known = self.preview is not None or self.refusal is not None
        self.preview = self.refusal = None
        return known
