"""The settings panel of a conversation: sampling, presets, system text."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.core.preferences.kinds import Whole
from app.core.session.model import Session
from app.core.session.presets import Presets, clean, like
from app.core.session.settings import NAMES, changed_names, effective, source
from app.core.store.records import Preset
from app.core.words.settings_words import (
    LABELS,
    NEXT_MESSAGE,
    default_tip,
    field_tip,
    stop_lines,
    stop_strings,
    value_text,
)
from app.core.words.tr import tr
from app.settings.number_field import NumberField, Real
from app.settings.preset_dialog import PresetDialog
from app.settings.system_text import SystemText
from app.ui import theme
from app.ui.widgets import IconButton, keep_room, label, reset_button, rule, set_state

WIDTH_PX = 296
# Qt's maximum size of a widget.
MOST_PX = (1 << 24) - 1
_MARGIN_PX = 16
# The width for two settings side by side.
_PAIR_PX = 520
_MOST_SHOWN = 22
_KINDS: dict[str, Whole | Real] = {
    "temperature": Real(0, 100, by=0.1),
    "top_p": Real(0, 1, by=0.05),
    "top_k": Whole(0, 1 << 30),
    "min_p": Real(0, 1, by=0.01),
    "repetition_penalty": Real(0.01, 100, by=0.05),
    "presence_penalty": Real(-100, 100, by=0.1),
    "max_tokens": Whole(1, 1 << 30, by=256),
    "seed": Whole(0, 1 << 62),
}
_FIELD_PX, _LABEL_PX, _FIRST_LINE_PX = 96, 84, 8
# These settings need the full width of the panel.
WIDE = ("stop",)
_LINES = 2


class StopField(QPlainTextEdit):
    """A field for several short texts, one per line.

    Signals:
        entered: the stop strings, as a tuple.
    """

    entered = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("kind", "field")
        self.setFont(theme.mono_font())
        self.setTabChangesFocus(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # The lines, the document's margin, and the style sheet's frame.
        self.setFixedHeight(self.fontMetrics().lineSpacing() * _LINES + 8 + 18)
        self.textChanged.connect(lambda: self.entered.emit(self.value))

    @property
    def value(self) -> tuple[str, ...]:
        return stop_strings(self.toPlainText())

    def show_value(self, value: object) -> None:
        assert isinstance(value, tuple)
        if value != self.value:
            self.blockSignals(True)
            self.setPlainText(stop_lines(value))
            self.blockSignals(False)

    def show_default(self, default: object, word: str) -> None:
        """Do nothing: an empty list has no placeholder."""
        self.setPlaceholderText(tr("none"))


class SettingRow(QWidget):
    """A sampling setting.

    Attributes:
        name: its field of `Sampling`.
        field: its input.
        reset_button: shown while the value differs from the default.
        held: its value before typing began, None for the default; restored if the text becomes
            invalid, as valid prefixes are not meant.

    Signals:
        entered: (name, value): a number, a tuple of texts, or a text that is no number.
        cleared: (name): reset it to its default.
    """

    entered = Signal(str, object)
    cleared = Signal(str)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.name = name
        title = LABELS[name][0]
        self.field = StopField() if name == "stop" else NumberField(_KINDS[name])
        self.field.entered.connect(self._enter)
        self.held: tuple[object] | None = None
        self._now: tuple[object] | None = None
        self._typing = False
        if isinstance(self.field, NumberField):
            self.field.left.connect(self._left)
        self._dot = QFrame()
        self._dot.setObjectName("changedDot")
        self._dot.setFixedSize(6, 6)
        dot = QWidget()
        place = QVBoxLayout(dot)
        place.setContentsMargins(0, _FIRST_LINE_PX + 5 if name in WIDE else 0, 0, 0)
        place.addWidget(self._dot)
        words = label(title)
        words.setBuddy(self.field)
        words.setMinimumWidth(_LABEL_PX)
        self._words = words
        self.reset_button = reset_button(title)
        self.reset_button.clicked.connect(self._reset)
        self._sentence = label("", "danger", wrap=True)
        self._sentence.hide()
        line = QHBoxLayout()
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(6)
        top = Qt.AlignmentFlag.AlignTop if name in WIDE else Qt.AlignmentFlag.AlignVCenter
        if name in WIDE:
            # Aligned with the first line of the field.
            words.setContentsMargins(0, _FIRST_LINE_PX, 0, 0)
        line.addWidget(dot, alignment=top)
        line.addWidget(words, alignment=top)
        if isinstance(self.field, StopField):
            line.addWidget(self.field, 1)
        else:
            self.field.setFixedWidth(_FIELD_PX)
            line.addWidget(self.field)
        line.addWidget(self.reset_button, alignment=top)
        if not isinstance(self.field, StopField):
            line.addStretch(1)
        keep_room(self._dot)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addLayout(line)
        column.addWidget(self._sentence)

    @property
    def sentence(self) -> str:
        """The problem with the typed text; "" if there is none."""
        return self._sentence.text()

    def show_problem(self, sentence: str) -> None:
        self._sentence.setText(sentence)
        self._sentence.setVisible(bool(sentence))

    def show_value(self, value: object, *, changed: bool, default: object, source: str) -> None:
        """Show the effective value, unless the user is typing an invalid one."""
        self._now = (value,) if changed else None
        if not self._typing:
            self.held = self._now
        title = LABELS[self.name][0]
        self.field.show_default(
            default, tr("random") if self.name == "seed" else value_text(default)
        )
        if not self.sentence:
            self.field.show_value(value)
        self._dot.setVisible(changed)
        self.reset_button.setVisible(changed or bool(self.sentence))
        tip = default_tip(default, source)
        self.reset_button.setToolTip(tip)
        self.reset_button.setAccessibleDescription(tip)
        self.field.setToolTip(field_tip(self.name, default, source))
        self.field.setAccessibleName(
            tr("{title}, changed").format(title=title) if changed else title
        )
        self._words.setToolTip(self.field.toolTip())

    def forget_typed(self) -> None:
        """Drop invalid input when another conversation is shown."""
        self._typing = False
        self.show_problem("")

    def _left(self) -> None:
        self._typing, self.held = False, self._now

    def _enter(self, value: object) -> None:
        self._typing = True
        if value is None and self.name != "seed":
            self.show_problem("")
            self.cleared.emit(self.name)
        else:
            self.entered.emit(self.name, value)

    def _reset(self) -> None:
        self.show_problem("")
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)
        self.cleared.emit(self.name)


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
        rows: by setting name.
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
        self.rows = {name: SettingRow(name) for name in NAMES}
        self._grid = QGridLayout()
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(4)
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
        self._columns = 0
        self._arrange()
        self._order_tabs(close)

    def _content(self) -> QWidget:
        content = QWidget()
        content.setObjectName("column")
        sampling = QHBoxLayout()
        sampling.addWidget(label(tr("SAMPLING"), "section"))
        sampling.addStretch(1)
        sampling.addWidget(self.reset_all)
        keep_room(self.reset_all)
        column = QVBoxLayout(content)
        column.setContentsMargins(_MARGIN_PX, 4, _MARGIN_PX, 12)
        column.setSpacing(8)
        column.addLayout(sampling)
        column.addLayout(self._grid)
        column.addWidget(label(NEXT_MESSAGE, "faint", wrap=True))
        column.addWidget(rule())
        column.addWidget(self.system)
        column.addStretch(1)
        return content

    def _order_tabs(self, close: QWidget) -> None:
        """Set the Tab order to the reading order, including buttons that are hidden at first."""
        stops: list[QWidget] = [self.presets, close, self.undo, self.reset_all]
        stops += [row.field for row in self.rows.values()]
        stops += [row.reset_button for row in self.rows.values()]
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

    def show_beside(self, beside: bool, height: int) -> None:
        """Lay out next to the conversation, or above it with a maximum height."""
        self.setMinimumWidth(WIDTH_PX if beside else 0)
        self.setMaximumWidth(WIDTH_PX if beside else MOST_PX)
        self.setMaximumHeight(MOST_PX if beside else height)
        set_state(self, "beside", beside)

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

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        """Arrange the settings in one column, or in two if there is room."""
        columns = 2 if self.width() >= _PAIR_PX else 1
        if columns == self._columns:
            return
        self._columns = columns
        narrow = [row for name, row in self.rows.items() if name not in WIDE]
        for at, row in enumerate(narrow):
            self._grid.addWidget(row, at // columns, at % columns, Qt.AlignmentFlag.AlignTop)
        for at, name in enumerate(WIDE, len(narrow)):
            self._grid.addWidget(self.rows[name], at, 0, 1, columns)
        self._grid.setColumnStretch(0, 1)
        self._grid.setColumnStretch(1, columns - 1)
