"""Pictures that are compared with stored ones: texts as blocks, small differences allowed.

After a change that is meant, store the new ones and look at them:
`BIPLANE_GOLDEN=write make unit ARGS="-k golden tests/app"`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from PySide6.QtCore import QByteArray
from PySide6.QtGui import QCursor, QFontDatabase, QImage
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.cache import marks
from app.ui import theme
from app.ui.stylesheet import stylesheet
from tests.app.block_font import block_font
from tests.app.settle import settle
from tests.mostly_slow import mostly_slow

WRITES = os.environ.get("BIPLANE_GOLDEN") == "write"
# So many pixels may differ by so much in a channel.
MOST, BY = 40, 32
# Levels of a channel that are stored, so that the files are small.
_LEVELS = 0xF8
_FAMILIES = {"_UI_FAMILIES": ("Blocks", 560), "_MONO_FAMILIES": ("Blocks Mono", 600)}


@pytest.fixture(params=mostly_slow(["light", "dark"]))
def look(
    request: pytest.FixtureRequest, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> Iterator[str]:
    """A theme, with block letters in place of the system's."""
    _add_fonts()
    for name, (family, _) in _FAMILIES.items():
        monkeypatch.setattr(theme, name, (family,))
    flashes = QApplication.cursorFlashTime()
    # A caret that blinks would be in some pictures only.
    QApplication.setCursorFlashTime(0)
    # A header under the pointer looks different, and an earlier test may have left it anywhere.
    QCursor.setPos(QApplication.primaryScreen().geometry().bottomRight())
    _dress(request.param)
    yield request.param
    QApplication.setCursorFlashTime(flashes)
    monkeypatch.undo()
    _dress("system")


@lru_cache(maxsize=1)
def _add_fonts() -> None:
    """Once, and for good: a widget that goes later may still use them."""
    for family, width in _FAMILIES.values():
        data = QByteArray(block_font(family, width))
        assert QFontDatabase.addApplicationFontFromData(data) >= 0, "the font is not one"


def _dress(mode: theme.Mode) -> None:
    """Put on a theme, with the fonts that there are now."""
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    theme._families.cache_clear()
    marks._picture.cache_clear()
    keeper = theme.keeper()
    app.setFont(theme.ui_font())
    keeper.set_mode(mode)
    # A theme that stands is not put on again, but its letters have changed.
    app.setStyleSheet(stylesheet(theme.current().colours, theme.mono_family()))


def picture(widget: QWidget) -> QImage:
    """What a widget shows once its layout has settled."""
    settle()
    return widget.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)


def apart(first: QImage, second: QImage) -> int:
    """How many pixels differ clearly in a channel; all of them where the sizes differ."""
    if first.size() != second.size():
        return first.width() * first.height()
    parts = [_channels(image).astype(int) for image in (first, second)]
    return int((np.abs(parts[0] - parts[1]).max(axis=2) > BY).sum())


def as_stored(image: QImage, path: Path) -> bool:
    """Whether a picture is like the stored one; stores it instead if that was asked for."""
    if WRITES:
        path.parent.mkdir(exist_ok=True)
        assert _fewer_levels(image).save(str(path))
    stored = QImage(str(path))
    assert not stored.isNull(), f"{path} is missing"
    return apart(image, stored) <= MOST


def _channels(image: QImage) -> npt.NDArray[np.uint8]:
    """[height, width, 3]."""
    whole = image.convertToFormat(QImage.Format.Format_RGB888)
    lines = np.frombuffer(whole.constBits(), np.uint8).reshape(whole.height(), -1)
    # A copy: the image goes with this function.
    return lines[:, : 3 * whole.width()].reshape(whole.height(), whole.width(), 3).copy()


def _fewer_levels(image: QImage) -> QImage:
    """Each channel in 32 levels; a palette where those are few enough."""
    rough = (_channels(image) & _LEVELS) | (0xFF - _LEVELS) >> 1
    colours, places = np.unique(rough.reshape(-1, 3), axis=0, return_inverse=True)
    height, width, _ = rough.shape
    if len(colours) > 256:
        data = np.ascontiguousarray(rough)
        return QImage(data.data, width, height, 3 * width, QImage.Format.Format_RGB888).copy()
    table = [0xFF000000 | int(r) << 16 | int(g) << 8 | int(b) for r, g, b in colours]
    data = np.ascontiguousarray(places.reshape(height, width).astype(np.uint8))
    made = QImage(data.data, width, height, width, QImage.Format.Format_Indexed8).copy()
    made.setColorTable(table)
    return made
