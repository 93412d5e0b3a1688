"""The small plots over time: their figures are whole."""

from __future__ import annotations

import pytest

from app import theme
from app.cache.timeline import Timeline
from tests.app.conftest import Desk


@pytest.mark.parametrize("speed", [12.0, 59.0, 91.0, 180.0, 187.0, 460.0])
def test_no_figure_is_cut_at_an_edge(desk: Desk, speed: float) -> None:
    desk.say("word " * 20)
    snapshot = desk.session.snapshot
    assert snapshot is not None
    made = Timeline(desk.window)
    made.resize(400, 100)
    made.show_snapshot(snapshot, speed)
    made.show()
    made.draw()
    picture = made._rate.grab().toImage()
    ground = theme.current().colour("panel")
    width = round(made._rate.getAxis("left").width()) - 4
    for row in (0, picture.height() - 1):
        assert {picture.pixelColor(x, row).name() for x in range(width)} == {ground.name()}
    # There are figures at all.
    assert any(
        picture.pixelColor(x, y) != ground for x in range(width) for y in range(picture.height())
    )
