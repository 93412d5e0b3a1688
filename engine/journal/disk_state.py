"""The disk tier rebuilt from its records: segments, which may share tokens, and byte counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from engine.cache.journal import changes
from engine.cache.journal.changes import (
    DiskOpened,
    DiskTrouble,
    SegmentAdded,
    SegmentRemoved,
    SegmentsUsed,
    SegmentWritten,
)
from engine.cache.node import ROOT_ID
from engine.errors import TraceError
from engine.journal.spans import HeldState, Span
from engine.journal.tier_state import Nobody, UndoNotes, Watcher
from engine.snapshot import DiskView

KEY_DIGITS = 32
REPLACED = "superseded"


class FileBytes:
    """Byte counts of the files; unknown before a DiskOpened.

    Attributes:
        budget: maximum bytes of the files; None while unknown.
        kv, rest: bytes of KV, and of everything else: states, tokens and headers.
    """

    def __init__(self) -> None:
        self.budget: int | None = None
        self.kv = self.rest = 0
        self._slot_bytes = 0
        self._files: dict[str, tuple[int, int]] = {}

    def follow(self, what: object) -> bool:
        """Apply a record; returns whether it changed any bytes."""
        change = _CHANGES.get(type(what))
        if change is None or (self.budget is None and type(what) is not DiskOpened):
            return False
        change(self, what)
        return True

    def resume(self, opened: DiskOpened, kv: int, rest: int) -> None:
        """Continue with a total for files that are not known individually."""
        self._open(opened)
        self.kv, self.rest = kv, rest

    def _open(self, what: DiskOpened) -> None:
        self.budget, self._slot_bytes = what.budget_bytes, what.kv_slot_bytes
        self._files.clear()
        self.kv = self.rest = 0

    def _add(self, what: SegmentAdded) -> None:
        self._drop(what.key)
        self._put(what.key, (what.end - what.start) * self._slot_bytes, what.file_bytes)

    def _written(self, what: SegmentWritten) -> None:
        # Otherwise it keeps its announced size.
        if what.key in self._files:
            self._put(what.key, self._drop(what.key), what.file_bytes)

    def _remove(self, what: SegmentRemoved) -> None:
        if what.key not in self._files:
            self.kv -= what.kv_bytes
            self.rest -= what.bytes - what.kv_bytes
        # A superseded segment is replaced by the next record.
        elif what.cause != "superseded":
            self._drop(what.key)

    def _put(self, key: str, kv: int, whole: int) -> None:
        self._files[key] = kv, whole - kv
        self.kv += kv
        self.rest += whole - kv

    def _drop(self, key: str) -> int:
        """Returns the file's bytes of KV."""
        kv, rest = self._files.pop(key, (0, 0))
        self.kv -= kv
        self.rest -= rest
        return kv


_CHANGES: Mapping[type, Callable[[FileBytes, Any], None]] = {
    DiskOpened: FileBytes._open,
    SegmentAdded: FileBytes._add,
    SegmentWritten: FileBytes._written,
    SegmentRemoved: FileBytes._remove,
}
FILE_CHANGES = frozenset(_CHANGES)


class DiskState:
    """Applies the changes of the disk tier; its state is unknown before a DiskOpened.

    A segment is a span whose id is its key as a number.

    Attributes:
        opened: None before its first record.
        damaged, trouble: see DiskTrouble.
        undo: notes how to undo changes, while that is wanted.
    """

    def __init__(self, watcher: Watcher | None = None) -> None:
        self._watcher = watcher or Nobody()
        self.undo = UndoNotes()
        self.opened: DiskOpened | None = None
        self.damaged = 0
        self.trouble = ""
        self._spans: dict[int, Span] = {}
        self._waiting: set[int] = set()
        self._bytes = 0
        self._follow: dict[type, Callable[[float, Any], None]] = {
            DiskOpened: self._open,
            SegmentAdded: self._add,
            SegmentWritten: self._written,
            SegmentsUsed: self._used,
            changes.SegmentRemoved: self._remove,
            DiskTrouble: self._have_trouble,
        }

    def apply(self, time: float, change: object) -> bool:
        """Apply one change; False if it is not one of the disk tier.

        Raises TraceError if it is impossible in this state.
        """
        follow = self._follow.get(type(change))
        if follow is None:
            return False
        if self.opened is not None or type(change) is DiskOpened:
            follow(time, change)
        return True

    # ---- views

    def view(self) -> DiskView | None:
        """Files and bytes; None if nothing is known of a disk tier."""
        if self.opened is None:
            return None
        return DiskView(
            files=self.size,
            used_bytes=self._bytes,
            budget_bytes=self.opened.budget_bytes,
            pending=len(self._waiting),
            damaged=self.damaged,
            trouble=self.trouble,
        )

    @property
    def size(self) -> int:
        """The number of segments."""
        return max(len(self._spans) - 1, 0)

    @property
    def kv_slot_bytes(self) -> int:
        """Bytes of KV per token."""
        return 0 if self.opened is None else self.opened.kv_slot_bytes

    def in_order(self) -> list[Span]:
        """The root and every segment, parents before children."""
        return sorted(self._spans.values(), key=lambda span: span.end)

    def waits(self, span: Span) -> bool:
        """Whether it is still to be written."""
        return span.id in self._waiting

    # ---- the whole

    def _open(self, time: float, change: DiskOpened) -> None:
        self.undo.refuse()
        self._begin(change)
        root = Span(ROOT_ID, None, 0, 0, time, time)
        self._insert(root)
        self.damaged, self.trouble = change.damaged, change.trouble

    def restore(self, opened: DiskOpened, spans: list[Span], waiting: set[int]) -> None:
        """Take over the root and the segments, parents first; their children are counted here."""
        self._begin(opened)
        for span in spans:
            self._insert(span)
            self._bytes += self._kv_bytes(span) + (0 if span.held is None else span.held.nbytes)
        self._waiting = waiting

    def _begin(self, opened: DiskOpened) -> None:
        self._watcher.cleared()
        self.opened = opened
        self._spans, self._waiting = {}, set()
        self._bytes = 0

    # ---- segments

    def _add(self, time: float, change: SegmentAdded) -> None:
        number, parent = _number(change.key), _number(change.parent) if change.parent else ROOT_ID
        above, before = self._spans.get(parent), self._spans.get(number)
        if above is None or above.end != change.start or not change.start < change.end:
            raise TraceError(f"Segment {change.key} cannot follow segment {change.parent!r}.")
        if change.state.position != change.end or (before is not None and before.end != change.end):
            raise TraceError(f"Segment {change.key} cannot end at {change.end}.")
        span = Span(number, parent, change.start, change.end, change.created, change.used)
        span.tokens = change.tokens
        state_bytes = change.file_bytes - self._kv_bytes(span)
        span.held = HeldState(change.state, 0, change.created, change.used, 0, state_bytes)
        if before is not None:
            self._undone_take_out(before)
            span.children = before.children
        self._insert(span)
        self.undo.note(self._take_out, span)
        self._count(change.file_bytes)
        self._wait(number, not change.written)

    def _remove(self, time: float, change: changes.SegmentRemoved) -> None:
        # A replaced segment stays until its successor is added, so that no child loses its parent.
        if not change.key or change.cause == REPLACED:
            return
        span = self._span(change.key)
        if span.children:
            raise TraceError(f"Segment {change.key} goes before those that continue it.")
        self._undone_take_out(span)
        self._wait(span.id, False)

    def _undone_take_out(self, span: Span) -> None:
        assert span.held is not None, "every segment has a state"
        self._count(-span.held.nbytes - self._kv_bytes(span))
        self._take_out(span)
        self.undo.note(self._insert, span)

    def _written(self, time: float, change: SegmentWritten) -> None:
        span = self._span(change.key)
        assert span.held is not None, "every segment has a state"
        state_bytes = change.file_bytes - self._kv_bytes(span)
        self._count(state_bytes - span.held.nbytes)
        self._keep(span)
        span.held = replace(span.held, nbytes=state_bytes)
        self._wait(span.id, False)

    def _used(self, time: float, change: SegmentsUsed) -> None:
        for key in change.keys:
            span = self._span(key)
            assert span.held is not None, "every segment has a state"
            self._keep(span)
            span.last_used = change.used
            span.held = replace(span.held, last_used=change.used)

    def _have_trouble(self, time: float, change: DiskTrouble) -> None:
        self.undo.keep(self, "damaged")
        self.undo.keep(self, "trouble")
        self.damaged, self.trouble = change.damaged, change.trouble

    # ---- inside

    def _insert(self, span: Span) -> None:
        self._spans[span.id] = span
        if span.parent is not None:
            self._spans[span.parent].children += 1
        self._watcher.added(span)

    def _take_out(self, span: Span) -> None:
        assert span.parent is not None, "the root stays"
        self._spans[span.parent].children -= 1
        del self._spans[span.id]
        self._watcher.removed(span)

    def _span(self, key: str) -> Span:
        span = self._spans.get(_number(key))
        if span is None:
            raise TraceError(f"Segment {key} is not in the disk tier.")
        return span

    def _kv_bytes(self, span: Span) -> int:
        return (span.end - span.start) * self.kv_slot_bytes

    def _keep(self, span: Span) -> None:
        """Note a segment's fields before one changes."""
        self._watcher.changed(span)
        if self.undo.actions is not None:
            self.undo.note(self._watcher.changed, span)
            self.undo.note(span.restorer())

    def _wait(self, number: int, waits: bool) -> None:
        if waits is (number in self._waiting):
            return
        put, take = self._waiting.add, self._waiting.discard
        (put if waits else take)(number)
        self.undo.note(take if waits else put, number)

    def _count(self, more: int) -> None:
        self.undo.keep(self, "_bytes")
        self._bytes += more


def number_of(key: str) -> int:
    """A key as a span id; the root's id if the key names no segment."""
    try:
        number = int(key, 16)
    except ValueError:
        return ROOT_ID
    return number if key == key_of(number) else ROOT_ID


def _number(key: str) -> int:
    """Raises TraceError for a key that names no segment."""
    number = number_of(key)
    if number == ROOT_ID:
        raise TraceError(f'"{key[:KEY_DIGITS]}" is not the key of a segment.')
    return number


def key_of(number: int) -> str:
    """The key of the segment whose span has this id."""
    return f"{number:0{KEY_DIGITS}x}"
