"""The panel of a conversation's settings: sampling, presets, system text."""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.session.model import Session
from app.session.presets import like
from app.session.settings import NAMES, changed_names, effective, source
from app.settings.preset_menu import PresetMenu
from app.settings.row import WIDE, SettingRow
from app.settings.system_text import SystemText
from app.widgets import IconButton, label, rule, set_state
from app.words.settings_words import NEXT_MESSAGE
from app.words.tr import tr

WIDTH_PX = 296
# Qt's own limit of a widget.
MOST_PX = (1 << 24) - 1
_MARGIN_PX = 16
# Two settings beside each other.
_PAIR_PX = 520


class SettingsPanel(QFrame):
    """Shows the settings of the conversation on screen; changes are signals.

    Attributes:
        rows: by name of the setting.
        presets: the button of the presets.
        system: the system text.
        reset_all: returns the sampling to the defaults.
        undo: brings a deleted preset back; shown after one was deleted.

    Signals:
        closed: the panel is to close.
        restored: the deleted preset is to come back.
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
        policy = self.reset_all.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.reset_all.setSizePolicy(policy)
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
        """Tab goes through the panel as it is read, past the buttons that changes bring up."""
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
        """What applying the system text costs; whoever is writing it sees that."""
        self.system.show_cost(text)
        if text and self.system.editor.hasFocus():
            # Only then has the line its height.
            QTimer.singleShot(0, self, self._reveal_cost)

    def _reveal_cost(self) -> None:
        self._area.ensureWidgetVisible(self.system.cost, 0, _MARGIN_PX)

    def focus(self) -> None:
        """Begin at the first setting."""
        self.rows[NAMES[0]].field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def show_beside(self, beside: bool, height: int) -> None:
        """Stand beside the conversation, or above it at most so high."""
        self.setMinimumWidth(WIDTH_PX if beside else 0)
        self.setMaximumWidth(WIDTH_PX if beside else MOST_PX)
        self.setMaximumHeight(MOST_PX if beside else height)
        set_state(self, "beside", beside)

    def event(self, event: QEvent) -> bool:
        # Esc would stop a running answer; here it closes the panel.
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
        """One setting a line, or two where there is room."""
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
