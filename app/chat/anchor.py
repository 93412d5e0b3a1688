"""A place of a reader in a conversation, of which only what is near it has been measured."""

from __future__ import annotations

from dataclasses import dataclass

from app.chat.body import Place


@dataclass(frozen=True, slots=True)
class Anchor:
    """What is to stay where it is on screen while heights above it change.

    Attributes:
        turn: its id.
        body, place: where in which of its texts; None for none of them.
        below: pixels below the top of the turn.
        share: the same as a share of its height, if that is only an estimate.
        offset: where on screen it stays, in pixels below the top of the view.
    """

    turn: int
    body: int | None = None
    place: Place | None = None
    below: int = 0
    share: float | None = None
    offset: int = 0

    @property
    def estimated(self) -> bool:
        """Whether it names a share of something that is not measured."""
        place = self.place
        return self.share is not None or (place is not None and place.share is not None)
