"""What an event or an action changed: the window refreshes exactly that."""

from __future__ import annotations

from dataclasses import dataclass

from engine.commands import Command


@dataclass(frozen=True, slots=True)
class ConversationsChanged:
    """The list of conversations, a title, or which one is current.

    What changed in one that is not current, another change tells: it may be one of thousands.
    """


@dataclass(frozen=True, slots=True)
class ActsChanged:
    """Something was done to the cache by hand, was refused, or has come further."""


@dataclass(frozen=True, slots=True)
class CountersChanged:
    """The counters of an engine elsewhere were read, or cannot be."""


@dataclass(frozen=True, slots=True)
class TurnsChanged:
    """Turns were added to or removed from a conversation."""

    conversation: int


@dataclass(frozen=True, slots=True)
class TurnChanged:
    """The content of one turn."""

    conversation: int
    turn: int


@dataclass(frozen=True, slots=True)
class TurnsDropped:
    """A request was undone; these turns of its conversation never were."""

    conversation: int
    turns: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class BranchChanged:
    """Another branch of a conversation is on screen."""

    conversation: int


@dataclass(frozen=True, slots=True)
class TurnSought:
    """The reader is to be taken to a turn."""

    conversation: int
    turn: int


@dataclass(frozen=True, slots=True)
class SettingsChanged:
    """The name, the place, the draft or a setting of a conversation; the window shows them."""

    conversation: int


@dataclass(frozen=True, slots=True)
class SamplingChanged:
    """The sampling of a conversation, or the draft of its system text by another than its field."""

    conversation: int


@dataclass(frozen=True, slots=True)
class PresetsChanged:
    """The presets, or whether one can be brought back."""


@dataclass(frozen=True, slots=True)
class SystemWeighed:
    """What another system text would cost, or a part of the answer."""


@dataclass(frozen=True, slots=True)
class DraftReturned:
    """A text that could not be run returns to the composer."""

    conversation: int


@dataclass(frozen=True, slots=True)
class UnsentChanged:
    """The files in the composer of a conversation, or the messages that wait to be sent."""

    conversation: int


@dataclass(frozen=True, slots=True)
class EngineChanged:
    """The phase, the model, the load progress or the failure."""


@dataclass(frozen=True, slots=True)
class ServerChanged:
    """The window's server, its clients or their requests."""


@dataclass(frozen=True, slots=True)
class SnapshotChanged:
    """There is a newer snapshot of the cache."""


@dataclass(frozen=True, slots=True)
class PlanChanged:
    """A request's reuse plan, for the match ruler."""


@dataclass(frozen=True, slots=True)
class RateChanged:
    """The decoding speed."""


@dataclass(frozen=True, slots=True)
class PreviewChanged:
    """What the composer's text would reuse."""


@dataclass(frozen=True, slots=True)
class NodeDescribed:
    """The decoded text of a node arrived."""

    node: int


@dataclass(frozen=True, slots=True)
class RecordingChanged:
    """Recording of a trace started or ended."""


@dataclass(frozen=True, slots=True)
class RemovalChanged:
    """What became of the last deleted conversation in the cache."""


@dataclass(frozen=True, slots=True)
class TapeGrown:
    """More is known of what happened in the cache, or another cache's story begins."""


@dataclass(frozen=True, slots=True)
class CacheChecked:
    """The invariants of the cache were checked for the debugger."""


@dataclass(frozen=True, slots=True)
class LabChanged:
    """What the memory lab asked for: begun, further, answered or refused."""


@dataclass(frozen=True, slots=True)
class Noted:
    """A notice for the status line."""

    text: str


Change = (
    ConversationsChanged
    | TurnsChanged
    | TurnChanged
    | TurnsDropped
    | BranchChanged
    | TurnSought
    | SettingsChanged
    | SamplingChanged
    | PresetsChanged
    | SystemWeighed
    | DraftReturned
    | UnsentChanged
    | EngineChanged
    | ServerChanged
    | SnapshotChanged
    | PlanChanged
    | RateChanged
    | PreviewChanged
    | NodeDescribed
    | RecordingChanged
    | RemovalChanged
    | LabChanged
    | TapeGrown
    | ActsChanged
    | CountersChanged
    | CountersChanged
    | CacheChecked
    | Noted
)


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
