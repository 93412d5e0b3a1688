"""Chats: one that grows and branches, what evictions do, another model, the palette, settings."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from app.core.session.records import Coming
from tours.guide import Guide, Picture
from tours.starting import NAME, NO_ROOM

VIEWS = ("messages", "tokens", "memory", "topology")
CHATS = (
    *("Hello! My name is Greta and my code is 5512.", "What is a tombstone?"),
    *("/edit 2 What is a checkpoint?", "Why was this turn fast?", "/again"),
    *("/new", "/system Answer in one short sentence.", "What is prefill?", "And decode?"),
    *("/new", "Tell me a story about a fox.", "/think on", "And then?", "How did it end?"),
    *("/select 3", "What is my name and what is my code?"),
)
_SECTIONS = ("model", "cache", "chat", "server", "appearance", "shortcuts", "data")


def chats(guide: Guide) -> Iterator[Picture]:
    """From the empty window to a cache that has evicted much."""
    window = guide.window
    guide.open_demo()
    yield Picture("chat-empty", window)
    guide.act("What is a prefix cache?")
    yield Picture("chat-mid-answer", window, partial(_stop_in_an_answer, guide))
    guide.act("/new")
    for step in CHATS[:5]:
        guide.act(step)
    yield Picture("chat-one", window)
    for step in CHATS[5:]:
        guide.act(step)
    yield Picture("chat-evictions", window)
    for view in VIEWS[1:]:
        guide.act(f"/view {view}")
        yield Picture(f"chat-evictions-{view}", window)
    guide.act(f"/view {VIEWS[0]}")
    window.show_cache(False)
    yield Picture("chat-cache-folded", window)
    window.show_chats(False)
    yield Picture("chat-alone", window)
    window.show_cache(True)
    window.show_chats(True)


def occasions(guide: Guide) -> Iterator[Picture]:
    """What comes up beside a chat: searching, settings, thinking, a deleted one, a chosen node."""
    window, session = guide.window, guide.session
    window.menus.find.trigger()
    window.chat.find_bar.field.setText("checkpoint")
    yield Picture("chat-find", window)
    window.chat.finding.close()
    window.chat.show_settings(True)
    yield Picture("chat-settings", window)
    window.chat.show_settings(False)
    guide.act("/select 2")
    yield Picture("chat-thinking", window)
    guide.act("/select 1")
    snapshot = session.cache.snapshot
    assert snapshot is not None, "requests have run"
    window.cache.canvas.select(max(snapshot.nodes, key=lambda node: node.end).id)
    yield Picture("chat-node", window)
    window.cache.canvas.select(None)
    window.chats.deleted.emit(session.conversations[-1].id)
    yield Picture("chat-deleted", window)
    guide.bridge.perform(session.restore())
    guide.act("/select 1")


def another_model(guide: Guide) -> Iterator[Picture]:
    """A conversation that is with another model, and that one on its way."""
    window, session, bridge = guide.window, guide.session, guide.bridge
    own, session.current.model = session.current.model, f"/models/{NAME}"
    session.load_times.add(session.current.model, 6.2)
    window.refresh()
    yield Picture("chat-other-model", window)
    bridge.perform(session.show_coming(Coming(NAME, "loading weights", 0.42, 8 << 30)))
    guide.stage.rest(0.6)
    yield Picture("chat-switching", window)
    bridge.perform(session.show_coming(None))
    bridge.perform(session.refuse(Path(session.current.model), NO_ROOM))
    yield Picture("chat-refused", window)
    bridge.perform(session.dismiss_refusal())
    session.current.model = own
    window.refresh()


def palette(guide: Guide) -> Iterator[Picture]:
    """Everything, what fits some letters, and nothing."""
    found = guide.window.command_palette.palette
    for name, text in (("palette", ""), ("palette-words", "con"), ("palette-none", "xyzzy")):
        found.open(text)
        yield Picture(name, guide.window)
    found.close_up()


def settings(guide: Guide) -> Iterator[Picture]:
    """Each section, and a search."""
    pages = guide.window.settings_page
    page = pages.open()
    for section in _SECTIONS:
        # Where a section stands changes with the size.
        show = partial(page.show_section, section)
        yield Picture(f"settings-{section}", guide.window, show)
    for name, text in (("settings-search", "memory"), ("settings-none", "xyzzy")):
        page.search.setText(text)
        yield Picture(name, guide.window)
    page.search.clear()
    pages.close()


def _stop_in_an_answer(guide: Guide) -> None:
    """Begin another answer and look at it while it grows."""
    guide.begin("/again")
    guide.until(lambda: _some_words(guide))


def _some_words(guide: Guide) -> bool:
    last = guide.session.current.last
    return last is not None and last.role == "assistant" and len(last.text) > 40
