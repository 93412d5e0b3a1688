"""One room's window on a fake engine, and how a visitor moves about in it."""

from __future__ import annotations

import itertools
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QApplication, QDialog, QWidget

from app.core.words.tr import texts
from app.shell.window import MainWindow
from tests.app.conftest import Desk
from tests.app.settle import settle

SIZE = (1366, 768)
# Turns of 5 ms or more: a machine that stands still for a while uses none up.
_PATIENCE = 12_000

View = tuple[str, QWidget]
Views = Iterator[View]


class Bot:
    """Stands where pytest's would."""

    def addWidget(self, _widget: QWidget) -> None:
        """The process ends with its windows."""

    def wait(self, ms: int) -> None:
        time.sleep(ms / 1000)


class Visit:
    """A window of its own, as wide as a small laptop's screen.

    Attributes:
        folder: for the files of this visit.
    """

    def __init__(self, **options: Any) -> None:
        self.desk = Desk(Bot(), **options)  # type: ignore[arg-type]
        self.window.resize(*SIZE)
        self.folder = Path(tempfile.mkdtemp())

    @property
    def window(self) -> MainWindow:
        return self.desk.window

    def at(self, name: str, widget: QWidget | None = None) -> View:
        """A view at rest; the window itself unless another widget is told."""
        self.desk.settle()
        return name, widget or self.window

    def dialogs(self, name: str, ask: Callable[[], object]) -> Views:
        """The windows that something opens, in the size that they want; closed afterwards."""
        before = {w for w in QApplication.topLevelWidgets() if w.isVisible()}
        ask()
        self.desk.settle()
        made = [w for w in QApplication.topLevelWidgets() if w.isVisible() and w not in before]
        assert made, f"{name} opens nothing"
        for dialog in made:
            whole(dialog)
            yield self.at(name, dialog)
            dialog.close()
        settle()

    def until(self, done: Callable[[], bool]) -> None:
        """Wait for what a thread does."""
        for _ in range(_PATIENCE):
            if done():
                return
            self.desk.bridge.take()
            QApplication.processEvents()
            time.sleep(0.005)
        raise AssertionError("it never came to pass")

    def leave(self) -> None:
        self.desk.close()


def own(text: str) -> str:
    """A text of the user's, told from the program's by a sign where those are Chinese."""
    return f"{text} \u4e00" if texts() else text


def whole(dialog: QWidget) -> None:
    """The offscreen screen has fewer pixels at 200 %, and Qt fits dialogs into it."""
    dialog.resize(dialog.sizeHint().expandedTo(dialog.size()))
    layout = dialog.layout()
    if isinstance(dialog, QDialog) and layout is not None and layout.hasHeightForWidth():
        height = layout.totalHeightForWidth(dialog.width())
        dialog.resize(dialog.width(), max(height, dialog.height()))


def all_rooms() -> Views:
    """Every view, one after another; each may be looked at until the next one is asked for."""
    from tests.app.rooms import cache, cards, chat, debugger, dialogs, models

    rooms = (chat, cache, debugger, models, dialogs, cards)
    return itertools.chain.from_iterable(room.views() for room in rooms)
