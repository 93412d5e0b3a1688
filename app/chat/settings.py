"""Connects the panel of settings to the session and the engine."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer

from app.chat.pane import ChatPane
from app.core.bridge import Bridge
from app.core.session.changes import Change, Changed
from app.core.session.settings import changed_names, problem
from app.core.session.weighing import Weighing
from app.core.words.settings_words import BUSY, cost_text, mark_text, problem_text, tokens_text
from app.ui.menus.menus import Menus

# The engine may have more urgent work right after an answer.
_WEIGH_MS = 450


class ChatSettingsController(QObject):
    """Carries out the user's changes in the panel, and shows the results."""

    def __init__(self, bridge: Bridge, chat: ChatPane, menus: Menus) -> None:
        super().__init__(chat)
        self._bridge, self._session = bridge, bridge.session
        self._chat, self._panel = chat, chat.settings
        self._weigh = QTimer(self)
        self._weigh.setSingleShot(True)
        self._weigh.setInterval(_WEIGH_MS)
        self._weigh.timeout.connect(self._ask_cost)
        self._connect()
        menus.chat_settings.triggered.connect(self.toggle)
        bridge.changed.connect(self.apply)
        self.refresh()

    def toggle(self) -> None:
        """Open the panel, focus it if it is open, or close it if it has the focus."""
        panel = self._panel
        inside = panel.isAncestorOf(panel.window().focusWidget() or panel.window())
        if panel.isVisible() and inside:
            self.close()
        else:
            self.open()

    def open(self) -> None:
        self._chat.show_settings(True)
        self.refresh()
        self._panel.focus()
        self._ask_cost()

    def close(self) -> None:
        """Close the panel; an unapplied system text stays as a draft."""
        self._session.presets.removed = None
        self._chat.show_settings(False)
        self._chat.composer.focus()

    def refresh(self) -> None:
        """Show everything."""
        self._panel.show_session(self._session)
        self._show_cost()
        self._mark()

    def apply(self, changes: frozenset[Change]) -> None:
        """Refresh what changed."""
        kinds = {change.kind for change in changes}
        if kinds & {Changed.CONVERSATIONS, Changed.SAMPLING, Changed.ENGINE}:
            self.refresh()
        elif Changed.PRESETS in kinds:
            self._panel.show_presets(self._session)
        elif Changed.WEIGHING in kinds:
            self._show_cost()
        # Not on every token: a system text may be long.
        if kinds & {
            Changed.CONVERSATIONS,
            Changed.TURNS,
            Changed.ENGINE,
            Changed.SAMPLING,
        }:
            self._show_cost()
            unknown = self._known is None or Changed.ENGINE in kinds
            outdated = self._panel.system.pending and Changed.SAMPLING not in kinds
            if self._panel.isVisible() and not self._session.busy and (unknown or outdated):
                self._weigh.start()

    def _connect(self) -> None:
        panel, session, perform = self._panel, self._session, self._bridge.perform
        self._chat.settings_button.clicked.connect(
            lambda: self.close() if panel.isVisible() else self.open()
        )
        panel.closed.connect(self.close)
        for row in panel.rows.values():
            row.entered.connect(self._set)
            row.cleared.connect(self._reset)
        panel.reset_all.clicked.connect(lambda: self._reset_all())
        panel.system.drafted.connect(self._draft)
        panel.system.paused.connect(self._ask_cost)
        panel.system.applied.connect(lambda text: perform(session.apply_system(text)))
        panel.system.reverted.connect(lambda: perform(session.revert_system()))
        presets = panel.presets
        presets.chosen.connect(lambda name: perform(session.apply_preset(name)))
        presets.saved.connect(self._save_preset)
        presets.renamed.connect(lambda name, to: perform(session.rename_preset(name, to)))
        presets.removed.connect(lambda name: perform(session.remove_preset(name)))
        presets.defaults_wanted.connect(self._reset_all)
        panel.restored.connect(lambda: perform(session.restore_preset()))

    def _set(self, name: str, value: object) -> None:
        """Set a value, or show next to the field why it is invalid."""
        session, row = self._session, self._panel.rows[name]
        sentence = problem_text(name, problem(name, value))
        row.show_problem(sentence)
        if not sentence:
            self._bridge.perform(session.set_sampling(name, value))
        elif row.held is not None:
            self._bridge.perform(session.set_sampling(name, row.held[0]))
        else:
            self._bridge.perform(session.reset_sampling(name))
        self._panel.show_session(session)

    def _reset(self, name: str) -> None:
        self._bridge.perform(self._session.reset_sampling(name))
        # An invalid input must be replaced even if no value changed.
        self._panel.show_session(self._session)

    def _reset_all(self) -> None:
        for row in self._panel.rows.values():
            row.show_problem("")
        self._bridge.perform(self._session.reset_all_sampling())
        self._panel.show_session(self._session)

    def _save_preset(self, name: str, sampling: bool, system: bool) -> None:
        text = self._panel.system.text if system else ""
        self._bridge.perform(self._session.save_preset(name, sampling=sampling, system=text))

    def _draft(self, text: str) -> None:
        self._bridge.perform(self._session.draft_system(text))
        self._panel.show_presets(self._session)
        self._show_cost()
        self._mark()

    def _ask_cost(self) -> None:
        self._weigh.stop()
        if self._panel.isVisible():
            self._bridge.perform(self._session.weigh_system(self._panel.system.text))

    def _show_cost(self) -> None:
        system, known = self._panel.system, self._known
        tokens = known.tokens if known is not None else None
        if not system.pending:
            cost = tokens_text(tokens) if system.text.strip() else ""
        elif self._session.busy:
            cost = f"{tokens_text(tokens)} {BUSY}".lstrip()
        elif known is not None and known.refusal:
            cost = f"{tokens_text(tokens)} {known.refusal}".lstrip()
        elif known is not None:
            cost = cost_text(tokens, known.now, known.then)
        else:
            cost = ""
        self._panel.show_cost(cost)

    @property
    def _known(self) -> Weighing | None:
        """The cost of the text in the panel, as far as it is known."""
        weighing = self._session.weighing
        number, text = self._session.current.id, self._panel.system.text
        return weighing if weighing is not None and weighing.is_for(number, text) else None

    def _mark(self) -> None:
        conversation = self._session.current
        changed = changed_names(self._session.sampling, conversation)
        system, draft = bool(conversation.system), conversation.system_draft is not None
        self._chat.mark_settings(
            len(changed) + system, mark_text(changed, system=system, draft=draft)
        )
