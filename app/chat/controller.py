"""The conversation on screen: keeps the pane up to date, and handles the menu's commands."""

from __future__ import annotations

from app.chat.answer_message import AnswerMessage
from app.chat.drafts import DraftController
from app.chat.pane import ChatPane
from app.chat.user_message import UserMessage
from app.core.bridge import Bridge
from app.core.session.changes import Change, Changed, Within
from app.core.session.records import Turn
from app.ui.menus.menus import Menus

# Changes that affect the context use.
CONTEXT_CHANGES = frozenset(
    {
        Changed.ENGINE,
        Changed.RATE,
        Changed.TURN,
        Changed.TURNS,
        Changed.PLAN,
        Changed.CONVERSATIONS,
        Changed.PREVIEW,
        Changed.SAMPLING,
    }
)


class ChatController:
    """Connects the pane and the menu with the session's actions on messages.

    The menu acts on the last message of its kind on the branch on screen; its arrows act on the
    focused message, else on the last one with siblings.
    """

    def __init__(
        self, bridge: Bridge, chat: ChatPane, menus: Menus, drafts: DraftController
    ) -> None:
        self._session, self._chat, self._menus, self._drafts = bridge.session, chat, menus, drafts
        session, view, composer = bridge.session, chat.view, chat.composer
        composer.sent.connect(drafts.send)
        composer.typed.connect(lambda text: bridge.perform(session.keep_draft(text)))
        composer.paused.connect(lambda text: bridge.perform(session.probe_draft(text)))
        composer.thinking_set.connect(lambda on: bridge.perform(session.set_thinking(on)))
        chat.context_notice.gone_on.connect(drafts.go_on)
        chat.context_notice.gone_on_with.connect(drafts.go_on_with)
        for stopped in (composer.stopped, menus.stop.triggered):
            stopped.connect(lambda: bridge.perform(session.stop()))
        view.edited.connect(lambda turn, text: bridge.perform(session.edit(turn, text)))
        view.answer_edited.connect(
            lambda turn, text: bridge.perform(session.edit_answer(turn, text))
        )
        for edited in (view.edited, view.answer_edited):
            # The editor is closed; the next text typed is the next message.
            edited.connect(lambda *_: composer.focus())
        view.regenerate.connect(lambda turn: bridge.perform(session.regenerate(turn)))
        view.stepped.connect(lambda turn, step: bridge.perform(session.show_sibling(turn, step)))
        view.forked.connect(lambda turn: drafts.go(lambda: session.fork(turn)))
        view.continued.connect(lambda turn: bridge.perform(session.continue_answer(turn)))
        menus.continue_.triggered.connect(lambda: bridge.perform(session.continue_answer()))
        menus.regenerate.triggered.connect(lambda: bridge.perform(session.regenerate()))
        menus.edit_last.triggered.connect(lambda: self._edit("user"))
        menus.edit_answer.triggered.connect(lambda: self._edit("assistant"))
        menus.fork.triggered.connect(self._fork)
        menus.evict_current.triggered.connect(lambda: bridge.perform(session.evict_current()))
        menus.before.triggered.connect(lambda: self._step(bridge, -1))
        menus.after.triggered.connect(lambda: self._step(bridge, +1))

    def refresh(self) -> None:
        """Show the conversation on screen."""
        self._chat.show_session(self._session)
        self._chat.show_context(self._session)
        self._enable()

    def apply(self, changes: frozenset[Change]) -> None:
        """Refresh what changed."""
        session, chat = self._session, self._chat
        current = session.current
        kinds = {change.kind for change in changes}
        whole = kinds & {Changed.CONVERSATIONS, Changed.TURNS}
        if whole:
            chat.show_session(session)
        for change in changes:
            match change:
                case Within(Changed.TURN, current.id, number):
                    turn = next((turn for turn in current.turns if turn.id == number), None)
                    if turn is not None and not whole:
                        chat.show_turn(turn)
                case Within(Changed.DRAFT, current.id):
                    self._drafts.take_returned()
                case Within(Changed.SOUGHT, current.id, number):
                    chat.go_to(number)
        if Changed.TURN in kinds or whole:
            chat.first_saving.look_at(current)
        if Changed.UNSENT in kinds and not whole:
            chat.show_unsent(session)
        if Changed.ENGINE in kinds:
            chat.show_session(session)
        if Changed.PREVIEW in kinds:
            chat.show_preview(session)
        if kinds & CONTEXT_CHANGES:
            chat.show_context(session)
        # New text enables no command, and checking a long tree is slower than showing the text.
        if kinds - {Changed.TURN, Changed.RATE}:
            self._enable()

    def _enable(self) -> None:
        """Enable the menu's possible commands."""
        session, menus = self._session, self._menus
        menus.stop.setEnabled(session.can_stop)
        menus.export.setEnabled(not session.current.empty)
        menus.evict_current.setEnabled(session.can_evict)
        running = session.current.running is not None
        users, answers = self._last("user"), self._last("assistant")
        menus.regenerate.setEnabled(not running and users is not None)
        last = session.current.last
        menus.continue_.setEnabled(not running and last is not None and last.unfinished)
        menus.edit_last.setEnabled(not running and users is not None)
        menus.edit_answer.setEnabled(answers is not None and not answers.state.active)
        menus.fork.setEnabled(answers is not None and not answers.state.active)
        at, count = self._place()
        menus.before.setEnabled(at > 0)
        menus.after.setEnabled(at + 1 < count)

    def _last(self, role: str) -> Turn | None:
        return next((t for t in reversed(self._session.current.turns) if t.role == role), None)

    def _edit(self, role: str) -> None:
        turn = self._last(role)
        if turn is None:
            return
        self._chat.view.reveal(turn.id)
        widget = self._chat.view.widgets.get(turn.id)
        if isinstance(widget, UserMessage | AnswerMessage):
            widget.start_edit()

    def _fork(self) -> None:
        turn = self._last("assistant")
        if turn is not None:
            self._drafts.go(lambda: self._session.fork(turn.id))

    def _step(self, bridge: Bridge, step: int) -> None:
        turn = self._forked_turn()
        if turn is not None:
            bridge.perform(self._session.show_sibling(turn, step))

    def _forked_turn(self) -> int | None:
        """The message that the menu's arrows act on."""
        tree = self._session.current.tree
        forks = [t.id for t in self._session.current.turns if len(tree.siblings(t.id)) > 1]
        focused = self._chat.view.focused_turn()
        return focused if focused in forks else forks[-1] if forks else None

    def _place(self) -> tuple[int, int]:
        """Its index among its siblings, and their number."""
        turn = self._forked_turn()
        siblings = [t.id for t in self._session.current.tree.siblings(turn)] if turn else []
        return (siblings.index(turn), len(siblings)) if turn in siblings else (0, 0)
