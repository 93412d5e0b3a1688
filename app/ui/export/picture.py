"""A picture of a widget, with a title above, and a legend and the settings below."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QPoint, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QWidget

from app.core.words.tr import tr
from app.ui import theme
from app.ui.export.behind import Behind
from app.ui.file_dialog import ask_where
from engine.private_files import open_private

_MARGIN_PX = 16
_TITLE_PX, _LINE_PX = 26, 17
_SCALE = 2
# Theme colours, and what each stands for.
Legend = tuple[tuple[str, str], ...]
_PICTURES = tr("PNG (*.png);;SVG (*.svg)")


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """The content of a picture.

    Attributes:
        body: drawn as it is on screen.
        below: drawn under it, such as a legend widget.
        lines: the settings and the time.
    """

    title: str
    body: QWidget
    below: QWidget | None
    legend: Legend
    lines: tuple[str, ...]

    @property
    def size(self) -> QSize:
        wide = self.body.width()
        legend = _LINE_PX * _legend_rows(self.legend, wide) if self.legend else 0
        below = self._below_px(wide) + 6 if self.below is not None else 0
        text = _TITLE_PX + legend + below + _LINE_PX * len(self.lines) + 10
        return QSize(wide + 2 * _MARGIN_PX, self.body.height() + text + 2 * _MARGIN_PX)

    def save(self, path: Path) -> None:
        """Write a PNG, or an SVG if the suffix says so. Raises OSError."""
        if path.suffix.lower() == ".svg":
            self._save_svg(path)
            return
        image = QImage(self.size * _SCALE, QImage.Format.Format_ARGB32_Premultiplied)
        image.setDevicePixelRatio(_SCALE)
        self._draw(QPainter(image))
        if not image.save(str(path)):
            raise OSError(None, tr("it may be write-protected, or its format is not known"))

    def _save_svg(self, path: Path) -> None:
        # The generator itself does not report a failure to write.
        os.close(open_private(path))
        made = QSvgGenerator()
        made.setFileName(str(path))
        made.setSize(self.size)
        made.setViewBox(QRectF(0, 0, self.size.width(), self.size.height()))
        made.setTitle(self.title)
        made.setDescription("\n".join(self.lines))
        self._draw(QPainter(made))

    def _below_px(self, wide: int) -> int:
        below = self.below
        if below is None:
            return 0
        return below.heightForWidth(wide) if below.hasHeightForWidth() else below.height()

    def _draw(self, painter: QPainter) -> None:
        try:
            self._draw_all(painter)
        finally:
            painter.end()

    def _draw_all(self, painter: QPainter) -> None:
        look, size = theme.current(), self.size
        wide, y = self.body.width(), _MARGIN_PX
        painter.fillRect(QRectF(0, 0, size.width(), size.height()), look.colour("panel"))
        font = theme.ui_font(15)
        font.setBold(True)
        painter.setFont(font)
        painter.setPen(look.colour("text"))
        painter.drawText(
            QRectF(_MARGIN_PX, y, wide, _TITLE_PX), Qt.AlignmentFlag.AlignLeft, self.title
        )
        y += _TITLE_PX
        self.body.render(painter, QPoint(_MARGIN_PX, y))
        y += self.body.height() + 6
        if self.below is not None:
            tall = self._below_px(wide)
            self.below.resize(wide, tall)
            self.below.render(painter, QPoint(_MARGIN_PX, y))
            y += tall + 6
        painter.setFont(theme.ui_font(11))
        y = _draw_legend(painter, self.legend, wide, y)
        painter.setPen(look.colour("dim"))
        for line in self.lines:
            room = QRectF(_MARGIN_PX, y, wide, _LINE_PX)
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, line)
            y += _LINE_PX


def _places(legend: Legend, wide: int) -> list[tuple[int, float, float]]:
    """Row, left edge and width of each entry."""
    metrics = QFontMetricsF(theme.ui_font(11))
    made, row, x = [], 0, 0.0
    for _, text in legend:
        width = metrics.horizontalAdvance(text) + 28
        if x and x + width > wide:
            row, x = row + 1, 0.0
        made.append((row, x, width))
        x += width
    return made


def _legend_rows(legend: Legend, wide: int) -> int:
    return max((row for row, _, _ in _places(legend, wide)), default=-1) + 1


def _draw_legend(painter: QPainter, legend: Legend, wide: int, y: int) -> int:
    look = theme.current()
    for (token, text), (row, x, width) in zip(legend, _places(legend, wide), strict=True):
        top = y + row * _LINE_PX
        colour: QColor = look.colour(token)
        painter.fillRect(QRectF(_MARGIN_PX + x, top + 4, 10, 10), colour)
        painter.setPen(look.colour("dim"))
        room = QRectF(_MARGIN_PX + x + 14, top, width, _LINE_PX)
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, text)
    return y + _legend_rows(legend, wide) * _LINE_PX


def ask_picture(parent: QWidget, title: str, name: str) -> Path | None:
    """Ask for a picture's file, with its suffix; None if cancelled."""
    asked = tr("Picture of {title}").format(title=title)
    path, chosen = ask_where(parent, "exports", asked, f"{name}.png", _PICTURES)
    if path is None:
        return None
    ending = ".svg" if chosen.startswith("SVG") else ".png"
    return path if path.suffix else path.with_suffix(ending)


def ask_file(parent: QWidget, name: str) -> Path | None:
    """Ask for any other file; None if cancelled."""
    path, _ = ask_where(parent, "exports", tr("Export"), name, f"*{Path(name).suffix}")
    return path


def save_picture(picture: Picture, path: Path) -> str:
    """Write a picture, which must be drawn on the window's thread; returns the result in words."""
    try:
        picture.save(path)
    except OSError as error:
        reason = error.strerror or tr("the file cannot be written")
        return tr("{name} cannot be written: {reason}.").format(name=path.name, reason=reason)
    return tr("The picture was saved to {name}.").format(name=path.name)


def save_text(
    behind: Behind, path: Path, text: Callable[[], str], told: Callable[[str], None]
) -> None:
    """Make a text and write it, both in the background; `told` gets the result in words."""

    def write() -> None:
        made = text()
        with open(open_private(path), "w", encoding="utf-8") as file:
            file.write(made)

    behind.run(
        write,
        lambda _: told(tr("{name} was saved.").format(name=path.name)),
    )
