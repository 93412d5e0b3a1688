"""What an event or an action changed: the window refreshes exactly that."""

from __future__ import annotations

from dataclasses import dataclass

from engine.commands import Command


@dataclass(frozen=True, slots=True)
class Change:
    """Something that a part of the window may have to refresh."""


class ConversationsChanged(Change):
    """The list of conversations, a title, or which one is current.

    Changes inside a conversation that is not current have their own types: there may be thousands.
    """


class ActsChanged(Change):
    """A manual cache action started, progressed, ended or was refused."""


class CountersChanged(Change):
    """The counters of an engine elsewhere were read, or reading them failed."""


@dataclass(frozen=True, slots=True)
class TurnsChanged(Change):
    """Turns were added to or removed from a conversation."""

    conversation: int


@dataclass(frozen=True, slots=True)
class TurnChanged(Change):
    """The content of one turn."""

    conversation: int
    turn: int


@dataclass(frozen=True, slots=True)
class TurnsDropped(Change):
    """A request was undone, and its turns were removed from the conversation."""

    conversation: int
    turns: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class BranchChanged(Change):
    """Another branch of a conversation is on screen."""

    conversation: int


@dataclass(frozen=True, slots=True)
class TurnSought(Change):
    """Scroll the reader to a turn."""

    conversation: int
    turn: int


@dataclass(frozen=True, slots=True)
class SettingsChanged(Change):
    """The name, the place, the draft or a setting of a conversation changed."""

    conversation: int


@dataclass(frozen=True, slots=True)
class SamplingChanged(Change):
    """A conversation's sampling changed, or its system draft, other than by typing in its field."""

    conversation: int


class PresetsChanged(Change):
    """The presets changed, or whether one can be restored."""


class SystemWeighed(Change):
    """The cost of another system text, or a part of it, is known."""


@dataclass(frozen=True, slots=True)
class DraftReturned(Change):
    """A text that could not be sent returns to the composer."""

    conversation: int


@dataclass(frozen=True, slots=True)
class UnsentChanged(Change):
    """The files in a conversation's composer, or its queued messages."""

    conversation: int


class EngineChanged(Change):
    """The phase, the model, the load progress or the failure."""


class ServerChanged(Change):
    """The window's server, its clients or their requests."""


class SnapshotChanged(Change):
    """A newer snapshot of the cache is available."""


class PlanChanged(Change):
    """A request's reuse plan, for the match ruler."""


class RateChanged(Change):
    """The decoding speed."""


class PreviewChanged(Change):
    """What the composer's text would reuse has changed."""


@dataclass(frozen=True, slots=True)
class NodeDescribed(Change):
    """The decoded text of a node arrived."""

    node: int


class RecordingChanged(Change):
    """Recording of a trace started or ended."""


class RemovalChanged(Change):
    """The state of removing the last deleted conversation from the cache."""


class TapeGrown(Change):
    """The tape of cache events grew, or a new one began."""


class CacheChecked(Change):
    """The debugger's check of the cache invariants has finished."""


class LabChanged(Change):
    """A memory lab question was asked, progressed, or was answered or refused."""


@dataclass(frozen=True, slots=True)
class Noted(Change):
    """A notice for the status line."""

    text: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of an action: changes to show and commands to post."""

    changes: frozenset[Change] = frozenset()
    commands: tuple[Command, ...] = ()

    @classmethod
    def of(cls, *changes: Change, commands: tuple[Command, ...] = ()) -> Outcome:
        return cls(frozenset(changes), commands)

    def __or__(self, other: Outcome) -> Outcome:
        return Outcome(self.changes | other.changes, self.commands + other.commands)


NOTHING = Outcome()
