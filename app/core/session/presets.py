"""Named sampling and system texts, for use in any conversation."""

from __future__ import annotations

from dataclasses import dataclass, field

from app.core.session.records import Conversation
from app.core.session.settings import overrides_of
from app.core.store.records import Preset

MOST_NAME = 60


@dataclass(slots=True)
class Presets:
    """The user's presets.

    A preset without sampling, or without a system text, keeps the conversation's; sampling of `{}`
    stands for the defaults.

    Attributes:
        saved: sorted by name.
        removed: the last one removed, for an undo.
    """

    saved: list[Preset] = field(default_factory=list)
    removed: Preset | None = None

    def find(self, name: str) -> Preset | None:
        """Find a preset by name, ignoring case."""
        wanted = clean(name).casefold()
        return next((one for one in self.saved if one.name.casefold() == wanted), None)

    def put(self, preset: Preset) -> None:
        """Add a preset, replacing one with the same name."""
        self.take(preset.name)
        self.saved.append(preset)
        self.saved.sort(key=lambda one: one.name.casefold())

    def take(self, name: str) -> Preset | None:
        """Remove and return a preset."""
        found = self.find(name)
        if found is not None:
            self.saved.remove(found)
        return found


def clean(name: str) -> str:
    """A name on one line, no longer than a menu shows."""
    return " ".join(name.split())[:MOST_NAME].strip()


def like(presets: Presets, conversation: Conversation) -> str:
    """The name of the first preset that a conversation matches, else ""."""
    own = overrides_of(conversation.sampling)
    for preset in presets.saved:
        sampling = not preset.sampling or overrides_of(preset.sampling) == own
        if sampling and (not preset.system or preset.system == conversation.system):
            return preset.name
    return ""
