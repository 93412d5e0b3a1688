"""Which panels the debugger has, and where they stand at first."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut

from app.debug.audit_panel import AuditPanel
from app.debug.clients_panel import ClientsPanel
from app.debug.compare_panel import ComparePanel
from app.debug.desk import Desk
from app.debug.events_panel import EventsPanel
from app.debug.evictions_panel import EvictionsPanel
from app.debug.export.menu import ExportButton
from app.debug.invariants_panel import InvariantsPanel
from app.debug.node_panel import NodePanel
from app.debug.planes_panel import PlanesPanel
from app.debug.remote.panel import EnginesPanel
from app.debug.state import DebugState
from app.debug.timeline.panel import TimelinePanel
from app.debug.transport_bar import TransportBar
from app.debug.tree_panel import TreePanel
from app.debug.what_if.panel import WhatIfPanel
from app.debug.why.inquiry import Inquiry
from app.debug.why.panel import WhyPanel
from app.debug.why.requests_panel import RequestsPanel


def furnish(desk: Desk, state: DebugState) -> None:
    """Put every panel on a desk."""
    inquiry = Inquiry(state)
    tree = TreePanel(state)
    desk.set_centre(tree)
    desk.add(PlanesPanel(state), "right")
    node = NodePanel(state)
    desk.add(node, "right", beside="planes")
    tree.canvas.menu_wanted.connect(node.show_menu)
    undo = QShortcut(QKeySequence(QKeySequence.StandardKey.Undo), desk)
    undo.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
    undo.activated.connect(node.undo)
    desk.add(WhyPanel(state, inquiry), "right", beside="planes")
    desk.add(WhatIfPanel(state), "right", beside="planes")
    state.what_if_wanted.connect(lambda _: desk.show_panel(WhatIfPanel.name))
    timeline = TimelinePanel(state)
    desk.add(timeline, "bottom")
    desk.add(RequestsPanel(state, inquiry), "bottom", beside="timeline")
    desk.add(EvictionsPanel(state), "bottom", beside="timeline")
    desk.add(EventsPanel(state), "bottom", beside="timeline")
    desk.add(InvariantsPanel(state), "bottom", beside="timeline")
    desk.add(AuditPanel(state), "bottom", beside="timeline")
    desk.add(EnginesPanel(state), "bottom", beside="timeline")
    desk.add(ClientsPanel(state), "bottom", beside="timeline")
    compare = ComparePanel(state, timeline)
    desk.add(compare, "bottom", beside="timeline")
    bar = TransportBar(state, timeline)
    bar.row.addWidget(ExportButton(desk, timeline, compare))
    desk.add_bar(bar)
    state.panel_wanted.connect(desk.show_panel)
    desk.settle()
