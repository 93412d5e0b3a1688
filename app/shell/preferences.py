"""Applies the program's settings: at once, at the next request, or when a model is opened."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QApplication, QWidget

from app.chat.message_editor import set_send_key
from app.chat.view import ChatView
from app.conversations.controller import ChatsController
from app.core.bridge import Bridge
from app.core.log import set_level
from app.core.preferences.book import Book
from app.core.preferences.table import SPECS
from app.core.words.tr import tr
from app.ui import motion, theme
from app.ui.menus.menus import Menus

_EFFECTS = (
    Qt.UIEffect.UI_AnimateMenu,
    Qt.UIEffect.UI_FadeMenu,
    Qt.UIEffect.UI_AnimateCombo,
    Qt.UIEffect.UI_AnimateTooltip,
    Qt.UIEffect.UI_FadeTooltip,
    Qt.UIEffect.UI_AnimateToolBox,
)
_FLASH_MS = 1000


class PreferencesController(QObject):
    """Connects the settings book to what it controls, and the menus to the book.

    Attributes:
        book: the settings.

    Signals:
        changed: the name of a setting with a new value.
    """

    changed = Signal(str)

    def __init__(
        self,
        book: Book,
        bridge: Bridge,
        menus: Menus,
        chats: ChatsController,
        view: ChatView,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self.book, self._bridge, self._menus, self._chats = book, bridge, menus, chats
        self._flash_ms = QApplication.cursorFlashTime() or _FLASH_MS
        self._effects = {one for one in _EFFECTS if QApplication.isEffectEnabled(one)}
        self._acts: dict[str, Callable[[], object]] = {
            "reduced_motion": self._reduce_motion,
            "evict_deleted": self._evict_deleted,
            "background_audit": self._audit,
            "shortcuts": lambda: menus.bind(dict(book.now("shortcuts"))),
            "show_figures": lambda: view.show_figures(book.now("show_figures")),
            "send_key": lambda: set_send_key(book.now("send_key")),
        }
        for act in self._acts.values():
            act()
        # Already applied at startup, for what comes before the window.
        self._acts["theme"] = self._show_theme
        self._acts["text_px"] = lambda: theme.keeper().set_text_px(book.now("text_px"))
        self._acts["log_level"] = lambda: set_level(book.now("log_level"))
        book.listen(self._changed)
        self._connect()

    def set(self, name: str, value: object) -> str:
        """Change a setting. Returns what is wrong with the value; reports a failure to save it."""
        problem = self.book.set(name, value)
        if self.book.saved_as(name, value) and problem:
            self._bridge.notify(tr("The setting counts, but {problem}.").format(problem=problem))
            return ""
        return problem

    def _connect(self) -> None:
        menus = self._menus
        for mode, action in menus.themes.items():
            action.triggered.connect(lambda _on=False, mode=mode: self.set("theme", mode))
        menus.always.triggered.connect(lambda on: self.set("evict_deleted", on))
        menus.audit.triggered.connect(lambda on: self.set("background_audit", on))
        self._bridge.format_chosen.connect(self._keep_format)

    def _changed(self, name: str) -> None:
        act = self._acts.get(name)
        if act is not None:
            act()
        field = SPECS[name].engine
        if field and name != "background_audit":
            self._bridge.set_config(self.book.config(self._bridge.settings.config), field)
        self.changed.emit(name)

    def _show_theme(self) -> None:
        mode: theme.Mode = self.book.now("theme")
        self._menus.themes[mode].setChecked(True)
        theme.keeper().set_mode(mode)

    def _reduce_motion(self) -> None:
        reduced = self.book.now("reduced_motion")
        motion.set_reduced(reduced)
        # Otherwise the platform decides whether the cursor blinks and menus fade.
        QApplication.setCursorFlashTime(0 if reduced else self._flash_ms)
        for effect in _EFFECTS:
            QApplication.setEffectEnabled(effect, not reduced and effect in self._effects)

    def _evict_deleted(self) -> None:
        self._chats.always = self.book.now("evict_deleted")

    def _audit(self) -> None:
        on = self.book.now("background_audit")
        # The toggled signal notifies the engine.
        self._menus.audit.setChecked(on)

    def _keep_format(self, weights: str, expert_bytes: int) -> None:
        self.set("weights", weights)
        self.set("expert_bytes", expert_bytes)
