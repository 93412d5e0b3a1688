"""What a system text would cost before it is applied, as read-only questions tell."""

from __future__ import annotations

from dataclasses import dataclass

from engine.events import ProbeAnswered
from engine.reuse import ReusePlan


@dataclass(slots=True)
class Weighing:
    """A system text compared with the one that a conversation has.

    Attributes:
        conversation: whose system text it would be.
        text: the one that is weighed.
        now_probe, then_probe: numbers of the probes with the text as it is, and with this one.
        now, then: what they answered; None until they do.
    """

    conversation: int
    text: str
    now_probe: int
    then_probe: int
    now: ReusePlan | None = None
    then: ReusePlan | None = None

    def is_for(self, conversation: int, text: str) -> bool:
        """Whether it is about this text in this conversation."""
        return (conversation, text) == (self.conversation, self.text)

    def take(self, event: ProbeAnswered) -> bool:
        """Take an answer; False if it answers something else."""
        if event.probe == self.now_probe:
            self.now = event.plan
        elif event.probe == self.then_probe:
            self.then = event.plan
        else:
            return False
        return True
