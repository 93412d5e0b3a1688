"""What takes back the changes of a state, noted while somebody wants to know."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

# Actions in the order of the changes; they are done in the opposite order.
Undo = list[Callable[[], object]]


class CannotUndo(Exception):
    """The change forgets everything before it."""


class UndoNotes:
    """Notes how to take back what is about to change, or has just changed.

    Attributes:
        actions: set to a list by whoever wants to take changes back; None: nothing is noted.
    """

    __slots__ = ("actions",)

    def __init__(self) -> None:
        self.actions: Undo | None = None

    def note(self, action: Callable[..., object], *given: object) -> None:
        """Calling `action` with `given` takes the change back."""
        if self.actions is not None:
            self.actions.append(partial(action, *given))

    def keep(self, owner: object, name: str) -> None:
        """An attribute of `owner` is about to change."""
        if self.actions is not None:
            self.actions.append(partial(setattr, owner, name, getattr(owner, name)))

    def refuse(self) -> None:
        """The change cannot be taken back. Raises CannotUndo if somebody wants to."""
        if self.actions is not None:
            raise CannotUndo
