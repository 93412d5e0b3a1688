"""The settings panel of a conversation: sampling, presets, system text."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QMenu,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.core.session.model import Session
from app.core.session.presets import Presets, clean, like
from app.core.session.settings import KINDS, NAMES, changed_names, effective, source
from app.core.store.records import Preset
from app.core.words.settings_words import (
    NEXT_MESSAGE,
    WORDS,
    default_tip,
    field_tip,
    value_text,
)
from app.core.words.tr import tr
from app.settings.form import Fold, NumberField, Row, SchemaField, StopField, field_for
from app.settings.preset_dialog import PresetDialog
from app.settings.system_text import SystemText
from app.ui.widgets import IconButton, keep_room, label, rule

WIDTH_PX = 296
_MARGIN_PX = 16
_MOST_SHOWN = 22
_FIELD_PX, _GAP_PX = 120, 8
# The settings that most people change; the others are folded away at first.
_USUAL = ("temperature", "max_tokens")


class SamplingRow(Row):
    """A setting of the sampling; each key that is typed counts.

    Attributes:
        field: where it is typed.
        held: its value before the user began to type, None for the default; what was typed on the
            way to a wrong value is not meant.
    """

    def __init__(self, name: str) -> None:
        super().__init__(WORDS[name].title, _GAP_PX)
        self.advanced = name not in _USUAL
        field = field_for(KINDS[name], WORDS[name], waits=False)
        known = NumberField | StopField | SchemaField
        assert isinstance(field, known), "the other kinds are the program's"
        self.field = field
        self.hold(name, self.field.entered)
        self.words.setBuddy(self.field)
        if isinstance(self.field, SchemaField):
            # Below its name, as wide as the panel.
            self.lines.insertWidget(1, self.field)
        else:
            self.field.setFixedWidth(_FIELD_PX)
            self.side.addWidget(self.field)
        self.side.addWidget(self.reset)
        self.held: tuple[object] | None = None
        self._now: tuple[object] | None = None
        self._typing = False
        if isinstance(self.field, NumberField):
            self.field.left.connect(self._left)

    def show_value(self, value: object, *, changed: bool, default: object, source: str) -> None:
        """Show the effective value, unless the user is typing an invalid one."""
        self._now = (value,) if changed else None
        self.field.show_default(
            default, tr("random") if self.name == "seed" else value_text(default)
        )
        wrong = bool(self.problem.text())
        if not wrong:
            self.field.show_value(value)
        self.reset.setVisible(changed or wrong)
        tip = default_tip(default, source)
        self.reset.setToolTip(tip)
        self.reset.setAccessibleDescription(tip)
        self.field.setToolTip(field_tip(self.name, default, source))
        self.field.setAccessibleName(
            tr("{title}, changed").format(title=self.title) if changed else self.title
        )
        self.words.setToolTip(self.field.toolTip())

    def forget_typed(self) -> None:
        """Drop invalid input when another conversation is shown."""
        self._typing = False
        self.show_problem("")

    def enter(self, value: object) -> None:
        if not self._typing:
            self._typing, self.held = True, self._now
        if value is None and self.name != "seed":
            self.show_problem("")
            self.cleared.emit(self.name)
        else:
            super().enter(value)

    def clear(self) -> None:
        self.show_problem("")
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)
        super().clear()

    def _left(self) -> None:
        self._typing = False


class PresetMenu(QPushButton):
    """Opens the menu of presets.

    Signals:
        chosen: a preset's name.
        saved: (name, with the sampling, with the system text).
        renamed: (name, new name).
        removed: a preset's name.
        defaults_wanted: reset the sampling to the defaults.
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
            current: name of the preset that the conversation matches; "" for none.
            changed, system: whether the conversation overrides the sampling, and has a system text.
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
    """Escape ampersands, which would become mnemonics."""
    return name.replace("&", "&&")


def _contents(preset: Preset) -> str:
    parts = [tr("Sampling")] * bool(preset.sampling) + [tr("System text")] * bool(preset.system)
    return tr(" and ").join(parts).capitalize()


class SettingsPanel(QFrame):
    """Shows the settings of the conversation on screen; emits changes as signals.

    Attributes:
        rows: by setting name; fold: hides the advanced ones.
        presets: the presets button.
        system: the editor for the system text.
        reset_all: resets the sampling to the defaults.
        undo: restores a deleted preset; shown after a deletion.

    Signals:
        closed: close the panel.
        restored: restore the deleted preset.
    """

    closed = Signal()
    restored = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("settingsPanel")
        self.setFixedWidth(WIDTH_PX)
        self.setAccessibleName(tr("Settings of the conversation"))
        self._shown: int | None = None
        self.presets = PresetMenu()
        close = IconButton("close", tr("Close the settings"), self.closed.emit, shortcut="Esc")
        head = QHBoxLayout()
        head.setContentsMargins(_MARGIN_PX, 8, 8, 8)
        head.setSpacing(8)
        head.addWidget(label(tr("Settings"), "title"))
        head.addStretch(1)
        head.addWidget(self.presets)
        head.addWidget(close)
        self._undo_words = label("", "dim", wrap=True)
        self.undo = QPushButton(tr("Undo"))
        self.undo.setProperty("kind", "small")
        self.undo.clicked.connect(self.restored)
        self._undo_box = QWidget()
        undo = QHBoxLayout(self._undo_box)
        undo.setContentsMargins(_MARGIN_PX, 0, _MARGIN_PX, 8)
        undo.addWidget(self._undo_words, 1)
        undo.addWidget(self.undo)
        self._undo_box.hide()
        self.reset_all = QPushButton(tr("Reset all"))
        self.reset_all.setProperty("kind", "small")
        self.reset_all.setToolTip(tr("Return all sampling to the defaults"))
        self.rows = {name: SamplingRow(name) for name in sorted(NAMES, key=_place)}
        self.fold = Fold("sampling")
        self.system = SystemText()
        self._area = QScrollArea()
        self._area.setWidgetResizable(True)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.viewport().setAutoFillBackground(False)
        self._area.setWidget(self._content())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self._undo_box)
        column.addWidget(self._area, 1)
        self._order_tabs(close)

    def _content(self) -> QWidget:
        content = QWidget()
        content.setObjectName("column")
        sampling = QHBoxLayout()
        heading = label(tr("SAMPLING"), "section")
        heading.setToolTip(NEXT_MESSAGE)
        sampling.addWidget(heading)
        sampling.addStretch(1)
        sampling.addWidget(self.reset_all)
        keep_room(self.reset_all)
        column = QVBoxLayout(content)
        column.setContentsMargins(_MARGIN_PX, 4, _MARGIN_PX, 12)
        column.setSpacing(8)
        column.addLayout(sampling)
        inside = QWidget()
        folded = QVBoxLayout(inside)
        for rows in (column, folded):
            rows.setSpacing(4)
        folded.setContentsMargins(0, 0, 0, 0)
        for row in self.rows.values():
            (folded if row.advanced else column).addWidget(row)
        column.addWidget(self.fold, alignment=Qt.AlignmentFlag.AlignLeft)
        column.addWidget(inside)
        inside.setVisible(self.fold.isChecked())
        self.fold.toggled.connect(inside.setVisible)
        column.addSpacing(4)
        column.addWidget(rule())
        column.addSpacing(4)
        column.addWidget(self.system)
        column.addStretch(1)
        return content

    def _order_tabs(self, close: QWidget) -> None:
        """Set the Tab order to the reading order, including buttons that are hidden at first."""
        stops: list[QWidget] = [self.presets, close, self.undo, self.reset_all]
        rows = self.rows.values()
        stops += [row.field for row in rows if not row.advanced]
        stops += [self.fold, *(row.field for row in rows if row.advanced)]
        stops += [row.reset for row in rows]
        system = self.system
        stops += [system.editor, system.revert_button, system.apply_button]
        for before, after in pairwise(stops):
            QWidget.setTabOrder(before, after)

    def show_session(self, session: Session) -> None:
        """Show the current conversation's settings."""
        conversation = session.current
        if conversation.id != self._shown:
            self._shown = conversation.id
            for row in self.rows.values():
                row.forget_typed()
        own = effective(session.sampling, conversation)
        changed = changed_names(session.sampling, conversation)
        model = session.engine.model
        for name, row in self.rows.items():
            row.show_value(
                getattr(own, name),
                changed=name in changed,
                default=getattr(session.sampling, name),
                source=source(name, session.given, model),
            )
        self.reset_all.setVisible(bool(changed))
        self.fold.show_changed(sum(self.rows[name].advanced for name in changed))
        self.system.show_text(conversation.system, conversation.system_draft)
        self.show_presets(session)

    def show_presets(self, session: Session) -> None:
        conversation, presets = session.current, session.presets
        self.presets.show_presets(
            presets,
            like(presets, conversation),
            changed=bool(changed_names(session.sampling, conversation)),
            system=bool(self.system.text.strip()),
        )
        removed = presets.removed
        self._undo_words.setText(
            "" if removed is None else tr("“{name}” was deleted.").format(name=removed.name)
        )
        self._undo_box.setVisible(removed is not None)

    def show_cost(self, text: str) -> None:
        """Show the cost of applying the system text; scroll to it if the editor has the focus."""
        self.system.show_cost(text)
        if text and self.system.editor.hasFocus():
            # Its height is only known then.
            QTimer.singleShot(0, self, self._reveal_cost)

    def _reveal_cost(self) -> None:
        self._area.ensureWidgetVisible(self.system.cost, 0, _MARGIN_PX)

    def focus(self) -> None:
        """Focus the first setting."""
        self.rows[NAMES[0]].field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def event(self, event: QEvent) -> bool:
        # Esc would otherwise stop a running answer; here it closes the panel.
        if isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            if event.type() == QEvent.Type.ShortcutOverride:
                event.accept()
                return True
            if event.type() == QEvent.Type.KeyPress:
                self.closed.emit()
                return True
        return super().event(event)


def _place(name: str) -> tuple[bool, int]:
    """The usual ones first."""
    return name not in _USUAL, NAMES.index(name)
