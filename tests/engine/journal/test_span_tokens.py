"""The tokens and the text of spans: told, written as the header declares, and read again."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.analysis.replay import NoBytes, replay_file
from engine.cache import TwoPlaneCache
from engine.cache.journal.changes import CacheFound, CheckpointCopied, NodeAdded, NodeSplit, Pieces
from engine.cache.journal.journal import Entry, Journal
from engine.cache.tiers.tiers import Tiers
from engine.errors import TraceError
from engine.journal.narrator import narrate
from engine.journal.parsing import read_line
from engine.journal.reader import TraceReader
from engine.journal.recorder import Recorder
from engine.journal.request import Ask, RunRules, run_request
from engine.journal.settings import CacheSettings, WhatIf
from engine.journal.tape import Tape, read_tape
from engine.stored_state import TierName
from tests.engine.journal.samples import HEADER, request


def piece(token: int) -> bytes:
    """Some ids are half a character."""
    return f" w{token}".encode() if token % 7 else b"\xe2\x82"


class Run:
    """Requests on a device and a host tier, recorded from some request on."""

    def __init__(self, seed: int) -> None:
        self.journal = Journal()
        self.rng = np.random.default_rng(seed)

        def cache(kv: int, states: int, tier: TierName) -> TwoPlaneCache:
            return TwoPlaneCache(
                kv, states, kv_slot_bytes=2, state_slot_bytes=50, journal=self.journal, tier=tier
            )

        self.caches = {"device": cache(240, 5, "device"), "host": cache(700, 20, "host")}
        log_change = self.journal.of("device", lambda: 1.0)
        self.tiers = Tiers(
            self.caches["device"], self.caches["host"], NoBytes(), log_change=log_change
        )
        self.starts = [self.rng.integers(0, 90, 60) for _ in range(5)]
        self.heard: list[Entry] = []

    def ask(self) -> None:
        start = self.starts[int(self.rng.integers(5))][: int(self.rng.integers(10, 61))]
        prompt = np.concatenate([start, self.rng.integers(0, 90, int(self.rng.integers(1, 30)))])
        decoded = self.rng.integers(0, 90, 6)
        run_request(self.tiers, Ask(prompt, decoded[:5]), RunRules(interval=64, decode_interval=4))
        self.journal.log_request(1.0, request(prompt.tolist(), decoded.tolist(), text="an answer"))

    def record(self, path: Path, *, text: bool) -> None:
        """Forty requests before, and forty while it is recorded."""
        for _ in range(40):
            self.ask()
        header = replace(HEADER, hashed=not text, text=text)
        recorder = Recorder(
            path, header, self.journal, self.caches, 0.0, piece=piece if text else None
        )
        stop = narrate(self.journal, self.caches, self.heard.append)
        for _ in range(40):
            self.ask()
        stop()
        assert not recorder.stop().problem


@pytest.fixture(params=[1, 2])
def run(request: pytest.FixtureRequest) -> Run:
    return Run(request.param)


def spans(tape: Tape) -> dict[tuple[str, int], tuple[int, bytes]]:
    """What a reader knows of every node at the end: its start and its tokens."""
    known: dict[tuple[str, int], tuple[int, bytes]] = {}
    for at in range(len(tape)):
        entry = tape.entry(at)
        what, tier = entry.what, entry.tier
        if isinstance(what, CacheFound):
            for view, tokens in zip(what.nodes, what.tokens, strict=True):
                known[tier, view.id] = view.start, tokens
        elif isinstance(what, NodeAdded):
            known[tier, what.node] = what.start, what.tokens
        elif isinstance(what, NodeSplit):
            start, tokens = known[tier, what.node]
            cut = 4 * (what.position - start)
            known[tier, what.upper] = start, tokens[:cut]
            known[tier, what.node] = what.position, tokens[cut:]
    return known


class TestWithText:
    def test_every_span_and_its_text_come_back(self, run: Run, tmp_path: Path) -> None:
        path = tmp_path / "t.jsonl.gz"
        run.record(path, text=True)
        tape = read_tape(path)
        known = spans(tape)
        checked = 0
        for tier, cache in run.caches.items():
            for view in cache.reader.nodes():
                tokens = cache.reader.tokens_of(view.id)
                assert known[tier, view.id] == (view.start, tokens.tobytes())
                assert all(tape.pieces[token] == piece(token) for token in tokens.tolist())
                checked += 1
        assert checked > 20
        assert [e for e in map(tape.entry, range(len(tape))) if isinstance(e.what, NodeAdded)] == [
            e for e in run.heard if isinstance(e.what, NodeAdded)
        ]

    def test_an_id_is_told_before_it_is_used_and_only_once(self, run: Run, tmp_path: Path) -> None:
        path = tmp_path / "t.jsonl"
        run.record(path, text=True)
        told: list[int] = []
        for line in TraceReader(path):
            what = line.entry.what
            if isinstance(what, Pieces):
                told += [token for token, _ in what.pieces]
            elif isinstance(what, NodeAdded):
                assert set(np.frombuffer(what.tokens, "<i4").tolist()) <= set(told)
        assert len(told) == len(set(told)) > 10

    def test_a_replay_does_not_mind(self, run: Run, tmp_path: Path) -> None:
        path = tmp_path / "t.jsonl"
        run.record(path, text=True)
        assert replay_file(path, WhatIf(), CacheSettings()).requests


class TestHashed:
    def test_spans_have_the_hashes_of_the_requests(self, run: Run, tmp_path: Path) -> None:
        path = tmp_path / "t.jsonl"
        run.record(path, text=False)
        tape = read_tape(path)
        assert not tape.pieces
        known = spans(tape)
        whole = [one.ran.sequence for one in tape.requests]
        checked = 0
        for tier, cache in run.caches.items():
            for view in cache.reader.nodes():
                start, raw = known[tier, view.id]
                hashes = np.frombuffer(raw, "<i4")
                assert len(hashes) == view.end - view.start
                checked += any(np.array_equal(one[start : view.end], hashes) for one in whole)
                real = cache.reader.tokens_of(view.id)
                assert not len(real) or not np.array_equal(hashes, real)
        assert checked > 10

    def test_equal_prefixes_have_equal_hashes_on_all_tiers(self, run: Run, tmp_path: Path) -> None:
        path = tmp_path / "t.jsonl"
        run.record(path, text=False)
        assert any(
            isinstance(e.what, CheckpointCopied) for e in map(read_tape(path).entry, range(200))
        )
        known = spans(read_tape(path))
        sequences: dict[str, set[tuple[bytes, bytes]]] = {"real": set(), "hash": set()}
        for tier, cache in run.caches.items():
            for view in cache.reader.nodes():
                path_ids = [cache.reader.tokens_of(n) for n in cache.reader.path_of(view.id)]
                real = np.concatenate(path_ids).tobytes()
                hashes = b"".join(known[tier, n][1] for n in cache.reader.path_of(view.id))
                sequences["real"].add((real, hashes))
        pairs = sequences["real"]
        assert len({real for real, _ in pairs}) == len({h for _, h in pairs}) == len(pairs) > 10


class TestUntrusted:
    @pytest.mark.parametrize(
        "pieces",
        [
            [[1]],
            [[1, 2]],
            [["1", "00"]],
            [[-1, "00"]],
            [[1 << 40, "00"]],
            [[1, "0g"]],
            {},
            [[1, "0"]],
        ],
        ids=str,
    )
    def test_damaged_pieces_are_refused(self, pieces: object) -> None:
        raw = {"event": "Pieces", "seq": 1, "ts": 0.0, "tier": "device", "pieces": pieces}
        with pytest.raises(TraceError):
            read_line(json.dumps(raw).encode(), 1)

    def test_a_span_of_another_length_is_refused(self) -> None:
        added = {"node": 1, "parent": 0, "start": 0, "end": 3, "tokens": [1, 2]}
        raw = {"event": "NodeAdded", "seq": 1, "ts": 0.0, "tier": "device"} | added
        with pytest.raises(TraceError, match="tokens"):
            read_line(json.dumps(raw).encode(), 1)

    def test_older_files_without_tokens_are_read(self, run: Run, tmp_path: Path) -> None:
        path = tmp_path / "t.jsonl"
        run.record(path, text=True)
        older = tmp_path / "older.jsonl.gz"
        with gzip.open(older, "wt") as file:
            for line in path.read_text().splitlines():
                raw = json.loads(line)
                if raw["event"] == "Pieces":
                    continue
                raw.pop("tokens", None)
                for node in raw.get("nodes", ()):
                    node.pop("tokens", None)
                file.write(json.dumps(raw) + "\n")
        then = read_tape(older)
        shown = {(node.id, node.end) for node in then.snapshot(len(then)).nodes}
        # The tiers cannot be compared, so only the device is shown.
        assert shown == {(n.id, n.end) for n in run.caches["device"].reader.nodes()}
        assert not then.pieces
