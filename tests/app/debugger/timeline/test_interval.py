"""The figures of an interval and of two markers, against a slow count; and where steps lead."""

from __future__ import annotations

import numpy as np
import pytest

from app.debugger.timeline.logic.cards import (
    events_card,
    marker_lines,
    request_card,
    stat_lines,
    stats_of,
)
from app.debugger.timeline.logic.pixels import counts, highest, mean_tokens, rates, shares
from app.debugger.timeline.logic.scene import (
    clusters,
    next_entry,
    next_eviction,
    next_request,
    played,
)
from app.debugger.timeline.logic.viewport import stack_of
from tests.app.debugger.timeline.conftest import golden, golden_series

SMALL, TAPE = golden_series("small"), golden("small")


class TestInterval:
    @pytest.mark.parametrize(("low", "high"), [(0.0, 1.0), (0.2, 0.55), (0.41, 0.42)])
    def test_it_counts_what_a_slow_count_counts(self, low: float, high: float) -> None:
        length = SMALL.end - SMALL.start
        start, end = SMALL.start + low * length, SMALL.start + high * length
        stats = stats_of(SMALL, start, end)
        ended = [taped.ran for taped in TAPE.requests if start <= taped.ended <= end]
        assert stats.requests == len(ended)
        assert stats.reused == sum(ran.reused for ran in ended)
        assert stats.computed == sum(ran.computed for ran in ended)
        gone = [one for one in TAPE.evictions if start <= one.evicted.time <= end]
        gone = [one for one in gone if one.evicted.cause != "superseded"]
        assert stats.evicted == (
            len(gone),
            sum(one.evicted.kv_bytes + one.evicted.state_bytes for one in gone),
        )

    def test_a_request_that_ends_later_is_not_in_it(self) -> None:
        requests = SMALL.requests
        middle = float(requests.began[6] + requests.ended[6]) / 2
        stats = stats_of(SMALL, float(requests.began[4]), middle)
        assert stats.requests == 2
        assert stats.reused == int(requests.tokens[4:6, 0].sum())

    def test_the_peak_is_the_highest_snapshot(self) -> None:
        stats = stats_of(SMALL, SMALL.start, SMALL.end)
        most = 0
        for moment in range(1, len(TAPE) + 1):
            if moment % 5 == 0:
                seen = TAPE.snapshot(moment)
                kv, state = seen.kv, seen.state
                used = (kv.cached + kv.live) * kv.slot_bytes
                most = max(most, used + (state.cached + state.live) * state.slot_bytes)
        assert stats.peak["device"] >= most > 0
        assert stats.peak["device"] <= 5 << 20

    def test_rates_are_tokens_over_the_time_they_took(self) -> None:
        stats = stats_of(SMALL, SMALL.start, SMALL.end)
        decode = sum(float(edges[5] - edges[4]) for edges in SMALL.requests.edges)
        assert stats.decode_rate == pytest.approx(stats.decoded / decode, rel=1e-3)
        idle = float(SMALL.requests.ended[2]) + 0.2
        assert stats_of(SMALL, idle, idle + 0.5).decode_rate is None

    def test_its_lines_name_causes(self) -> None:
        lines = dict(stat_lines(stats_of(SMALL, SMALL.start, SMALL.end)))
        assert "  KV evicted: tombstone chain" in lines
        assert lines["Requests ended"] == "14"

    def test_markers_say_what_changed_and_in_which_direction(self) -> None:
        held = SMALL.levels["device"]
        early, late = SMALL.start + 0.05, SMALL.end
        lines = dict(marker_lines(SMALL, early, late))
        assert held.bytes_at(late) > held.bytes_at(early)
        assert lines["Bytes, device"].startswith("+")
        assert dict(marker_lines(SMALL, late, early))["Bytes, device"].startswith("−")


class TestPixels:
    EDGES = np.linspace(SMALL.start, SMALL.end + 1e-9, 401)

    def test_no_event_is_lost_and_none_counted_twice(self) -> None:
        for row, numbers in enumerate(SMALL.events.of_row):
            found = counts(SMALL.events, row, self.EDGES)
            assert found.sum() == len(numbers)
            assert clusters(found).count.sum() == len(numbers)

    def test_clusters_join_only_neighbours(self) -> None:
        made = clusters(np.array([1, 0, 0, 2, 0, 0, 0, 0, 0, 5]))
        assert made.left.tolist() == [0, 9]
        assert made.right.tolist() == [4, 10]
        assert made.count.tolist() == [3, 5]
        assert made.at(6.4) == 0
        assert made.at(60.0) is None

    def test_the_highest_level_of_each_pixel(self) -> None:
        levels = SMALL.levels["device"]
        found = highest(levels, self.EDGES, SMALL.end)
        for pixel in range(0, 400, 23):
            low, high = self.EDGES[pixel], self.EDGES[pixel + 1]
            inside = levels.stack[(levels.time > low) & (levels.time <= high)]
            before = levels.stack[max(levels.at(low), 0)]
            expected = np.vstack((before, inside)).max(axis=0)
            assert found[pixel].tolist() == expected.tolist()

    def test_shares_of_all_pixels_are_all_of_the_time(self) -> None:
        found = shares(SMALL.requests, self.EDGES)
        width = self.EDGES[1] - self.EDGES[0]
        spent = np.diff(SMALL.requests.edges, axis=1).sum(axis=0)
        # The first lookup began before the first entry.
        assert found.sum(axis=0) * width == pytest.approx(spent, abs=0.02)
        assert found.max() <= 1 + 1e-9

    def test_means_and_rates(self) -> None:
        many, means = mean_tokens(SMALL.requests, np.array([SMALL.start, SMALL.end + 1]))
        assert many.tolist() == [14]
        assert means[0].tolist() == pytest.approx(SMALL.requests.tokens.mean(axis=0).tolist())
        found = rates(SMALL.speed, np.array([SMALL.start, SMALL.end]))
        stats = stats_of(SMALL, SMALL.start, SMALL.end)
        assert found[0].tolist() == pytest.approx([stats.prefill_rate, stats.decode_rate])


class TestSteps:
    def test_by_entry_within_the_tape(self) -> None:
        assert next_entry(SMALL, 0, -1) == 0
        assert next_entry(SMALL, 5, 1) == 6
        assert next_entry(SMALL, len(TAPE), 1) == len(TAPE)

    def test_by_request_there_and_back(self) -> None:
        moment, seen = 0, []
        for _ in range(14):
            moment = next_request(SMALL, moment, 1)
            seen.append(moment)
        assert seen == [taped.index + 1 for taped in TAPE.requests]
        assert next_request(SMALL, seen[3], -1) == seen[2]
        assert next_request(SMALL, seen[0], -1) == 0

    def test_to_the_moment_right_after_an_eviction(self) -> None:
        first = TAPE.evictions[0].index + 1
        assert next_eviction(SMALL, 0, 1) == first
        assert next_eviction(SMALL, first, -1) is None
        before = TAPE.snapshot(first - 1)
        after = TAPE.snapshot(first)
        assert dict(after.evicted) != dict(before.evicted)

    def test_playing_jumps_pauses(self) -> None:
        stack = stack_of(SMALL)
        slow = played(stack, SMALL.start, 1.0, 1.0)
        assert slow == pytest.approx(SMALL.start + 1.0)
        assert played(stack, SMALL.start, 1.0, 0.0) > played(stack, SMALL.start, 1.0, 4.0)


class TestCards:
    def test_of_a_request(self) -> None:
        card = request_card(stack_of(SMALL, title=lambda n: f"Chat {n}"), 4)
        ran = TAPE.requests[4].ran
        assert (
            f"{ran.reused:,} reused, {ran.replayed:,} replayed, {ran.computed:,} new" in card.text
        )
        assert card.heading.startswith("Request 5 · Chat ")

    def test_of_one_event_and_of_many(self) -> None:
        stack = stack_of(SMALL)
        gone = next(n for n, row in enumerate(SMALL.events.rows) if row.evicts)
        numbers = SMALL.events.of_row[gone]
        assert "No copy was kept." in events_card(stack, numbers[:1]).text
        many = events_card(stack, numbers)
        assert many.heading == f"{len(numbers)} events"
        assert SMALL.events.rows[gone].name in many.text
