"""The event log: the engine's notices and the evictions, each with its time of day."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice, takewhile

from app.core.session.changes import Noted, Outcome
from engine.snapshot import CacheSnapshot, Evicted, NodeView

MOST_NOTICES = 1000
MOST_EVICTIONS = 10_000
# The tree highlights at most this many at once.
_MOST_FRESH = 1000


@dataclass(frozen=True, slots=True)
class LoggedNotice:
    """A notice of the engine; `clock` is seconds since 1970, `number` counts entries."""

    clock: float
    number: int
    sentence: str


@dataclass(frozen=True, slots=True)
class LoggedEviction:
    """An eviction, with what was known of its node while it was on screen.

    Attributes:
        clock: seconds since 1970.
        number: counts entries, in the order of their arrival.
        model: counts the models opened before; node ids of another one mean nothing.
        text: the beginning of what was evicted, "" if unknown.
        age_s, unused_s: since creation and since last use; None if unknown.
    """

    clock: float
    number: int
    model: int
    evicted: Evicted
    text: str = ""
    age_s: float | None = None
    unused_s: float | None = None


Logged = LoggedNotice | LoggedEviction


class EventLog:
    """The most recent entries of each kind, so that many evictions do not push out a notice.

    Attributes:
        total: evictions ever reported.
        unlisted: evictions that were counted but not reported individually.
        models: how many models have been opened.
    """

    def __init__(self) -> None:
        self.total = self.unlisted = self.models = 0
        self._entries = 0
        self._notices: deque[LoggedNotice] = deque(maxlen=MOST_NOTICES)
        self._evictions: deque[LoggedEviction] = deque(maxlen=MOST_EVICTIONS)

    def add_notices(self, sentences: Iterable[str], clock: float) -> None:
        for sentence in sentences:
            self._entries += 1
            self._notices.append(LoggedNotice(clock, self._entries, sentence))

    def note(self, sentence: str, *offers: tuple[str, str]) -> Outcome:
        """Show a notice, with what can be done about it, and add it."""
        self.add_notices((sentence,), time.time())
        return Outcome.of(Noted(sentence, offers))

    def add_evictions(
        self, snapshot: CacheSnapshot, clock: float, before: CacheSnapshot | None = None
    ) -> None:
        """Add the evictions that a snapshot reports.

        `clock` is when it was taken; `before` is the previous snapshot, which may still have the
        evicted nodes.
        """
        self.unlisted += snapshot.unlisted
        self.total += len(snapshot.evictions)
        shown = {} if before is None or not snapshot.evictions else _by_id(before.nodes)
        for gone in snapshot.evictions:
            self._entries += 1
            at = clock - max(0.0, snapshot.time - gone.time)
            node = None if gone.node_before is None else shown.get(gone.node_before)
            text, age_s, unused_s = _known(gone, node)
            self._evictions.append(
                LoggedEviction(at, self._entries, self.models, gone, text, age_s, unused_s)
            )

    @property
    def notices(self) -> list[str]:
        return [said.sentence for said in self._notices]

    @property
    def left_out(self) -> int:
        """Evictions that this list has no entry for."""
        return self.total - len(self._evictions) + self.unlisted

    def after(self, total: int) -> tuple[Evicted, ...]:
        """The latest evictions after the first `total`, at most a thousand."""
        fresh = min(self.total - total, len(self._evictions), _MOST_FRESH)
        latest = [logged.evicted for logged in islice(reversed(self._evictions), fresh)]
        return tuple(reversed(latest))

    def since(self, number: int) -> list[Logged]:
        """The entries after a number, oldest first."""
        notices = takewhile(lambda one: one.number > number, reversed(self._notices))
        evictions = takewhile(lambda one: one.number > number, reversed(self._evictions))
        return sorted((*notices, *evictions), key=lambda entry: entry.number)

    @property
    def oldest(self) -> tuple[int, int]:
        """The numbers of the oldest notice and the oldest eviction that are listed."""
        return (
            self._notices[0].number if self._notices else 0,
            self._evictions[0].number if self._evictions else 0,
        )


def _by_id(nodes: Iterable[NodeView]) -> dict[int, NodeView]:
    return {node.id: node for node in nodes}


def _known(gone: Evicted, node: NodeView | None) -> tuple[str, float | None, float | None]:
    """The text, age and idle time of an evicted node, as far as known."""
    if node is None or node.end != gone.end:
        return "", None, None
    # The text of a longer or shorter node begins elsewhere.
    text = node.text if node.start == gone.start else ""
    point = node.checkpoint
    made: tuple[float, float] | None = None
    if gone.plane != "state" and gone.tier == node.tier == "device":
        made = node.created, node.last_used
    elif gone.plane != "kv" and point is not None and point.state.tier == gone.tier != "disk":
        made = point.created, point.last_used
    # A creation time after the eviction comes from an earlier boot's clock.
    if made is None or max(made) > gone.time:
        return text, None, None
    return text, gone.time - made[0], gone.time - made[1]
