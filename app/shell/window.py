"""The main window: three panes, menus, status line; refreshes exactly what changed."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QContextMenuEvent,
    QKeySequence,
    QResizeEvent,
    QShortcut,
)
from PySide6.QtWidgets import (
    QApplication,
    QMainWindow,
    QStackedWidget,
)

from app.cache.controller import CacheController
from app.cache.events import EventsController
from app.cache.pane import CachePane
from app.cache.strip import CacheStrip
from app.cache.warming import WarmController
from app.chat.attaching import AttachController
from app.chat.controller import CONTEXT_CHANGES, ChatController
from app.chat.drafts import DraftController
from app.chat.logic import highlight
from app.chat.pane import ChatPane
from app.chat.settings import ChatSettingsController
from app.conversations.controller import ChatsController
from app.conversations.menu import conversation_menu
from app.conversations.panel import ChatsPanel
from app.core.bridge import Bridge
from app.core.preferences.book import Book
from app.core.session.changes import Change, Changed, Noted
from app.core.session.model import Session
from app.core.words.tr import tr
from app.debugger.debugger import DebuggerController
from app.debugger.linking import LinkController
from app.debugger.remote.view import RemoteController
from app.debugger.traces import TraceController
from app.lab.controller import LabController
from app.models.connecting import ConnectController
from app.models.controller import ModelsController
from app.models.failure_card import FailureCard
from app.models.model_button import ModelButton
from app.models.opening import LoadingCard, OpeningController
from app.models.recent_menu import RecentMenu
from app.models.switching import SwitchController
from app.server.serving import ServerController
from app.shell.arrivals import Arrivals
from app.shell.checkup import CheckupController
from app.shell.dialogs import about_dialog, keyboard_dialog
from app.shell.palette import PaletteController
from app.shell.panes import LayoutController, PaneSplitter
from app.shell.preferences import PreferencesController
from app.shell.problems import Problems
from app.shell.settings_page import SettingsPageController
from app.shell.statusbar import StatusLine
from app.shell.timers import claim_timer, probe_timer
from app.shell.window_memory import LEAST, WANTED
from app.ui import theme
from app.ui.icons import app_icon
from app.ui.menus.edit_menu import EditMenu
from app.ui.menus.menus import Menus

_WARM_UP_MS = 600
# A longer selection is not used as a search text.
_MOST_SOUGHT = 100


class MainWindow(QMainWindow):
    """Owns and connects everything on screen.

    Attributes:
        chats, chat, cache: the panes.
        card: shown while there is no model.
        loading: shown while one is being opened.
        problems: the problem cards.
        drafts: switches the conversation on screen.
        attaching: reads files to attach to a message.
        arrivals: opens what the program is given.
        status: the line at the bottom.
        menus: every command.
        model_button: the model in the chat's header.
        splitter: divides the width between the panes.
        edit: the state of the Edit menu.
        book: the program's settings.
        preferences: applies them.
        command_palette: Edit > Find anything.
        checkup: Help > Check this computer.
        settings_page: File > Settings.
        recent: File > Open recent.
        connecting: File > Connect.
        settings: those of the conversation on screen.
        events: the event log's window.
        lab: View > Memory lab. models: View > Models.
        debugger: View > Debugger.
        layout_controller: the geometry of the window and its panes.
        links: cross-highlights messages and places in the cache.
        remote: engines that run elsewhere, in the debugger.
        traces: File > Open trace.
        warming: Cache > Warm a prompt.
        may_close: whether the window may close now; may ask the user.

    Signals:
        closed: the user closed the window.
    """

    closed = Signal()

    def __init__(self, bridge: Bridge, book: Book | None = None) -> None:
        """`book`: the program's settings; without one they last as long as the window."""
        super().__init__()
        self._bridge = bridge
        self._session: Session = bridge.session
        self.may_close: Callable[[], bool] = lambda: True
        self.setWindowTitle("Biplane")
        self.setWindowIcon(app_icon())
        self.setMinimumSize(*LEAST)
        self.resize(*WANTED)
        self.chats = ChatsPanel(self._session)
        self.chat = ChatPane()
        self.drafts = DraftController(bridge, self.chat.composer, self.chat.queue)
        self.attaching = AttachController(bridge, self.chat.composer, self)
        self.cache = CachePane()
        self.card = FailureCard()
        self.loading = LoadingCard()
        self.problems = Problems()
        self.status = StatusLine()
        self.setStatusBar(self.status)
        for card in (self.card, self.loading, self.problems):
            self.chat.add_card(card)
        self.splitter = PaneSplitter(self.chats, self.chat, self.cache, CacheStrip())
        self.chat.lead_head(self.splitter.opener)
        pages = QStackedWidget()
        pages.addWidget(self.splitter)
        self.setCentralWidget(pages)
        # Created after the panes, so destroyed after them: a dying field still uses the Edit menu.
        self.menus = Menus(self.menuBar())
        # Qt itself handles only the menu key.
        QShortcut(QKeySequence("Shift+F10"), self, self._ask_for_menu)
        self.edit = EditMenu(self, self.menus.menu["edit"], self.menus.edits)
        self.book = book or Book()
        self.recent = RecentMenu(self.menus.menu["file"], self.menus.menu["recent"])
        self.model_button = ModelButton(self.menus, self.recent)
        self.chat.add_to_head(self.model_button)
        self.chat.menu_button.setMenu(conversation_menu(self.menus, self.chat))
        self.settings = ChatSettingsController(bridge, self.chat, self.menus)
        self.connecting = ConnectController(bridge, self)
        opening = OpeningController(
            bridge, self, self.menus, self.recent, self.card, self.loading, self.connecting
        )
        self._switching = SwitchController(
            bridge, self.chat, self.menus, self.book, self.connecting, self
        )
        probe_timer(bridge, self)
        chats = ChatsController(
            bridge, self.chats, self.menus, self.drafts, lambda: self.show_chats(True)
        )
        # Each refreshes its own part, in this order.
        self._features = (
            chats,
            ChatController(bridge, self.chat, self.menus, self.drafts),
            opening,
            CacheController(bridge, self.cache, self.splitter.strip, self, self.menus),
        )
        claim_timer(bridge, self)
        self.events = EventsController(bridge, self.cache, lambda: self.show_cache(True), self)
        self.lab = LabController(bridge, self.menus, self)
        self.models = ModelsController(bridge, self.menus, self.recent, self)
        self.debugger = DebuggerController(bridge, self.menus, pages, self)
        self.layout_controller = LayoutController(
            self, self.splitter, self.cache, self.debugger, self.lab
        )
        self.chat.view.model_wanted.connect(self.menus.models.trigger)
        self.chat.first.asked.connect(self.drafts.send)
        self.chat.first.model_wanted.connect(self.models.open_at)
        self.models.suggested.connect(self.chat.first.show_models)
        self.links = LinkController(bridge, self.chat, self.cache, self.debugger, self.drafts)
        self.warming = WarmController(bridge, self.menus, self)
        self.traces = TraceController(bridge, self, self.menus, self.debugger)
        self.arrivals = Arrivals(
            bridge, self, self.menus, self.traces, self.attaching, self.problems
        )
        self.chat.dropped.connect(self.arrivals.drop_on_chat)
        self.remote = RemoteController(bridge, self.traces, self.debugger, self)
        self.connecting.lead_to_tree(self.cache.elsewhere, self.remote)
        self.preferences = PreferencesController(
            self.book, bridge, self.menus, chats, self.chat.view, self
        )
        self.command_palette = PaletteController(bridge, self.menus, self.recent, self)
        self.serving = ServerController(bridge, self.book, self.menus, self)
        self.settings_page = SettingsPageController(
            self.preferences, bridge, pages, self.menus, self.serving
        )
        self.command_palette.sources.append(self.settings_page.entries)
        self.checkup = CheckupController(bridge, self.menus, self.problems, self)
        self.models.look_elsewhere(self.book.now("other_files"))
        self.models.elsewhere_wanted.connect(lambda: self.preferences.set("other_files", True))
        self.preferences.changed.connect(self._setting_changed)
        self._connect()
        self.refresh()
        self.chat.composer.set_text(self._session.current.draft)
        self.splitter.fold()
        self.chat.composer.focus()
        self._warm_up = QTimer(self)
        self._warm_up.setSingleShot(True)
        self._warm_up.timeout.connect(highlight.warm_up)
        self._warm_up.start(_WARM_UP_MS)

    def apply(self, changes: frozenset[Change]) -> None:
        """Refresh what changed."""
        for feature in self._features:
            feature.apply(changes)
        acts = self._session.acts
        kinds = {change.kind for change in changes}
        for change in changes:
            if isinstance(change, Noted):
                self.status.show_notice(change.text, change.offers)
            elif change is Changed.ACTS and acts.progress is not None:
                said = tr("{sentence} Esc stops it.").format(sentence=acts.sentence)
                self.status.show_notice(said)
        if Changed.ENGINE in kinds:
            self.model_button.show_session(self._session)
        if kinds & CONTEXT_CHANGES:
            self.status.show_session(self._session)
        # New text enables no command.
        if kinds - {Changed.TURN, Changed.RATE}:
            self._enable()

    def refresh(self) -> None:
        """Refresh everything."""
        for feature in self._features:
            feature.refresh()
        self.model_button.show_session(self._session)
        self.status.show_session(self._session)
        self._enable()

    def show_cache(self, on: bool) -> None:
        self.splitter.request("cache", on)

    def show_chats(self, on: bool) -> None:
        self.splitter.request("chats", on)

    def _setting_changed(self, name: str) -> None:
        if name == "other_files":
            self.models.look_elsewhere(self.book.now(name))

    def _connect(self) -> None:
        bridge, menus = self._bridge, self.menus
        bridge.changed.connect(self.apply)
        chat, cache = self.chat, self.cache
        self.loading.cancelled.connect(chat.composer.focus)
        menus.attach.triggered.connect(self.attaching.ask)
        self.links.pane_wanted.connect(lambda: self.show_cache(True))
        cache.warming_wanted.connect(self.warming.open)
        self.debugger.warming_wanted.connect(self.warming.open)
        cache.owner_opened.connect(self.drafts.open_owner)
        self.debugger.owner_opened.connect(self.drafts.open_owner)
        for view in (cache, chat.view):
            view.explained.connect(self.debugger.explain)
        cache.notice.connect(self.status.show_notice)
        self.status.chosen.connect(self._take_offer)
        self.command_palette.conversation_chosen.connect(self.open_conversation)
        self.settings_page.closed.connect(self._back_from_settings)
        storage = self.settings_page.storage
        storage.deleted.connect(self.drafts.delete)
        storage.quit_wanted.connect(self.close)
        storage.downloading = lambda: self.models.running
        self.closed.connect(storage.wait)
        self.closed.connect(self.settings_page.cuda.close)
        self.closed.connect(self.checkup.wait)
        self.status.chosen.connect(self.checkup.take_offer)
        menus.find.triggered.connect(self._find)
        menus.quit.triggered.connect(self.close)
        self.splitter.folded.connect(menus.show_panes)
        self.splitter.left.connect(chat.composer.focus)
        menus.chats.triggered.connect(self.show_chats)
        menus.cache.triggered.connect(self.show_cache)
        menus.events.triggered.connect(self.events.open)
        self.debugger.shown.connect(lambda on: bridge.watch("debugger", on))
        self.debugger.shown.connect(lambda _: self._enable())
        for opened in (self.events, self.models, self.serving):
            self.closed.connect(opened.close)
        self.serving.reachable.connect(self.status.show_server)
        self.status.server_wanted.connect(lambda: self.settings_page.open("server"))
        menus.keys.triggered.connect(lambda: keyboard_dialog(self, menus.bound()).open())
        menus.about.triggered.connect(lambda: about_dialog(self).open())
        for part in (chat, cache, self.card, self.problems, self.chats):
            theme.keeper().changed.connect(part.restyle)

    def _find(self) -> None:
        """Open the find bar of the current page; the chat's starts with a selection on one line."""
        if self.debugger.look_up():
            return
        selected = self.edit.selection.strip()
        short = "\n" not in selected and len(selected) <= _MOST_SOUGHT
        self.chat.finding.open(selected if short else "")

    def _take_offer(self, offer: str) -> None:
        """Run the command that a notice offered; other offers are their owners' business."""
        if offer in self.menus.actions:
            self.menus.actions[offer].trigger()

    def open_conversation(self, number: int) -> None:
        """Show a conversation, whatever is on screen."""
        self.settings_page.close()
        self.debugger.show(False)
        self.drafts.select(number)

    def _back_from_settings(self) -> None:
        if self.splitter.isVisibleTo(self):
            self.chat.composer.focus()

    def _enable(self) -> None:
        looked_up = bool(self._session.current.turns) or self.debugger.on_screen
        self.menus.find.setEnabled(looked_up)
        self._switching.enable()

    def _ask_for_menu(self) -> None:
        """Act as if the menu key were pressed."""
        widget = self.focusWidget()
        if widget is not None:
            at = widget.rect().center()
            reason = QContextMenuEvent.Reason.Keyboard
            QApplication.sendEvent(widget, QContextMenuEvent(reason, at, widget.mapToGlobal(at)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self.splitter.fold()
            # Repeated once the splitter has its new width, which it first divides by its own rules.
            QTimer.singleShot(0, self.splitter, self.splitter.fold)

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self.may_close():
            event.ignore()
            return
        self._bridge.perform(self._session.stop())
        super().closeEvent(event)
        self.closed.emit()
