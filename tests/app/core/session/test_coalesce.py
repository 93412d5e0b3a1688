"""One frame's events are made few."""

from __future__ import annotations

from app.core.session.coalesce import coalesce
from engine import events
from engine.cache.journal.changes import Noticed
from engine.cache.journal.journal import Entry
from engine.journal.feed import JournalFed
from engine.journal.lines import TraceEntry
from engine.journal.settings import TraceHeader
from tests.app.fake_loop import HEADER


def delta(
    text: str, channel: events.Channel = "answer", request: int = 1, tokens: int = 1
) -> events.TextDelta:
    return events.TextDelta(request=request, text=text, channel=channel, tokens=tokens)


def fed(*numbers: int, header: TraceHeader | None = None) -> JournalFed:
    lines = (TraceEntry(Entry(number, 0.0, "device", Noticed("."))) for number in numbers)
    return JournalFed(lines=tuple(lines), header=header)


class TestCoalesce:
    def test_neighbouring_text_becomes_one(self) -> None:
        made = coalesce([delta("a", tokens=1), delta("b", tokens=2), delta("c", tokens=3)])
        assert made == [delta("abc", tokens=3)]

    def test_channels_and_requests_are_not_mixed(self) -> None:
        given = [delta("a", "thinking"), delta("b"), delta("c", request=2), delta("d")]
        assert coalesce(given) == given

    def test_what_the_journal_says_is_joined_in_the_place_of_its_last_part(self) -> None:
        given = [fed(1, header=HEADER), delta("a"), fed(2, 3), fed(4), delta("b")]
        first, joined, last = coalesce(given)
        assert (first, last) == (delta("a"), delta("b"))
        assert joined == fed(1, 2, 3, 4, header=HEADER)

    def test_a_new_beginning_is_joined_with_nothing_before_it(self) -> None:
        given = [fed(1), fed(2, header=HEADER), fed(3)]
        assert coalesce(given) == [fed(1), fed(2, 3, header=HEADER)]

    def test_progress_is_the_newest(self) -> None:
        steps = [events.PrefillProgress(request=1, done=n, total=9) for n in range(9)]
        assert coalesce(steps) == [steps[-1]]

    def test_nothing_else_is_dropped_or_moved(self) -> None:
        given: list[events.Event] = [
            events.RequestQueued(request=1, ahead=0),
            events.EngineFailed(sentence="x"),
            events.EngineClosed(),
        ]
        assert coalesce(given) == given
