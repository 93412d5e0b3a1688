"""The lines of counters: what is known is drawn where it was, and what is not is a gap."""

from __future__ import annotations

import pytest

from app.cache.logic.counter_lines import line_of, value_text
from app.core.session.counters import GAP_S, SPAN_S, Point
from engine.net.counters.known import Unit

NOW = 1000.0


def points(*pairs: tuple[float, float | None]) -> list[Point]:
    """Of seconds before now."""
    return [Point(NOW - ago, value) for ago, value in pairs]


class TestLine:
    def test_without_a_look_nothing_is_known(self) -> None:
        line = line_of([], NOW, "tokens")
        assert (line.runs, line.gaps) == ((), ((0.0, 1.0),))

    def test_before_the_first_look_nothing_is_known(self) -> None:
        line = line_of(points((4, 5), (2, 10), (0, 0)), NOW, "tokens")
        ((first, end),) = line.gaps
        assert first == 0
        assert end == pytest.approx(1 - 4 / SPAN_S)
        (run,) = line.runs
        assert [y for _, y in run] == [0.5, 1.0, 0.0]
        assert run[-1][0] == 1.0
        assert line.top == 10

    def test_a_server_that_was_away(self) -> None:
        line = line_of(points((60, 1), (58, 1), (20, 1), (18, 1), (0, 1)), NOW, "requests")
        assert len(line.runs) == 3
        assert len(line.gaps) == 3

    def test_nothing_to_say_is_no_gap(self) -> None:
        """A share of nothing: the server was there, but nobody asked it anything."""
        line = line_of(points((6, 0.5), (4, None), (2, 0.75), (0, 0.75)), NOW, "parts")
        assert [len(run) for run in line.runs] == [1, 2]
        assert len(line.gaps) == 1

    def test_shares_have_the_whole_for_their_top(self) -> None:
        assert line_of(points((2, 0.01), (0, 0.02)), NOW, "parts").top == 1.0

    def test_what_is_long_ago_is_not_drawn(self) -> None:
        line = line_of(points((SPAN_S + GAP_S + 1, 5)), NOW, "tokens")
        assert (line.runs, line.gaps) == ((), ((0.0, 1.0),))

    @pytest.mark.parametrize(
        ("value", "top"), [(0, 1), (1, 1), (3, 5), (7, 10), (11, 20), (650, 1000)]
    )
    def test_tops_are_round(self, value: float, top: float) -> None:
        assert line_of(points((0, value)), NOW, "tokens").top == top

    def test_everything_lies_inside(self) -> None:
        line = line_of(
            points(*((float(ago), float(ago % 7)) for ago in range(140, -1, -2))), NOW, "tokens"
        )
        for run in line.runs:
            assert all(0 <= x <= 1 and 0 <= y <= 1 for x, y in run)


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (None, "tokens", "–"),
        (0.256, "parts", "26%"),
        (12345.0, "tokens", "12,345"),
        (2.5, "tokens", "2.5"),
        (40.0, "tokens/s", "40 tok/s"),
        (0.5, "times/s", "0.5 per second"),
        (3.0, "slots", "3"),
    ],
)
def test_values(value: float | None, unit: Unit, text: str) -> None:
    assert value_text(value, unit) == text
