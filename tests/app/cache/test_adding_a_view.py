"""A view is a widget that is fed with snapshots, and one line: the how-to, followed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.cache.pane import SECTIONS, CachePane
from tests.app.cache import toy_view
from tests.app.cache.toy_view import ProvenanceView, provenance_text
from tests.app.samples import node, snapshot


@pytest.fixture
def view(desk: Any) -> ProvenanceView:
    made = ProvenanceView()
    desk.window.resize(1366, 1000)
    desk.window.cache.add_section("PROVENANCE", made)
    desk.until(lambda: desk.window.height() == 1000)
    return made


def counted(desk: Any) -> int:
    return sum(node.checkpoint is not None for node in desk.session.cache.snapshot.nodes)


def test_it_takes_less_than_thirty_lines() -> None:
    lines = Path(toy_view.__file__).read_text().splitlines()
    assert len([line for line in lines if line.strip()]) < 30


def test_what_it_says_needs_no_window() -> None:
    tree = snapshot(
        node(1, 0, 0, 10, "prefill"), node(2, 1, 10, 20, "decode"), node(3, 1, 10, 30, "prefill")
    )
    assert provenance_text(tree) == "1 decode, 2 prefill"
    assert provenance_text(None) == "none"


def test_it_follows_the_cache(desk: Any, view: ProvenanceView) -> None:
    said = []
    for text in ("word " * 300, "Another prompt. " * 300):
        desk.say(text)
        desk.until(lambda: view.line.text() == provenance_text(desk.session.cache.snapshot))
        said.append(counted(desk))
    assert 0 < said[0] < said[1]
    assert view.isVisible()


def test_it_may_be_added_where_the_pane_is_made(
    make_desk: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Pane(CachePane):
        def __init__(self) -> None:
            super().__init__()
            self.added = ProvenanceView()
            self.add_section("PROVENANCE", self.added)

    monkeypatch.setattr("app.shell.window.CachePane", Pane)
    desk = make_desk()
    assert desk.window.cache.added.line.text() == "none"
    desk.open()
    desk.say("word " * 300)
    desk.until(lambda: desk.window.cache.added.line.text() != "none")


def test_one_that_comes_later_shows_what_is_there(desk: Any) -> None:
    desk.say("word " * 300)
    late = ProvenanceView()
    desk.window.cache.add_section("PROVENANCE", late)
    assert late.line.text() == provenance_text(desk.session.cache.snapshot) != "none"


def test_it_folds_away_before_the_tree(desk: Any, view: ProvenanceView) -> None:
    desk.window.cache.show_figures(SECTIONS)
    desk.say("word " * 300)
    desk.until(view.isVisible)
    desk.window.resize(1366, 520)
    desk.until(lambda: not view.isVisible())
    assert desk.window.cache.canvas.isVisible()
