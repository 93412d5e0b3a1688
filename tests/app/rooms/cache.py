"""The cache pane beside the conversation, and what can be done with a node."""

from __future__ import annotations

from msgspec.structs import replace
from PySide6.QtCore import QPoint
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QWidget

from app.cache.checkpoint_dialog import NodeMenu
from app.cache.pane import SECTIONS
from engine.events import EngineReady, NodeOwner, NodeText
from engine.net.counters.reading import CountersRead, Reading
from engine.snapshot import DiskView
from tests.app.cache.remote_desk import REMOTE
from tests.app.rooms.visit import SIZE, Views, Visit, own
from tests.present import present


def views() -> Views:
    yield from _nodes()
    yield from _elsewhere()


def _nodes() -> Views:
    visit = Visit()
    desk, pane = visit.desk, visit.window.cache
    desk.open()
    desk.say(own("word") * 500)
    desk.say(own("A second question. ") * 20)
    snapshot = present(desk.session.cache.snapshot)
    node = [one for one in snapshot.nodes if one.checkpoint is not None][-1]
    pane.canvas.select(node.id)
    # The engine's own answer comes first, and knows no conversation.
    desk.settle()
    desk.session.cache.node_text = NodeText(
        node=node.id,
        start=node.start,
        end=node.end,
        text="A second question.",
        owners=(NodeOwner(desk.session.current.id, node.end),),
    )
    pane.show_node_text(desk.session)
    yield visit.at("details of a node")
    pane.canvas.select(None)
    visit.window.resize(SIZE[0], 1000)
    pane.show_figures(SECTIONS)
    yield visit.at("all figures of the cache")
    pane.show_figures(())
    pane.canvas.select(node.id)
    visit.window.resize(900, SIZE[1])
    yield visit.at("the cache as a strip")
    visit.window.show_cache(True)
    yield visit.at("the cache over the chat")
    visit.window.resize(*SIZE)
    pane.canvas.cards.floating.tell(node.id, own("tokens 0 to 500\nKV 4.88 KiB"), QPoint(20, 60))
    yield visit.at("a card of a node")
    pane.canvas.cards.clear()
    _ask_for_menu(pane.canvas)
    menu = present(visit.window.findChild(NodeMenu))
    yield visit.at("the menu of a node", menu)
    menu.close()

    def ask() -> None:
        _ask_for_menu(pane.canvas)
        menus = [one for one in visit.window.findChildren(NodeMenu) if one.isVisible()]
        menus[0].acted.emit("checkpoint")
        menus[0].close()

    yield from visit.dialogs("a checkpoint by hand", ask)
    desk.session.cache.snapshot = replace(
        snapshot, disk=DiskView(3, 4096, 8192, 0, 0, own("The disk is full."))
    )
    pane.show_snapshot(desk.session)
    yield visit.at("a disk that is full")
    visit.leave()


def _ask_for_menu(canvas: QWidget) -> None:
    place = QPoint(2, 2)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, place, canvas.mapToGlobal(place))
    QApplication.sendEvent(canvas, event)


def _elsewhere() -> Views:
    visit = Visit()
    desk = visit.desk
    visit.window.show_cache(True)
    desk.bridge.apply([EngineReady(model=REMOTE)])
    tracks = visit.window.cache.elsewhere.tracks
    tracks.clock = lambda: 50.0
    for at in (44.0, 46.0, 48.0, 50.0):
        readings = (Reading("kv in use", 0.5), Reading("mamba in use", 0.9))
        desk.bridge.apply([CountersRead(time=at, readings=readings)])
    yield visit.at("an engine elsewhere")
    visit.leave()
