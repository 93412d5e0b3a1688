"""The match ruler."""

from __future__ import annotations

from app.cache.match_view import checkpoint_position, stretches
from app.core.words.explain import why
from tests.app.cache.remote_desk import remote_plan
from tests.app.samples import plan


class TestStretches:
    def test_they_touch_and_cover_the_prompt(self) -> None:
        made = stretches(plan(12_288, 128, 57))
        assert [(s.start, s.end) for s in made] == [(0, 12_288), (12_288, 12_416), (12_416, 12_473)]
        assert [s.label for s in made] == ["reused", "replayed", "new"]

    def test_the_diamond_stands_where_the_run_resumed(self) -> None:
        assert checkpoint_position(plan(100, 5, 5)) == 100
        assert checkpoint_position(plan(0, 5, 5)) is None


class TestWhy:
    def test_the_engines_sentence_wins(self) -> None:
        assert (
            why(plan(1, 1, 1, detail="The checkpoint was evicted."))
            == "The checkpoint was evicted."
        )
        assert why(plan(1, 1, 1, detail="")) == "New tokens."


class TestElsewhere:
    def test_what_is_not_reported_is_one_stretch(self) -> None:
        (only,) = stretches(remote_plan(100, None))
        assert (only.kind, only.start, only.end) == ("unknown", 0, 100)

    def test_what_is_reported_covers_the_prompt(self) -> None:
        made = stretches(remote_plan(100, 60))
        assert [(s.kind, s.tokens) for s in made] == [
            ("reused", 60),
            ("replayed", 0),
            ("computed", 40),
        ]
