"""The debugger's panels and the memory lab's tabs."""

from __future__ import annotations

from app.debugger.checkpoint_history import CheckpointHistory
from app.debugger.desk import Desk as Desktop
from app.debugger.logic.chosen import Chosen
from app.debugger.timeline.panel import TimelinePanel
from app.debugger.what_if.panel import FigureTable
from app.debugger.why.panel import WhyPanel
from engine.net.kv_events.address import Publisher
from tests.app.rooms.visit import SIZE, View, Views, Visit, own
from tests.present import present

# Of the demo trace.
_REQUESTS = 15
TABS = ("memory", "two memories", "prefill and decode", "recall", "tree")


def views() -> Views:
    visit = Visit()
    window = visit.window
    visit.desk.open()
    visit.desk.say(own("Hello! My name is Greta, and my code is 5512."))
    window.menus.debugger.trigger()
    visit.desk.settle()
    desk = present(window.debugger.desk)
    desk.state.choose_node(present(visit.desk.session.cache.snapshot).nodes[-1].id)
    yield from _panels(visit, desk, "debugger")
    yield from visit.dialogs("a layout's name", window.debugger.layouts.ask_name)
    window.traces.open_demo()
    visit.until(lambda: bool(window.traces.name))
    desk.state.choose(Chosen(request=9))
    yield from _panels(visit, desk, "trace")
    window.debugger.show_panel("what-if")
    figures = present(desk.panels["what-if"].findChild(FigureTable))
    visit.until(figures.isVisible)
    yield visit.at("trace: what is predicted")
    yield _life(visit, desk)
    yield _differing_texts(visit, desk)
    timeline = desk.panels["timeline"]
    assert isinstance(timeline, TimelinePanel)
    window.debugger.show_panel("timeline")
    visit.until(lambda: bool(timeline.view.scene.stacks))
    timeline.view.scene.interval = (1.0, 2.0)
    timeline.view.marks_moved()
    yield visit.at("trace: an interval of the timeline")
    window.traces.close()
    window.remote.open([Publisher(f"ipc://{visit.folder}/engine", label=own("one"))])
    window.debugger.show_panel("engines")
    yield visit.at("debugger: an engine elsewhere")
    window.remote.close()
    window.menus.debugger.trigger()
    yield from _lab(visit)
    visit.leave()


def _panels(visit: Visit, desk: Desktop, name: str) -> Views:
    for key in desk.panels:
        visit.window.debugger.show_panel(key)
        yield visit.at(f"{name}: {key}")


def _life(visit: Visit, desk: Desktop) -> View:
    """What has become of a checkpoint."""
    nodes = present(desk.state.moment.snapshot).nodes
    kept = (node for node in nodes if node.checkpoint is not None)
    # What was said in the recording is English.
    chosen = next(node for node in kept if not any(one.text for one in node.speech))
    visit.window.debugger.show_panel("node")
    desk.state.choose_node(chosen.id)
    visit.until(present(desk.panels["node"].findChild(CheckpointHistory)).isVisible)
    return visit.at("trace: the life of a checkpoint")


def _differing_texts(visit: Visit, desk: Desktop) -> View:
    """The first request whose prompt parts from the cache."""
    why = desk.panels["why"]
    assert isinstance(why, WhyPanel)
    visit.window.debugger.show_panel("why")
    for request in range(_REQUESTS):
        desk.state.choose(Chosen(request=request))
        visit.desk.settle()
        if why.sides.cached.isVisible():
            break
    return visit.at("trace: both texts")


def _lab(visit: Visit) -> Views:
    visit.window.menus.lab.trigger()
    visit.desk.settle()
    lab = present(visit.window.lab.window)
    lab.resize(*SIZE)
    for tab in TABS:
        visit.window.lab.open_tab(tab)
        yield visit.at(f"lab: {tab}", lab)
    lab.story.open()
    story = lab.story.panel
    yield visit.at("lab: the story", lab)
    story.words.linkHovered.emit(f"#{next(iter(story.words.numbers))}")
    yield visit.at("lab: a number of the story", lab)
    lab.close()
