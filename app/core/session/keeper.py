"""Persists a session: loads what earlier runs stored, and saves changes.

It receives the same changes as the window. Saving only queues records for the store's thread.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import get_args

from app.core.session import unsent
from app.core.session.attachments import Attachment, attachment
from app.core.session.changes import Change, Changed, Outcome, Within
from app.core.session.model import Session
from app.core.session.ownership import MOST_COMPARED
from app.core.session.records import Conversation, Queued, Turn, TurnState
from app.core.session.report_json import dump_report, load_report
from app.core.session.settings import sound
from app.core.session.transfer import Listed, Received, Transfer, write_file, write_listed
from app.core.store.export import to_json, to_markdown
from app.core.store.records import (
    MOST_TITLE,
    Preset,
    StoredConversation,
    StoredFile,
    StoredMessage,
    StoredQueued,
    StoreError,
)
from app.core.store.searcher import Answer, Searcher
from app.core.store.store import Store
from app.core.words.tr import tr
from engine.events import StopReason

# A slower disk is not waited for.
_SOON_S = 5.0
# A fingerprint of a turn's saved state; texts only grow, so their lengths show changes.
_Print = tuple[int, int, bool, int, bool]

log = logging.getLogger(__name__)
# Stored in place of a stop reason.
_EDITED = "edited"


def to_stored(one: Conversation, *, deleted_at: float | None = None) -> StoredConversation:
    return StoredConversation(
        id=one.id,
        title=one.title[:MOST_TITLE],
        created=one.created,
        updated=one.updated,
        named=one.named,
        pinned=one.pinned,
        deleted_at=deleted_at,
        system=one.system,
        thinking=one.thinking,
        sampling=one.sampling,
        model=one.model,
        leaf=last_turn(one),
        system_draft=one.system_draft,
    )


def last_turn(one: Conversation) -> int | None:
    """The last turn that is stored; errors are not."""
    if not one.loaded:
        return one.leaf
    return one.last.id if one.last is not None else None


def from_stored(one: StoredConversation, draft: str) -> Conversation:
    """A conversation whose turns, if it has any, are still in the store."""
    return Conversation(
        one.id,
        one.title,
        one.named,
        one.system,
        one.thinking,
        draft,
        pinned=one.pinned,
        created=one.created,
        updated=one.updated,
        sampling=sound(one.sampling),
        system_draft=one.system_draft,
        model=one.model,
        loaded=one.leaf is None,
        leaf=one.leaf,
    )


def take_unsent(
    conversations: Iterable[Conversation],
    files: Iterable[StoredFile],
    queued: Iterable[StoredQueued],
) -> None:
    """Restore each conversation's files and queued messages of an earlier run."""
    by_id = {one.id: one for one in conversations}
    for file in files:
        if file.conversation in by_id:
            made = attachment(file.name, file.text, file.size)
            by_id[file.conversation].files.append(replace(made, id=file.id))
    for waiting in queued:
        if waiting.conversation in by_id:
            by_id[waiting.conversation].queue.append(Queued(waiting.id, waiting.text))
    for one in by_id.values():
        unsent.hold(one, unsent.CLOSED)


def file_of(file: Attachment, conversation: int) -> StoredFile:
    return StoredFile(file.id, conversation, file.name, file.text, file.size)


def queued_of(waiting: Queued, conversation: int) -> StoredQueued:
    return StoredQueued(waiting.id, conversation, waiting.text)


def message_of(turn: Turn, conversation: int) -> StoredMessage:
    """The record of a turn that is not an error."""
    assert turn.role != "error"
    return StoredMessage(
        id=turn.id,
        conversation=conversation,
        parent_id=turn.parent,
        role=turn.role,
        content=turn.text,
        created=turn.created,
        thinking=turn.thinking,
        token_ids=turn.token_ids,
        model=turn.model,
        stop=turn.stop or (_EDITED if turn.edited else ""),
        report=dump_report(turn.report),
        complete=is_complete(turn),
        thinking_tokens=turn.thinking_tokens,
        thinking_s=max(0.0, turn.thinking_s),
    )


def is_complete(turn: Turn) -> bool:
    return turn.state in (TurnState.DONE, TurnState.STOPPED)


def turn_of(one: StoredMessage) -> Turn:
    """The turn of a stored message; it has no pending request."""
    report = load_report(one.report)
    stop: StopReason | None = next((s for s in get_args(StopReason) if s == one.stop), None)
    tokens = len(one.token_ids)
    generated = report.generated if report is not None else tokens
    return Turn(
        one.id,
        one.role,
        one.content,
        one.thinking,
        one.token_ids,
        one.model,
        state=_state(one),
        tokens=max(tokens, generated),
        thinking_tokens=one.thinking_tokens,
        thinking_s=one.thinking_s,
        plan=report.plan if report is not None else None,
        report=report,
        stop=stop,
        created=one.created,
        parent=one.parent_id,
        carried=max(0, tokens - generated),
        edited=one.stop == _EDITED,
    )


def _state(one: StoredMessage) -> TurnState:
    if not one.complete:
        return TurnState.INTERRUPTED
    # An answer that the user stopped, even before it had begun.
    stopped = one.role == "assistant" and one.stop in ("", "cancelled")
    return TurnState.STOPPED if stopped else TurnState.DONE


class Keeper:
    """Backs one session by one store.

    Attributes:
        transfer: moves conversations between the store and files.
    """

    def __init__(self, session: Session, store: Store, report: Callable[[str], None]) -> None:
        """report: called with a sentence if conversations cannot be read or saved."""
        self._session, self._store, self._report = session, store, report
        self.transfer = Transfer(store)
        # Records handed to the store, which may not be on the disk yet.
        self._saved: dict[int, StoredConversation] = {}
        # Conversations with records that were not on the disk at the last check.
        self._unsafe: set[int] = set()
        self._drafts: dict[int, str] = {}
        self._turns: dict[int, _Print] = {}
        # By conversation: the ids of its files and queued messages.
        self._files: dict[int, set[int]] = {}
        self._queued: dict[int, set[int]] = {}
        self._presets: dict[str, Preset] = {}
        self._deleted: int | None = None
        self._selected: int | None = None

    def restore(self) -> None:
        """Begin the session with the conversations of earlier runs, the same one on screen."""
        store, session = self._store, self._session
        session.numbers = store.numbers
        session.read_turns = self._read_turns
        session.peek_turns = self._peek_turns
        session.read_firsts = self._read_firsts
        # Ids of this run must not collide with those of earlier ones.
        session.current.id = next(store.numbers)
        try:
            stored, self._drafts = store.conversations(), store.drafts()
            files, queued = store.draft_files(), store.queued()
            presets = store.presets()
            # They can no longer be restored.
            store.purge(store.deleted())
            self._selected = store.selected()
        except StoreError as error:
            self._report(str(error))
            return
        self._presets = {one.name: one for one in presets}
        session.presets.saved = sorted(presets, key=lambda one: one.name.casefold())
        self._saved = {one.id: one for one in stored}
        found = [from_stored(one, self._drafts.get(one.id, "")) for one in stored]
        take_unsent(found, files, queued)
        self._files = {one.id: {file.id for file in one.files} for one in found}
        self._queued = {one.id: {waiting.id for waiting in one.queue} for one in found}
        unused = {one.id for one in found if not _is_worth_keeping(one)}
        store.purge(unused)
        for one in unused:
            del self._saved[one]
        session.adopt([one for one in found if one.id not in unused], self._selected)

    def keep(self, changes: Iterable[Change]) -> None:
        """Save what changed. Never waits, and never raises for what the user can write."""
        told = frozenset(changes)
        with self._handing_over():
            self._keep(told)

    def export(self, conversation: int, path: Path) -> None:
        """Write a conversation to a file, as JSON if its name ends so, else as Markdown.

        Raises StoreError with a sentence.
        """
        found = self._session.known(conversation)
        saved = self._saved.get(conversation)
        if found is None or saved is None:
            raise StoreError(tr("This conversation is empty; there is nothing to export."))
        messages = _messages(found)
        if messages is None:
            messages = self._store.messages(conversation)
        as_json = path.suffix.lower() == ".json"
        write_file(
            path, [to_json([(saved, messages)]) if as_json else to_markdown(saved, messages)]
        )

    def listed(self) -> list[Listed]:
        """All conversations, with those of their messages that are not on the disk yet."""
        known = self._session.conversations
        return [(self._saved[one.id], _messages(one)) for one in known if one.id in self._saved]

    def unsaved(self) -> list[Conversation]:
        """The conversations that would be lost, wholly or in part, by quitting now.

        Waits briefly for the disk.
        """
        self._keep_all()
        if self._store.flush(_SOON_S) and not self._store.temporary:
            self._unsafe.clear()
        known = self._session.conversations
        return [one for one in known if one.id in self._unsafe and _is_worth_keeping(one)]

    def rescue(self, path: Path) -> None:
        """Write all conversations to a file at once, as JSON. Raises StoreError with a sentence."""
        write_listed(path, self.listed(), self._store)

    def searcher(self, answer: Callable[[Answer], None]) -> Searcher:
        """A search of the conversations; `answer` is called on its thread."""
        return Searcher(self._store, answer)

    def adopt(self, received: Received) -> Outcome:
        """Add the conversations of a file to the list."""
        self._saved |= {one.id: one for one in received.conversations}
        return self._session.adopt([from_stored(one, "") for one in received.conversations], None)

    def close(self) -> bool:
        """Save everything and purge deleted conversations; False if that failed."""
        self._keep_all()
        if self._deleted is not None:
            self._store.purge([self._deleted])
            self._deleted = None
        # Late reads are answered without the store.
        self._session.peek_turns = lambda _: []
        return self._store.close()

    @contextmanager
    def _handing_over(self) -> Iterator[None]:
        """One transaction: a leaf and its messages belong together. Failures are reported."""
        try:
            with self._store.together():
                yield
        except StoreError as error:
            log.error("A change could not be saved.", exc_info=error)
            self._report(str(error))

    def _keep_all(self) -> None:
        with self._handing_over():
            for one in self._session.conversations:
                self._keep_conversation(one)
        self.keep([Changed.CONVERSATIONS])

    def _keep(self, changes: frozenset[Change]) -> None:
        for change in changes:
            match change:
                case Within(Changed.TURNS | Changed.DROPPED, number):
                    self._keep_turns(number)
                case Within(Changed.TURN, number, turn):
                    self._keep_turn(number, turn)
                case Within(Changed.SETTINGS, number):
                    # Texts that are being typed change with each key.
                    self._keep_known(number, now=False)
                case Within(Changed.SAMPLING | Changed.DRAFT | Changed.UNSENT, number):
                    self._keep_known(number)
                case Changed.PRESETS:
                    self._keep_presets()
        if Changed.CONVERSATIONS in changes:
            self._keep_conversation(self._session.current)
            self._keep_deleted()
        self._keep_selected()
        # Last, when nothing refers to them any more.
        dropped = [
            one.turn for one in changes if isinstance(one, Within) and one.kind is Changed.DROPPED
        ]
        gone = [turn for turn in dropped if self._turns.pop(turn, None) is not None]
        if gone:
            self._store.remove_messages(gone)

    def _keep_deleted(self) -> None:
        session = self._session
        there = {conversation.id for conversation in session.conversations}
        deleted = session.deleted[1] if session.deleted is not None else None
        for gone in self._saved.keys() - there:
            if deleted is not None and deleted.id == gone:
                self._mark_deleted(deleted)
            else:
                self._purge(gone)
        if self._deleted in there:
            self._deleted = None

    def _keep_selected(self) -> None:
        current = self._session.current.id
        selected = current if current in self._saved else 0
        if selected != self._selected:
            self._selected = selected
            self._store.select(selected)

    def _keep_presets(self) -> None:
        there = {preset.name: preset for preset in self._session.presets.saved}
        for name in self._presets.keys() - there.keys():
            self._store.remove_preset(name)
        for name, preset in there.items():
            if self._presets.get(name) != preset:
                self._store.save_preset(preset)
        self._presets = there

    def _mark_deleted(self, conversation: Conversation) -> None:
        """Mark it as deleted; it can be restored until the next deletion, or until the end."""
        if self._deleted is not None:
            self._purge(self._deleted)
        del self._saved[conversation.id]
        self._deleted = conversation.id
        self._store.save_conversation(to_stored(conversation, deleted_at=self._session.clock()))

    def _purge(self, conversation: int) -> None:
        self._saved.pop(conversation, None)
        for known in (self._drafts, self._files, self._queued):
            known.pop(conversation, None)
        self._store.purge([conversation])

    def _keep_known(self, conversation: int, *, now: bool = True) -> None:
        found = self._session.known(conversation)
        if found is not None:
            self._keep_conversation(found, now=now)

    def _keep_conversation(self, one: Conversation, *, now: bool = True) -> None:
        saved = self._saved.get(one.id)
        if saved is None and not _is_worth_keeping(one):
            return
        record = to_stored(one)
        if record != saved:
            self._unsafe.add(one.id)
            self._saved[one.id] = record
            self._store.save_conversation(record, now=now)
        if one.draft != self._drafts.get(one.id, ""):
            self._unsafe.add(one.id)
            self._drafts[one.id] = one.draft
            self._store.save_draft(one.id, one.draft)
        self._keep_unsent(one)

    def _keep_unsent(self, one: Conversation) -> None:
        """These records never change: they are only added and removed."""
        files, known = {file.id: file for file in one.files}, self._files.get(one.id, set())
        for new in files.keys() - known:
            self._store.save_file(file_of(files[new], one.id))
        for gone in known - files.keys():
            self._store.remove_file(gone)
        queue, known = (
            {waiting.id: waiting for waiting in one.queue},
            self._queued.get(one.id, set()),
        )
        for new in queue.keys() - known:
            self._store.save_queued(queued_of(queue[new], one.id))
        for gone in known - queue.keys():
            self._store.remove_queued(gone)
        self._files[one.id], self._queued[one.id] = set(files), set(queue)

    def _keep_turns(self, conversation: int) -> None:
        found = self._session.known(conversation)
        if found is None or not found.loaded:
            return
        for turn in found.turns:
            if turn.role != "error":
                self._save(turn, found)
        self._keep_conversation(found)

    def _keep_turn(self, conversation: int, turn: int) -> None:
        found = self._session.known(conversation)
        kept = found.tree.turns.get(turn) if found is not None else None
        if found is not None and kept is not None:
            self._save(kept, found)
            self._keep_conversation(found)

    def _save(self, turn: Turn, conversation: Conversation) -> None:
        mark = _print(turn)
        if self._turns.get(turn.id) != mark:
            self._turns[turn.id] = mark
            self._unsafe.add(conversation.id)
            self._store.save_message(message_of(turn, conversation.id))

    def _read_turns(self, conversation: Conversation) -> list[Turn]:
        turns = self._peek_turns(conversation)
        if all(turn.role != "error" for turn in turns):
            self._turns |= {turn.id: _print(turn) for turn in turns}
            conversation.loaded = True
        return turns

    def _peek_turns(self, conversation: Conversation) -> list[Turn]:
        """All turns of a stored conversation, or the error that keeps them from being read."""
        try:
            messages = self._store.messages(conversation.id)
        except StoreError as error:
            self._report(str(error))
            return [Turn(next(self._session.numbers), "error", str(error))]
        return [turn_of(message) for message in messages]

    def _read_firsts(self) -> dict[int, tuple[str, ...]]:
        try:
            return self._store.firsts(MOST_COMPARED)
        except StoreError as error:
            self._report(str(error))
            return {}


def _is_worth_keeping(one: Conversation) -> bool:
    """Whether the user would miss it."""
    written = one.draft, one.system, one.system_draft or "", one.sampling
    said = not one.empty or any(text.strip() for text in written)
    return said or one.named or one.pinned or bool(one.files or one.queue)


def _messages(one: Conversation) -> list[StoredMessage] | None:
    """All messages of a conversation; None if they are only in the store."""
    if not one.loaded:
        return None
    return [message_of(turn, one.id) for turn in one.tree.turns.values()]


def _print(turn: Turn) -> _Print:
    lengths = len(turn.text), len(turn.thinking)
    return (*lengths, is_complete(turn), len(turn.token_ids), turn.report is not None)
