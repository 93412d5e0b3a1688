"""The debugger's own cost is what its thread computes, and is shown while it is on screen."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from app.debugger.invariants_panel import InvariantsPanel
from app.debugger.state import SPAN_S, OwnCost
from tests.app.conftest import Desk
from tests.present import present


class TestSums:
    @pytest.fixture
    def cost(self, qtbot: QtBot) -> OwnCost:
        window = QWidget()
        qtbot.addWidget(window)
        made = OwnCost(window, window)
        made.clock = lambda: 10.0
        made.watch(True)
        return made

    def spend(self, cost: OwnCost, seconds: float) -> None:
        ticks = iter((0.0, seconds))
        cost.busy = lambda: next(ticks)
        cost.run(lambda: None)

    def test_the_share_is_of_the_last_seconds(self, cost: OwnCost) -> None:
        self.spend(cost, 0.05)
        cost.clock = lambda: 12.0
        assert cost.share == pytest.approx(0.025)
        self.spend(cost, 0.1)
        assert cost.share == pytest.approx(0.075)
        cost.clock = lambda: 10.0 + SPAN_S + 1
        assert cost.share == pytest.approx(0.1 / SPAN_S)
        cost.clock = lambda: 100.0
        assert cost.share == 0.0
        assert cost.words == "0.0 ms a frame · 0.0% of the time"

    def test_painting_counts_while_it_watches(self, qtbot: QtBot) -> None:
        label = QLabel("painted")
        qtbot.addWidget(label)
        cost = OwnCost(label, label)
        label.show()
        qtbot.waitExposed(label)
        cost.watch(True)
        label.setText("again")
        qtbot.waitUntil(lambda: cost.frame_ms > 0)
        assert cost.share > 0
        cost.watch(False)
        label.setText("once more")
        qtbot.wait(50)
        assert cost.frame_ms == 0


class TestShown:
    def test_it_is_shown_among_the_checks_and_not_beside_the_tree(
        self, desk: Desk, qtbot: QtBot
    ) -> None:
        desk.window.menus.debugger.trigger()
        assert desk.window.debugger.show_panel("invariants")
        desk.say("Hello.")
        panels = present(desk.window.debugger.desk).panels
        checks = panels["invariants"]
        assert isinstance(checks, InvariantsPanel)
        qtbot.waitUntil(lambda: "ms a frame" in checks.cost.text())
        assert checks.cost.isVisible()
        assert checks.cost.text().startswith("This debugger: ")
        assert checks.cost.text().endswith("% of the time")
        labels = panels["tree"].findChildren(QLabel)
        assert not [one for one in labels if "ms a frame" in one.text()]
