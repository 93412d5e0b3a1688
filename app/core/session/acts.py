"""The user's manual cache actions: progress, outcome and undo."""

from __future__ import annotations

from itertools import count

from app.core.words.tr import tr
from engine.commands import Act, Action, UndoAct, WarmPrompt
from engine.events import Acted, ActProgress
from engine.message import Message, PromptOptions

MOST_UNDOS = 64


class Acts:
    """Number the commands and track their answers.

    Attributes:
        asked: the last action on a node; None before the first.
        last: the last answer; None before any.
        progress: of the running action, if it runs tokens; else None.
        waiting: actions without an answer yet.
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
        """The command that prefills a prompt into the cache."""
        return WarmPrompt(self._number(), messages, options)

    @property
    def sentence(self) -> str:
        """The action in progress, else the outcome of the last one."""
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
        """Process an answer."""
        if isinstance(event, ActProgress):
            self.progress = event
            return
        self.waiting.discard(event.number)
        self.progress = None
        self.last = event
        undone = event.number in self._undoing
        self._undoing.discard(event.number)
        # Undo only moves further back; undoing an undo does not redo it.
        if event.done and event.undo and not undone:
            self._undos = [*self._undos, (event.number, event.undo)][-MOST_UNDOS:]

    def forget(self) -> None:
        """The engine is gone: drop pending actions and the undo history."""
        self._undos.clear()
        self._undoing.clear()
        self.waiting.clear()
        self.asked = self.last = self.progress = None

    def _number(self) -> int:
        number = next(self._numbers)
        self.waiting.add(number)
        return number
