"""Finds texts of a view that are still English although the language is Chinese."""

from __future__ import annotations

import re
from collections.abc import Iterator

from PySide6.QtWidgets import QComboBox, QTabBar, QWidget

# Parts of names, addresses and figures are no words.
_WORD = re.compile(r"(?<![\w./@-])[A-Za-z]{3,}(?![\w/@-]|\.\w)")
_CHINESE = re.compile("[\u4e00-\u9fff]")
_MARKUP = re.compile(r"<[^>]*>")
# What every language writes alike.
_SAME = (
    "Biplane Hugging Face Qwen English CUDA Token Top Min LICENSE tok MiB KiB GiB cpu "
    "Ctrl Shift Alt Enter Esc Menu Delete Home End Page Down Left Right Space Tab "
    "fast exact coverage lru flops max python model tiny nothing"
)
NAMES = frozenset(_SAME.split())
# What the engine of these tests says instead of the real one's sentences, and examples.
THEIRS = re.compile(
    r"Resumed at |Nothing of this prompt was seen|The nearest checkpoint lies at |"
    r"The prompt is too long|config.json is missing|user:\nHello|http://| linear ones"
)


def untranslated(root: QWidget) -> Iterator[str]:
    """Texts of what is visible below a widget that have words, and none of them Chinese."""
    for widget in (root, *root.findChildren(QWidget)):
        if not widget.isVisible():
            continue
        for text in dict.fromkeys(map(_plain, _texts(widget))):
            words = set(_WORD.findall(text)) - NAMES
            if words and not _CHINESE.search(text) and not THEIRS.match(text):
                yield f"{type(widget).__name__} {text[:60]!r}"


def _texts(widget: QWidget) -> Iterator[str]:
    yield widget.toolTip()
    yield widget.accessibleName()
    yield widget.accessibleDescription()
    for name in ("text", "placeholderText", "title", "windowTitle"):
        told = getattr(widget, name, None)
        if callable(told) and not isinstance(widget, QComboBox):
            found = told()
            if isinstance(found, str):
                yield found
    if isinstance(widget, QComboBox):
        yield from (widget.itemText(at) for at in range(widget.count()))
    if isinstance(widget, QTabBar):
        yield from (widget.tabText(at) for at in range(widget.count()))


def _plain(text: str) -> str:
    return _MARKUP.sub("", text)
