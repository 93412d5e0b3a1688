"""What a system text would cost before it is applied, from read-only probes."""

from __future__ import annotations

from dataclasses import dataclass

from engine.events import ProbeAnswered, ProbeRefused, TokensCounted
from engine.reuse import ReusePlan


@dataclass(slots=True)
class Weighing:
    """A system text compared with a conversation's current one.

    Attributes:
        conversation: whose system text it would be.
        text: the one that is weighed.
        count: number of the command that counts its tokens.
        now_probe, then_probe: numbers of the probes with the current text and with this one; None
            while an answer runs.
        tokens: of the text; None until it is known, like what follows.
        now, then: the probes' answers.
        refusal: why the prompt with this text cannot run, in a sentence.
    """

    conversation: int
    text: str
    count: int
    now_probe: int | None = None
    then_probe: int | None = None
    tokens: int | None = None
    now: ReusePlan | None = None
    then: ReusePlan | None = None
    refusal: str = ""

    def is_for(self, conversation: int, text: str) -> bool:
        """Whether it is about this text in this conversation."""
        return (conversation, text) == (self.conversation, self.text)

    def take(self, event: ProbeAnswered | ProbeRefused | TokensCounted) -> bool:
        """Take an answer; False if it answers something else."""
        match event:
            case TokensCounted() if event.number == self.count:
                self.tokens = sum(event.counts)
            case ProbeAnswered() if event.probe == self.now_probe:
                self.now = event.plan
            case ProbeAnswered() if event.probe == self.then_probe:
                self.then = event.plan
            case ProbeRefused() if event.probe == self.then_probe:
                self.refusal = event.sentence
            case _:
                return False
        return True
