"""Which of the program's own widgets a view shows, and which no view has shown."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Collection, Iterator

from PySide6.QtWidgets import QWidget

import app
from tests.app.access import tabbed_away


def kinds(root: QWidget) -> set[type]:
    """The classes of what is visible, with those that they are made from."""
    found: set[type] = set()
    for widget in (root, *root.findChildren(QWidget)):
        if widget.isVisible() and widget.width() and widget.height() and not tabbed_away(widget):
            found.update(type(widget).__mro__)
    return found


def unseen(seen: Collection[type]) -> Iterator[str]:
    """Every class of a widget in the program that is not among `seen`."""
    for module in pkgutil.walk_packages(app.__path__, "app."):
        importlib.import_module(module.name)
    for kind in _below(QWidget):
        if kind.__module__.startswith("app.") and kind not in seen:
            yield f"{kind.__module__}.{kind.__qualname__}"


def _below(kind: type[QWidget]) -> Iterator[type[QWidget]]:
    for child in kind.__subclasses__():
        yield child
        yield from _below(child)
