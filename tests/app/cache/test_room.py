"""What stands where there is little height."""

from __future__ import annotations

import pytest

from app.cache.teaching import standing


@pytest.mark.parametrize(
    ("height", "count"), [(100, 0), (149, 0), (150, 1), (169, 1), (170, 2), (199, 2), (200, 3)]
)
def test_parts_stand_in_order_of_importance(height: int, count: int) -> None:
    assert standing(height, 100, (50, 20, 30)) == count


def test_a_small_part_does_not_jump_the_queue() -> None:
    assert standing(110, 100, (50, 5)) == 0
