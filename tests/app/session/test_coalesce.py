"""One frame's events are made few."""

from __future__ import annotations

from dataclasses import replace

from app.session.coalesce import coalesce
from engine import events
from tests.app.samples import evicted, snapshot


def delta(
    text: str, channel: events.Channel = "answer", request: int = 1, tokens: int = 1
) -> events.TextDelta:
    return events.TextDelta(request=request, text=text, channel=channel, tokens=tokens)


class TestCoalesce:
    def test_neighbouring_text_becomes_one(self) -> None:
        made = coalesce([delta("a", tokens=1), delta("b", tokens=2), delta("c", tokens=3)])
        assert made == [delta("abc", tokens=3)]

    def test_channels_and_requests_are_not_mixed(self) -> None:
        given = [delta("a", "thinking"), delta("b"), delta("c", request=2), delta("d")]
        assert coalesce(given) == given

    def test_only_the_last_snapshot_stays(self) -> None:
        first = events.CacheChanged(snapshot=snapshot(version=1))
        last = events.CacheChanged(snapshot=snapshot(version=2))
        made = coalesce([first, delta("a"), last, delta("b")])
        assert made == [delta("a"), last, delta("b")]

    def test_the_last_snapshot_tells_what_those_before_it_told(self) -> None:
        told = [evicted(seq) for seq in range(4)]
        given = [
            events.CacheChanged(snapshot=replace(snapshot(version=1), evictions=tuple(told[:2]))),
            delta("a"),
            events.CacheChanged(snapshot=replace(snapshot(version=2), unlisted=5)),
            events.CacheChanged(snapshot=replace(snapshot(version=3), evictions=(told[2],))),
            events.CacheChanged(snapshot=replace(snapshot(version=4), evictions=(told[3],))),
        ]
        _, last = coalesce(given)
        assert isinstance(last, events.CacheChanged)
        assert last.snapshot.version == 4
        assert list(last.snapshot.evictions) == told
        assert last.snapshot.unlisted == 5

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
