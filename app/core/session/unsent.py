"""What is not sent yet apart from the composer's text: its files, and queued messages."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from app.core.session.attachments import MOST_BYTES, MOST_FILES, Attachment, joined, parted
from app.core.session.changes import NOTHING, Changed, Outcome
from app.core.session.conversations import Conversations
from app.core.session.records import Conversation, EnginePhase, EngineState, Queued
from app.core.words import format as fmt
from app.core.words.tr import tr
from engine.commands import CountTokens
from engine.events import TokensCounted

STOPPED = tr("Waiting, because the answer was stopped.")
FAILED = tr("Waiting, because the answer failed.")
FULL = tr("Waiting, because the context is full.")
CLOSED = tr("Waiting since Biplane was closed.")


@dataclass(frozen=True, slots=True)
class Attached:
    """The outcome of adding files, and a sentence for each one that was not added."""

    outcome: Outcome
    problems: tuple[str, ...]


@dataclass(slots=True)
class Unsent(Conversations):
    """The conversations and their unsent files and messages.

    Attributes:
        returned: drafts returned by failed requests, by conversation.
        counting: files with a pending token count, by command number.
    """

    engine: EngineState = field(default_factory=EngineState)
    returned: dict[int, str] = field(default_factory=dict)
    counting: dict[int, tuple[int, ...]] = field(default_factory=dict)

    # Files

    def attach(self, conversation: int, files: Iterable[Attachment]) -> Attached:
        """Attach files to a conversation's draft, as many as a message may hold."""
        found = self.known(conversation)
        if found is None:
            return Attached(NOTHING, ())
        problems: list[str] = []
        before = len(found.files)
        for file in files:
            problem = _refusal(found, file)
            if problem:
                problems.append(problem)
            else:
                found.files.append(replace(file, id=next(self.numbers)))
        if len(found.files) == before:
            return Attached(NOTHING, tuple(problems))
        return Attached(self._files_changed(found), tuple(problems))

    def detach(self, file: int) -> Outcome:
        """Remove a file from its draft."""
        current = self.current
        left = [one for one in current.files if one.id != file]
        if len(left) == len(current.files):
            return NOTHING
        current.files = left
        return self._files_changed(current)

    def count_tokens(self) -> Outcome:
        """Ask for the token counts of the composer's files, where unknown."""
        unknown = [file for file in self.current.files if file.tokens is None]
        if not unknown or self.engine.phase is not EnginePhase.READY:
            return NOTHING
        number = next(self.numbers)
        self.counting[number] = tuple(file.id for file in unknown)
        return Outcome.of(commands=(CountTokens(number, tuple(file.block for file in unknown)),))

    def tokens_counted(self, event: TokensCounted) -> Outcome:
        """Take a count; files removed meanwhile are skipped."""
        counts = dict(zip(self.counting.pop(event.number, ()), event.counts, strict=False))
        outcome = NOTHING
        for one in self.conversations:
            if any(file.id in counts for file in one.files):
                one.files = [replace(f, tokens=counts.get(f.id, f.tokens)) for f in one.files]
                outcome |= Outcome.of(Changed.UNSENT.of(one.id))
        return outcome

    def forget_counts(self) -> Outcome:
        """Another model tokenizes differently: recount the files of the composer on screen."""
        self.counting = {}
        for one in self.conversations:
            one.files = [replace(file, tokens=None) for file in one.files]
        counted = self.count_tokens()
        return (
            counted | Outcome.of(Changed.UNSENT.of(self.current.id))
            if counted.commands
            else NOTHING
        )

    def move_files(self, source: Conversation) -> Outcome:
        """Move another composer's files to that of the conversation on screen."""
        target = self.current
        if source is target or not source.files:
            return NOTHING
        target.files, source.files = [*target.files, *source.files], []
        return self._files_changed(source) | self._files_changed(target)

    def give_back(self, conversation: Conversation, message: str) -> Outcome:
        """Return an unanswered message to the composer, before what was typed since."""
        found = parted(message)
        again = [replace(file, id=next(self.numbers)) for file in found.files]
        conversation.files = [*again, *conversation.files]
        returned = self.returned.get(conversation.id, "")
        texts = [text for text in (found.text, returned) if text.strip()]
        self.returned[conversation.id] = "\n".join(texts)
        typed = [text for text in (found.text, conversation.draft) if text.strip()]
        conversation.draft = "\n".join(typed)
        given = Outcome.of(Changed.DRAFT.of(conversation.id))
        return given | self._files_changed(conversation) if again else given

    # The queue

    def enqueue(self, message: str) -> Outcome:
        """Queue a message until the running answer ends; empties the composer."""
        current = self.current
        if not message.strip():
            return NOTHING
        current.queue.append(Queued(next(self.numbers), message))
        current.draft, current.files, current.held = "", [], ""
        self.forecast.drop_draft()
        return Outcome.of(Changed.UNSENT.of(current.id), Changed.PREVIEW)

    def unqueue(self, number: int) -> Outcome:
        """Remove a message from the queue."""
        current = self.current
        left = [one for one in current.queue if one.id != number]
        if len(left) == len(current.queue):
            return NOTHING
        current.set_queue(left)
        return Outcome.of(Changed.UNSENT.of(current.id))

    def take_back(self, number: int) -> Outcome:
        """Return a queued message to the composer for editing."""
        current = self.current
        found = next((one for one in current.queue if one.id == number), None)
        if found is None:
            return NOTHING
        return self.unqueue(number) | self.give_back(current, found.text)

    def _files_changed(self, conversation: Conversation) -> Outcome:
        if conversation is self.current:
            self.forecast.drop_draft()
        return Outcome.of(Changed.UNSENT.of(conversation.id), Changed.PREVIEW) | self.count_tokens()


def hold(conversation: Conversation, why: str) -> Outcome:
    """Hold the queue back until the user acts."""
    if not conversation.queue:
        return NOTHING
    conversation.held = why
    return Outcome.of(Changed.UNSENT.of(conversation.id))


def message_of(conversation: Conversation, text: str) -> str:
    """The message that the composer would send."""
    return joined(conversation.files, text)


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
