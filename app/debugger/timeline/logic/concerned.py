"""Finds the requests and events that concern the selection of any panel. Without Qt."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

import numpy as np

from app.debugger.logic.chosen import Chosen
from app.debugger.timeline.logic.columns import Series
from app.debugger.timeline.logic.events import KIND_OF, OF_STATES, Events
from app.debugger.timeline.logic.growing import Ints
from engine.analysis.ledger import Ledger

# Each is drawn individually, so at most this many.
MOST = 400
_NONE = np.empty(0, np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Concerned:
    """Numbers of requests and of events, in order.

    Attributes:
        event: the selected one; the others are of the same node.
        links: evictions, each with the request that missed what it took; numbers of both.
    """

    requests: Ints = field(default_factory=lambda: _NONE)
    events: Ints = field(default_factory=lambda: _NONE)
    event: int | None = None
    links: tuple[tuple[int, int], ...] = ()


NOTHING_CONCERNED = Concerned()


def concerned(
    series: Series,
    what: Chosen,
    ran: Collection[int] = (),
    host: int | None = None,
    links: Sequence[tuple[int, int]] = (),
) -> Concerned:
    """The requests and events that concern a selection.

    Args:
        ran: numbers of the requests that ran the selected message.
        host: the selected node's number in host memory.
        links: of the selection, see Concerned.
    """
    asked = {*ran, *(request for _, request in links)}
    asked |= set() if what.request is None else {what.request}
    requests = np.array(sorted(n for n in asked if 0 <= n < len(series.requests)), np.int64)
    event = None if what.entry is None else event_at(series.events, what.entry)
    found = _of_node(series.events, what.node)
    if host is not None:
        found = np.union1d(found, _named(series.events, host, "host")[-MOST:])
    if what.is_checkpoint:
        found = _of_states(series.events, found)
    if links:
        found = np.union1d(found, [number for number, _ in links])
    return Concerned(requests, found, event, tuple(links))


def missed_of(ledger: Ledger, series: Series, what: Chosen | None = None) -> list[tuple[int, int]]:
    """Evictions, each with the request that first missed what it took: numbers of both.

    Args:
        what: only those of a selected eviction or request; None: all.
    """
    made = []
    for number, need in ledger.needs.items():
        index = ledger.evictions[number].index
        if what is not None and what.entry != index and what.request != need.request:
            continue
        event = event_at(series.events, index)
        if event is not None and need.request < len(series.requests):
            made.append((event, need.request))
    return made


def event_at(events: Events, entry: int) -> int | None:
    """The number of the event of an entry; None if it is not on the timeline."""
    number = int(np.searchsorted(events.index, entry))
    found = number < len(events) and int(events.index[number]) == entry
    return number if found else None


def _of_node(events: Events, node: int | None) -> Ints:
    """The events of a device node: its insertion, its checkpoints, its removal."""
    if node is None or node <= 0 or not len(events):
        return _NONE
    mine = _named(events, node)
    if node not in events.split_from:
        return mine[-MOST:]
    found: Ints = np.union1d(_birth(events, node), mine[1 - MOST :])
    return found


def _of_states(events: Events, found: Ints) -> Ints:
    """Those of some events that concern checkpoints."""
    about = np.array([row.kind in OF_STATES for row in events.rows], bool)
    return found[about[events.row[found]]] if len(found) else found


def _birth(events: Events, upper: int) -> Ints:
    """The insertion of the node that an upper half of a split comes from."""
    origin = upper
    while origin in events.split_from:
        origin = events.split_from[origin]
    named = _named(events, origin)
    born = np.array([row.kind == KIND_OF["inserted"] for row in events.rows])
    found: Ints = named[born[events.row[named]]][:1]
    return found


def _named(events: Events, node: int, tier: str = "device") -> Ints:
    """The events of a tier that name a node."""
    mine = np.flatnonzero(events.node == node)
    here = np.array([row.tier == tier for row in events.rows], bool)
    found: Ints = mine[here[events.row[mine]]]
    return found
