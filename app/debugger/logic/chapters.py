"""The history of a checkpoint in words, and its columns. Without Qt."""

from __future__ import annotations

from dataclasses import dataclass

from app.core.words import format as fmt
from app.core.words.engine_words import said
from app.core.words.explain import PLACE_WORDS, TIER_WORDS
from app.core.words.joining import listed
from app.core.words.tr import tr
from app.ui.table_rows import Column, Sheet
from engine.analysis.why.checkpoint_history import Chapter, Event

_SHORT = {
    Event.FOUND: tr("There when the recording began"),
    Event.STORED: tr("Stored"),
    Event.VERIFIED: tr("Audited: {named}"),
    Event.QUARANTINED: tr("Audited: {named}"),
    Event.COPIED: tr("Copied to {place}"),
    Event.MOVED_DOWN: tr("Moved to {other}"),
    Event.PROMOTED: tr("Promoted from {other}"),
    Event.REPLACED: tr("Replaced by a better one"),
    Event.EVICTED: tr("Evicted from {place}"),
    Event.LOST: tr("Lost from {place}"),
    Event.REMOVED: tr("Removed from {place}"),
}
_MORE = {
    Event.QUARANTINED: tr("not used any more"),
    Event.EVICTED: tr("a copy remained"),
    Event.LOST: tr("no other tier had it"),
}
_NAMED = (Event.VERIFIED, Event.QUARANTINED)


@dataclass(frozen=True, slots=True)
class ChapterLine:
    """A line of the history; `seconds` since the start of the tape."""

    chapter: Chapter
    seconds: float


def chapter_words(chapter: Chapter) -> str:
    """An event in a few words."""
    if chapter.event is Event.RESUMED:
        request = 0 if chapter.request is None else chapter.request + 1
        return tr("Request {request} resumed from it").format(request=fmt.count(request))
    return _SHORT[chapter.event].format(
        place=PLACE_WORDS.get(chapter.tier, chapter.tier),
        other=PLACE_WORDS.get(chapter.other, chapter.other),
        named=said(chapter.named),
    )


def chapter_sentence(chapter: Chapter) -> str:
    """An event with its cause and where it happened."""
    where = TIER_WORDS.get(chapter.tier, chapter.tier)
    named = "" if chapter.event in _NAMED else said(chapter.named)
    more = listed((where, named, _MORE.get(chapter.event, "")))
    return tr("{event} ({more}).").format(event=chapter_words(chapter), more=more)


def _tone(line: ChapterLine) -> str:
    bad = line.chapter.event in (Event.LOST, Event.QUARANTINED)
    return "danger" if bad else "text"


SHEET: Sheet[ChapterLine] = Sheet(
    (
        Column(
            tr("Time"),
            lambda line: fmt.clock(line.seconds),
            lambda line: line.chapter.index,
            figures="right",
            usual="00:00.0",
        ),
        Column(tr("Event"), lambda line: chapter_words(line.chapter), tone=_tone),
    ),
    lambda line: f"{fmt.clock(line.seconds)} {chapter_sentence(line.chapter)}",
    tone="dim",
)
