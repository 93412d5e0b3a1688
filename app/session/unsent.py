"""What is not sent yet besides the text in the composer: its files, and messages waiting in line.

Functions of a session, as the reducer's are. Without Qt.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from app.session.attachments import MOST_BYTES, MOST_FILES, Attachment, joined, parted
from app.session.changes import NOTHING, DraftReturned, Outcome, PreviewChanged, UnsentChanged
from app.session.records import Conversation, EnginePhase, Queued, Turn
from app.words import format as fmt
from app.words.tr import tr
from engine.commands import CountTokens
from engine.events import TokensCounted

if TYPE_CHECKING:
    from app.session.model import Session

STOPPED = tr("Waiting, because the answer was stopped.")
FAILED = tr("Waiting, because the answer failed.")
FULL = tr("Waiting, because the context is full.")
CLOSED = tr("Waiting since Biplane was closed.")


@dataclass(frozen=True, slots=True)
class Attached:
    """The outcome of adding files, and a sentence for each one that was not added."""

    outcome: Outcome
    problems: tuple[str, ...]


# Files


def attach(session: Session, conversation: int, files: Iterable[Attachment]) -> Attached:
    """Add files to what is being written in a conversation, as far as a message may hold them."""
    found = session.known(conversation)
    if found is None:
        return Attached(NOTHING, ())
    problems: list[str] = []
    before = len(found.files)
    for file in files:
        problem = _refusal(found, file)
        if problem:
            problems.append(problem)
        else:
            found.files.append(replace(file, id=next(session.numbers)))
    if len(found.files) == before:
        return Attached(NOTHING, tuple(problems))
    return Attached(_files_changed(session, found), tuple(problems))


def detach(session: Session, file: int) -> Outcome:
    """Remove a file from what is being written."""
    current = session.current
    left = [one for one in current.files if one.id != file]
    if len(left) == len(current.files):
        return NOTHING
    current.files = left
    return _files_changed(session, current)


def count_tokens(session: Session) -> Outcome:
    """Ask how many tokens the files in the composer have, where that is not known."""
    unknown = [file for file in session.current.files if file.tokens is None]
    if not unknown or session.engine.phase is not EnginePhase.READY:
        return NOTHING
    number = next(session.numbers)
    session.counting[number] = tuple(file.id for file in unknown)
    return Outcome.of(commands=(CountTokens(number, tuple(file.block for file in unknown)),))


def tokens_counted(session: Session, event: TokensCounted) -> Outcome:
    """Files that are gone meanwhile need no count."""
    counts = dict(zip(session.counting.pop(event.number, ()), event.counts, strict=False))
    outcome = NOTHING
    for one in session.conversations:
        if any(file.id in counts for file in one.files):
            one.files = [replace(f, tokens=counts.get(f.id, f.tokens)) for f in one.files]
            outcome |= Outcome.of(UnsentChanged(one.id))
    return outcome


def forget_counts(session: Session) -> Outcome:
    """Another model has other tokens; those of the composer on screen are counted again."""
    session.counting = {}
    for one in session.conversations:
        one.files = [replace(file, tokens=None) for file in one.files]
    counted = count_tokens(session)
    return counted | Outcome.of(UnsentChanged(session.current.id)) if counted.commands else NOTHING


def move_files(session: Session, source: Conversation) -> Outcome:
    """Let the files of another composer go with the message of the conversation on screen."""
    target = session.current
    if source is target or not source.files:
        return NOTHING
    target.files, source.files = [*target.files, *source.files], []
    return _files_changed(session, source) | _files_changed(session, target)


def give_back(session: Session, conversation: Conversation, message: str) -> Outcome:
    """Return a message that was not answered to the composer, before what was written since."""
    found = parted(message)
    again = [replace(file, id=next(session.numbers)) for file in found.files]
    conversation.files = [*again, *conversation.files]
    returned = session.returned.get(conversation.id, "")
    texts = [text for text in (found.text, returned) if text.strip()]
    session.returned[conversation.id] = "\n".join(texts)
    typed = [text for text in (found.text, conversation.draft) if text.strip()]
    conversation.draft = "\n".join(typed)
    given = Outcome.of(DraftReturned(conversation.id))
    return given | _files_changed(session, conversation) if again else given


# The queue


def enqueue(session: Session, message: str) -> Outcome:
    """Let a message wait for the answer that is being written; the composer is empty then."""
    current = session.current
    if not message.strip():
        return NOTHING
    current.queue.append(Queued(next(session.numbers), message))
    current.draft, current.files, current.held = "", [], ""
    session.forecast.drop_draft()
    return Outcome.of(UnsentChanged(current.id), PreviewChanged())


def remove(session: Session, number: int) -> Outcome:
    """Drop a message that waits."""
    current = session.current
    left = [one for one in current.queue if one.id != number]
    if len(left) == len(current.queue):
        return NOTHING
    _set_queue(current, left)
    return Outcome.of(UnsentChanged(current.id))


def take_back(session: Session, number: int) -> Outcome:
    """Return a message that waits to the composer, to be changed."""
    current = session.current
    found = next((one for one in current.queue if one.id == number), None)
    if found is None:
        return NOTHING
    return remove(session, number) | give_back(session, current, found.text)


def release(session: Session) -> Outcome:
    """Send what was held back in the conversation on screen, one message after the other."""
    current = session.current
    current.held = ""
    return Outcome.of(UnsentChanged(current.id)) | _follow(session, current, current.last)


def _follow(session: Session, conversation: Conversation, last: Turn | None) -> Outcome:
    """Send the next message that waits after a turn, if the conversation is ready for it."""
    ready = session.engine.phase is EnginePhase.READY and conversation.running is None
    if not conversation.queue or conversation.held or not ready:
        return NOTHING
    first, *left = conversation.queue
    _set_queue(conversation, left)
    said = session.say(conversation, first.text, last.id if last is not None else None)
    return Outcome.of(UnsentChanged(conversation.id)) | said


def ended(session: Session, conversation: Conversation, answer: Turn) -> Outcome:
    """An answer is over: the next message follows, unless it makes no sense any more."""
    if answer.stop == "cancelled":
        return hold(conversation, STOPPED)
    if answer.stop == "context":
        return hold(conversation, FULL)
    if session.engine.phase is not EnginePhase.READY:
        return hold(conversation, CLOSED)
    return _follow(session, conversation, answer)


def hold(conversation: Conversation, why: str) -> Outcome:
    """Keep what waits until the user says otherwise."""
    if not conversation.queue:
        return NOTHING
    conversation.held = why
    return Outcome.of(UnsentChanged(conversation.id))


def message_of(conversation: Conversation, text: str) -> str:
    """The message that the composer would send."""
    return joined(conversation.files, text)


def _set_queue(conversation: Conversation, queue: list[Queued]) -> None:
    conversation.queue = queue
    if not queue:
        conversation.held = ""


def _refusal(conversation: Conversation, file: Attachment) -> str:
    there = conversation.files
    if any((one.name, one.text) == (file.name, file.text) for one in there):
        return tr("{name} is attached already.").format(name=file.name)
    if len(there) >= MOST_FILES:
        return tr("{name} was not attached: a message may have at most {most_files} files.").format(
            name=file.name, most_files=MOST_FILES
        )
    if sum(one.size for one in there) + file.size > MOST_BYTES:
        most = fmt.byte_size(MOST_BYTES)
        return tr(
            "{name} was not attached: the files of a message may have at most {most}."
        ).format(name=file.name, most=most)
    return ""


def _files_changed(session: Session, conversation: Conversation) -> Outcome:
    if conversation is session.current:
        session.forecast.drop_draft()
    return Outcome.of(UnsentChanged(conversation.id), PreviewChanged()) | count_tokens(session)
