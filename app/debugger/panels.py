"""Lists the debugger's panels and their default places."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut

from app.debugger.audit_panel import AuditPanel
from app.debugger.clients_panel import ClientsPanel
from app.debugger.compare_panel import ComparePanel
from app.debugger.desk import Desk
from app.debugger.events_panel import EventsPanel
from app.debugger.evictions_panel import EvictionsPanel
from app.debugger.export.menu import ExportButton
from app.debugger.invariants_panel import InvariantsPanel
from app.debugger.node_panel import NodePanel
from app.debugger.planes_panel import PlanesPanel
from app.debugger.remote.panel import EnginesPanel
from app.debugger.state import DebugState
from app.debugger.timeline.panel import TimelinePanel
from app.debugger.transport_bar import TransportBar
from app.debugger.tree_panel import TreePanel
from app.debugger.what_if.panel import WhatIfPanel
from app.debugger.why.inquiry import Inquiry
from app.debugger.why.panel import WhyPanel
from app.debugger.why.requests_panel import RequestsPanel


def furnish(desk: Desk, state: DebugState) -> None:
    """Add every panel to a desk."""
    inquiry = Inquiry(state)
    tree = TreePanel(state)
    desk.set_centre(tree)
    desk.add(PlanesPanel(state), "right")
    node = NodePanel(state, inquiry)
    desk.add(node, "right", beside="planes")
    tree.canvas.menu_wanted.connect(node.show_menu)
    undo = QShortcut(QKeySequence(QKeySequence.StandardKey.Undo), desk)
    undo.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
    undo.activated.connect(node.undo)
    desk.add(WhyPanel(state, inquiry), "right", beside="planes")
    desk.add(WhatIfPanel(state), "right", beside="planes")
    state.what_if_wanted.connect(lambda _: desk.show_panel(WhatIfPanel.name))
    timeline = TimelinePanel(state, inquiry)
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
