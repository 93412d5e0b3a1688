"""Keeps the user's selection while the text under it is replaced. Without Qt."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Kept:
    """A selection: its two ends (in the order the user set them), and the text between."""

    anchor: int
    position: int
    covered: str

    def found_in(self, text: str) -> tuple[int, int] | None:
        """Its ends (anchor, position) in the new text; None if it is gone.

        Markdown marks disappear once they are complete, which moves later text by a few characters:
        the occurrence nearest to the old place is taken.
        """
        start, length = min(self.anchor, self.position), len(self.covered)
        if text[start : start + length] != self.covered:
            after = text.find(self.covered, start)
            before = text.rfind(self.covered, 0, start + length)
            places = [place for place in (before, after) if place >= 0]
            if not places:
                return None
            start = min(places, key=lambda place: abs(place - start))
        forward = self.anchor <= self.position
        return (start, start + length) if forward else (start + length, start)
