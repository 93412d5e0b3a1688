"""What of a window can be read: finds labels whose text is cut off."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from app.ui.widgets import ElidedLabel


def cut_labels(*roots: QWidget) -> list[str]:
    """The texts of visible labels that are not there as a whole."""
    return [text for root in roots for text in _cut(root)]


def _cut(root: QWidget) -> Iterator[str]:
    for label in root.findChildren(QLabel):
        text = label.text()
        if not text or not label.isVisible():
            continue
        if label.visibleRegion().boundingRect() != label.rect():
            yield f"{text}: covered or outside"
        elif isinstance(label, ElidedLabel):
            if not label.whole:
                yield f"{text}: shows {label.shown}"
        elif label.wordWrap():
            if label.heightForWidth(label.width()) > label.height() or _word(label) > room(label):
                yield f"{text}: {label.height()} px high"
        elif label.fontMetrics().horizontalAdvance(text) > room(label):
            yield f"{text}: {label.width()} px wide"


def room(label: QLabel) -> int:
    return label.contentsRect().width()


def _word(label: QLabel) -> int:
    """The width of the longest word, which no wrapping makes shorter."""
    metrics = label.fontMetrics()
    return max(metrics.horizontalAdvance(word) for word in label.text().split())


def wrapped_height(text: str, widget: QWidget, width: int) -> int:
    """The height of a text that is wrapped at a width, in the widget's font."""
    flags = int(Qt.TextFlag.TextWordWrap)
    return widget.fontMetrics().boundingRect(0, 0, width, 10_000, flags, text).height()
