"""What an event or an action changed: the window refreshes exactly that."""

from __future__ import annotations

from dataclasses import dataclass

from engine.commands import Command


@dataclass(frozen=True, slots=True)
class Change:
    """What a part of the window may have to show."""


class ConversationsChanged(Change):
    """The list of conversations, a title, or which one is current.

    What changed in one that is not current, another change tells: it may be one of thousands.
    """


class ActsChanged(Change):
    """Something was done to the cache by hand, was refused, or has come further."""


class CountersChanged(Change):
    """The counters of an engine elsewhere were read, or cannot be."""


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
    """A request was undone; these turns of its conversation never were."""

    conversation: int
    turns: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class BranchChanged(Change):
    """Another branch of a conversation is on screen."""

    conversation: int


@dataclass(frozen=True, slots=True)
class TurnSought(Change):
    """The reader is to be taken to a turn."""

    conversation: int
    turn: int


@dataclass(frozen=True, slots=True)
class SettingsChanged(Change):
    """The name, the place, the draft or a setting of a conversation; the window shows them."""

    conversation: int


@dataclass(frozen=True, slots=True)
class SamplingChanged(Change):
    """The sampling of a conversation, or the draft of its system text by another than its field."""

    conversation: int


class PresetsChanged(Change):
    """The presets, or whether one can be brought back."""


class SystemWeighed(Change):
    """What another system text would cost, or a part of the answer."""


@dataclass(frozen=True, slots=True)
class DraftReturned(Change):
    """A text that could not be run returns to the composer."""

    conversation: int


@dataclass(frozen=True, slots=True)
class UnsentChanged(Change):
    """The files in the composer of a conversation, or the messages that wait to be sent."""

    conversation: int


class EngineChanged(Change):
    """The phase, the model, the load progress or the failure."""


class ServerChanged(Change):
    """The window's server, its clients or their requests."""


class SnapshotChanged(Change):
    """There is a newer snapshot of the cache."""


class PlanChanged(Change):
    """A request's reuse plan, for the match ruler."""


class RateChanged(Change):
    """The decoding speed."""


class PreviewChanged(Change):
    """What the composer's text would reuse."""


@dataclass(frozen=True, slots=True)
class NodeDescribed(Change):
    """The decoded text of a node arrived."""

    node: int


class RecordingChanged(Change):
    """Recording of a trace started or ended."""


class RemovalChanged(Change):
    """What became of the last deleted conversation in the cache."""


class TapeGrown(Change):
    """More is known of what happened in the cache, or another cache's story begins."""


class CacheChecked(Change):
    """The invariants of the cache were checked for the debugger."""


class LabChanged(Change):
    """What the memory lab asked for: begun, further, answered or refused."""


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
