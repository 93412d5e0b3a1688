"""View > Debugger layouts: chooses, saves and deletes layouts of the debugger's panels."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLineEdit, QMenu, QVBoxLayout, QWidget

from app.core.words.tr import tr
from app.debugger.logic.layouts import BUILT_IN, MOST_NAME, name_remark
from app.ui.widgets import label

if TYPE_CHECKING:
    from app.debugger.desk import Desk

_WIDTH_PX = 320


class Layouts(QObject):
    """Fills the menu.

    Attributes:
        saved: the user's layouts as the desk encodes them, by name.

    Signals:
        notice(str): a sentence for the status line.
    """

    notice = Signal(str)

    def __init__(self, menu: QMenu, desk: Callable[[], Desk], parent: QWidget) -> None:
        """desk: shows it, and creates it first if necessary."""
        super().__init__(parent)
        self.saved: dict[str, str] = {}
        self._menu, self._desk, self._window = menu, desk, parent
        self._fill()

    def put(self, saved: Mapping[str, str]) -> None:
        """Offer the layouts of an earlier start."""
        self.saved = dict(saved)
        self._fill()

    def save(self, name: str) -> None:
        """Save the current layout, replacing one of that name."""
        self.put(self.saved | {name: self._desk().saved()})
        self.notice.emit(tr("Layout “{name}” saved.").format(name=name))

    def delete(self, name: str) -> None:
        self.put({other: layout for other, layout in self.saved.items() if other != name})
        self.notice.emit(tr("Layout “{name}” deleted.").format(name=name))

    def ask_name(self) -> LayoutDialog:
        """Ask for the name of the current layout, and save it."""
        self._desk()
        dialog = LayoutDialog(self._window, self.saved)
        dialog.named.connect(self.save)
        dialog.open()
        return dialog

    def _fill(self) -> None:
        menu = self._menu
        menu.clear()
        for built_in in BUILT_IN:
            action = menu.addAction(built_in.title)
            action.triggered.connect(lambda _=False, one=built_in: self._desk().arrange(one))
        if self.saved:
            menu.addSeparator()
        for name, layout in sorted(self.saved.items()):
            action = menu.addAction(_literal(name))
            action.triggered.connect(lambda _=False, one=layout: self._desk().restore(one))
        menu.addSeparator()
        menu.addAction(tr("Save layout…")).triggered.connect(self.ask_name)
        gone = menu.addMenu(tr("Delete layout"))
        gone.setEnabled(bool(self.saved))
        for name in sorted(self.saved):
            action = gone.addAction(_literal(name))
            action.triggered.connect(lambda _=False, one=name: self.delete(one))


def _literal(name: str) -> str:
    """A name as a menu's text, in which "&" would mark a mnemonic."""
    return name.replace("&", "&&")


class LayoutDialog(QDialog):
    """Asks for a name.

    Attributes:
        name: the field.
        sentence: about the name.

    Signals:
        named(str): save the layout as this.
    """

    named = Signal(str)

    def __init__(self, parent: QWidget, saved: Mapping[str, str]) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Save layout"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._saved = saved
        self.name = QLineEdit()
        self.name.setMaxLength(MOST_NAME)
        self.name.setAccessibleName(tr("Name of the layout"))
        self.name.setPlaceholderText(tr("Name"))
        self.name.setMinimumWidth(_WIDTH_PX)
        self.name.textChanged.connect(self._check)
        self.sentence = label("", "faint", wrap=True)
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel
        )
        self._save = buttons.button(QDialogButtonBox.StandardButton.Save)
        self._save.setText(tr("Save"))
        self._save.setProperty("kind", "primary")
        buttons.accepted.connect(self._accept)
        buttons.rejected.connect(self.close)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 20, 20, 16)
        column.setSpacing(10)
        for widget in (self.name, self.sentence, buttons):
            column.addWidget(widget)
        self._check()

    def _check(self) -> None:
        sentence, usable = name_remark(self.name.text(), self._saved)
        self.sentence.setText(sentence)
        self._save.setEnabled(usable)

    def _accept(self) -> None:
        if self._save.isEnabled():
            self.named.emit(self.name.text().strip())
            self.close()
