"""The centre pane: header, conversation, composer."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QBoxLayout,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.chat.column import COLUMN_PX
from app.chat.composer import TEXT, Composer
from app.chat.file_chips import files_of
from app.chat.find_bar import FindBar
from app.chat.finding import Finding
from app.chat.first_page import FirstPage
from app.chat.first_saving import FirstSaving
from app.chat.logic.turn_words import preview_detail, preview_wordings
from app.chat.queue_view import QueueView
from app.chat.view import ChatView
from app.core.session.context_use import ContextEnd, context_end
from app.core.session.model import Session
from app.core.session.model_choice import Elsewhere, elsewhere
from app.core.session.records import EnginePhase, Turn
from app.core.words.context_words import recent_detail, recent_offer, refused_hint
from app.core.words.engine_words import said
from app.core.words.model_words import stay_offer, switch_offer
from app.core.words.tr import tr
from app.settings.panel import WIDTH_PX, SettingsPanel
from app.ui import theme
from app.ui.icons import pixmap
from app.ui.key_hints import KeyTip
from app.ui.widgets import IconButton, NameLabel, add_middle, covers, label, set_state

_MARGIN_PX, _GAP_PX = 24, 8
_NEXT = tr("Write the next message; it is sent after this answer")
# From this width on the settings fit next to the chat; else they are over it.
_BESIDE_PX = 560 + WIDTH_PX
# Index of the stretch between the header and the cards.
_ABOVE_CARDS = 1
_KEY = Qt.KeyboardModifier
_SHORTCUT = _KEY.ControlModifier | _KEY.AltModifier | _KEY.MetaModifier
_PLACEHOLDERS = {
    EnginePhase.LOADING: tr("Write a message; it is sent once the model is loaded"),
    EnginePhase.CLOSING: tr("Write a message; it is sent once the model is loaded"),
}
_LEFT_PX, _RIGHT_PX = 14, 10


def _tab_before(part: QWidget, new: QWidget) -> None:
    """Let Tab come to `new` just before `part`."""
    before = part.previousInFocusChain()
    assert before is not None
    QWidget.setTabOrder(before, new)


class _Notice(QFrame):
    """A sentence behind an icon, above buttons for what can be done.

    Attributes:
        sentence: given a fixed height, since the surrounding layouts ignore height-for-width.
    """

    def __init__(
        self, right_px: int, parent: QWidget | None = None, *, selectable: bool = False
    ) -> None:
        super().__init__(parent)
        self.setObjectName("contextNotice")
        self._edges_px = _LEFT_PX + right_px
        self._sign = QLabel()
        self.sentence = label("", "dim", wrap=True, selectable=selectable)
        self.sentence.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        row = QHBoxLayout()
        row.setSpacing(10)
        row.addWidget(self._sign, alignment=Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.sentence, 1)
        self._buttons: list[QPushButton] = []
        self._offers = QHBoxLayout()
        self._offers.setSpacing(6)
        self._offers.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(_LEFT_PX, 8, right_px, 8)
        column.setSpacing(6)
        column.addLayout(row)
        column.addLayout(self._offers)
        self.hide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # The sentence gets its width only from the layout that this starts.
        QTimer.singleShot(0, self, self._fit)

    def _offer(self, text: str, action: Callable[[], object]) -> QPushButton:
        made = QPushButton(text)
        made.setProperty("kind", "small")
        made.clicked.connect(lambda: action())
        self._buttons.append(made)
        self._offers.addWidget(made)
        return made

    def _fit(self) -> None:
        """Stack the buttons if they do not fit side by side."""
        wide = sum(one.sizeHint().width() for one in self._buttons) + self._offers.spacing()
        side_by_side = wide <= self.width() - self._edges_px
        direction = QBoxLayout.Direction
        self._offers.setDirection(direction.LeftToRight if side_by_side else direction.TopToBottom)
        needed = self.sentence.heightForWidth(self.sentence.width())
        if needed != self.sentence.minimumHeight():
            self.sentence.setMinimumHeight(max(0, needed))


class ContextNotice(_Notice):
    """Warns about the end of the context; else hidden.

    Attributes:
        button: continues in a new conversation.
        recent: continues there with the last messages.

    Signals:
        gone_on: the user wants to continue in a new conversation.
        gone_on_with: the same with the last messages, a `Recent`.
    """

    gone_on = Signal()
    gone_on_with = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(_RIGHT_PX, parent)
        self._end: ContextEnd | None = None
        self.recent = self._offer(tr("Continue with the last messages"), self._go_on_with)
        self.button = self._offer(tr("New conversation"), self.gone_on.emit)
        self.button.setToolTip(tr("Continue there with what is in the composer"))
        self.restyle()

    def show_end(self, end: ContextEnd | None) -> None:
        """Show what happens at the end of the context; None hides the notice."""
        if end != self._end:
            self._end = end
            self.sentence.setText(end.sentence if end is not None else "")
            self.button.setVisible(end is not None and end.elsewhere)
            recent = end.recent if end is not None else None
            self.recent.setVisible(recent is not None)
            if recent is not None:
                self.recent.setText(recent_offer(recent.kept))
                self.recent.setToolTip(recent_detail(recent.kept, recent.left_out))
            set_state(self, "urgent", end is not None and end.urgent)
            self.restyle()
        self.setVisible(end is not None)
        self._fit()

    def restyle(self) -> None:
        urgent = self._end is not None and self._end.urgent
        colour = theme.current().colours["danger" if urgent else "replayed"]
        self._sign.setPixmap(pixmap("warning", colour, 16))

    def _go_on_with(self) -> None:
        if self._end is not None and self._end.recent is not None:
            self.gone_on_with.emit(self._end.recent)


class ModelNotice(_Notice):
    """Offers a choice between the conversation's model and the open one; else hidden.

    Attributes:
        switch, stay: the two buttons.

    Signals:
        switched: the user wants the conversation's own model.
        stayed: the user wants to continue with the open one.
    """

    switched = Signal()
    stayed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(_LEFT_PX, parent, selectable=True)
        self._shown: Elsewhere | None = None
        # The buttons name the models once there is a choice.
        self.stay = self._offer(tr("Continue"), self.stayed.emit)
        self.switch = self._offer(tr("Open"), self.switched.emit)
        self.restyle()

    def show_elsewhere(self, found: Elsewhere | None) -> None:
        """Offer the two models; None hides the notice."""
        if found is not None and found != self._shown:
            self.sentence.setText(found.sentence)
            self.switch.setText(switch_offer(found.name))
            self.stay.setText(stay_offer(found.open_name))
            self.stay.setVisible(bool(found.open_name))
        self._shown = found
        self.setVisible(found is not None)
        self._fit()

    def restyle(self) -> None:
        self._sign.setPixmap(pixmap("warning", theme.current().colours["replayed"], 16))


class ChatPane(QWidget):
    """Shows the session's current conversation.

    Attributes:
        menu_button: opens the menu of the conversation, set by its owner.
        view: the messages.
        composer: the input for the next one.
        first: in place of the messages while there are none.
        find_bar, finding: search in the messages.
        first_saving: tells once what the cache does.
        context_notice: shown while the context is nearly full.
        model_notice: shown while another model is open than the conversation's.
        queue: the messages that wait for the running answer.
        settings, settings_button: the settings panel, and its button.

    Signals:
        model_dropped: a GGUF file to open.
    """

    model_dropped = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("centre")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._alone = False
        self._title = NameLabel("title")
        self.menu_button = IconButton("down", tr("This conversation"), size=12)
        self.menu_button.setProperty("kind", "menu")
        self.menu_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.settings_button = IconButton("settings", tr("Settings"))
        self._settings_tip = KeyTip(self.settings_button, tr("Settings"), "chat_settings")
        self.settings_button.setCheckable(True)
        head = QHBoxLayout()
        head.setContentsMargins(24, 12, 16, 8)
        head.setSpacing(_GAP_PX)
        head.addWidget(self._title)
        head.addWidget(self.menu_button)
        head.addStretch(1)
        head.addWidget(self.settings_button)
        self.settings = SettingsPanel()
        self.settings.hide()
        self.view = ChatView()
        self._stack = QStackedWidget()
        self._stack.addWidget(self.view)
        self.first = FirstPage()
        self._stack.addWidget(self.first)
        self.find_bar = FindBar()
        self.finding = Finding(self.find_bar, self.view)
        self.first_saving = FirstSaving(self.view)
        self.composer = Composer()
        self.find_bar.closed.connect(self.composer.focus)
        self.composer.setMaximumWidth(COLUMN_PX)
        self.context_notice = ContextNotice()
        self.context_notice.setMaximumWidth(COLUMN_PX)
        self.model_notice = ModelNotice()
        self.model_notice.setMaximumWidth(COLUMN_PX)
        self.queue = QueueView()
        self.queue.setMaximumWidth(COLUMN_PX)
        self.queue.emptied.connect(self.composer.focus)
        talk = _Talk()
        talk.typed.connect(self.composer.write)
        inner = QVBoxLayout(talk)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(0)
        inner.addWidget(self.find_bar)
        self._middle = QGridLayout()
        self._middle.addWidget(self._stack, 0, 0)
        inner.addLayout(self._middle, 1)
        self._feet: list[QHBoxLayout] = []
        for widget, below in (
            (self.model_notice, 0),
            (self.context_notice, 0),
            (self.queue, 0),
            (self.composer, 16),
        ):
            foot = QHBoxLayout()
            foot.setContentsMargins(_MARGIN_PX, 4, _MARGIN_PX, below)
            self._feet.append(foot)
            add_middle(foot, widget)
            inner.addLayout(foot)
        self._head = head
        self.view.verticalScrollBar().rangeChanged.connect(self._align)
        self._split = QHBoxLayout()
        self._split.setContentsMargins(0, 0, 0, 0)
        self._split.setSpacing(0)
        self._split.addWidget(talk, 1)
        self._split.addWidget(self.settings)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addStretch(0)
        self._cards = QVBoxLayout()
        self._cards.setSpacing(0)
        column.addLayout(self._cards)
        column.addLayout(self._split, 1)
        self._column = column
        self.setAcceptDrops(True)
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._focus_changed)

    def add_to_head(self, part: QWidget) -> None:
        """Add a part to the header, before the button of the settings."""
        self._head.insertWidget(self._head.indexOf(self.settings_button), part)
        _tab_before(self.settings_button, part)

    def lead_head(self, part: QWidget) -> None:
        """Add a part at the beginning of the header."""
        self._head.insertWidget(0, part)
        _tab_before(self.menu_button, part)

    def add_card(self, card: QWidget) -> None:
        """Add a card that is shown above the conversation when needed."""
        self._cards.addWidget(card)

    def show_session(self, session: Session) -> None:
        """Show the current conversation."""
        conversation = session.current
        self._title.setText(conversation.title)
        self._title.setToolTip(conversation.title)
        self.view.show_conversation(conversation)
        self.finding.show_conversation(conversation)
        self._stack.setCurrentIndex(0 if conversation.turns else 1)
        self.composer.set_busy(conversation.running is not None)
        phase = session.engine.phase
        modelless = phase in (EnginePhase.FAILED, EnginePhase.NONE)
        self.first.show_session(session)
        self._alone = modelless and not conversation.turns
        self._place_cards()
        invitation = _NEXT if conversation.running is not None else tr("Write a message")
        self.composer.set_placeholder(_PLACEHOLDERS.get(phase, invitation))
        model = session.engine.model
        possible = model is None or model.supports_thinking
        self.composer.set_thinking(conversation.thinking, possible=possible)
        # The refusal's card already offers a choice.
        self.model_notice.show_elsewhere(elsewhere(session) if session.refused is None else None)
        self.show_unsent(session)
        self.show_preview(session)

    def show_unsent(self, session: Session) -> None:
        """Show the composer's files, and the queued messages."""
        self.composer.show_files(session.current.files)
        self.queue.show_queue(session.current)

    def show_turn(self, turn: Turn) -> None:
        self.view.show_turn(turn)
        self.finding.text_changed()

    def go_to(self, turn: int) -> None:
        """Scroll to a turn of the conversation."""
        self.view.go_to(turn)

    def show_preview(self, session: Session) -> None:
        preview, refused = session.forecast.preview, session.forecast.refusal
        if refused is not None:
            window = session.engine.model.context if session.engine.model is not None else 0
            sentence = said(refused.sentence)
            hint = refused_hint(refused.tokens, window, sentence)
            self.composer.set_hint(hint, detail=sentence, danger=True)
        else:
            self.composer.set_hint(*preview_wordings(preview), detail=preview_detail(preview))
        self.view.show_forecast(session.forecast.siblings)

    def show_context(self, session: Session) -> None:
        """Near the end of the context, show what will happen."""
        self.context_notice.show_end(context_end(session))

    def restyle(self) -> None:
        self.context_notice.restyle()
        self.model_notice.restyle()
        self.view.restyle()
        self.finding.restyle()
        self.composer.restyle()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if files_of(event.mimeData()) or event.mimeData().hasFormat(TEXT):
            event.acceptProposedAction()
            self.composer.show_drop(True)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self.composer.show_drop(False)

    def dropEvent(self, event: QDropEvent) -> None:
        self.composer.show_drop(False)
        if files := files_of(event.mimeData()):
            event.acceptProposedAction()
            models = [file for file in files if file.suffix.lower() == ".gguf"]
            if models:
                self.model_dropped.emit(models[0])
            else:
                self.composer.files_given.emit(files)
        elif event.mimeData().hasFormat(TEXT):
            event.acceptProposedAction()
            self.composer.write(event.mimeData().text())

    def show_settings(self, on: bool) -> None:
        """Show the conversation's settings next to it, or over it in a narrow pane."""
        self.settings.setVisible(on)
        self.settings_button.setChecked(on)
        self._make_room()
        self._place_cards()

    def _place_cards(self) -> None:
        """Centre the cards on an otherwise empty page, else put them at the top."""
        middle = self._alone and self.settings.isHidden()
        self._column.setStretch(_ABOVE_CARDS, int(middle))

    def mark_settings(self, changed: int, text: str) -> None:
        """Show how many settings differ from their defaults, and which in a tooltip."""
        button = self.settings_button
        style = Qt.ToolButtonStyle
        button.setText(str(changed) if changed else "")
        button.setToolButtonStyle(
            style.ToolButtonTextBesideIcon if changed else style.ToolButtonIconOnly
        )
        set_state(button, "changed", bool(changed))
        button.token = "accent" if changed else "dim"
        button.retint()
        button.setAccessibleName(text)
        self._settings_tip.say(text)

    def _focus_changed(self, _old: QWidget | None, new: QWidget | None) -> None:
        """The settings over the messages make way for what is behind them."""
        over = self.settings.isVisible() and self._middle.indexOf(self.settings) >= 0
        if over and new is not None and self.view.isAncestorOf(new) and covers(self.settings, new):
            self.show_settings(False)

    def _align(self, least: int, most: int) -> None:
        """Keep what is below the messages aligned with them when their scroll bar appears."""
        bar = self.view.verticalScrollBar().sizeHint().width() if most > least else 0
        for foot in self._feet:
            margins = foot.contentsMargins()
            if margins.right() != _MARGIN_PX + bar:
                margins.setRight(_MARGIN_PX + bar)
                foot.setContentsMargins(margins)

    def _make_room(self) -> None:
        beside = self.width() >= _BESIDE_PX
        if beside == (self._split.indexOf(self.settings) >= 0):
            return
        set_state(self.settings, "over", not beside)
        if beside:
            self._split.addWidget(self.settings)
        else:
            # Over the messages: the composer keeps its place.
            self._middle.addWidget(self.settings, 0, 0, Qt.AlignmentFlag.AlignRight)
            self.settings.raise_()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()


class _Talk(QWidget):
    """The messages, and what is below them.

    Signals:
        typed: text typed while no field has the focus.
    """

    typed = Signal(str)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        text = event.text()
        # Space scrolls or presses buttons, so it does not begin a message.
        written = text.isprintable() and text.strip()
        if written and not event.modifiers() & _SHORTCUT:
            self.typed.emit(text)
        else:
            super().keyPressEvent(event)
