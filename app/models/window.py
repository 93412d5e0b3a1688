"""The Models window: a list of models on the left, one of them on the right."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QListView,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.clear_sign import ClearSign
from app.escape_field import EscapeField
from app.models.detail import Detail
from app.models.list_model import ListModel
from app.models.row_painter import RowPainter
from app.models.rows import Row
from app.models.shown import Shown
from app.widgets import label
from app.words.tr import tr

_WANTED_PX, _LEAST_PX, _LIST_PX = (1080, 720), (720, 440), 300


class _List(QListView):
    """The list, as wide as its column."""

    def sizeHint(self) -> QSize:
        return QSize(_LIST_PX, 400)


class ModelsWindow(QDialog):
    """Shows models; what is done with them is its owner's.

    Attributes:
        list: the models. model: its rows. detail: the one that is chosen.
        repo: a field for a repository; look: asks the hub what it holds.
        note: what became of that.
        folder: chooses a folder of one's own.

    Signals:
        picked(str): the key of the model to show.
        sought(str): a repository as it was typed.
        folder_wanted: a folder is to be opened.
    """

    picked = Signal(str)
    sought = Signal(str)
    folder_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Models"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.model = ListModel()
        self.model.setParent(self)
        self.list = _List()
        self.list.setModel(self.model)
        self.list.setItemDelegate(RowPainter(self.list))
        self.list.setAccessibleName(tr("Models"))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setMouseTracking(True)
        self.list.selectionModel().currentChanged.connect(self._pick)
        self.repo = EscapeField()
        self.repo.setObjectName("search")
        self.repo.setPlaceholderText(tr("owner/name"))
        self.repo.setAccessibleName(tr("Repository on Hugging Face"))
        ClearSign(self.repo, tr("Clear the name")).triggered.connect(self._leave_field)
        self.repo.returnPressed.connect(self._seek)
        self.repo.left.connect(self._leave_field)
        self.look = QPushButton(tr("Look up"))
        self.look.setAutoDefault(False)
        self.look.clicked.connect(self._seek)
        self.note = label("", "dangerSmall", wrap=True)
        self.note.hide()
        self.folder = QPushButton(tr("Open a folder…"))
        self.folder.setAutoDefault(False)
        self.folder.clicked.connect(self.folder_wanted)
        self.detail = Detail()
        # Return, or a double click.
        self.list.activated.connect(lambda _: self.detail.focus_first())
        self._build()
        self.setMinimumSize(*_LEAST_PX)
        self.resize(*_WANTED_PX)
        self.list.setFocus()

    def show_rows(self, rows: Sequence[Row], key: str) -> None:
        """Show the list, with the model of `key` chosen."""
        model = self.list.selectionModel()
        model.blockSignals(True)
        self.model.show(rows)
        at = self.model.place(key)
        if at is not None and self.list.currentIndex().row() != at:
            self.list.setCurrentIndex(self.model.index(at))
        model.blockSignals(False)
        self.list.viewport().update()

    def show_model(self, shown: Shown) -> None:
        """Show the chosen model."""
        self.detail.show_model(shown)

    def show_note(self, sentence: str, *, asking: bool = False) -> None:
        """What became of looking up a repository; "" for nothing to say."""
        self.note.setText(sentence)
        self.note.setVisible(bool(sentence))
        self.look.setEnabled(not asking)
        self.look.setText(tr("Asking…") if asking else tr("Look up"))

    def _pick(self, index: QModelIndex, _before: QModelIndex) -> None:
        if index.isValid():
            row = self.model.rows[index.row()]
            if row.entry is not None:
                self.picked.emit(row.entry.key)

    def _seek(self) -> None:
        text = self.repo.text().strip()
        if text and self.look.isEnabled():
            self.sought.emit(text)

    def _leave_field(self) -> None:
        if self.repo.text():
            self.repo.clear()
        else:
            self.list.setFocus()

    def _build(self) -> None:
        left = QWidget()
        left.setObjectName("sidebar")
        left.setFixedWidth(_LIST_PX)
        left.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 12, 0, 12)
        column.setSpacing(8)
        seek = QHBoxLayout()
        seek.setContentsMargins(12, 0, 12, 0)
        seek.setSpacing(8)
        seek.addWidget(self.repo, 1)
        seek.addWidget(self.look)
        column.addLayout(seek)
        noted = QHBoxLayout()
        noted.setContentsMargins(16, 0, 12, 0)
        noted.addWidget(self.note)
        column.addLayout(noted)
        column.addWidget(self.list, 1)
        below = QHBoxLayout()
        below.setContentsMargins(12, 0, 12, 0)
        below.addWidget(self.folder)
        below.addStretch(1)
        column.addLayout(below)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(left)
        row.addWidget(self.detail, 1)
