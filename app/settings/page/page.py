"""The settings page: a list of sections, a search over all of them, and the rows."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.core.words.tr import english, tr
from app.settings.form import Fold
from app.settings.page.rows import FormRow, Kit, Section, SettingRow
from app.ui.widgets import EscapeField, IconButton, label, rule

_LIST_PX, _ENTRY_PX, _COLUMN_PX, _NARROW_PX, _MARGIN_PX = 200, 36, 800, 720, 24


class _Part(QWidget):
    """A section widget.

    Attributes:
        rows: of all of them. fold: hides the advanced ones; None if there are none.
        box: contains them.
    """

    def __init__(self, section: Section, kit: Kit) -> None:
        super().__init__()
        self.section = section
        self.rows = section.rows(kit)
        self.fold: Fold | None = None
        self._query = ""
        self.heading = label(section.title, "title")
        self.box = QFrame()
        self.box.setObjectName("settingBox")
        inside = QVBoxLayout(self.box)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(0)
        self._rules: list[QWidget] = []
        for number, row in enumerate(self.rows):
            if number:
                self._rules.append(rule())
                inside.addWidget(self._rules[-1])
            if row.advanced and self.fold is None:
                self.fold = Fold(f"settings.{section.id}")
                self.fold.toggled.connect(lambda _on: self.narrow(self._query))
                place = QHBoxLayout()
                place.setContentsMargins(10, 6, 12, 6)
                place.addWidget(self.fold)
                place.addStretch(1)
                inside.addLayout(place)
            inside.addWidget(row)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 24)
        column.setSpacing(8)
        column.addWidget(self.heading)
        column.addWidget(self.box)
        self.narrow("")

    def narrow(self, query: str) -> bool:
        """Show the matching rows, or all if the title matches; False if there are none.

        A search looks into the fold, which otherwise decides what is shown of it.
        """
        self._query = query
        title = self.section.title
        whole = query.lower() in f"{title} {english(title)}".lower()
        for row in self.rows:
            folded = row.advanced and not query and not self._is_open
            row.setVisible(not (folded or row.absent) and (whole or row.matches(query)))
        shown = [not row.isHidden() for row in self.rows]
        if self.fold is not None:
            self.fold.setVisible(not query)
        for at, line in enumerate(self._rules, 1):
            # The first of the advanced ones stands below the fold.
            folds = not query and self.rows[at].advanced and not self.rows[at - 1].advanced
            line.setVisible((shown[at] or folds) and any(shown[:at]))
        self.setVisible(any(shown))
        return any(shown)

    def narrow_again(self) -> None:
        """Show and hide rows anew, after some became absent or present."""
        self.narrow(self._query)

    def refresh(self) -> None:
        """Show the current values."""
        for row in self.rows:
            row.refresh()
        if self.fold is not None:
            hidden = [row for row in self.rows if row.advanced]
            self.fold.show_changed(sum(not row.reset.isHidden() for row in hidden))

    @property
    def _is_open(self) -> bool:
        return self.fold is not None and self.fold.isChecked()


class SettingsPage(QWidget):
    """Attributes:
        search: filters the rows.
        list: the sections.
        settings: the rows of settings, by name.

    Signals:
        left: the user closes the page.
    """

    left = Signal()

    def __init__(
        self, kit: Kit, sections: Sequence[Section], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("settingsPage")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(tr("Settings"))
        self._sought: FormRow | None = None
        self.back = IconButton("back", tr("Back"), self.left.emit, shortcut="Esc")
        self.search = EscapeField()
        self.search.setObjectName("search")
        self.search.setPlaceholderText(tr("Search settings"))
        self.search.setAccessibleName(tr("Search settings"))
        self.search.setMaximumWidth(320)
        self.search.textChanged.connect(self._narrow)
        self.search.left.connect(self._leave_search)
        head = QHBoxLayout()
        head.setContentsMargins(_MARGIN_PX - 8, 12, _MARGIN_PX, 12)
        head.setSpacing(8)
        head.addWidget(self.back)
        head.addWidget(label(tr("Settings"), "headline"))
        head.addStretch(1)
        head.addWidget(self.search, 2)
        self.list = QListWidget()
        self.list.setObjectName("settingsList")
        self.list.setAccessibleName(tr("Sections"))
        self.list.setFixedWidth(_LIST_PX)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.parts = [_Part(section, kit) for section in sections]
        column = QWidget()
        column.setObjectName("column")
        column.setMaximumWidth(_COLUMN_PX)
        inside = QVBoxLayout(column)
        inside.setContentsMargins(_MARGIN_PX, _MARGIN_PX, _MARGIN_PX, _MARGIN_PX)
        inside.setSpacing(0)
        for part in self.parts:
            inside.addWidget(part)
            entry = QListWidgetItem(part.section.title, self.list)
            entry.setSizeHint(QSize(0, _ENTRY_PX))
        self.nothing = label("", "dim", wrap=True)
        self.nothing.hide()
        inside.addWidget(self.nothing)
        inside.addStretch(1)
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setWidget(column)
        self.area.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.area.verticalScrollBar().valueChanged.connect(self._follow)
        self.list.itemClicked.connect(lambda _item: self._go(self.list.currentRow()))
        self.list.currentRowChanged.connect(self._go)
        body = QHBoxLayout()
        body.setContentsMargins(0, 0, 0, 0)
        body.setSpacing(0)
        body.addWidget(self.list)
        body.addWidget(self.area, 1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addLayout(head)
        whole.addWidget(rule())
        whole.addLayout(body, 1)
        self.settings = {
            row.name: row for part in self.parts for row in part.rows if isinstance(row, SettingRow)
        }
        self._following = False
        self.list.setCurrentRow(0)

    def refresh(self) -> None:
        """Show the current values."""
        for part in self.parts:
            part.refresh()

    def show_setting(self, name: str) -> None:
        """Scroll to a setting, highlighted and focused."""
        self._reveal(self.settings[name])

    def show_section(self, id: str) -> bool:
        """Scroll to a section; False if there is none with that id."""
        found = [at for at, part in enumerate(self.parts) if part.section.id == id]
        if found:
            self.search.clear()
            self._go(found[0])
        return bool(found)

    def focus(self) -> None:
        """Focus the first field."""
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.list.setVisible(self.width() >= _NARROW_PX)

    def _reveal(self, row: FormRow) -> None:
        self.search.clear()
        for part in self.parts:
            if row.advanced and row in part.rows and part.fold is not None:
                part.fold.setChecked(True)
        if self._sought is not None:
            self._sought.point_out(False)
        self._sought = row
        row.point_out(True)
        focus = row.field if isinstance(row, SettingRow) else row
        focus.setFocus(Qt.FocusReason.ShortcutFocusReason)
        # After rows hidden by the search are laid out again.
        QTimer.singleShot(0, row, lambda: self.area.ensureWidgetVisible(row, 0, 80))

    def _narrow(self, text: str) -> None:
        query = text.strip()
        found = [part.narrow(query) for part in self.parts]
        for at, shown in enumerate(found):
            self.list.item(at).setHidden(not shown)
        self.nothing.setText(tr("No setting is called “{words}”.").format(words=query))
        self.nothing.setVisible(not any(found))
        self.area.verticalScrollBar().setValue(0)

    def _leave_search(self) -> None:
        if self.search.text():
            self.search.clear()
        else:
            self.left.emit()

    def _go(self, at: int) -> None:
        """Scroll to a section."""
        if self._following or not 0 <= at < len(self.parts):
            return
        self._following = True
        if self.list.currentRow() != at:
            self.list.setCurrentRow(at)
        self.area.verticalScrollBar().setValue(self.parts[at].y() - _MARGIN_PX)
        self._following = False

    def _follow(self, value: int) -> None:
        """Select the section at the top of the viewport."""
        if self._following:
            return
        bar = self.area.verticalScrollBar()
        shown = [at for at, part in enumerate(self.parts) if not part.isHidden()]
        above = [at for at in shown if self.parts[at].y() <= value + 2 * _MARGIN_PX]
        at = shown[-1] if shown and value == bar.maximum() > 0 else above[-1] if above else 0
        self._following = True
        self.list.setCurrentRow(at)
        self._following = False
