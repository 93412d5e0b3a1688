"""The node panel: all facts of the selected node, and actions on it."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial
from typing import cast

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QGuiApplication, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from app.cache.checkpoint_dialog import NodeMenu, ask_first, verifiable
from app.cache.drawer import OwnersRow, TitledOwner
from app.core.session.acts import Acts
from app.core.words import format as fmt
from app.core.words.draft_words import SOURCE_WORDS
from app.core.words.engine_words import said
from app.core.words.explain import Fact, checkpoint_note, clip, node_facts, node_title
from app.core.words.glossary import explained
from app.core.words.node_actions import EARLIER, ELSEWHERE, FROM_FILE, NO_MODEL, Offer, offers
from app.core.words.node_link import link_to
from app.core.words.tr import tr
from app.debugger.checkpoint_history import CheckpointHistory
from app.debugger.logic.chosen import Chosen
from app.debugger.logic.node_drafts import NodeDrafts, letters, node_drafts
from app.debugger.logic.source import LiveSource
from app.debugger.panel import DebugPanel
from app.debugger.remote.logic.source import RemoteSource
from app.debugger.state import DebugState
from app.debugger.why.inquiry import Inquiry
from app.ui import theme
from app.ui.glossed import GlossedLabel
from app.ui.widgets import FlowRow, label
from engine.analysis.why.checkpoint_history import Chapter, history_of, prefix_of
from engine.commands import Action, DescribeNode, StopActs, VerifyNode
from engine.drafted import OF_TREE, SOURCES, Source
from engine.plain import as_plain
from engine.snapshot import CacheSnapshot, NodeView

_TEXT_PX = 96
_NAME_PX = 96
NOTHING_CHOSEN = tr("Choose a node in the tree to see its text, its facts and its actions.")
GONE = tr("The chosen node is not in the cache at this moment.")
_COLUMNS = 2
_GAP_PX = 6
ROLE_WORDS = {
    "system": tr("System"),
    "user": tr("User"),
    "tool": tr("Tool"),
    "thinking": tr("Thinking"),
    "assistant": tr("Answer"),
    "": tr("Between messages"),
}
WHY_WORDS = {
    "": tr("not known"),
    "system end": tr("the system text ends here"),
    "user start": tr("a user message starts here"),
    "before thinking": tr("the next turn leaves out the thinking after it"),
    "answer start": tr("an answer starts here"),
    "tool call": tr("a tool call starts here"),
    "interval": tr("one at every interval"),
    "branch": tr("a prompt branched off here"),
    "end of prompt": tr("a prompt ends here"),
    "end of answer": tr("an answer ends here"),
    "stopped": tr("a prompt was stopped here"),
    "asked for": tr("you asked for it"),
}
_HASH_DIGITS = 16
_SPEECH_CHARS = 44
_DRAFT_CHARS, _MOST_REJECTED = 20, 4


def debug_facts(
    node: NodeView, now: float, title: Callable[[int], str], also: str | None = None
) -> tuple[Fact, ...]:
    """All facts of a node, the most important first.

    Args:
        now: seconds on the snapshot's clock.
        title: the name of a conversation, or of an engine among several.
        also: which other engines have its prefix; None if there is only one engine.
    """
    whose = [title(owner) for owner in node.owners]
    facts = [_whose(whose)] if whose and also is None else []
    if also is not None:
        facts = [Fact(tr("Engine"), "\n".join(whose)), Fact(tr("Also on"), also)]
    facts += node_facts(node, now)
    point = node.checkpoint
    if point is not None:
        why = WHY_WORDS.get(point.why, point.why)
        facts.append(Fact(tr("Why it is kept"), why, (point.why,)))
        if point.state.cut_hash is not None:
            facts.append(Fact(tr("Cuts"), f"{point.state.cut_hash:0{_HASH_DIGITS}x}"))
    if node.pinned:
        facts.append(Fact(tr("Pinned"), tr("yes: no policy evicts it"), ("pinned",)))
    if node.key:
        facts.append(Fact(tr("Prefix"), node.key, ("prefix",)))
    return tuple(facts)


def _whose(titles: list[str]) -> Fact:
    return Fact(tr("Conversations") if len(titles) > 1 else tr("Conversation"), "\n".join(titles))


def speech_facts(node: NodeView) -> tuple[Fact, ...]:
    """The speakers in a node, in order, each with its first words."""
    found = []
    ends = [*(one.start for one in node.speech[1:]), node.end]
    for one, end in zip(node.speech, ends, strict=False):
        words = clip(one.text, _SPEECH_CHARS)
        lead = "" if one.opens or not words else "…"
        size = fmt.plural(end - one.start, "token")
        found.append(Fact(ROLE_WORDS.get(one.role, one.role), f"{lead}{words}" or size))
    return tuple(found)


def draft_facts(drafts: NodeDrafts) -> tuple[Fact, ...]:
    """Which tokens of a node were drafted, what was rejected, and who drafted from it."""
    facts = []
    for source in SOURCES:
        kept = sum(one.end - one.start for one in drafts.passages if one.source == source)
        if kept:
            told = tr("{tokens} from {source}").format(
                tokens=fmt.plural(kept, "token"), source=SOURCE_WORDS[source]
            )
            facts.append(Fact(tr("Drafted"), told, ("drafts",)))
    if drafts.rejected:
        lines = [
            tr("{position}: “{drafted}”, not “{instead}”").format(
                position=fmt.count(one.position),
                drafted=clip(one.drafted, _DRAFT_CHARS),
                instead=clip(one.instead, _DRAFT_CHARS),
            )
            for one in drafts.rejected[:_MOST_REJECTED]
        ]
        rest = len(drafts.rejected) - len(lines)
        lines += [tr("and {count} more").format(count=fmt.count(rest))] if rest else []
        facts.append(Fact(tr("Rejected"), "\n".join(lines)))
    if drafts.readers:
        told = tr("{kept} of {read} drafted tokens kept, in {requests}").format(
            kept=fmt.count(drafts.kept),
            read=fmt.count(drafts.read),
            requests=fmt.plural(len(drafts.readers), "request"),
        )
        facts.append(Fact(tr("Drafts read here"), told))
    return tuple(facts)


def node_json(node: NodeView) -> str:
    """A node as JSON, for a report or a script."""
    return json.dumps(as_plain(node), indent=2, ensure_ascii=False)


class NodeActionsView(QWidget):
    """Two columns of buttons, and separately the result of the last action.

    Attributes:
        buttons: by their text.
        outcome: the result with its buttons, to be placed by the owner of this view.
        result: a sentence about the last action.
        undo: undoes it.

    Signals:
        asked(str): an Action.
        undone: undo the last action.
        stopped: stop the running action.
        warming_wanted: open the dialog that warms a prompt.
    """

    asked = Signal(str)
    undone = Signal()
    stopped = Signal()
    warming_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.buttons: dict[str, QPushButton] = {}
        self._offers: tuple[Offer, ...] = ()
        self._grid = QGridLayout()
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(_GAP_PX)
        self.warm = QPushButton(tr("Warm a prompt…"))
        self.warm.setToolTip(tr("Read messages into the cache before anybody sends them"))
        self.warm.clicked.connect(self.warming_wanted)
        self.reason = label("", "faint", wrap=True)
        self.result = label("", "", wrap=True, selectable=True)
        self.result.setAccessibleName(tr("Result of the last action"))
        self.undo = QPushButton(tr("Undo"))
        self.undo.clicked.connect(self.undone)
        self.stop = QPushButton(tr("Stop"))
        self.stop.setToolTip(tr("Stop computing; what waits is dropped, too"))
        self.stop.clicked.connect(self.stopped)
        self.outcome = QWidget()
        row = QHBoxLayout(self.outcome)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(_GAP_PX)
        row.addWidget(self.result, 1)
        row.addWidget(self.stop)
        row.addWidget(self.undo)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(_GAP_PX)
        column.addLayout(self._grid)
        column.addWidget(self.warm)
        column.addWidget(self.reason)
        self.show_result("", "", running=False)

    def show_offers(self, offers: Sequence[Offer], barred: str) -> None:
        """Show the actions; `barred`: why none is possible, "" if some are."""
        self.reason.setText(barred)
        self.reason.setVisible(bool(barred))
        self.warm.setEnabled(not barred)
        if tuple(offers) == self._offers:
            return
        self._offers = tuple(offers)
        for at, offer in enumerate(offers):
            button = self._button(at)
            button.setText(offer.text)
            # Also for a disabled button: its tooltip says why it is disabled.
            button.setToolTip(offer.hint)
            button.setAccessibleName(offer.text)
            button.setAccessibleDescription(offer.hint)
            button.setEnabled(not offer.refusal)
        self.buttons = {one.text: self._button(at) for at, one in enumerate(offers)}

    def show_result(self, sentence: str, undo: str, *, running: bool) -> None:
        """Show the result of the last action; `undo`: what undoing it does, "" if impossible."""
        self.result.setText(sentence)
        self.outcome.setVisible(bool(sentence or undo or running))
        self.undo.setVisible(bool(undo))
        self.undo.setToolTip(f"{undo} (Ctrl+Z)")
        self.stop.setVisible(running)

    def _button(self, at: int) -> QPushButton:
        item = self._grid.itemAtPosition(at // _COLUMNS, at % _COLUMNS)
        found = item.widget() if item is not None else None
        if isinstance(found, QPushButton):
            return found
        made = QPushButton()
        made.clicked.connect(lambda: self.asked.emit(self._offers[at].action))
        self._grid.addWidget(made, at // _COLUMNS, at % _COLUMNS)
        # They are created after the widgets below, so fix the tab order.
        before = self._grid.itemAt(at - 1) if at else None
        if before is not None and (widget := before.widget()) is not None:
            self.setTabOrder(widget, made)
        self.setTabOrder(made, self.warm)
        return made


class NodePanel(DebugPanel):
    """Facts, speakers, text, owners and actions of the selected node.

    Attributes:
        deeds: the buttons, and the result of the last one.
        history: of its checkpoint.
    """

    title = tr("Node")
    name = "node"

    def __init__(self, state: DebugState, inquiry: Inquiry, parent: QWidget | None = None) -> None:
        super().__init__(state, parent)
        self._inquiry = inquiry
        self._node: NodeView | None = None
        self._described: int | None = None
        self._drafts, self._drafts_of = NodeDrafts(), (0, 0, 0, 0, 0)
        self.heading = label("", "title")
        self.empty = label(NOTHING_CHOSEN, "faint", wrap=True)
        self.deeds = NodeActionsView()
        self.deeds.asked.connect(self._act)
        self.deeds.undone.connect(self.undo)
        self.deeds.warming_wanted.connect(state.warming_wanted)
        self.deeds.stopped.connect(lambda: state.asked.emit(StopActs()))
        self.owners = OwnersRow()
        self.owners.opened.connect(state.owner_opened)
        self.note = GlossedLabel("faint")
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setProperty("kind", "quiet")
        self.text.setAccessibleName(tr("Text of the node"))
        self.text.setFixedHeight(_TEXT_PX)
        self._facts, self._speech = _Table(), _Table(theirs=True)
        self.history = CheckpointHistory()
        self.history.wanted.connect(self._go_to)
        inquiry.changed.connect(self._show_history)
        self._body = self._made_body()
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 8)
        column.setSpacing(6)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        column.addWidget(self.empty, 1)
        self._area = self._scrolled()
        column.addWidget(self._area, 1)
        # The last action can be undone whatever is selected.
        column.addWidget(self.deeds.outcome)
        self._show()

    # ---- updates

    def show_source(self) -> None:
        self._described = None
        self._show()

    def follow(self) -> None:
        self._show_answers()
        self._want_history()

    def show_moment(self) -> None:
        self._show()

    def show_on_screen(self) -> None:
        self._want_history()

    def show_chosen(self) -> None:
        self._described = None
        self._show()
        node = self._node
        if node is not None and self.state.live:
            self.state.asked.emit(DescribeNode(node.id))

    @property
    def _acts(self) -> Acts | None:
        """The manual actions; None if none are possible."""
        source = self.state.source
        return source.acts if isinstance(source, LiveSource) else None

    # ---- user actions

    def undo(self) -> None:
        """Undo the last manual action."""
        acts = self._acts
        command = None if acts is None or not self.state.live else acts.undo()
        if command is None:
            self.state.notice.emit(tr("There is nothing to undo in the cache."))
        else:
            self.state.asked.emit(command)
            self._show_answers()

    def show_menu(self, number: int, at: QPoint, position: int | None) -> None:
        """Show the context menu of a node of the tree, at a token position if known."""
        self.state.choose_node(number)
        node, snapshot = self._node, self.state.moment.snapshot
        if node is None or snapshot is None:
            return
        made = offers(node, snapshot, self._barred())
        menu = NodeMenu(node, details=False, parent=self, offers=made)
        menu.opened.connect(lambda: self.state.panel_wanted.emit(self.name))
        menu.copied.connect(lambda: self._copy(lambda _node: self.text.toPlainText(), "Text"))
        menu.linked.connect(lambda: self._copy(link_to, "Link"))
        menu.verified.connect(self._verify)
        menu.acted.connect(lambda action: self._act(action, position))
        menu.warming_wanted.connect(self.state.warming_wanted)
        menu.popup(at)

    def _act(self, action: str, position: int | None = None) -> None:
        node, snapshot = self._node, self.state.moment.snapshot
        if node is None or snapshot is None:
            return
        ask_first(action, node, snapshot, position, self, lambda at: self._do(action, node.id, at))

    def _do(self, action: str, node: int, position: int) -> None:
        acts = self._acts
        if acts is not None:
            self.state.asked.emit(acts.act(cast(Action, action), node, position))
            self._show_answers()

    def _verify(self) -> None:
        if self._node is not None:
            self.state.asked.emit(VerifyNode(self._node.id))

    def _copy(self, made: Callable[[NodeView], str], what: str, _on: bool = False) -> None:
        if self._node is not None:
            QGuiApplication.clipboard().setText(made(self._node))
            self.state.notice.emit(tr("{what} of the node copied.").format(what=what))

    # ---- showing

    def _show(self) -> None:
        chosen, snapshot = self.state.chosen.node, self.state.moment.snapshot
        nodes = () if snapshot is None else snapshot.nodes
        node = next((one for one in nodes if one.id == chosen and one.parent is not None), None)
        self._node = node
        self.empty.setText(GONE if chosen is not None and node is None else NOTHING_CHOSEN)
        self.empty.setVisible(node is None)
        self._area.setVisible(node is not None)
        self._show_answers()
        if node is None or snapshot is None:
            return
        self.heading.setText(node_title(node))
        source = self.state.source
        also = None if source is None else source.also_on(node.id)
        self._find_drafts(node, snapshot)
        facts = debug_facts(node, snapshot.time, self._title, also)
        self._facts.show_facts((*facts, *draft_facts(self._drafts)))
        self._speech.show_facts(speech_facts(node))
        note = checkpoint_note(node.checkpoint)
        self.note.setText(note)
        self.note.setVisible(bool(note))
        barred = self._barred()
        self.deeds.show_offers(offers(node, snapshot, barred), barred)
        self._verify_button.setEnabled(not barred and verifiable(node))
        self._show_text(node)
        self._show_history()
        self._want_history()

    def _find_drafts(self, node: NodeView, snapshot: CacheSnapshot) -> None:
        """Look for the node's drafts again where a request has ended, or another node is shown."""
        source, index = self.state.source, self.state.moment.index
        if source is None:
            return
        tape = source.tape
        found = id(tape), tape.requests_before(index), node.id, node.start, node.end
        if found != self._drafts_of:
            self._drafts_of = found
            self._drafts = node_drafts(tape, index, node, snapshot)

    def _want_history(self) -> None:
        """Follow the tape for what happened to the checkpoint."""
        if self.on_screen and self._node is not None and self._node.checkpoint is not None:
            self._inquiry.want()

    def _show_history(self) -> None:
        node, lives = self._node, self._inquiry.lives
        if node is None or lives is None or not self.on_screen:
            return
        told: tuple[Chapter, ...] = ()
        if node.checkpoint is not None:
            prefix = prefix_of(lives.tape, self.state.moment.index, node, lives)
            told = history_of(lives, prefix, node.end)
        self.history.show_chapters(told, lives.tape)

    def _go_to(self, chapter: Chapter) -> None:
        """Go to the moment of an event, with the node chosen as it is named there."""
        node, lives = self._node, self._inquiry.lives
        if node is None or lives is None:
            return
        prefix = prefix_of(lives.tape, self.state.moment.index, node, lives)
        self.state.seek(chapter.moment)
        snapshot, index = self.state.moment.snapshot, self.state.moment.index
        there = (
            one.id
            for one in (() if snapshot is None else snapshot.nodes)
            if one.end == node.end and prefix_of(lives.tape, index, one, lives) == prefix
        )
        self.state.choose(Chosen(next(there, None), request=chapter.request, entry=chapter.index))

    def _title(self, owner: int) -> str:
        source = self.state.source
        return "" if source is None else source.owner_title(owner)

    def _barred(self) -> str:
        """Why no action is possible on the cache on screen."""
        source = self.state.source
        if source is None or (source.live and source.model is None):
            return NO_MODEL
        if not source.live:
            return ELSEWHERE if isinstance(source, RemoteSource) else FROM_FILE
        return "" if self.state.moment.follows else EARLIER

    def _show_text(self, node: NodeView) -> None:
        source = self.state.source
        answer = source.node_text if isinstance(source, LiveSource) else None
        if answer is not None and answer.node == node.id and self.state.live:
            if self._described != node.id:
                self._described = node.id
                self._put_text(answer.text)
            titles = {one.owner: source.owner_title(one.owner) for one in answer.owners if source}
            self.owners.show_owners([TitledOwner(one, titles[one.owner]) for one in answer.owners])
        elif self._described is None:
            self._put_text(node.text)
            self.owners.show_owners(())

    def _put_text(self, text: str) -> None:
        """Show a text; a trace without texts leaves no room for one."""
        self.text.setPlainText(text)
        self.text.setVisible(bool(text))
        self._underline()

    def _underline(self) -> None:
        """Underline what drafts brought: a solid line for cached paths, else a dotted one."""
        node, source, made = self._node, self.state.source, []
        if node is not None and source is not None and self._drafts.passages:
            tokens = source.tape.tokens(self.state.moment.index)(node)
            at = None if tokens is None else letters(source.tape, tokens, self.text.toPlainText())
            if at is not None:
                made = [
                    self._mark(at[one.start], at[one.end], one.source)
                    for one in self._drafts.passages
                ]
        self.text.setExtraSelections(made)

    def _mark(self, start: int, end: int, source: Source) -> QTextEdit.ExtraSelection:
        cursor = QTextCursor(self.text.document())
        cursor.setPosition(start)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        style = QTextCharFormat.UnderlineStyle
        look = QTextCharFormat()
        look.setUnderlineStyle(style.SingleUnderline if source in OF_TREE else style.DotLine)
        look.setUnderlineColor(theme.current().colour("accent"))
        mark = QTextEdit.ExtraSelection()
        mark.cursor, mark.format = cursor, look
        return mark

    def _show_answers(self) -> None:
        acts = self._acts
        if acts is None:
            self.deeds.show_result("", "", running=False)
            return
        self.deeds.show_result(
            said(acts.sentence), said(acts.undo_words), running=bool(acts.waiting)
        )

    # ---- parts

    def _made_body(self) -> QWidget:
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 4, 0)
        column.setSpacing(6)
        column.addLayout(self._head())
        column.addWidget(self.owners)
        column.addWidget(self._speech)
        column.addWidget(self.text)
        column.addWidget(self._copies())
        column.addWidget(label(tr("ACTIONS"), "section"))
        column.addWidget(self.deeds)
        column.addWidget(label(tr("FACTS"), "section"))
        column.addWidget(self._facts)
        column.addWidget(self.note)
        column.addWidget(self.history)
        column.addStretch(1)
        return body

    def _copies(self) -> FlowRow:
        row = FlowRow(6)
        for text, tip, made in (
            (
                tr("Copy text"),
                tr("Copy the text of the node"),
                lambda _node: self.text.toPlainText(),
            ),
            (tr("Copy JSON"), tr("Copy everything known of the node as JSON"), node_json),
            (tr("Copy link"), tr("Copy a link that leads here after a restart, too"), link_to),
        ):
            button = QPushButton(text)
            button.setToolTip(tip)
            button.setAccessibleName(tip)
            what = text.removeprefix("Copy ")
            what = what[:1].upper() + what[1:]
            button.clicked.connect(partial(self._copy, made, what))
            row.add(button)
        row.arrange()
        return row

    def _head(self) -> QHBoxLayout:
        self._verify_button = QPushButton(tr("Verify"))
        self._verify_button.setToolTip(tr("Run the tokens of this checkpoint cold and compare"))
        self._verify_button.clicked.connect(self._verify)
        row = QHBoxLayout()
        row.addWidget(self.heading, 1)
        row.addWidget(self._verify_button)
        return row

    def _scrolled(self) -> QScrollArea:
        area = QScrollArea()
        area.setAccessibleName(tr("Node"))
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(self._body)
        return area


class _Table(QWidget):
    """Facts in two columns: names and values.

    theirs: the values are what people and models said, whose words are no terms.
    """

    def __init__(self, *, theirs: bool = False) -> None:
        super().__init__()
        self._theirs = theirs
        self._shown: tuple[Fact, ...] = ()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setVerticalSpacing(2)
        self._grid.setColumnMinimumWidth(0, _NAME_PX)
        self._grid.setColumnStretch(1, 1)

    def show_facts(self, facts: tuple[Fact, ...]) -> None:
        if facts == self._shown:
            return
        self._shown = facts
        while (item := self._grid.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for row, fact in enumerate(facts):
            top = Qt.AlignmentFlag.AlignTop
            name = label(fact.name, "faint")
            value = (
                label("", wrap=True, selectable=True)
                if self._theirs
                else GlossedLabel("", *fact.terms, selectable=True)
            )
            name.setToolTip(explained("", *fact.terms))
            value.setText(fact.value)
            self._grid.addWidget(name, row, 0, top)
            self._grid.addWidget(value, row, 1, top)
