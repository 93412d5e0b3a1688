"""Words for nodes and plans."""

from __future__ import annotations

from samples import node, snapshot

from app.cache.explain import evictions_text, live_text, node_facts, node_tooltip, tree_summary
from engine.snapshot import LiveView


class TestWords:
    def test_a_tombstone_is_called_one(self) -> None:
        facts = {fact.name: fact.value for fact in node_facts(node(3, 0, 10, 74), now=5.0)}
        assert facts["Checkpoint"] == "none here: a tombstone"
        assert facts["Tokens"] == "10 to 74"
        assert "tombstone" in node_tooltip(node(3, 0, 10, 74), 5.0)

    def test_the_tooltip_has_at_most_six_lines(self) -> None:
        text = node_tooltip(node(3, 0, 10, 74, "decode", lock=1, text="word\n" * 90), 5.0)
        assert len(text.splitlines()) <= 6

    def test_what_the_request_does(self) -> None:
        assert live_text(LiveView(1, 1, 120, 100, 50, 300)) == "replaying, at 120 of 150"
        assert live_text(LiveView(1, 1, 200, 100, 50, 300)) == "reading, at 200 of 300"
        assert live_text(LiveView(1, 1, 310, 100, 50, 300)) == "writing, at 310"

    def test_the_summary_counts(self) -> None:
        given = snapshot(node(1, 0, 0, 5, "prefill"), node(2, 1, 5, 9))
        assert tree_summary(given) == "2 nodes · 1 checkpoint · 2 evicted"
        assert evictions_text(given) == "kv full: 2"
