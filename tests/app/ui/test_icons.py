"""The application's icon and the line icons."""

from __future__ import annotations

import re
from importlib.resources import files

from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from app.ui.icons import APP_SIZES, app_icon, pixmap


class TestIcons:
    def test_the_icon_comes_in_every_size(self, qapp: QApplication) -> None:
        assert {size.width() for size in app_icon().availableSizes()} == set(APP_SIZES)

    def test_the_pictures_match_their_names(self) -> None:
        for size in APP_SIZES:
            image = QImage()
            image.loadFromData((files("assets") / "icons" / f"biplane-{size}.png").read_bytes())
            assert (image.width(), image.height()) == (size, size)

    def test_every_line_icon_takes_a_colour(self, qapp: QApplication) -> None:
        names = [p.name.removesuffix(".svg") for p in (files("assets") / "icons" / "ui").iterdir()]
        for name in names:
            source = (files("assets") / "icons" / "ui" / f"{name}.svg").read_text()
            assert "currentColor" in source
            assert not re.search(r"#[0-9a-f]{3,6}", source)
            assert not pixmap(name, "#336699").isNull()
