"""Line icons in the theme's colours, and the application's own icon."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

APP_SIZES = (16, 24, 32, 48, 64, 128, 256, 512)
# Drawn larger than shown, so that icons stay sharp at up to 3x scaling.
_OVERSAMPLING = 3


def pixmap(name: str, colour: str, size: int = 16) -> QPixmap:
    """A line icon of `assets/icons/ui` in one colour."""
    source = (files("assets") / "icons" / "ui" / f"{name}.svg").read_text(encoding="utf-8")
    return _render(source.replace("currentColor", colour), size)


@lru_cache(maxsize=256)
def icon(name: str, colour: str, size: int = 16) -> QIcon:
    return QIcon(pixmap(name, colour, size))


@lru_cache(maxsize=1)
def app_icon() -> QIcon:
    """The biplane, in every size a desktop asks for."""
    made = QIcon()
    for size in APP_SIZES:
        image = QPixmap()
        image.loadFromData((files("assets") / "icons" / f"biplane-{size}.png").read_bytes())
        made.addPixmap(image)
    return made


def _render(svg: str, size: int) -> QPixmap:
    image = QPixmap(size * _OVERSAMPLING, size * _OVERSAMPLING)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    QSvgRenderer(QByteArray(svg.encode())).render(painter, QRectF(image.rect()))
    painter.end()
    image.setDevicePixelRatio(_OVERSAMPLING)
    return image
