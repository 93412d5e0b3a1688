"""Conversations and turns as the store's records, and back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import get_args

from app.session import unsent
from app.session.attachments import Attachment, attachment
from app.session.records import Conversation, Queued, Turn, TurnState
from app.session.report_json import dump_report, load_report
from app.session.settings import sound
from app.store.records import (
    MOST_TITLE,
    StoredConversation,
    StoredFile,
    StoredMessage,
    StoredQueued,
)
from engine.events import StopReason

# Instead of a reason why the model stopped.
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
    """The last turn that is kept; errors are not."""
    if not one.loaded:
        return one.leaf
    return one.last.id if one.last is not None else None


def from_stored(one: StoredConversation, draft: str) -> Conversation:
    """A conversation whose turns are still in the store, if it has any."""
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
    """Give each conversation its files and queued messages of an earlier run, which wait."""
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
    """The record of a turn that is no error."""
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
    """The turn of an earlier run; it is not waiting for anything any more."""
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
    # An answer that a user stopped, even before it had begun.
    stopped = one.role == "assistant" and one.stop in ("", "cancelled")
    return TurnState.STOPPED if stopped else TurnState.DONE
