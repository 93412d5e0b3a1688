"""Which panels the debugger has, and where they stand at first."""

from __future__ import annotations

from app.debug.desk import Desk
from app.debug.evictions_panel import EvictionsPanel
from app.debug.planes_panel import PlanesPanel
from app.debug.state import DebugState
from app.debug.timeline.panel import TimelinePanel
from app.debug.transport_bar import TransportBar
from app.debug.tree_panel import TreePanel


def furnish(desk: Desk, state: DebugState) -> None:
    """Put every panel on a desk."""
    desk.set_centre(TreePanel(state))
    desk.add(PlanesPanel(state), "right")
    timeline = TimelinePanel(state)
    desk.add(timeline, "bottom")
    desk.add(EvictionsPanel(state), "bottom", beside="timeline")
    desk.add_bar(TransportBar(state, timeline))
    desk.settle()
