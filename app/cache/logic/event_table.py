"""Locates the events of the log in the tree. Without Qt."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from app.core.session.event_log import EventLog, Logged, LoggedEviction
from app.core.words import format as fmt
from app.core.words.explain import TIER_WORDS
from app.core.words.tr import tr
from engine.snapshot import CacheSnapshot, NodeView


@dataclass(frozen=True, slots=True)
class EventPlace:
    """The node to select, None if there is none; and a sentence about it."""

    node: int | None
    sentence: str


def place_of(logged: LoggedEviction, log: EventLog, snapshot: CacheSnapshot | None) -> EventPlace:
    """The place of an eviction in a snapshot."""
    if snapshot is None or logged.model != log.models:
        return EventPlace(None, tr("It left the cache of a model that is no longer open."))
    nodes = {node.id: node for node in snapshot.nodes if node.parent is not None}
    gone = logged.evicted
    there = _covering(nodes, gone.node_now, gone.end)
    if there is not None:
        return EventPlace(there.id, _sentence(there, gone.end))
    above = _nearest(gone.above, nodes, log.since(logged.number))
    if above is not None:
        return EventPlace(
            above.id,
            tr(
                "It is no longer in the tree. The nearest node above it is selected, "
                "up to token {end}."
            ).format(end=fmt.count(above.end)),
        )
    return EventPlace(None, tr("It is no longer in the tree, and neither is any node above it."))


def _covering(nodes: dict[int, NodeView], number: int | None, end: int) -> NodeView | None:
    """The node with the token before `end`: a node that was split keeps only its lower part."""
    node = None if number is None else nodes.get(number)
    while node is not None and node.start >= end:
        node = None if node.parent is None else nodes.get(node.parent)
    return node if node is not None and node.end >= end else None


def _nearest(number: int, nodes: dict[int, NodeView], later: Iterable[Logged]) -> NodeView | None:
    """A node or its closest remaining ancestor, which later evictions name."""
    if number in nodes:
        return nodes[number]
    for entry in later:
        if not isinstance(entry, LoggedEviction):
            continue
        gone = entry.evicted
        if gone.node_before == number and gone.node_now is None:
            number = gone.above
            if number in nodes:
                return nodes[number]
    return None


def _sentence(node: NodeView, end: int) -> str:
    if node.end > end:
        longer = (
            tr("node {id}").format(id=node.id)
            if node.tier == "device"
            else tr("a node {tier_words}").format(tier_words=TIER_WORDS[node.tier])
        )
        return tr("Its tokens are a part of {longer} now, which is selected.").format(longer=longer)
    if node.tier != "device":
        return tr("Its node is selected, which is {tier_words} now.").format(
            tier_words=TIER_WORDS[node.tier]
        )
    if node.tombstone:
        return tr("Node {id} is selected, which is a tombstone now.").format(id=node.id)
    return tr("Node {id} is selected.").format(id=node.id)
