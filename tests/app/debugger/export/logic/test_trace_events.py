"""The timeline in the trace event format, and tables as CSV: complete, and valid."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import numpy as np
import pytest

from app.debugger.export.logic.tables import comparison_csv, evictions_csv, requests_csv
from app.debugger.export.logic.trace_events import trace_events
from app.debugger.logic.comparing import SHEET, compared
from engine.analysis.ledger import Ledger
from tests.app.debugger.timeline.conftest import golden, golden_series

TAPE, SERIES = golden("tiers"), golden_series("tiers")


@pytest.fixture(scope="module")
def whole() -> dict[str, Any]:
    made: dict[str, Any] = json.loads(trace_events(TAPE, SERIES, "Biplane: demo"))
    return made


def of_phase(whole: dict[str, Any], phase: str) -> list[dict[str, Any]]:
    return [event for event in whole["traceEvents"] if event["ph"] == phase]


class TestTraceEvents:
    def test_each_event_has_what_its_phase_needs(self, whole: dict[str, Any]) -> None:
        needed = {
            "M": {"name", "pid", "args"},
            "X": {"name", "cat", "ts", "dur", "pid", "tid", "args"},
            "i": {"name", "cat", "ts", "pid", "tid", "s", "args"},
            "C": {"name", "ts", "pid", "args"},
        }
        assert {event["ph"] for event in whole["traceEvents"]} == set(needed)
        for event in whole["traceEvents"]:
            assert needed[event["ph"]] <= set(event), event
            assert event.get("dur", 0) >= 0
            if event["ph"] != "M":
                assert isinstance(event["ts"], int)
                assert event["ts"] >= 0
        assert all(event["s"] == "t" for event in of_phase(whole, "i"))
        figures = [value for event in of_phase(whole, "C") for value in event["args"].values()]
        assert all(isinstance(value, int | float) for value in figures)

    def test_requests_in_microseconds_with_their_parts_inside(self, whole: dict[str, Any]) -> None:
        slices = of_phase(whole, "X")
        requests = [event for event in slices if event["cat"] == "request"]
        parts = [event for event in slices if event["cat"] == "part"]
        assert len(requests) == len(TAPE.requests)
        for event, taped in zip(requests, TAPE.requests, strict=True):
            assert event["ts"] == pytest.approx((taped.began - SERIES.start) * 1e6, abs=500)
            assert event["dur"] == pytest.approx(taped.ran.total_s * 1e6, abs=500)
            assert event["args"]["reused"] == taped.ran.reused
            mine = [one for one in parts if one["args"]["request"] == taped.number + 1]
            assert sum(one["dur"] for one in mine) == event["dur"]
            for one in mine:
                assert event["ts"] <= one["ts"]
                assert one["ts"] + one["dur"] <= event["ts"] + event["dur"]

    def test_every_eviction_with_its_bytes(self, whole: dict[str, Any]) -> None:
        gone = [event for event in of_phase(whole, "i") if event["cat"] == "eviction"]
        told = [one for one in TAPE.evictions if one.evicted.cause != "superseded"]
        assert [event["args"]["entry"] for event in gone] == [one.index for one in told]
        for event, one in zip(gone, told, strict=True):
            record = one.evicted
            assert event["args"]["cause"] == record.cause
            assert event["args"]["kv_bytes"] == record.kv_bytes
            assert event["args"]["state_bytes"] == record.state_bytes

    def test_each_conversation_has_a_track_of_its_requests(self, whole: dict[str, Any]) -> None:
        names = {
            event["tid"]: event["args"]["name"]
            for event in of_phase(whole, "M")
            if event["name"] == "thread_name"
        }
        requests = [event for event in of_phase(whole, "X") if event["cat"] == "request"]
        told = [f"Conversation {taped.session + 1}" for taped in TAPE.requests]
        assert [names[event["tid"]] for event in requests] == told
        assert len(set(told)) == 4
        parts = [event for event in of_phase(whole, "X") if event["cat"] == "part"]
        threads = {n: event["tid"] for n, event in enumerate(requests, 1)}
        assert all(one["tid"] == threads[one["args"]["request"]] for one in parts)

    def test_an_arrow_leads_from_an_eviction_to_the_request_that_missed_it(self) -> None:
        tape, series = golden("small"), golden_series("small")
        ledger = Ledger(tape)
        ledger.follow()
        whole = json.loads(trace_events(tape, series, "Biplane: small"))
        starts, ends = of_phase(whole, "s"), of_phase(whole, "f")
        slices = of_phase(whole, "X")
        evictions = {event["ts"]: event for event in of_phase(whole, "i")}
        assert len(starts) == len(ends) == len(ledger.needs) > 5
        assert [one["id"] for one in starts] == [one["id"] for one in ends]
        assert all(set(one) == {"ph", "name", "cat", "id", "ts", "pid", "tid"} for one in starts)
        assert all(one["bp"] == "e" for one in ends)
        for start, end, need in zip(starts, ends, ledger.needs.values(), strict=True):
            assert start["ts"] < end["ts"]
            assert evictions[start["ts"]]["cat"] == "eviction"
            # A viewer attaches an arrow to the complete events around it.
            (around,) = {
                one["name"]
                for one in slices
                if one["tid"] == start["tid"] and one["ts"] <= start["ts"] < one["ts"] + one["dur"]
            }
            assert around == f"Missed by request {need.request + 1}"
            under = [
                one["name"]
                for one in slices
                if one["tid"] == end["tid"] and one["ts"] <= end["ts"] < one["ts"] + one["dur"]
            ]
            assert f"Request {need.request + 1}" in under

    def test_bytes_end_where_the_snapshot_does(self, whole: dict[str, Any]) -> None:
        last = [event for event in of_phase(whole, "C") if event["name"] == "device bytes"][-1]
        snapshot = TAPE.snapshot(len(TAPE))
        assert last["args"]["kv_cached"] == snapshot.kv.cached * snapshot.kv.slot_bytes
        assert last["args"]["state_cached"] == snapshot.state.cached * snapshot.state.slot_bytes

    def test_speed_times_time_is_tokens(self, whole: dict[str, Any]) -> None:
        points = [event for event in of_phase(whole, "C") if event["name"] == "tokens per second"]
        times = np.diff([point["ts"] for point in points]) / 1e6
        decode = np.array([point["args"]["decode"] for point in points[:-1]])
        assert (times * decode).sum() == pytest.approx(SERIES.requests.tokens[:, 3].sum(), rel=0.01)

    def test_no_text_is_in_it(self, whole: dict[str, Any]) -> None:
        text = json.dumps(whole)
        assert "friendly" not in text
        assert "cat Tom" not in text
        assert whole["otherData"]["policy"] == "coverage"


class TestTables:
    def read(self, text: str) -> list[dict[str, str]]:
        return list(csv.DictReader(io.StringIO(text)))

    def test_requests(self) -> None:
        rows = self.read(requests_csv(TAPE))
        assert [int(row["reused"]) for row in rows] == [one.ran.reused for one in TAPE.requests]
        assert [int(row["prompt_tokens"]) for row in rows] == [
            len(one.ran.prompt) for one in TAPE.requests
        ]
        assert rows[0]["began_s"] == "0.000000"
        spent = [float(row["replay_ms"]) + float(row["prefill_ms"]) for row in rows]
        assert spent == pytest.approx([one.ran.prefill_ms for one in TAPE.requests], abs=0.01)

    def test_evictions(self) -> None:
        rows = self.read(evictions_csv(TAPE))
        assert len(rows) == len(TAPE.evictions)
        for row, one in zip(rows, TAPE.evictions, strict=True):
            assert (row["cause"], row["tier"]) == (one.evicted.cause, one.evicted.tier)
            assert int(row["state_bytes"]) == one.evicted.state_bytes

    def test_comparison(self) -> None:
        both = compared(golden("small").requests, golden("roomy").requests)
        rows = self.read(comparison_csv(both))
        assert tuple(rows[0]) == SHEET.titles
        for row, one in zip(rows, both, strict=True):
            assert float(row["Reused B − A"]) == float(row["Reused B"]) - float(row["Reused A"])
            assert int(float(row["Request"])) == one.number + 1
