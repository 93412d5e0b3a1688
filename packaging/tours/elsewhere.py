"""A chat with an engine elsewhere: the dialog that connects, and what is known of its cache."""

from __future__ import annotations

from collections.abc import Iterator

from app.core.session.records import EnginePhase
from tours.guide import Guide, Picture

_CHAT = ("Hello! My name is Greta.", "What is a checkpoint?", "And a tombstone?", "/again")
# The counters of a server are read every two seconds.
_LOOKS_S = 9.0


def elsewhere(guide: Guide, address: str) -> Iterator[Picture]:
    """The dialog, the chat, and the debugger beside it."""
    window = guide.window
    window.menus.connection.trigger()
    dialog = window.connecting.dialog
    assert dialog is not None, "the menu opens it"
    dialog.address.setEditText(address)
    dialog.look_up.click()
    guide.until(lambda: bool(dialog.model.currentText()))
    yield Picture("connect", dialog, fixed=True)
    dialog.connect_.click()
    guide.until(lambda: guide.session.engine.phase is EnginePhase.READY)
    for step in _CHAT:
        guide.act(step)
        guide.stage.rest(_LOOKS_S)
    yield Picture("remote-chat", window)
    window.debugger.show(True)
    yield Picture("remote-debugger", window)
    for panel in ("engines", "requests"):
        guide.act(f"/debugger {panel}")
        yield Picture(f"remote-{panel}", window)
