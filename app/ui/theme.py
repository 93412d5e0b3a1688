"""The look: colour tokens of the light and dark themes, fonts, and the active theme.

Tokens are data (`assets/themes/*.json`); widgets ask `current()` when they paint.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Generic, Literal, TypeVar

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontMetrics, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from app.ui.stylesheet import stylesheet

Mode = Literal["system", "light", "dark"]

_UI_FAMILIES = ("Inter", "Segoe UI", "SF Pro Text", "Cantarell", "Noto Sans", "DejaVu Sans")
_MONO_FAMILIES = (
    "JetBrains Mono",
    "Cascadia Mono",
    "SF Mono",
    "Menlo",
    "Consolas",
    "Noto Sans Mono",
    "DejaVu Sans Mono",
)
UI_PX = 13
SMALL_PX = 12
TEXT_PX = 14
Kept = TypeVar("Kept", bound=QObject)


class PerApplication(Generic[Kept]):
    """Call it to get the object; recreated per application, as tests run several."""

    def __init__(self, make: Callable[[QApplication], Kept]) -> None:
        """make: creates the object as a child of the application."""
        self._make = make
        self._made: Kept | None = None

    def __call__(self) -> Kept:
        if self._made is None:
            app = QApplication.instance()
            assert isinstance(app, QApplication), "there is no QApplication yet"
            self._made = self._make(app)
            self._made.destroyed.connect(self._forget)
        return self._made

    def _forget(self) -> None:
        self._made = None


@dataclass(frozen=True, slots=True)
class Theme:
    """One set of tokens.

    Attributes:
        colours: name to "#rrggbb".
        lanes: the hues of the tree's lanes, distinguishable with colour blindness.
    """

    name: str
    colours: dict[str, str]
    lanes: tuple[str, ...]
    syntax: dict[str, str]

    def colour(self, token: str, alpha: float = 1.0) -> QColor:
        made = QColor(self.colours[token])
        if alpha < 1:
            made.setAlphaF(alpha)
        return made

    def lane(self, number: int) -> QColor:
        return QColor(self.lanes[number % len(self.lanes)])

    @property
    def dark(self) -> bool:
        return self.name == "dark"


@lru_cache(maxsize=4)
def load_theme(name: str) -> Theme:
    """Read a theme from `assets/themes`."""
    data = json.loads((files("assets") / "themes" / f"{name}.json").read_text(encoding="utf-8"))
    groups = ("surfaces", "text", "accent", "planes", "reuse", "evictions", "speakers")
    colours = {key: value for group in groups for key, value in data[group].items()}
    return Theme(data["name"], colours, tuple(data["lanes"]), data["syntax"])


class ThemeKeeper(QObject):
    """Applies the chosen theme, or follows the system; and the size of messages.

    Attributes:
        mode: the user's choice.
        theme: the active theme.
        text_px: the size of the text of messages.

    Signals:
        changed: the active theme or the size of messages changed.
    """

    changed = Signal()

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self._app = app
        self.mode: Mode = "system"
        self.theme = load_theme("light")
        self.text_px = TEXT_PX
        app.setStyle("Fusion")
        app.setFont(ui_font())
        app.styleHints().colorSchemeChanged.connect(self._follow)
        self._apply()

    def set_mode(self, mode: Mode) -> None:
        self.mode = mode
        self._apply()

    def set_text_px(self, px: int) -> None:
        if px != self.text_px:
            self.text_px = px
            self.changed.emit()

    @contextmanager
    def undressed(self) -> Iterator[None]:
        """Style the first widgets in the end, once: Qt would do so for each parent they get.

        Where there are others already, they keep their style, which Qt cannot take safely.
        """
        sheet = "" if self._app.allWidgets() else self._app.styleSheet()
        if sheet:
            self._app.setStyleSheet("")
        try:
            yield
        finally:
            if sheet:
                self._app.setStyleSheet(sheet)

    def _follow(self) -> None:
        if self.mode == "system":
            self._apply()

    def _apply(self) -> None:
        scheme = self._app.styleHints().colorScheme()
        dark = self.mode == "dark" or (self.mode == "system" and scheme == Qt.ColorScheme.Dark)
        theme = load_theme("dark" if dark else "light")
        if theme is self.theme and self._app.styleSheet():
            return
        self.theme = theme
        self._app.setPalette(_palette(theme))
        self._app.setStyleSheet(stylesheet(theme.colours, mono_family()))
        self.changed.emit()


keeper = PerApplication(ThemeKeeper)
"""The application's theme manager."""


def current() -> Theme:
    return keeper().theme


def message_px(px: int) -> int:
    """The size that the user chose for what is `px` tall in messages of the usual size."""
    return round(px * keeper().text_px / TEXT_PX)


@lru_cache(maxsize=1)
def _families() -> frozenset[str]:
    return frozenset(QFontDatabase.families())


def mono_family() -> str:
    system = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont).family()
    return next((name for name in _MONO_FAMILIES if name in _families()), system)


def ui_font(px: int = UI_PX) -> QFont:
    font = QFont(QGuiApplication.font())
    family = next((name for name in _UI_FAMILIES if name in _families()), "")
    if family:
        font.setFamily(family)
    font.setPixelSize(px)
    return font


def mono_font(px: int = SMALL_PX) -> QFont:
    font = QFont(mono_family())
    # Missing glyphs come from fallback fonts, monospaced if possible.
    font.setStyleHint(QFont.StyleHint.Monospace)
    font.setPixelSize(px)
    return font


def line_px(font: QFont, *texts: str) -> int:
    """The height of a line that fits each of the texts, in pixels.

    A font's own height ignores taller glyphs from fallback fonts.
    """
    metrics = QFontMetrics(font)
    lent = (text for text in texts if not text.isascii())
    heights = (metrics.size(Qt.TextFlag.TextSingleLine, text).height() for text in lent)
    return max((metrics.height(), *heights))


def _palette(theme: Theme) -> QPalette:
    role = QPalette.ColorRole
    palette = QPalette()
    for target, token in (
        (role.Window, "window"),
        (role.WindowText, "text"),
        (role.Base, "window"),
        (role.AlternateBase, "panel"),
        (role.Text, "text"),
        (role.PlaceholderText, "faint"),
        (role.Button, "raised"),
        (role.ButtonText, "text"),
        (role.BrightText, "danger"),
        (role.ToolTipBase, "raised"),
        (role.ToolTipText, "text"),
        (role.Highlight, "selection"),
        (role.HighlightedText, "text"),
        (role.Link, "accent"),
        (role.LinkVisited, "accent"),
        (role.Accent, "accent"),
        (role.Light, "hover"),
        (role.Mid, "border"),
        (role.Dark, "border"),
    ):
        palette.setColor(target, theme.colour(token))
    for target in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, target, theme.colour("faint"))
    return palette
