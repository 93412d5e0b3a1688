"""The model in the chat's header: its name or state, and a menu to switch to another one."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QAction, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QMenu,
    QPushButton,
    QSizePolicy,
    QStyle,
    QStyleOptionButton,
    QWidget,
)

from app.core.session.model import Session
from app.core.words.tr import tr
from app.models.logic.open_model import button_text, hardware_text, state_details
from app.models.recent_menu import RecentMenu
from app.ui import theme
from app.ui.icons import icon
from app.ui.menus.menus import Menus
from app.ui.widgets import set_tip

_WIDEST_PX, _ARROW_PX, _EDGE_PX, _GAP_PX = 260, 10, 10, 6


class ModelButton(QPushButton):
    """Names the open model; its menu holds the existing commands about models.

    Attributes:
        models: the menu, filled when it opens.
    """

    def __init__(self, menus: Menus, recent: RecentMenu, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._menus, self._recent = menus, recent
        self._state, self._hardware = "", ""
        self.setProperty("kind", "model")
        # Narrower than its text in a narrow chat, where the name is elided.
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.models = QMenu(self)
        self.models.setToolTipsVisible(True)
        self.models.aboutToShow.connect(self._fill)
        self.setMenu(self.models)
        theme.keeper().changed.connect(self.update)

    def show_session(self, session: Session) -> None:
        """Show the model that is open or being opened."""
        engine, model = session.engine, session.engine.model
        self._hardware = "" if model is None else hardware_text(model)
        text, detail = button_text(engine, session.coming), state_details(engine, session.coming)
        if text != self._state:
            self._state = text
            self.setAccessibleName(tr("Model: {name}").format(name=text))
            self.updateGeometry()
            self._elide()
        set_tip(self, detail)
        self.setAccessibleDescription(detail)

    @property
    def state(self) -> str:
        """The whole text; the button elides it if it is long."""
        return self._state

    def _fill(self) -> None:
        menu, menus, recent = self.models, self._menus, self._recent
        recent.look()
        menu.clear()
        menu.addActions(recent.actions)
        menu.addSeparator()
        # Two of them matter only to a conversation with another model, one only while opening.
        for sometimes in (menus.switch_model, menus.stay_with_model, menus.cancel_opening):
            if sometimes.isEnabled():
                menu.addAction(sometimes)
        for always in (menus.models, menus.open_model, menus.connection, menus.opening):
            menu.addAction(always)
        if self._hardware:
            menu.addSeparator()
            told = QAction(self._hardware.replace("&", "&&"), menu)
            told.setEnabled(False)
            menu.addAction(told)

    def _elide(self) -> None:
        room = self.width() - 2 * _EDGE_PX - _ARROW_PX - _GAP_PX
        shown = self.fontMetrics().elidedText(self._state, Qt.TextElideMode.ElideMiddle, room)
        # Ampersands would become mnemonics.
        self.setText(shown.replace("&", "&&"))

    def sizeHint(self) -> QSize:
        text = self.fontMetrics().horizontalAdvance(self._state)
        wanted = text + 2 * _EDGE_PX + _ARROW_PX + _GAP_PX + 2
        return QSize(min(wanted, _WIDEST_PX), super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(min(96, self.sizeHint().width()), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._elide()

    def paintEvent(self, event: QPaintEvent) -> None:
        # A style sheet misplaces the text of a button with a menu, and draws no arrow.
        option, colours = QStyleOptionButton(), theme.current()
        self.initStyleOption(option)
        option.text = ""
        painter = QPainter(self)
        self.style().drawControl(QStyle.ControlElement.CE_PushButton, option, painter, self)
        painter.setPen(colours.colour("text"))
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextHideMnemonic
        painter.drawText(self.rect().adjusted(_EDGE_PX, 0, 0, 0), flags, self.text())
        spot = QRect(0, 0, _ARROW_PX, _ARROW_PX)
        spot.moveCenter(QPoint(self.width() - _EDGE_PX - _ARROW_PX // 2, self.height() // 2))
        icon("down", colours.colours["dim"], _ARROW_PX).paint(painter, spot)
        painter.end()
