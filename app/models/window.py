"""The Models window: a list of models on the left, one of them on the right."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import (
    QAbstractListModel,
    QMimeData,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QFont, QKeyEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QListView,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from app.core.words.joining import listed
from app.core.words.tr import tr
from app.models.detail import Detail
from app.models.logic.rows import ModelRow
from app.models.logic.seeking import named_repo
from app.models.logic.shelf import Shown
from app.ui import theme
from app.ui.widgets import ClearSign, EscapeField, FlowRow, label, resize_on_screen

_WANTED_PX, _LEAST_PX, _LIST_PX, _NARROW_PX = (1080, 720), (720, 440), 300, 230
_HEADING_PX, _ROW_PX = 34, 48
_ASIDE_PX, _PAD_PX, _DOT_PX, _BAR_PX = 8, 10, 8, 3
_NAME_PX, _LINE_PX, _HEAD_PX = 13, 12, 11
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
ROW = int(Qt.ItemDataRole.UserRole)
Index = QModelIndex | QPersistentModelIndex


class ListModel(QAbstractListModel):
    """The rows as a Qt model; the selection survives changes."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: tuple[ModelRow, ...] = ()

    def show(self, rows: Sequence[ModelRow]) -> None:
        """Set the rows; if only their texts changed, the scroll position is kept."""
        rows = tuple(rows)
        if rows == self.rows:
            return
        same = [_key(row) for row in rows] == [_key(row) for row in self.rows]
        if same:
            self.rows = rows
            self.dataChanged.emit(self.index(0), self.index(len(rows) - 1))
            return
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def place(self, key: str) -> int | None:
        """The row of an entry."""
        for at, row in enumerate(self.rows):
            if row.entry is not None and row.entry.key == key:
                return at
        return None

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        row = self.rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return row.title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            parts = [row.title, row.line, tr("open now") if row.is_open else "", row.mark_text]
            return listed(parts)
        if role == Qt.ItemDataRole.ToolTipRole:
            return row.mark_text.capitalize()
        return row if role == ROW else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid() or self.rows[index.row()].entry is None:
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable


def _key(row: ModelRow) -> str:
    return row.title if row.entry is None else row.entry.key


class RowPainter(QStyledItemDelegate):
    """Draws `ModelRow`s."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        row: ModelRow = index.data(ROW)
        return QSize(1, _HEADING_PX if row.entry is None else _ROW_PX)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: ModelRow = index.data(ROW)
        area = QRect(option.rect).adjusted(_ASIDE_PX, 1, -_ASIDE_PX, -1)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if row.entry is None:
            place = area.adjusted(_PAD_PX, 10, -_PAD_PX, 0)
            _write(painter, place, row.title, "faint", _HEAD_PX, True)
            _write(painter, place, row.line, "faint", _HEAD_PX, False, _RIGHT)
        else:
            self._paint_model(painter, area, row, option.state)
        painter.restore()

    def _paint_model(
        self, painter: QPainter, area: QRect, row: ModelRow, state: QStyle.StateFlag
    ) -> None:
        colours = theme.current()
        chosen = bool(state & QStyle.StateFlag.State_Selected)
        focused = chosen and bool(state & QStyle.StateFlag.State_HasFocus)
        if chosen or state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(colours.colour("accent") if focused else Qt.PenStyle.NoPen)
            painter.setBrush(colours.colour("hover"))
            painter.drawRoundedRect(QRectF(area).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        inner = area.adjusted(_PAD_PX, 6, -_PAD_PX, -6)
        if row.mark:
            dot = QRectF(inner.right() - _DOT_PX, inner.top() + 5, _DOT_PX, _DOT_PX)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colours.colour(row.mark))
            painter.drawEllipse(dot)
        top = QRect(inner.left(), inner.top(), inner.width() - _DOT_PX - 6, 18)
        _write(painter, top, row.title, "text", _NAME_PX, row.is_open or chosen)
        below = QRect(inner.left(), inner.top() + 18, inner.width(), 17)
        _write(painter, below, row.line, "dim", _LINE_PX, False)
        if row.share is not None:
            track = QRectF(inner.left(), area.bottom() - _BAR_PX - 1, inner.width(), _BAR_PX)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colours.colour("track"))
            painter.drawRoundedRect(track, 1.5, 1.5)
            track.setWidth(track.width() * min(max(row.share, 0.0), 1.0))
            painter.setBrush(colours.colour("accent"))
            painter.drawRoundedRect(track, 1.5, 1.5)


def _write(
    painter: QPainter,
    area: QRect,
    text: str,
    token: str,
    px: int,
    bold: bool,
    side: Qt.AlignmentFlag = _LEFT,
) -> None:
    font = theme.ui_font(px)
    if bold:
        font.setWeight(QFont.Weight.DemiBold)
    painter.setFont(font)
    painter.setPen(theme.current().colour(token))
    shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, area.width())
    painter.drawText(area, side, shown)


def _only_place(data: QMimeData) -> Path | None:
    """What is dragged, if it is a single thing; whether a folder is seen when it is opened."""
    urls = data.urls()
    return Path(urls[0].toLocalFile()) if len(urls) == 1 and urls[0].isLocalFile() else None


class _List(QListView):
    """The list, with the width of its column as size hint."""

    def sizeHint(self) -> QSize:
        return QSize(_LIST_PX, 400)


class SearchField(EscapeField):
    """From it, Down leads into the list."""

    def __init__(self, view: QListView) -> None:
        super().__init__()
        self._view = view

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Down:
            self._view.setFocus()
        else:
            super().keyPressEvent(event)


class ModelsWindow(QDialog):
    """Shows models; its owner handles the actions.

    Attributes:
        list: the view. model: its rows. detail: the selected model.
        search: a field for words, or for a repository's name; look: looks that up on the hub.
        note: why that, or a search, failed.
        file: chooses a local file or folder.
        elsewhere: lists the files of other programs; shown until that is wanted.

    Signals:
        picked(str): the key of the model to show.
        typed(str): the text of the search field changed.
        sought(str): Return in it, or the button: a repository to look up, or words.
        file_wanted: the user wants to open a file or a folder.
        elsewhere_wanted: the files of other programs are to be listed.
        dropped: a file or a folder to open.
    """

    picked = Signal(str)
    typed = Signal(str)
    sought = Signal(str)
    file_wanted = Signal()
    elsewhere_wanted = Signal()
    dropped = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAcceptDrops(True)
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
        self.search = SearchField(self.list)
        self.search.setObjectName("search")
        self.search.setPlaceholderText(tr("Search: name, 4b, small, fits…"))
        self.search.setToolTip(
            tr(
                "Here and on Hugging Face: parts of a name, a size such as 4b, small, large, "
                "fits; or a repository's owner/name"
            )
        )
        self.search.setAccessibleName(tr("Search models here and on Hugging Face"))
        ClearSign(self.search, tr("Clear the search")).triggered.connect(self._leave_field)
        self.search.textChanged.connect(self._typed)
        self.search.returnPressed.connect(self._seek)
        self.search.left.connect(self._leave_field)
        self.look = QPushButton(tr("Look up"))
        self.look.setAutoDefault(False)
        self.look.clicked.connect(self._seek)
        self.look.hide()
        self.note = label("", "dangerSmall", wrap=True)
        self.note.hide()
        self.file = QPushButton(tr("Open a file…"))
        self.file.setAutoDefault(False)
        self.file.clicked.connect(self.file_wanted)
        self.elsewhere = QPushButton(tr("Find my GGUF files"))
        self.elsewhere.setAutoDefault(False)
        self.elsewhere.setToolTip(
            tr("In the folders of LM Studio, llama.cpp, Jan and Hugging Face; Settings can undo it")
        )
        self.elsewhere.clicked.connect(self.elsewhere_wanted)
        self._ways = FlowRow(8, line_gap=8)
        self.detail = Detail()
        # Return, or a double click.
        self.list.activated.connect(lambda _: self.detail.focus_first())
        self._build()
        self.setMinimumSize(*_LEAST_PX)
        resize_on_screen(self, *_WANTED_PX)
        self.list.setFocus()

    def show_rows(self, rows: Sequence[ModelRow], key: str) -> None:
        """Show the list, with the model of `key` selected."""
        model = self.list.selectionModel()
        model.blockSignals(True)
        self.model.show(rows)
        at = self.model.place(key)
        if at is not None and self.list.currentIndex().row() != at:
            self.list.setCurrentIndex(self.model.index(at))
        model.blockSignals(False)
        self.list.viewport().update()

    def show_model(self, shown: Shown) -> None:
        """Show the selected model."""
        self.detail.show_model(shown)

    def offer_elsewhere(self, on: bool) -> None:
        """Offer to list the files of other programs, or not."""
        self.elsewhere.setVisible(on)
        self._ways.arrange()

    def show_note(self, sentence: str, *, asking: bool = False) -> None:
        """Show the result of looking up a repository; "" for none."""
        self.note.setText(sentence)
        self.note.setVisible(bool(sentence))
        self.look.setEnabled(not asking)
        self.look.setText(tr("Asking…") if asking else tr("Look up"))

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if _only_place(event.mimeData()) is not None:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        if (place := _only_place(event.mimeData())) is not None:
            event.acceptProposedAction()
            self.dropped.emit(place)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # A model's figures have no room to spare in a narrow window.
        self._left.setFixedWidth(min(_LIST_PX, max(_NARROW_PX, self.width() // 3)))

    def _pick(self, index: QModelIndex, _before: QModelIndex) -> None:
        if index.isValid():
            row = self.model.rows[index.row()]
            if row.entry is not None:
                self.picked.emit(row.entry.key)

    def _typed(self, text: str) -> None:
        self.look.setVisible(bool(named_repo(text)))
        self.typed.emit(text)

    def _seek(self) -> None:
        text = self.search.text().strip()
        if text and self.look.isEnabled():
            self.sought.emit(text)

    def _leave_field(self) -> None:
        if self.search.text():
            self.search.clear()
        else:
            self.list.setFocus()

    def _build(self) -> None:
        for way in (self.file, self.elsewhere):
            self._ways.add(way)
        left = self._left = QWidget()
        left.setObjectName("sidebar")
        left.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 12, 0, 12)
        column.setSpacing(8)
        seek = QHBoxLayout()
        seek.setContentsMargins(12, 0, 12, 0)
        seek.setSpacing(8)
        seek.addWidget(self.search, 1)
        seek.addWidget(self.look)
        column.addLayout(seek)
        noted = QHBoxLayout()
        noted.setContentsMargins(16, 0, 12, 0)
        noted.addWidget(self.note)
        column.addLayout(noted)
        column.addWidget(self.list, 1)
        below = QHBoxLayout()
        below.setContentsMargins(12, 0, 12, 0)
        below.addWidget(self._ways)
        column.addLayout(below)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(left)
        row.addWidget(self.detail, 1)
