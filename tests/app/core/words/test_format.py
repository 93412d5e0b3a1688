"""Numbers as people read them."""

from __future__ import annotations

import pytest

from app.core.words import format as fmt


class TestFormat:
    @pytest.mark.parametrize(
        ("value", "text"),
        [
            (0, "0 B"),
            (999, "999 B"),
            (1536, "1.50 KiB"),
            (19_529_728, "18.6 MiB"),
            (1_288_490_189, "1.20 GiB"),
            (1_073_741_823, "1.00 GiB"),
        ],
    )
    def test_bytes(self, value: int, text: str) -> None:
        assert fmt.byte_size(value) == text

    @pytest.mark.parametrize(
        ("value", "text"),
        [
            (0.183, "0.18 s"),
            (9.99, "10.0 s"),
            (12.34, "12.3 s"),
            (59.96, "1 min 0 s"),
            (75, "1 min 15 s"),
        ],
    )
    def test_seconds(self, value: float, text: str) -> None:
        assert fmt.seconds(value) == text

    def test_counts_and_rates(self) -> None:
        assert fmt.plural(1, "token") == "1 token"
        assert fmt.plural(1200, "token") == "1,200 tokens"
        assert fmt.rate(9.96) == "10 tok/s"
        assert fmt.age(190) == "3 min ago"

    @pytest.mark.parametrize(
        ("text", "short"),
        [
            ("1.20 GiB of 3.40 GiB", "1.20 of 3.40 GiB"),
            ("0 B of 3.40 GiB", "0 B of 3.40 GiB"),
            ("3.40 GiB", "3.40 GiB"),
        ],
    )
    def test_a_unit_is_said_once_where_room_is_short(self, text: str, short: str) -> None:
        assert fmt.shared_unit(text) == short


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (840, "840"),
        (1000, "1.0k"),
        (12_416, "12.4k"),
        (99_949, "99.9k"),
        (250_000, "250k"),
    ],
)
def test_thousands(value: int, text: str) -> None:
    assert fmt.thousands(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.03, "less than 0.1 s"),
        (0.18, "about 0.2 s"),
        (9.9, "about 9.9 s"),
        (12.34, "about 12.3 s"),
        (75, "about 1 min 15 s"),
    ],
)
def test_about(value: float, text: str) -> None:
    assert fmt.about(value) == text


def test_time_on_a_tape() -> None:
    assert [fmt.clock(s) for s in (-1.0, 0.0, 62.34, 3723.0)] == [
        "0:00.0",
        "0:00.0",
        "1:02.3",
        "1:02:03",
    ]
