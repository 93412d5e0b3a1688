"""A request that is under way: what it has changed so far, should it fail."""

from __future__ import annotations

from dataclasses import dataclass, fields

from app.session.changes import NOTHING, Outcome, TurnsDropped
from app.session.records import Conversation, Turn


@dataclass(frozen=True, slots=True)
class Attempt:
    """What a request changed in its conversation, so that a failure can undo it.

    Attributes:
        leaf: the end of the branch that was on screen.
        made: turns that were added for it, each one after its parent.
        before: the answer that it continues, as it was.
        draft: the text to give back to the composer.
    """

    conversation: int
    leaf: int | None
    made: tuple[int, ...]
    before: Turn | None
    draft: str

    def restore(self, answer: Turn) -> None:
        """Let an answer that was continued be as it was."""
        if self.before is not None:
            for one in fields(Turn):
                setattr(answer, one.name, getattr(self.before, one.name))

    def undo(self, conversation: Conversation, answer: Turn) -> Outcome:
        """Leave the conversation as it was before the request; the draft is still to be given."""
        conversation.answering = None
        self.restore(answer)
        conversation.tree.remove(reversed(self.made))
        if not any(turn.model for turn in conversation.tree.turns.values()):
            # The model that was to answer first has not.
            conversation.model = ""
        conversation.show(self.leaf)
        conversation.retitle()
        return Outcome.of(TurnsDropped(conversation.id, self.made)) if self.made else NOTHING
