"""What an event or an action changed: the window refreshes exactly that."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import ClassVar, TypeAlias

from engine.commands import Command


class Changed(Enum):
    """Something that a part of the window may have to refresh."""

    # The list of conversations, a title, or which one is current. What changed in one that is not
    # current, another change tells: it may be one of thousands.
    CONVERSATIONS = auto()
    # The presets, or whether one can be brought back.
    PRESETS = auto()
    # What another system text would cost, or a part of the answer.
    WEIGHING = auto()
    # The phase, the model, the load progress or the failure.
    ENGINE = auto()
    # The window's server, its clients or their requests.
    SERVER = auto()
    # The counters of an engine elsewhere were read, or cannot be.
    COUNTERS = auto()
    # There is a newer snapshot of the cache.
    SNAPSHOT = auto()
    # The decoded text of a node arrived.
    NODE = auto()
    # More is known of what happened in the cache, or another cache's story begins.
    TAPE = auto()
    # The invariants of the cache were checked for the debugger.
    CHECK = auto()
    # Something was done to the cache by hand, was refused, or has come further.
    ACTS = auto()
    # What became of the last deleted conversation in the cache.
    REMOVAL = auto()
    # A request's reuse plan, for the match ruler.
    PLAN = auto()
    # The decoding speed.
    RATE = auto()
    # What the composer's text would reuse.
    PREVIEW = auto()
    # Recording of a trace started or ended.
    RECORDING = auto()
    # What the memory lab asked for: begun, further, answered or refused.
    LAB = auto()
    # A notice for the status line: see Noted.
    NOTICE = auto()

    # The following are of one conversation: see Within.

    # Turns were added to or removed from it.
    TURNS = auto()
    # The content of one turn.
    TURN = auto()
    # A request was undone; this turn of it never was.
    DROPPED = auto()
    # Another of its branches is on screen.
    BRANCH = auto()
    # The reader is to be taken to a turn.
    SOUGHT = auto()
    # Its name, place, draft or a setting; the window shows them.
    SETTINGS = auto()
    # Its sampling, or the draft of its system text by another than its field.
    SAMPLING = auto()
    # A text that could not be run returns to the composer.
    DRAFT = auto()
    # The files in its composer, or its messages that wait to be sent.
    UNSENT = auto()

    @property
    def kind(self) -> Changed:
        return self

    def of(self, conversation: int, turn: int = 0) -> Within:
        """This in a conversation, in one of its turns."""
        return Within(self, conversation, turn)


@dataclass(frozen=True, slots=True)
class Within:
    """What changed in a conversation; `turn` is 0 if it is of no single one."""

    kind: Changed
    conversation: int
    turn: int


@dataclass(frozen=True, slots=True)
class Noted:
    """A notice for the status line.

    Attributes:
        offers: what can be done about it: ids, mostly of commands, and what their buttons say.
    """

    kind: ClassVar = Changed.NOTICE
    text: str
    offers: tuple[tuple[str, str], ...] = ()


Change: TypeAlias = Changed | Within | Noted


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
