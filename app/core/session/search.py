"""Search results for display: by conversation, with the matching words marked."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.core.session.records import Conversation
from app.core.store.search import CLOSE, MOST_HITS, OPEN, Hit
from app.core.store.searcher import Answer
from app.core.words import format as fmt
from app.core.words.tr import tr, trn

_MARKS = re.compile(f"[{OPEN}{CLOSE}]")
_WORD = re.compile(r"\w+")
# A narrow list shows two lines: this much text precedes the match, from a word's beginning.
_BEFORE = 24
_GAP = "…"


@dataclass(frozen=True, slots=True)
class Marked:
    """One line of text, and the stretches of it to emphasise: (start, end) each."""

    text: str
    spans: tuple[tuple[int, int], ...] = ()

    @property
    def words(self) -> tuple[str, ...]:
        """The emphasised words."""
        return tuple(dict.fromkeys(self.text[start:end] for start, end in self.spans))


@dataclass(frozen=True, slots=True)
class FoundMessage:
    """A message that matches.

    Attributes:
        created: seconds since 1970.
    """

    id: int
    snippet: Marked
    created: float


@dataclass(frozen=True, slots=True)
class FoundConversation:
    """A conversation that matches, or whose messages do.

    Attributes:
        titled: its title has all words.
        updated: seconds since 1970.
        messages: the newest first.
    """

    id: int
    title: Marked
    titled: bool
    updated: float
    messages: tuple[FoundMessage, ...]


def grouped(answer: Answer, conversations: Iterable[Conversation]) -> list[FoundConversation]:
    """Group by conversation: title matches first, then by newest message.

    Results of conversations not in `conversations` are left out.
    """
    there = {one.id: one for one in conversations}
    words = answer.query.split()
    hits: dict[int, list[Hit]] = {}
    for hit in answer.hits:
        if hit.conversation in there:
            hits.setdefault(hit.conversation, []).append(hit)
    found = [_conversation(there[number], words, of) for number, of in hits.items()]
    return sorted(found, key=lambda one: (not one.titled, -_newest(one)))


def _conversation(one: Conversation, words: Sequence[str], hits: list[Hit]) -> FoundConversation:
    messages = [
        FoundMessage(hit.message, marked(hit.snippet), hit.created)
        for hit in hits
        if hit.message is not None
    ]
    return FoundConversation(
        one.id,
        emphasised(one.title, words),
        len(messages) < len(hits),
        one.updated,
        tuple(sorted(messages, key=lambda message: -message.created)),
    )


def _newest(one: FoundConversation) -> float:
    return max((message.created for message in one.messages), default=one.updated)


def summary(answer: Answer, found: Sequence[FoundConversation]) -> str:
    """The line under the results; a sentence if there are none."""
    if answer.sentence:
        return answer.sentence
    if not found:
        several = len(answer.query.split()) > 1
        return tr("No conversation has {value}.").format(
            value=tr("all these words") if several else tr("this word")
        )
    if len(answer.hits) >= MOST_HITS:
        return tr("The newest {most_hits} matches. Another word finds fewer.").format(
            most_hits=MOST_HITS
        )
    count = sum(len(one.messages) + one.titled for one in found)
    matches = trn("{count} match", "{count} matches", count).format(count=f"{count:,}")
    return tr("{matches} in {conversations}").format(
        matches=matches, conversations=fmt.plural(len(found), "conversation")
    )


def marked(snippet: str) -> Marked:
    """Parse a snippet's marks; the line begins shortly before the first one."""
    line = re.sub(r"\s+", " ", snippet).strip()
    first = line.find(OPEN)
    if first > _BEFORE:
        begin = line.find(" ", first - _BEFORE, first)
        # Without a space it is one long word, or a script without spaces.
        line = _GAP + line[begin + 1 if begin >= 0 else first - _BEFORE :]
    text, at = "", 0
    spans: list[tuple[int, int]] = []
    start: int | None = None
    for found in _MARKS.finditer(line):
        text += line[at : found.start()]
        at = found.end()
        if found.group() == OPEN:
            start = len(text)
        elif start is not None and start < len(text):
            spans.append((start, len(text)))
            start = None
    return Marked(text + line[at:], tuple(spans))


def emphasised(text: str, words: Iterable[str]) -> Marked:
    """Emphasise the words that begin with one of `words`, compared as the index does."""
    line = re.sub(r"\s+", " ", text).strip()
    sought = tuple(piece for word in words for piece in map(_plain, _WORD.findall(word)) if piece)
    spans = [
        found.span()
        for found in _WORD.finditer(line)
        if sought and _plain(found.group()).startswith(sought)
    ]
    return Marked(line, tuple(spans))


def _plain(word: str) -> str:
    """Without case and accents."""
    parts = unicodedata.normalize("NFKD", word.casefold())
    return "".join(char for char in parts if not unicodedata.combining(char))
