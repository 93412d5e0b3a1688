"""Trace files: what was written is read back, and damage is reported with its line."""

from __future__ import annotations

import gzip
import json
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest

from engine.cache.journal.changes import (
    Change,
    CheckpointDropped,
    CheckpointSkipped,
    CheckpointStored,
    NodeAdded,
    NodeRemoved,
    SegmentRemoved,
    Stamped,
)
from engine.cache.journal.journal import Entry
from engine.errors import TraceError
from engine.journal import reader as reading
from engine.journal.lines import TracedRequest, TraceEntry, entry_line, header_line
from engine.journal.reader import TraceReader
from engine.stored_state import StoredState
from tests.engine.journal.samples import HEADER, SETTINGS, request

MARCONI = {
    "session_id": 3,
    "turn_id": 0,
    "ts": 1.5,
    "num_input_tokens": 4,
    "num_output_tokens": 3,
    "input_tokens": [1, 2, 3, 4],
    "output_tokens": [5, 6, 7],
}
CHANGES: list[Change] = [
    NodeAdded(1, 0, 0, 12),
    CheckpointStored(1, 3, 0, StoredState(12, "prefill", 2**62, True, "int8", 0.0125, "host")),
    Stamped(1, 12, "drifted", 0.25, 1e-9, False),
    CheckpointSkipped(4),
    CheckpointDropped(1, 12, "state pressure", "host"),
    NodeRemoved(1, "kv pressure", "disk"),
    SegmentRemoved(0, 12, "prefill", 900, 800, "disk budget"),
]


def lines() -> list[str]:
    """A small file: a header, changes, a request."""
    entries = [Entry(n + 1, n + 0.5, "device", what) for n, what in enumerate(CHANGES)]
    ran = request([1, 2, 3], [4, 5], anchors=(1, 2), drops=(2,), first_token_s=None)
    last = Entry(9, 7.25, "device", ran)
    return [
        header_line(HEADER),
        *(entry_line(entry, 0.0) for entry in entries),
        entry_line(last, 0.0, TracedRequest(2, 1, ran, True)),
    ]


def saved(tmp_path: Path, text: str | bytes, name: str = "trace.jsonl") -> Path:
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def read(path: Path) -> list[TraceEntry]:
    return list(TraceReader(path))


class TestRoundTrip:
    def test_every_record_comes_back(self, tmp_path: Path) -> None:
        reader = TraceReader(saved(tmp_path, "".join(lines())))
        assert reader.header == HEADER
        found = list(reader)
        assert [line.entry.what for line in found[:-1]] == CHANGES
        # A state that came from the host tier was stored by the device.
        assert {line.entry.tier for line in found} == {"device"}
        times = [at + 0.5 for at in range(len(CHANGES))]
        assert [line.entry.time for line in found] == [*times, 7.25]
        traced = found[-1].request
        assert traced is not None
        assert (traced.session_id, traced.turn_id, traced.recorded) == (2, 1, True)
        assert traced.ran.prompt.tolist() == [1, 2, 3]
        assert traced.ran.decoded.tolist() == [4, 5]
        assert (traced.ran.anchors, traced.ran.drops) == ((1, 2), (2,))
        assert traced.ran.first_token_s is None
        assert not reader.truncated

    def test_an_eviction_of_a_file_from_before_says_nothing_of_a_copy(self, tmp_path: Path) -> None:
        line = entry_line(Entry(1, 0.5, "device", NodeRemoved(1, "kv pressure", "disk")), 0.0)
        old = line.replace(',"copy":"disk"', "")
        assert old != line
        (found,) = read(saved(tmp_path, header_line(HEADER) + old))
        assert found.entry.what == NodeRemoved(1, "kv pressure")

    def test_a_compressed_file_reads_like_a_plain_one(self, tmp_path: Path) -> None:
        text = "".join(lines())
        plain = read(saved(tmp_path, text))
        packed = read(saved(tmp_path, gzip.compress(text.encode()), "trace.jsonl.gz"))
        assert [line.entry.seq for line in packed] == [line.entry.seq for line in plain]


class TestMarconi:
    def test_its_lines_are_a_trace(self, tmp_path: Path) -> None:
        reader = TraceReader(saved(tmp_path, f"{json.dumps(MARCONI)}\n" * 2))
        assert reader.header is None
        found = list(reader)
        assert len(found) == 2
        traced = found[0].request
        assert traced is not None
        assert not traced.recorded
        assert (traced.session_id, traced.turn_id) == (3, 0)
        # The token sampled last is not applied.
        assert traced.ran.position == 6

    def test_our_request_lines_are_its_lines(self) -> None:
        own = json.loads(lines()[-1])
        assert {name: type(own[name]) for name in MARCONI} == {
            name: type(value) for name, value in MARCONI.items()
        }
        assert own["num_input_tokens"] == len(own["input_tokens"])

    def test_our_request_lines_alone_can_be_read_without_our_fields(self, tmp_path: Path) -> None:
        own = json.loads(lines()[-1])
        path = saved(tmp_path, json.dumps({name: own[name] for name in MARCONI}))
        traced = read(path)[0].request
        assert traced is not None
        assert traced.ran.prompt.tolist() == [1, 2, 3]


class TestCrash:
    @pytest.mark.parametrize("left", [1, 20, 60])
    def test_a_last_line_that_stops_in_the_middle_is_left_out(
        self, tmp_path: Path, left: int
    ) -> None:
        whole = lines()
        reader = TraceReader(saved(tmp_path, "".join(whole[:-1]) + whole[-1][:left]))
        assert len(list(reader)) == len(CHANGES)
        assert reader.truncated

    def test_a_compressed_file_that_stops_in_the_middle(self, tmp_path: Path) -> None:
        rng = np.random.default_rng(0)
        many = [request(rng.integers(0, 2**31, 400).tolist()) for _ in range(50)]
        text = header_line(HEADER) + "".join(
            entry_line(Entry(n, 1.0, "device", ran), 0.0, TracedRequest(0, n, ran, True))
            for n, ran in enumerate(many)
        )
        packed = gzip.compress(text.encode())
        reader = TraceReader(saved(tmp_path, packed[: len(packed) // 2], "trace.jsonl.gz"))
        assert 5 < len(list(reader)) < 50
        assert reader.truncated


DAMAGES = {
    "no json": "{]\n",
    "no object": "[1, 2]\n",
    "a number": "17\n",
    "binary": "\x00\x01\x02\n",
    "a deep nest": "[" * 100_000 + "\n",
    "a huge number": '{"event":"CheckpointSkipped","seq":1,"ts":1,"tier":"","position":1e999}\n',
    "not a number": '{"event":"CheckpointSkipped","seq":1,"ts":NaN,"tier":"device","position":1}\n',
    "another event": '{"event":"Nonsense","seq":1,"ts":1,"tier":"device"}\n',
    "a missing field": '{"event":"CheckpointSkipped","seq":1,"ts":1,"tier":"device"}\n',
    "a negative number": '{"event":"CheckpointSkipped","seq":1,"ts":1,"tier":"","position":-1}\n',
    "true for a number": '{"event":"CheckpointSkipped","seq":1,"ts":1,"tier":"","position":true}\n',
    "a second header": header_line(HEADER),
    "no tokens": json.dumps(MARCONI | {"input_tokens": [], "num_input_tokens": 0}) + "\n",
    "a wrong length": json.dumps(MARCONI | {"num_input_tokens": 5}) + "\n",
    "a token too large": json.dumps(MARCONI | {"input_tokens": [1, 2, 3, 2**31]}) + "\n",
    "text for tokens": json.dumps(MARCONI | {"input_tokens": "four"}) + "\n",
    "nested tokens": json.dumps(MARCONI | {"input_tokens": [1, 2, 3, [4]]}) + "\n",
}


class TestDamage:
    @pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
    def test_a_damaged_line_is_named(self, tmp_path: Path, damage: str) -> None:
        whole = lines()
        path = saved(tmp_path, "".join([*whole[:3], damage, *whole[3:]]))
        with pytest.raises(TraceError, match=r"^trace\.jsonl, line 4: [^\n]+\.$"):
            read(path)

    @pytest.mark.parametrize(
        ("change", "named"),
        [
            ({"format": "other"}, "format"),
            ({"version": 4}, "version"),
            ({"settings": {}}, "policy"),
            ({"hashed": "yes"}, "hashed"),
            ({"settings": asdict(SETTINGS) | {"kv_slots": 2**50}}, "kv_slots"),
            ({"settings": asdict(SETTINGS) | {"state_slot_bytes": 0}}, "state_slot_bytes"),
        ],
    )
    def test_a_header_that_is_not_ours_is_named(
        self, tmp_path: Path, change: dict[str, object], named: str
    ) -> None:
        raw = json.loads(header_line(HEADER)) | change
        with pytest.raises(TraceError, match=rf"line 1: .*{named}"):
            TraceReader(saved(tmp_path, json.dumps(raw) + "\n"))

    def test_an_empty_file_and_no_file(self, tmp_path: Path) -> None:
        with pytest.raises(TraceError, match="empty"):
            TraceReader(saved(tmp_path, ""))
        with pytest.raises(TraceError, match="cannot be read"):
            TraceReader(tmp_path / "nothing.jsonl")

    def test_a_file_that_is_not_compressed_but_says_so(self, tmp_path: Path) -> None:
        with pytest.raises(TraceError, match="cannot be unpacked"):
            TraceReader(saved(tmp_path, "plain text", "trace.gz"))

    def test_a_line_without_end_is_refused_before_it_fills_the_memory(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(reading, "LONGEST_LINE", 1000)
        packed = gzip.compress(b"a" * 10_000_000)
        with pytest.raises(TraceError, match="too long"):
            TraceReader(saved(tmp_path, packed, "trace.gz"))

    def test_more_applied_than_there_is_and_parts_that_do_not_sum(self, tmp_path: Path) -> None:
        good = request([1, 2, 3], [4])
        for bad in (replace(good, position=5), replace(good, reused=1)):
            line = entry_line(Entry(1, 0.0, "device", bad), 0.0, TracedRequest(0, 0, bad, True))
            with pytest.raises(TraceError, match="line 2"):
                read(saved(tmp_path, header_line(HEADER) + line))


def test_a_thousand_damaged_files_raise_nothing_but_a_sentence(tmp_path: Path) -> None:
    rng = np.random.default_rng(11)
    whole = "".join(lines()).encode()
    refused = 0
    for _ in range(1000):
        raw = bytearray(whole)
        for _ in range(int(rng.integers(1, 4))):
            at = int(rng.integers(len(raw)))
            if rng.random() < 0.5:
                raw[at] = int(rng.integers(256))
            else:
                del raw[at : at + int(rng.integers(1, 30))]
        sentence = sentence_of(saved(tmp_path, bytes(raw)))
        refused += bool(sentence)
        assert sentence is None or sentence.startswith("trace.jsonl")
    print(f"{refused} of 1000 refused")
    assert refused > 500


def sentence_of(path: Path) -> str | None:
    """Why the file is refused; None where it is not."""
    try:
        read(path)
    except TraceError as error:
        return str(error)
    return None
