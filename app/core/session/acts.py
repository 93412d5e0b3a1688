"""What the user did to the cache by hand: what is under way, what came of it, what to undo."""

from __future__ import annotations

from itertools import count

from app.core.words.tr import tr
from engine.commands import Act, Action, UndoAct, WarmPrompt
from engine.events import Acted, ActProgress
from engine.message import Message, PromptOptions

MOST_UNDOS = 64


class Acts:
    """Numbers the commands and follows their answers.

    Attributes:
        asked: the last action on a node; None before any.
        last: the last answer; None before any.
        progress: of the action that runs tokens; None while none does.
        waiting: actions that are not answered.
    """

    def __init__(self) -> None:
        self._numbers = count(1)
        self._undos: list[tuple[int, str]] = []
        self._undoing: set[int] = set()
        self.asked: Act | None = None
        self.last: Acted | None = None
        self.progress: ActProgress | None = None
        self.waiting: set[int] = set()

    @property
    def undo_words(self) -> str:
        """What undoing the last action would do; "" if there is nothing to undo."""
        return self._undos[-1][1] if self._undos else ""

    def act(self, action: Action, node: int, position: int = 0) -> Act:
        """The command for an action."""
        self.asked = Act(self._number(), action, node, position)
        return self.asked

    def warm(self, messages: tuple[Message, ...], options: PromptOptions) -> WarmPrompt:
        """The command that reads a prompt into the cache."""
        return WarmPrompt(self._number(), messages, options)

    @property
    def sentence(self) -> str:
        """What is under way, else what came of the last action."""
        if self.progress is not None:
            done, total = self.progress.done, self.progress.total
            return tr("Computing: {done:,} of {total:,} tokens.").format(done=done, total=total)
        if self.waiting:
            return tr("Waiting until no answer runs.")
        return "" if self.last is None else self.last.sentence

    def undo(self) -> UndoAct | None:
        """The command that takes the last action back; None if there is nothing to undo."""
        if not self._undos:
            return None
        of, _ = self._undos.pop()
        number = self._number()
        self._undoing.add(number)
        return UndoAct(number, of)

    def take(self, event: Acted | ActProgress) -> None:
        """Follow an answer."""
        if isinstance(event, ActProgress):
            self.progress = event
            return
        self.waiting.discard(event.number)
        self.progress = None
        self.last = event
        undone = event.number in self._undoing
        self._undoing.discard(event.number)
        # Undoing goes further back each time, and never back and forth.
        if event.done and event.undo and not undone:
            self._undos = [*self._undos, (event.number, event.undo)][-MOST_UNDOS:]

    def forget(self) -> None:
        """The engine is gone: nothing of it can be undone, and nothing is under way."""
        self._undos.clear()
        self._undoing.clear()
        self.waiting.clear()
        self.asked = self.last = self.progress = None

    def _number(self) -> int:
        number = next(self._numbers)
        self.waiting.add(number)
        return number
