"""What prompts of the conversation on screen would reuse: the answers to read-only probes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from app.session.records import Preview
from engine.reuse import ReusePlan

# Of a draft, of the conversation as it stands, or of the branch through a turn.
Subject = Literal["draft", "conversation"] | int


@dataclass(slots=True)
class Forecast:
    """Known until something runs or another conversation is opened.

    Attributes:
        preview: with the text in the composer.
        gauged: without it.
        siblings: going on from another branch, by the turn it begins with.
    """

    preview: Preview | None = None
    gauged: Preview | None = None
    siblings: dict[int, ReusePlan] = field(default_factory=dict)
    _asked: dict[int, Subject] = field(default_factory=dict)

    def forget(self) -> None:
        """What was known is no longer true, and answers on their way are about the past."""
        self.preview = self.gauged = None
        self.siblings, self._asked = {}, {}

    def ask(self, probe: int, subject: Subject) -> None:
        """A probe was sent; an earlier one about the same is no longer of interest."""
        self._asked = {n: s for n, s in self._asked.items() if s != subject}
        self._asked[probe] = subject

    def asked(self, subject: Subject) -> bool:
        """Whether the answer is still on its way."""
        return subject in self._asked.values()

    def answered(self, probe: int) -> Subject | None:
        """What a probe was about; None if nobody waits for it any more."""
        return self._asked.pop(probe, None)

    def learn(self, subject: Subject, known: Preview) -> None:
        if subject == "draft":
            self.preview = known
        elif subject == "conversation":
            self.gauged = known
        else:
            self.siblings[subject] = known.plan
