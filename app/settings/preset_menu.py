"""The button of the presets: choose one, save, rename, delete."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from app.session.presets import Presets, clean
from app.settings.preset_dialog import PresetDialog
from app.store.records import Preset
from app.words.tr import tr

_MOST_SHOWN = 22


class PresetMenu(QPushButton):
    """Opens the menu of presets.

    Signals:
        chosen: a preset's name.
        saved: (name, with the sampling, with the system text).
        renamed: (name, new name).
        removed: a preset's name.
        defaults_wanted: the sampling is to be the default again.
    """

    chosen = Signal(str)
    saved = Signal(str, bool, bool)
    renamed = Signal(str, str)
    removed = Signal(str)
    defaults_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("Presets"), parent)
        self.setProperty("kind", "small")
        self._presets = Presets()
        self._current = ""
        self._system = False
        self._changed = False
        self._menu = QMenu(self)
        self._menu.aboutToShow.connect(self._fill)
        self.setMenu(self._menu)
        self.show_presets(self._presets, "", changed=False, system=False)

    def show_presets(self, presets: Presets, current: str, *, changed: bool, system: bool) -> None:
        """
        Args:
            current: the name of the one that the conversation is like, "" for none.
            changed, system: whether it has sampling, and a system text, of its own.
        """
        self._presets, self._current = presets, current
        self._changed, self._system = changed, system
        short = current if len(current) <= _MOST_SHOWN else current[: _MOST_SHOWN - 1] + "…"
        self.setText(short or tr("Presets"))
        name = tr("Presets: {current}").format(current=current) if current else tr("Presets")
        self.setAccessibleName(name)
        self.setToolTip(tr("{name}. Choose, save, rename or delete one.").format(name=name))

    def ask_save(self) -> None:
        """Ask for the name of a new preset."""
        dialog = PresetDialog(self.window(), tr("Save preset"), self._remark_on_new)
        dialog.offer(sampling=self._changed, system=self._system)
        dialog.accepted_as.connect(self.saved)
        dialog.open()

    def ask_rename(self, name: str) -> None:
        """Ask for another name of a preset."""
        dialog = PresetDialog(
            self.window(),
            tr("Rename preset"),
            lambda to: self._remark_on_other(name, to),
            name=name,
            parts=False,
        )
        dialog.accepted_as.connect(lambda to: self.renamed.emit(name, to))
        dialog.open()

    def _fill(self) -> None:
        menu = self._menu
        menu.clear()
        for child in menu.findChildren(QMenu):
            child.deleteLater()
        saved = self._presets.saved
        defaults = menu.addAction(tr("Model's defaults"))
        defaults.triggered.connect(self.defaults_wanted)
        menu.addSeparator()
        for preset in saved:
            action = menu.addAction(_label(preset.name))
            action.setCheckable(True)
            action.setChecked(preset.name == self._current)
            action.setToolTip(_contents(preset))
            action.triggered.connect(lambda _on=False, name=preset.name: self.chosen.emit(name))
        if not saved:
            menu.addAction(tr("No presets yet")).setEnabled(False)
        menu.setToolTipsVisible(True)
        menu.addSeparator()
        menu.addAction(tr("Save as preset…")).triggered.connect(lambda: self.ask_save())
        rename, delete = menu.addMenu(tr("Rename")), menu.addMenu(tr("Delete"))
        for preset, action in _each(rename, saved):
            action.triggered.connect(lambda _on=False, name=preset.name: self.ask_rename(name))
        for preset, action in _each(delete, saved):
            action.triggered.connect(lambda _on=False, name=preset.name: self.removed.emit(name))
        for submenu in (rename, delete):
            submenu.setEnabled(bool(saved))

    def _remark_on_new(self, name: str) -> tuple[str, bool]:
        there = self._presets.find(name)
        if there is not None:
            return tr("“{name}” is replaced.").format(name=there.name), True
        return "", bool(clean(name))

    def _remark_on_other(self, name: str, to: str) -> tuple[str, bool]:
        there = self._presets.find(to)
        if there is not None and there.name != name:
            return tr("Another preset is called “{name}”.").format(name=there.name), False
        return "", bool(clean(to)) and clean(to) != name


def _each(menu: QMenu, presets: Sequence[Preset]) -> list[tuple[Preset, QAction]]:
    return [(preset, menu.addAction(_label(preset.name))) for preset in presets]


def _label(name: str) -> str:
    """An ampersand would become a shortcut."""
    return name.replace("&", "&&")


def _contents(preset: Preset) -> str:
    parts = [tr("Sampling")] * bool(preset.sampling) + [tr("System text")] * bool(preset.system)
    return tr(" and ").join(parts).capitalize()
