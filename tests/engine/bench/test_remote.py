"""Following a made-up fleet, measured."""

from __future__ import annotations

from engine.bench.remote import measure


class TestRemote:
    def test_a_small_fleet_is_followed(self) -> None:
        cost = measure(2, 2_000, 200, 0.3)
        assert cost.workers == 2
        assert cost.blocks > 2_000
        assert cost.nodes > 50
        assert cost.events > 0
        assert cost.busy > 0
