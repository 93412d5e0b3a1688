"""The journal for a viewer: complete from the beginning, in batches, with the text of its ids."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from engine import EngineConfig, Message, Sampling
from engine.cache.journal.changes import CacheFound, NodeAdded, Pieces
from engine.commands import Submit, WatchJournal
from engine.events import Event, RequestFinished
from engine.journal.feed import JournalFed
from engine.journal.tape import Tape
from engine.loop import RunLoop
from engine.run.core import Core
from tests.engine.run.conftest import CACHE_BYTES, ids
from tests.engine.run.test_requests import wait


def follow(batches: Sequence[Event], tape: Tape | None = None) -> Tape:
    """The tape that a window would have after these events."""
    for batch in batches:
        if isinstance(batch, JournalFed):
            if batch.header is not None:
                tape = Tape(batch.header)
            assert tape is not None, "the first batch has the header"
            tape.append(batch.lines)
    assert tape is not None
    return tape


def settled(loop: RunLoop) -> list[Event]:
    """Everything that was told of what was asked until now."""
    loop.call(lambda core: core.info).result()
    return loop.drain()


def said(text: str) -> tuple[Message, ...]:
    return (Message("user", text),)


def begin(folder: Path, **settings: object) -> RunLoop:
    config = EngineConfig(**{"cache_bytes": CACHE_BYTES, "threads": 1, **settings})  # type: ignore[arg-type]
    loop = RunLoop(folder, config)
    loop.start()
    return loop


def test_it_tells_what_happened_and_whose_it_was(tiny_folder: Path) -> None:
    loop = begin(tiny_folder, parallel=1)
    loop.post(WatchJournal(on=True))
    loop.post(Submit(1, said("w1 w2 w3"), Sampling.greedy(5), owner=7))
    loop.post(Submit(2, said("w9 w8"), Sampling.greedy(5), owner=3))
    loop.post(Submit(3, said("w1 w2 w3 w4"), Sampling.greedy(5), owner=7))
    events = [event for _ in range(3) for event in wait(loop, RequestFinished)]
    events += settled(loop)
    tape = follow(events)
    placed = [(one.traced.session_id, one.traced.turn_id) for one in tape.requests]
    assert placed == [(7, 0), (3, 0), (7, 1)]
    assert [one.ran.request for one in tape.requests] == [1, 2, 3]
    nodes = loop.call(lambda core: core.cache.reader.nodes()).result()
    assert {n.id: n for n in tape.snapshot(len(tape)).nodes}.keys() == {n.id for n in nodes}
    spans = loop.call(
        lambda core: {n.id: core.cache.reader.tokens_of(n.id).tobytes() for n in nodes}
    ).result()
    added = [tape.entry(i).what for i in range(len(tape))]
    told = {one.node: one.tokens for one in added if isinstance(one, NodeAdded)}
    whole = {node: tokens for node, tokens in told.items() if spans.get(node) == tokens}
    assert whole, "no node has the tokens it was told with"
    assert all(len(one.tokens) == 4 * (one.end - one.start) for one in added_nodes(tape))
    assert " w2 w3<|im_end|>" in tape.text(tape.requests[0].ran.prompt)
    assert loop.close(60)


def added_nodes(tape: Tape) -> list[NodeAdded]:
    whats = [tape.entry(i).what for i in range(len(tape))]
    return [what for what in whats if isinstance(what, NodeAdded)]


def test_who_watches_late_gets_the_beginning(tiny_folder: Path) -> None:
    loop = begin(tiny_folder)
    for number in (1, 2):
        loop.post(Submit(number, ids(number, 300), Sampling.greedy(5), owner=number))
        wait(loop, RequestFinished)
    loop.post(WatchJournal(on=True))
    tape = follow(settled(loop))
    assert tape.header is not None
    assert tape.header.complete
    assert [one.traced.session_id for one in tape.requests] == [1, 2]
    found = [tape.entry(i).what for i in range(len(tape))]
    (cache,) = [what for what in found if isinstance(what, CacheFound)]
    assert len(cache.tokens) == len(cache.nodes)
    series = tape.series()
    pool = loop.call(lambda core: core.cache.reader.kv_pool()).result()
    assert series.bytes["device", "kv"][-1] == pool.cached * pool.slot_bytes > 0
    assert loop.close(60)


def test_watching_begins_between_two_requests(tiny_folder: Path) -> None:
    loop = begin(tiny_folder, parallel=1)
    loop.post(Submit(1, ids(1, 2000), Sampling.greedy(40), owner=1))
    loop.post(WatchJournal(on=True))
    loop.post(Submit(2, ids(1, 2000), Sampling.greedy(5), owner=1))
    events = wait(loop, RequestFinished)
    # Both may have ended by the time the first is seen.
    if sum(isinstance(event, RequestFinished) for event in events) < 2:
        events += wait(loop, RequestFinished)
    events += settled(loop)
    first = next(event for event in events if isinstance(event, JournalFed))
    assert first.header is not None
    # The first request is among those before, and nothing of it is told in part.
    tape = follow(events)
    assert [one.ran.request for one in tape.requests] == [1, 2]
    tape.snapshot(len(tape))
    assert loop.close(60)


def test_a_new_watcher_starts_over_and_nobody_costs_nothing(tiny_folder: Path) -> None:
    loop = begin(tiny_folder)
    loop.post(WatchJournal(on=True))
    loop.post(Submit(1, ids(1, 300), Sampling.greedy(5)))
    wait(loop, RequestFinished)
    loop.post(WatchJournal(on=False))
    listening = loop.call(listeners).result()
    loop.drain()
    loop.post(Submit(2, ids(2, 300), Sampling.greedy(5)))
    unheard = [*wait(loop, RequestFinished), *settled(loop)]
    assert not any(isinstance(event, JournalFed) for event in unheard)
    loop.post(WatchJournal(on=True))
    loop.post(WatchJournal(on=True))
    tapes = [event for event in settled(loop) if isinstance(event, JournalFed)]
    assert sum(one.header is not None for one in tapes) == 2
    assert loop.call(listeners).result() == listening + 1
    assert len(follow(tapes).requests) == 2
    assert loop.close(60)


def listeners(core: Core) -> int:
    return len(core.store.journal._listeners)


def test_batches_come_at_most_eight_times_a_second(tiny_folder: Path) -> None:
    loop = begin(tiny_folder)
    loop.post(WatchJournal(on=True))
    loop.post(Submit(1, ids(1, 64), Sampling(temperature=0, max_tokens=600, ignore_end=True)))
    events = wait(loop, RequestFinished)
    batches = [event for event in events if isinstance(event, JournalFed)]
    spent = batches[-1].time - batches[0].time
    # The first, and those at the end of a request, come at once.
    assert len(batches) <= 4 + spent / 0.125
    assert loop.close(60)


def test_the_text_of_an_id_is_told_once(tiny_folder: Path) -> None:
    loop = begin(tiny_folder)
    loop.post(WatchJournal(on=True))
    for number in (1, 2):
        loop.post(Submit(number, said("w1 w2"), Sampling.greedy(3)))
        wait(loop, RequestFinished)
    loop.post(WatchJournal(on=True))
    batches = [event for event in settled(loop) if isinstance(event, JournalFed)]
    # What was handed on before the second question may still come first.
    batches = batches[max(i for i, one in enumerate(batches) if one.header is not None) :]
    pieces = [
        piece
        for one in batches
        for line in one.lines
        if isinstance(line.entry.what, Pieces)
        for piece in line.entry.what.pieces
    ]
    told = [token for token, _ in pieces]
    assert len(told) == len(set(told)) > 0
    tape = follow(batches)
    assert np.isin(tape.requests[0].ran.sequence, told).all()
    assert loop.close(60)
