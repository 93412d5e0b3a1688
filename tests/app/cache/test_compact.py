"""The pane's compact form, and the figures behind each of its parts."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget

from app.cache.legend import TreeLegend
from app.cache.pane import SECTIONS, CachePane
from app.cache.sections import SectionHead
from app.cache.view_switch import ViewSwitch
from tests.app.conftest import Desk, MakeDesk
from tests.app.samples import node, snapshot
from tests.present import present

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def pane(desk: Desk) -> CachePane:
    desk.window.resize(1366, 900)
    desk.say("word " * 60)
    desk.say("Another message.")
    desk.settle()
    return desk.window.cache


def words(pane: CachePane) -> list[str]:
    """Everything that the pane says in letters, but for the tree's own picture."""
    found = [
        part
        for part in pane.findChildren(QWidget)
        if isinstance(part, QLabel | QAbstractButton) and part.isVisible() and part.text()
    ]
    return [part.text() for part in found if not pane.canvas.isAncestorOf(part)]


def figures(pane: CachePane) -> dict[str, QWidget]:
    """One widget of the figures of each part."""
    return {
        "memory": pane.planes._bytes["weights"],
        "prompt": pane.match.row,
        "tree": present(pane.findChild(ViewSwitch)),
    }


def shown(pane: CachePane) -> set[str]:
    return {name for name, widget in figures(pane).items() if widget.isVisible()}


class TestCompact:
    def test_it_is_three_parts_with_a_line_each_and_one_button(self, pane: CachePane) -> None:
        assert sorted(words(pane)) == [
            "Memory the model uses",
            "Show figures",
            "What is remembered",
            pane.match.head.text(),
        ]
        assert pane.match.head.text().startswith("Your last message: ")
        assert pane.match.head.text().endswith(" tokens were remembered")
        for part in (pane.planes.bar, pane.match.ruler, pane.canvas):
            assert part.isVisible()
        assert shown(pane) == set()

    def test_the_last_message_is_told_in_plain_figures(self, pane: CachePane) -> None:
        reused, new = (pane.match.counts[kind].text() for kind in ("reused", "computed"))
        known, total = pane.match.head.text().split(": ")[1].split(" tokens")[0].split(" of ")
        assert known == reused
        assert int(total) == int(reused) + int(new) + int(pane.match.counts["replayed"].text())

    def test_before_the_first_message_it_says_so_in_a_sentence(self, desk: Desk) -> None:
        pane = desk.window.cache
        assert pane.match.head.text() == "Your last message: none yet"
        assert any(text.startswith("What you and the model say") for text in words(pane))
        assert "Two planes" not in words(pane)
        pane.show_figures(["tree"])
        assert "Two planes" in words(pane)

    def test_trouble_is_shown_whatever_the_form(self, pane: CachePane) -> None:
        pane.planes.trouble.show_sentence("Nothing can be written to the disk.")
        assert pane.planes.trouble.isVisible()

    def test_a_narrow_pane_shortens_the_lines_and_cuts_none(self, qtbot: object) -> None:
        head = SectionHead("A long line about memory", "Memory")
        head.resize(80, 24)
        assert head.shown == "Memory"
        head.resize(400, 24)
        assert head.shown == "A long line about memory"


class TestFigures:
    @pytest.mark.parametrize("name", SECTIONS)
    def test_a_click_on_a_line_shows_its_part_alone(self, pane: CachePane, name: str) -> None:
        head = next(head for key, head in pane.heads.items() if key == name)
        QTest.mouseClick(head, LEFT)
        assert shown(pane) == {name}
        assert head.isChecked()
        QTest.mouseClick(head, LEFT)
        assert shown(pane) == set()

    @pytest.mark.parametrize("name", SECTIONS)
    def test_space_does_the_same(self, pane: CachePane, name: str) -> None:
        head = next(head for key, head in pane.heads.items() if key == name)
        head.setFocus(Qt.FocusReason.TabFocusReason)
        QTest.keyClick(head, Qt.Key.Key_Space)
        assert shown(pane) == {name}

    def test_a_click_on_a_bar_shows_what_it_is_made_of(self, pane: CachePane) -> None:
        QTest.mouseClick(pane.planes.bar, LEFT)
        assert shown(pane) == {"memory"}
        QTest.mouseClick(pane.match.ruler, LEFT)
        assert shown(pane) == {"memory", "prompt"}

    def test_one_button_shows_all_and_hides_all(self, pane: CachePane) -> None:
        pane.toggle("prompt")
        assert pane.all_figures.text() == "Show figures"
        QTest.mouseClick(pane.all_figures, LEFT)
        assert shown(pane) == set(SECTIONS)
        assert pane.all_figures.text() == "Hide figures"
        QTest.mouseClick(pane.all_figures, LEFT)
        assert shown(pane) == set()

    def test_tab_goes_from_line_to_line(self, pane: CachePane) -> None:
        at, met = pane.heads["memory"], []
        widget: QWidget = at
        for _ in range(400):
            met.append(widget)
            widget = present(widget.nextInFocusChain())
        order = [met.index(pane.heads[name]) for name in SECTIONS]
        assert order == sorted(order)
        assert met.index(pane.all_figures) < order[1]

    def test_whoever_hovers_or_listens_has_the_figures_at_once(self, pane: CachePane) -> None:
        told = {name: head.toolTip() for name, head in pane.heads.items()}
        assert "Weights: " in told["memory"]
        assert "KV plane: " in told["memory"]
        assert f"reused: {pane.match.counts['reused'].text()}" in told["prompt"]
        assert told["prompt"].endswith(pane.match.reason.text())
        assert " · " in told["tree"]
        for name, head in pane.heads.items():
            assert head.accessibleDescription() == told[name]

    def test_they_stay_as_they_were_left_from_start_to_start(
        self, desk: Desk, make_desk: MakeDesk
    ) -> None:
        desk.window.cache.toggle("tree")
        kept = desk.window.layout_controller.state()
        assert kept.figures == ("tree",)
        other = make_desk()
        other.window.layout_controller.restore(kept)
        assert other.window.cache.figures == {"tree"}
        assert other.window.cache.heads["tree"].isChecked()


class TestTree:
    def test_ruler_and_letters_come_with_the_figures(self, pane: CachePane) -> None:
        strip = pane.canvas.rect().adjusted(0, 0, 0, 24 - pane.canvas.height())
        plain = pane.canvas.grab(strip).toImage()
        ground = plain.pixelColor(1, 1)
        assert all(
            plain.pixelColor(x, y) == ground
            for x in range(0, plain.width(), 2)
            for y in range(plain.height() - 1)
        )
        pane.toggle("tree")
        ruled = pane.canvas.grab(strip).toImage()
        assert any(
            ruled.pixelColor(x, y) != ground
            for x in range(ruled.width())
            for y in range(ruled.height() - 1)
        )

    def test_the_legend_has_the_marks_that_occur_and_explains_all(self, desk: Desk) -> None:
        pane = desk.window.cache
        pane.show_figures(["tree"])
        legend = present(pane.findChild(TreeLegend))
        desk.session.cache.snapshot = snapshot(node(1, 0, 0, 10, "decode"), node(2, 1, 10, 20))
        pane.show_snapshot(desk.session)
        assert legend.words == ("decode", "tombstone")
        assert "quarantined: " in legend.toolTip()
        assert legend.accessibleDescription() == legend.toolTip()

    def test_a_picture_of_nothing_new_is_not_painted_again(self, pane: CachePane) -> None:
        pane.canvas.grab()
        still = pane.canvas._picture._still
        pane.canvas.set_figured("tree" in pane.figures)
        pane.canvas.grab(pane.canvas.rect().translated(QPoint(0, 0)))
        assert pane.canvas._picture._still is still
