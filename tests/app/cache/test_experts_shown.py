"""The bar of routed experts: what it says, and that dense models have none."""

from __future__ import annotations

from msgspec.structs import replace
from pytestqt.qtbot import QtBot

from app.cache.logic.planes import (
    expert_detail,
    expert_parts,
    expert_text,
    hit_share,
    parts,
    total_bytes,
    widths,
)
from app.cache.planes_view import PlanesView
from app.core.session.model import Session
from app.ui import theme
from engine.snapshot import ExpertsView
from tests.app.conftest import Desk
from tests.app.samples import node, snapshot
from tests.present import present

GIB = 1 << 30
SOME = ExpertsView(
    total=10_240,
    resident=1_234,
    used_bytes=3 * GIB,
    budget_bytes=4 * GIB,
    hits=930,
    misses=70,
)
ALL = replace(SOME, resident=10_240, budget_bytes=3 * GIB, misses=0)


class TestParts:
    def test_they_fill_the_budget(self) -> None:
        used, left = expert_parts(SOME)
        assert (used.bytes, left.bytes) == (3 * GIB, GIB)
        assert "1,234 experts" in used.tooltip
        assert widths((used.bytes, left.bytes), 400) == (300, 100)

    def test_one_expert_larger_than_the_budget_leaves_nothing(self) -> None:
        one = replace(SOME, resident=1, used_bytes=5 * GIB)
        assert [part.bytes for part in expert_parts(one)] == [5 * GIB, 0]
        assert expert_text(one).bytes.endswith("5.00 GiB of 5.00 GiB")

    def test_the_sum_of_device_memory_does_not_count_them_twice(self) -> None:
        plain = snapshot(node(1, 0, 0, 100, "prefill"))
        mixed = replace(plain, experts=SOME)
        assert parts(mixed) == parts(plain)
        assert total_bytes(mixed) == total_bytes(plain)


class TestWords:
    def test_some_of_them(self) -> None:
        text = expert_text(SOME)
        assert (text.bytes, text.slots) == ("93% hits, 3.00 GiB of 4.00 GiB", "1,234 of 10,240")
        assert "1,000 expert lookups" in expert_detail(SOME)
        assert "(93.0%)" in expert_detail(SOME)

    def test_all_of_them_need_no_share(self) -> None:
        assert (expert_text(ALL).bytes, expert_text(ALL).slots) == ("3.00 GiB", "all 10,240")

    def test_before_any_token(self) -> None:
        fresh = replace(SOME, hits=0, misses=0)
        assert hit_share(fresh) is None
        assert expert_text(fresh).bytes == "3.00 GiB of 4.00 GiB"
        assert expert_detail(fresh) == "No tokens routed yet."


class TestView:
    def test_it_shows_only_for_mixtures(self, qtbot: QtBot) -> None:
        view = PlanesView()
        qtbot.addWidget(view)
        dense = snapshot(node(1, 0, 0, 100, "prefill"))
        for given, shown in ((dense, False), (replace(dense, experts=SOME), True), (dense, False)):
            view.show_snapshot(given)
            assert view.experts_bar.isVisibleTo(view) is shown
            assert view.experts.isVisibleTo(view) is shown
        view.show_snapshot(replace(dense, experts=SOME))
        assert view.experts.text() == "93% hits, 3.00 GiB of 4.00 GiB · 1,234 of 10,240"
        view.show_snapshot(None)
        assert not view.experts_bar.isVisibleTo(view)

    def test_it_is_drawn_to_scale(self, qtbot: QtBot) -> None:
        view = PlanesView()
        qtbot.addWidget(view)
        view.resize(400, 200)
        view.show_snapshot(replace(snapshot(), experts=SOME))
        # Without being shown, a picture is what makes it take its place.
        view.grab()
        bar = view.experts_bar
        assert present(bar.part_at(bar.width() * 0.7)).key == "experts"
        assert present(bar.part_at(bar.width() * 0.8)).key == "experts_free"
        picture = bar.grab().toImage()
        middle = picture.height() // 2
        for share, token in ((0.5, "experts"), (0.9, "experts_free")):
            drawn = picture.pixelColor(int(picture.width() * share), middle)
            assert drawn == theme.current().colour(token)

    def test_hits_move_while_the_cache_stands_still(self, desk: Desk) -> None:
        pane, session = desk.window.cache, Session()
        session.cache.snapshot = replace(snapshot(), experts=SOME)
        pane.show_snapshot(session)
        session.cache.snapshot = replace(session.cache.snapshot, experts=replace(SOME, misses=930))
        pane.show_snapshot(session)
        assert pane.planes.experts.text().startswith("50% hits")
