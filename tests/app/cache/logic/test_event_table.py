"""The event log's lines: what they say, their order, their filter, their sums, and 10,000."""

from __future__ import annotations

import random
import time
from dataclasses import replace
from typing import Any

import pytest
from msgspec import structs

from app.cache.logic.event_rows import LOG, kind_of, row_of
from app.cache.logic.event_table import place_of
from app.core.session.event_log import MOST_EVICTIONS, EventLog, LoggedEviction, LoggedNotice
from app.ui.filter import Query, parse
from app.ui.table_rows import RowRange, TableFilter, TableRow, TableRows, rows_text
from engine.snapshot import CheckpointView, Evicted, NodeView
from engine.stored_state import StoredState
from tests.app.samples import evicted, node, snapshot
from tests.present import present
from tests.stopwatch import Stopwatch

CAUSES = ("kv pressure", "state pressure", "tombstone chain", "disk budget")


def logged(number: int = 1, clock: float = 0.0, **gone: Any) -> LoggedEviction:
    return LoggedEviction(clock, number, 0, evicted(number, **gone))


def cells(row: TableRow) -> dict[str, str]:
    return dict(zip(LOG.titles, row.cells, strict=True))


def asked(text: str) -> Query:
    return parse(text, LOG.fields)


def held(table: TableRows) -> list[int]:
    return [table.row(line).number for line in range(len(table))]


class Screen:
    """Follows a table by what it announces, as a view does."""

    def __init__(self, table: TableRows) -> None:
        self.table = table
        self.lines = held(table)
        self._inserted: RowRange | None = None

    def add(self, *rows: TableRow) -> None:
        self.table.add(rows, self._begin_insert, self._end_insert)

    def drop(self, oldest: tuple[int, int]) -> None:
        self.table.drop(oldest, self._remove, lambda: None)

    def _begin_insert(self, change: RowRange) -> None:
        self._inserted = change

    def _end_insert(self) -> None:
        change = present(self._inserted)
        last = change.first + change.count
        self.lines[change.first : change.first] = held(self.table)[change.first : last]

    def _remove(self, change: RowRange) -> None:
        del self.lines[change.first : change.first + change.count]


class TestRows:
    def test_a_line_says_what_went_from_where_to_where(self) -> None:
        at = time.mktime((2026, 11, 21, 16, 5, 12, 0, 0, -1))
        known = replace(logged(clock=at, copy="host"), text="Hello  there", age_s=75.0)
        assert cells(row_of(known)) == {
            "Time": "16:05:12",
            "Event": "kv pressure",
            "Plane": "KV + state",
            "Node": "3",
            "Left": "device",
            "Copy": "host",
            "Tokens": "500 to 620",
            "Bytes": "2.15 KiB",
            "Age": "1 min",
            "Text": "“Hello there”",
        }

    def test_what_is_not_known_is_left_empty(self) -> None:
        shown = cells(row_of(logged(tier="disk", node=0)))
        assert (shown["Text"], shown["Age"], shown["Node"]) == ("", "", "")

    def test_a_state_is_at_a_position(self) -> None:
        shown = cells(row_of(logged(plane="state", kv_bytes=0)))
        assert (shown["Tokens"], shown["Plane"], shown["Bytes"]) == ("620", "state", "0.98 KiB")

    def test_a_notice_has_its_sentence_for_a_text(self) -> None:
        shown = cells(row_of(LoggedNotice(0.0, 1, "The disk is full.")))
        assert (shown["Event"], shown["Text"]) == ("notice", "The disk is full.")
        assert not any(shown[name] for name in LOG.titles[2:-1])

    @pytest.mark.parametrize(
        ("gone", "kind", "copy"),
        [
            ({}, "lost", "lost"),
            ({"node_now": 7}, "lost", "KV only"),
            ({"copy": "disk"}, "moved", "disk"),
            ({"tier": "host", "copy": "device"}, "kept", "device"),
            ({"cause": "superseded", "plane": "state"}, "kept", "replaced"),
        ],
    )
    def test_what_became_of_it(self, gone: dict[str, Any], kind: str, copy: str) -> None:
        assert kind_of(evicted(**gone)) == kind
        assert cells(row_of(logged(**gone)))["Copy"] == copy

    def test_keys_and_values_that_another_node_has_are_not_called_lost(self) -> None:
        assert row_of(logged()).sentence.endswith("; no copy is left.")
        assert row_of(logged(node_now=7)).sentence.endswith(
            "; the state is lost, but its keys and values are still in the tree."
        )

    def test_the_sentence_says_when_it_was_last_used(self) -> None:
        known = replace(logged(), unused_s=12.0)
        assert row_of(known).sentence.endswith("It had last been used 12 s before.")
        assert "last been used" not in row_of(logged()).sentence

    def test_lines_are_copied_with_their_headings(self) -> None:
        text = rows_text([row_of(logged()), row_of(LoggedNotice(0.0, 2, "One\ttwo"))], LOG)
        lines = [line.split("\t") for line in text.splitlines()]
        assert lines[0] == list(LOG.titles)
        assert [len(line) for line in lines] == [len(LOG.columns)] * 3
        assert lines[2][-1] == "One two"

    def test_every_column_has_a_heading_and_a_hint(self) -> None:
        assert all(column.title and column.hint for column in LOG.columns)


class TestFilter:
    ROWS = (
        row_of(LoggedNotice(0.0, 1, "The disk is full.")),
        row_of(replace(logged(2), text="Good morning")),
        row_of(logged(3, cause="state pressure", copy="host", plane="state")),
        row_of(logged(4, cause="state pressure", node=912)),
    )

    @pytest.mark.parametrize(
        ("wanted", "numbers"),
        [
            (TableFilter(), [1, 2, 3, 4]),
            (TableFilter(asked("morning GOOD")), [2]),
            (TableFilter(asked("disk full")), [1]),
            (TableFilter(kinds=frozenset({"lost"})), [2, 4]),
            (TableFilter(kinds=frozenset({"notice", "moved"})), [1, 3]),
            (TableFilter(causes=frozenset({"state pressure"})), [3, 4]),
            (TableFilter(asked("host"), frozenset({"lost"})), []),
            (TableFilter(asked("node:912")), [4]),
            (TableFilter(asked("node:91")), []),
        ],
    )
    def test_words_kinds_and_causes_narrow(self, wanted: TableFilter, numbers: list[int]) -> None:
        table = TableRows()
        table.descending = False
        table.narrow(wanted)
        Screen(table).add(*self.ROWS)
        assert sorted(held(table)) == numbers
        table.narrow(TableFilter())
        assert len(table) == 4
        table.narrow(wanted)
        assert sorted(held(table)) == numbers

    def test_sums_are_of_all_lines(self) -> None:
        table = TableRows()
        table.narrow(TableFilter(asked("nothing has this")))
        screen = Screen(table)
        screen.add(*self.ROWS)
        assert {name: one.count for name, one in table.kinds.items()} == {
            "notice": 1,
            "lost": 2,
            "moved": 1,
        }
        assert table.causes["state pressure"].count == 2
        assert table.causes["state pressure"].freed == 2 * 2200
        screen.drop((2, 4))
        assert (table.total, table.causes["state pressure"].freed) == (1, 2200)
        assert table.kinds["notice"].count == 0


class TestOrder:
    @pytest.mark.parametrize("seed", range(6))
    def test_what_is_announced_is_what_is_there(self, seed: int) -> None:
        """In any order and under any filter, and as the old ones go."""
        rng = random.Random(seed)
        table = TableRows()
        number = 0
        for _ in range(30):
            table.arrange(rng.randrange(len(LOG.columns)), rng.random() < 0.5)
            table.narrow(
                TableFilter(causes=frozenset(rng.sample(CAUSES, 2)))
                if rng.random() < 0.5
                else TableFilter()
            )
            screen = Screen(table)
            for _ in range(3):
                fresh = []
                for _ in range(rng.randrange(8)):
                    number += 1
                    clock = float(number + rng.randrange(4))
                    told = logged(
                        number, clock, cause=rng.choice(CAUSES), end=rng.randrange(501, 510)
                    )
                    fresh.append(
                        row_of(told if rng.random() < 0.9 else LoggedNotice(clock, number, "x"))
                    )
                screen.add(*fresh)
                screen.drop((max(0, number - 20), max(0, number - 25)))
                assert screen.lines == held(table)
            shown = [table.row(line) for line in range(len(table))]
            keys = [(row.key(table.column), row.number) for row in shown]
            assert keys == sorted(keys, reverse=table.descending)
            assert [table.line_of(row) for row in shown] == list(range(len(shown)))

    def test_the_newest_is_first(self) -> None:
        table = TableRows()
        Screen(table).add(row_of(logged(1, 5.0)), row_of(logged(2, 7.0)), row_of(logged(3, 6.0)))
        assert held(table) == [2, 3, 1]

    def test_ten_thousand_are_quick(self) -> None:
        log = EventLog()
        gone = tuple(evicted(n, cause=CAUSES[n % 4], end=501 + n) for n in range(MOST_EVICTIONS))
        log.add_evictions(structs.replace(snapshot(), evictions=gone), 1000.0)
        watch = Stopwatch()
        table = TableRows()
        rows = [row_of(entry) for entry in log.since(0)]
        Screen(table).add(*rows)
        made, watch = watch.spent_s(), Stopwatch()
        table.narrow(TableFilter(asked("kv 77")))
        table.narrow(TableFilter())
        table.arrange(LOG.titles.index("Bytes"), descending=True)
        sorted_in = watch.spent_s()
        watch = Stopwatch()
        log.add_evictions(structs.replace(snapshot(), evictions=gone[:100]), 2000.0)
        table.drop(log.oldest, lambda _: None, lambda: None)
        Screen(table).add(*[row_of(entry) for entry in log.since(MOST_EVICTIONS)])
        tick = watch.spent_s()
        print(f"made {made:.3f} s, filtered and sorted {sorted_in:.3f} s, tick {tick:.3f} s")
        assert len(table) == MOST_EVICTIONS
        # Several times what it takes.
        assert made < 3
        assert max(sorted_in, tick) < 1


class TestPlace:
    TREE = snapshot(
        node(1, 0, 0, 500, "prefill"),
        node(2, 1, 500, 900),
        structs.replace(node(5, 1, 500, 700), tier="disk"),
    )

    def told(self, *gone: Evicted) -> tuple[LoggedEviction, EventLog]:
        log = EventLog()
        log.add_evictions(structs.replace(snapshot(), evictions=gone), 0.0)
        first = log.since(0)[0]
        assert isinstance(first, LoggedEviction)
        return first, log

    @pytest.mark.parametrize(
        ("now", "end", "chosen", "words"),
        [
            (2, 900, 2, "Node 2 is selected, which is a tombstone now."),
            (1, 500, 1, "Node 1 is selected."),
            (5, 700, 5, "Its node is selected, which is on disk now."),
            # It was split: the number went to the lower part.
            (2, 480, 1, "Its tokens are a part of node 1 now, which is selected."),
            (5, 600, 5, "Its tokens are a part of a node on disk now, which is selected."),
        ],
    )
    def test_the_node_that_has_its_place(self, now: int, end: int, chosen: int, words: str) -> None:
        one, log = self.told(evicted(node_now=now, start=0, end=end))
        place = place_of(one, log, self.TREE)
        assert (place.node, place.sentence) == (chosen, words)

    def test_the_nearest_above_if_it_is_gone(self) -> None:
        place = place_of(*self.told(evicted(above=1)), self.TREE)
        assert place.node == 1
        assert place.sentence.endswith("The nearest node above it is selected, up to token 500.")

    def test_what_was_above_may_have_gone_later(self) -> None:
        after = (evicted(2, above=8, node_before=9), evicted(3, above=1, node_before=8))
        assert place_of(*self.told(evicted(above=9), *after), self.TREE).node == 1

    def test_nothing_is_left(self) -> None:
        place = place_of(*self.told(evicted(above=0)), self.TREE)
        assert place.node is None
        assert "neither is any node above it" in place.sentence

    def test_a_number_of_another_model_selects_nothing(self) -> None:
        one, log = self.told(evicted(node_now=1, start=0, end=500))
        log.models += 1
        assert place_of(one, log, self.TREE).node is None
        assert place_of(one, log, None).node is None


class TestKnown:
    """What an eviction is told with is what its node was last shown with."""

    NODE = structs.replace(node(3, 1, 500, 620, "decode", text="Hello"), created=2.0, last_used=6.0)

    def told(self, shown: NodeView, **gone: Any) -> LoggedEviction:
        log = EventLog()
        now = structs.replace(snapshot(time=10.0), evictions=(evicted(time=9.0, **gone),))
        log.add_evictions(now, 100.0, snapshot(shown))
        (one,) = log.since(0)
        assert isinstance(one, LoggedEviction)
        return one

    def test_text_and_age(self) -> None:
        one = self.told(self.NODE)
        assert (one.text, one.age_s, one.unused_s) == ("Hello", 7.0, 3.0)

    def test_the_text_of_another_span_is_not_its_own(self) -> None:
        assert self.told(structs.replace(self.NODE, start=400)).text == ""
        assert self.told(structs.replace(self.NODE, end=700)) == self.told(
            structs.replace(self.NODE, id=4)
        )

    def test_a_state_has_an_age_of_its_own(self) -> None:
        state = CheckpointView(StoredState(620, "decode"), 1, 1000, 4.0, 8.0, 0)
        one = self.told(structs.replace(self.NODE, checkpoint=state), plane="state")
        assert (one.age_s, one.unused_s) == (5.0, 1.0)

    def test_another_tiers_times_are_not_its_own(self) -> None:
        assert self.told(structs.replace(self.NODE, tier="host"), plane="kv").age_s is None
        assert self.told(self.NODE, tier="disk").age_s is None

    def test_a_time_of_an_earlier_boot_is_no_age(self) -> None:
        assert self.told(structs.replace(self.NODE, created=50.0)).age_s is None
