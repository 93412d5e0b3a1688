"""The stream of events: however it is cut, the same events; and never without bounds."""

from __future__ import annotations

import collections
import itertools
import random

import pytest

from engine.errors import RemoteError
from engine.net.client import sse
from engine.net.client.sse import SseParser


def events_of(*pieces: bytes) -> list[str]:
    parser = SseParser()
    return [data for piece in pieces for data in parser.feed(piece)]


class TestEvents:
    def test_data_and_the_rest(self) -> None:
        text = b": hello\nid: 4\nevent: x\nretry: 3\ndata: one\n\ndata:two\n\ndata:  three\n\n\n"
        assert events_of(text) == ["one", "two", " three"]

    def test_several_lines_of_one_event(self) -> None:
        assert events_of(b"data: a\ndata: b\ndata\n\n") == ["a\nb\n"]

    def test_an_event_without_its_end_does_not_count(self) -> None:
        parser = SseParser()
        assert list(parser.feed(b"data: one\n\ndata: tw")) == ["one"]
        assert parser.pending

    def test_every_cut_gives_the_same(self) -> None:
        text = "\ufeffdata: täxt\r\n\r\ndata: zwei\rdata: drei\r\r: x\ndata: 🙂\n\n".encode()
        whole = events_of(text)
        assert whole == ["täxt", "zwei\ndrei", "🙂"]
        chance = random.Random(3)
        for _ in range(200):
            cuts = sorted(chance.sample(range(3, len(text)), 5))
            edges = [0, *cuts, len(text)]
            pieces = [text[a:b] for a, b in itertools.pairwise(edges)]
            assert events_of(*pieces, b"\n") == whole


class TestBounds:
    def test_a_line_without_end(self) -> None:
        with pytest.raises(RemoteError, match="without an end"):
            events_of(*[b"x" * (sse.MOST_LINE // 32)] * 40)

    def test_an_event_without_end(self) -> None:
        line = b"data: " + b"x" * (sse.MOST_LINE // 2) + b"\n"
        with pytest.raises(RemoteError, match="longer than any"):
            events_of(*[line] * 10)

    def test_bytes_that_are_no_text(self) -> None:
        with pytest.raises(RemoteError, match="UTF-8"):
            events_of(b"data: \xff\xfe\n\n")

    def test_ten_thousand_broken_streams(self) -> None:
        chance = random.Random(5)
        for _ in range(10_000):
            parser = SseParser()
            try:
                list(parser.feed(bytes(chance.choices(b"data:\r\n \x00\xff{}x", k=40))))
            except RemoteError:
                continue


def test_comments_without_an_end() -> None:
    parser = SseParser()
    with pytest.raises(RemoteError, match="comments without an end"):
        collections.deque(parser.feed(b": waiting\n\n" * 4_000_000))
    parser = SseParser()
    for _ in range(40):
        assert list(parser.feed(b": waiting\n\n" * 50_000 + b"data: x\n\n")) == ["x"]
