"""Locates evictions in the tree of all tiers: which node is there, and which tier has a copy."""

from __future__ import annotations

from dataclasses import replace

from engine.cache.view.departures import Departure, Stretch
from engine.cache.view.overlay import Overlay, Spot
from engine.snapshot import Evicted


class Spots:
    """Locates departures in one overlay; shared stretches are walked only once."""

    def __init__(self, overlay: Overlay) -> None:
        self._overlay = overlay
        self._known: dict[Stretch, Spot] = {}

    def shown(self, departure: Departure) -> int | None:
        """The node that represents all of it; None if the overlay does not contain all of it."""
        spot = self._of(departure.stretch)
        return spot.view.id if spot.whole else None

    def placed(self, departure: Departure) -> Evicted:
        """Its record, with the node at its place in this overlay and the tier that has a copy."""
        spot = self._of(departure.stretch)
        record, view = departure.record, spot.view
        record = replace(
            record,
            above=spot.above,
            cached_to=max(record.start, view.start + spot.inside),
            node_before=departure.node_before,
            copy="",
        )
        if not spot.whole:
            return record
        if record.plane == "kv":
            return replace(record, node_now=view.id, copy=view.tier)
        point = view.checkpoint if spot.at_end else None
        return replace(record, node_now=view.id, copy="" if point is None else point.state.tier)

    def _of(self, stretch: Stretch) -> Spot:
        """The spot at the end of `stretch`."""
        path: list[Stretch] = []
        at: Stretch | None = stretch
        while at is not None and at not in self._known:
            path.append(at)
            at = at.above
        spot = self._overlay.top() if at is None else self._known[at]
        for below in reversed(path):
            if below.tokens is not None:
                spot = self._overlay.follow(spot, below.tokens)
            elif below.end:
                # A file whose parent was already missing: it was never shown.
                spot = Spot(spot.node, spot.inside, whole=False)
            self._known[below] = spot
        return spot
