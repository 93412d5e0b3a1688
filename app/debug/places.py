"""Where in the tree a choice is. Without Qt."""

from __future__ import annotations

from app.debug.chosen import Chosen
from app.session.passages import Place
from engine.snapshot import CacheSnapshot


def places_of(
    what: Chosen, snapshot: CacheSnapshot | None, *, whole: bool = False
) -> tuple[Place, ...]:
    """The tokens that are chosen; of a node alone those of all of it if `whole`, else none."""
    if what.places or what.node is None:
        return what.places
    if what.span is not None:
        return (Place(what.node, *what.span),)
    if not whole or snapshot is None:
        return ()
    node = next((one for one in snapshot.nodes if one.id == what.node), None)
    return () if node is None else (Place(node.id, node.start, node.end),)
