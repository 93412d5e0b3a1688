"""The story played step by step on the bundled model, by mouse and keys."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
import torch
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.core.options.shared import demo_model_dir
from app.core.session.model import Session
from app.lab.logic.example import TEXT, example
from app.lab.logic.story import NUMBERS, STEPS, numbers_of, parting
from app.lab.window import TABS, MemoryLab
from app.ui import motion
from engine import Engine, EngineConfig
from engine.commands import PLAIN
from engine.run.inspect.jobs import sequence_ids
from tests.app.real_window import RealWindow
from tests.app.settle import settle
from tests.app.sight import cut_labels
from tests.app.test_settings_real import Program
from tests.engine.run.inspect.naive import Naive, naive_forward
from tests.present import present

CONFIG = json.loads((demo_model_dir() / "config.json").read_text("utf-8"))
FULL = [at for at, kind in enumerate(CONFIG["layer_types"]) if kind == "full_attention"]
LINEAR = [at for at, kind in enumerate(CONFIG["layer_types"]) if kind == "linear_attention"]
NEEDLE = (3, 5)
FLOAT32 = EngineConfig(mode="exact", cache_bytes=32 << 20, threads=1, dtype="float32")


@pytest.fixture(scope="module")
def naive() -> Naive:
    """What each layer saw of the example, by a forward pass of the tests' own."""
    with Engine.open(demo_model_dir(), EngineConfig(cache_bytes=16 << 20, threads=1)) as engine:
        ids = engine.on_core(lambda core: sequence_ids(core, (), PLAIN, TEXT))
    return naive_forward(demo_model_dir(), [int(token) for token in ids])


def mass(naive: Naive, layer: int, at: int) -> float:
    """The attention on the needle, the mean over the heads."""
    rows = naive.full(layer)
    heads, dim = rows.q.shape[1:]
    shared = heads // rows.k.shape[1]
    found = []
    for head in range(heads):
        scores = rows.k[: at + 1, head // shared] @ rows.q[at, head] / dim**0.5
        found.append(scores.softmax(0)[slice(*NEEDLE)].sum())
    return float(torch.stack(found).mean())


def best_query(naive: Naive) -> int:
    count = len(naive.full(FULL[0]).q)
    sums = [sum(mass(naive, layer, at) for layer in FULL) for at in range(NEEDLE[1], count)]
    return NEEDLE[1] + sums.index(max(sums))


def part_read(naive: Naive, layer: int, at: int) -> float:
    """The needle's part of what a linear layer reads: what the read-out lacks without it."""
    rows = naive.linear(layer)
    without = rows.v.clone()
    without[slice(*NEEDLE)] = 0
    query = rows.unit(rows.q)[at]
    whole, rest = (
        torch.einsum("hk,hkv->hv", query, states[at])
        for states in (rows.states(), rows.states(without))
    )
    return float(((whole - rest) * whole).sum() / whole.square().sum())


def changes(naive: Naive) -> list[float]:
    """How far each token moved head 0 of the first linear layer's state."""
    states = [state[0] for state in naive.linear(LINEAR[0]).states()]
    found = [1.0]
    for before, after in pairwise(states):
        found.append(float((after - before).norm() / max(after.norm(), before.norm())))
    return found


@pytest.fixture
def still() -> Iterator[None]:
    motion.set_reduced(True)
    yield
    motion.set_reduced(False)


@pytest.fixture
def program(qtbot: QtBot, tmp_path: Path) -> Iterator[Program]:
    made = Program(qtbot, tmp_path / "data", FLOAT32)
    yield made
    made.close()


@pytest.fixture
def lab(program: Program) -> MemoryLab:
    program.window.menus.lab.trigger()
    return present(program.window.lab.window)


def open_step(program: Program, lab: MemoryLab, name: str) -> None:
    lab.story.go_to([step.id for step in STEPS].index(name))
    program.until(lambda: not lab.story.moving)


def click(program: Program, widget: QWidget, at: QPoint | None = None) -> None:
    program.qtbot.mouseClick(
        widget, Qt.MouseButton.LeftButton, pos=widget.rect().center() if at is None else at
    )


def press(program: Program, widget: QWidget, key: Qt.Key) -> None:
    widget.setFocus()
    program.qtbot.keyClick(widget, key)


def try_it(program: Program, lab: MemoryLab, name: str, naive: Naive) -> None:
    """Do what a step asks for, with answers computed here."""
    memory, memories, phases, recall = lab.memory, lab.memories, lab.phases, lab.recall
    match name:
        case "why":
            for _ in range(5):
                click(program, memories.transport.forward)
        case "cost" | "grows" | "checkpoint" | "hybrid":
            press(program, memory.slider, Qt.Key.Key_End)
        case "state":
            for _ in range(FULL[0]):
                press(program, memory.strip, Qt.Key.Key_Right)
            press(program, memory.slider, Qt.Key.Key_End)
        case "cut":
            moved = changes(naive)[1:]
            at = 1 + moved.index(max(moved))
            click(program, memories.changes, memories.changes.column(at).center().toPoint())
        case "overwrite":
            press(program, memories.transport.slider, Qt.Key.Key_End)
        case "recall":
            query = best_query(naive)
            parts = {layer: part_read(naive, layer, query) for layer in LINEAR}
            layer = max(parts, key=parts.__getitem__)
            click(program, recall.bars, recall.bars.row(layer).center().toPoint())
        case "turn":
            click(program, phases.switch["without"])
            runs = example().runs
            tall = [ran.report.plan.total + ran.steps for ran in runs]
            bar = phases.bars.bar(tall.index(max(tall)))
            click(program, phases.bars, bar.center().toPoint())
        case "branch":
            bar = phases.bars.bar(len(example().runs) - 1)
            click(program, phases.bars, bar.center().toPoint())
        case "planes":
            lab.tree.canvas.select(parting(lab.story.scene()).id)


class TestPlayed:
    @pytest.mark.usefixtures("still")
    def test_each_step_asks_notices_and_leads_to_the_next(
        self, program: Program, lab: MemoryLab, naive: Naive
    ) -> None:
        panel = lab.story.panel
        for number, step in enumerate(STEPS, 1):
            program.until(lambda: not lab.story.moving)
            assert lab.story.step is step
            assert lab.tabs.currentIndex() == list(lab.story.tabs).index(step.tab)
            assert panel.steps.currentText() == f"{number}. {step.title}"
            assert not panel.told.isVisible()
            assert "…" not in panel.words.text()
            try_it(program, lab, step.id, naive)
            assert panel.told.isVisible(), step.id
            assert panel.steps.itemText(number - 1).startswith("✓")
            assert panel.progress.text() == f"{number} of 12 done"
            click(program, panel.forward)
        # The last button leads to the tabs alone.
        assert not panel.isVisible()
        assert lab.tell.isVisible()

    @pytest.mark.usefixtures("still")
    def test_every_number_has_its_place_in_the_figure(
        self, program: Program, lab: MemoryLab
    ) -> None:
        light = lab.story.light
        for step in STEPS:
            open_step(program, lab, step.id)
            for name in {*numbers_of(step.words), *numbers_of(step.task)}:
                lab.story.panel.words.linkHovered.emit(f"#{name}")
                assert light.isVisible(), (step.id, name)
                assert light.width() > 8, (step.id, name)
                lab.story.panel.words.linkHovered.emit("")
                assert not light.isVisible()
            assert {NUMBERS[name][0] for name in numbers_of(step.told)} <= {
                spot for spot, _ in NUMBERS.values()
            }

    @pytest.mark.usefixtures("still")
    def test_what_is_read_is_what_the_tensors_say(
        self, program: Program, lab: MemoryLab, naive: Naive
    ) -> None:
        open_step(program, lab, "cut")
        at = lab.memories.transport.at
        numbers = lab.story.panel.words.numbers
        share = float(numbers["changed"].rstrip("%")) / 100
        assert share == pytest.approx(changes(naive)[at], abs=0.006)
        gate = naive.linear(LINEAR[0]).log_decay.exp()[at, 0]
        assert float(numbers["kept"].rstrip("%")) / 100 == pytest.approx(float(gate), abs=0.006)
        open_step(program, lab, "recall")
        query = best_query(naive)
        found = present(lab.recall.reading)
        assert (found.needle, found.first_query + lab.recall.bars.query) == (NEEDLE, query)
        best = max(FULL, key=lambda layer: mass(naive, layer, query))
        numbers = lab.story.panel.words.numbers
        assert numbers["full_best"] == str(best) == str(lab.recall.bars.chosen)
        share = float(numbers["full_share"].rstrip("%")) / 100
        assert share == pytest.approx(mass(naive, best, query), abs=0.006)
        linear = max(part_read(naive, layer, query) for layer in LINEAR)
        share = float(numbers["linear_share"].rstrip("%")) / 100
        assert share == pytest.approx(linear, abs=0.006)

    def test_a_figure_moves_and_its_own_motion_answers_no_task(
        self, program: Program, lab: MemoryLab
    ) -> None:
        seen: list[int] = []
        open_step(program, lab, "hybrid")
        lab.memory.changed.connect(lambda: seen.append(lab.memory.tokens))
        click(program, lab.story.panel.again)
        program.until(lambda: not lab.story.moving)
        assert seen[0] == CONFIG["max_position_embeddings"]
        assert len(set(seen)) > 10
        assert lab.memory.tokens == 16
        assert lab.story.place.done == frozenset()


class TestLeftAndResumed:
    @pytest.mark.usefixtures("still")
    def test_it_goes_on_where_it_was_left(self, program: Program, lab: MemoryLab) -> None:
        open_step(program, lab, "cost")
        press(program, lab.memory.slider, Qt.Key.Key_End)
        open_step(program, lab, "grows")
        lab.close()
        state = program.window.layout_controller.state()
        assert (state.story.step, state.story.done) == ("grows", frozenset({"cost"}))
        program.window.layout_controller.restore(state)
        program.window.menus.lab.trigger()
        again = present(program.window.lab.window)
        assert again.story.step.id == "grows"
        assert again.story.panel.progress.text() == "1 of 12 done"
        assert again.tabs.currentIndex() == 0

    @pytest.mark.usefixtures("still")
    def test_when_it_is_left_the_tabs_are_the_users(self, program: Program, lab: MemoryLab) -> None:
        program.until(lambda: not lab.story.moving)
        program.ask("Hello, my name is Ada.")
        assert lab.phases.example
        click(program, lab.story.panel.leave)
        assert not lab.phases.example
        assert lab.phases.headline.text().startswith("1 request: ")
        lab.tabs.setCurrentIndex(1)
        program.until(lambda: lab.memories.reading is not None)
        assert "Hello" in "".join(present(lab.memories.reading).texts)
        lab.close()
        program.window.menus.lab.trigger()
        again = present(program.window.lab.window)
        assert not again.story.panel.isVisible()
        click(program, again.tell)
        program.until(lambda: not again.story.moving)
        assert again.story.panel.isVisible()
        assert "".join(present(again.memories.reading).texts) == TEXT


class TestNothingIsBlank:
    def test_no_tab_at_opening(self, program: Program, lab: MemoryLab) -> None:
        # All of a tab at once.
        lab.resize(1366, 900)
        for name in TABS:
            assert lab.show_tab(name)
            program.until(lambda: program.session.lab.open is None)
            self.check(lab)

    def test_nor_without_a_model(self, qtbot: QtBot) -> None:
        window = RealWindow(qtbot, Session(), FLOAT32)
        window.window.menus.lab.trigger()
        lab = present(window.window.lab.window)
        # All of a tab at once.
        lab.resize(1366, 900)
        for name in TABS:
            assert lab.show_tab(name)
            self.check(lab)
        window.close()

    def check(self, lab: MemoryLab) -> None:
        """Each figure of the tab in front has something to show."""
        settle()
        match TABS[lab.tabs.currentIndex()]:
            case "Memory":
                assert lab.memory.curves.shape is not None
                assert lab.memory.sums.rows[0][1].text()
            case "Two memories":
                assert lab.memories.entries.count == lab.memories.changes.count > 1
                assert lab.memories.state_words.text()
            case "Prefill and decode":
                assert lab.phases.bars.runs
                assert lab.phases.detail.text()
            case "Recall":
                assert lab.recall.bars.layers
                assert lab.recall.rank == 0
                assert lab.recall.summary.text()
            case "Tree":
                assert not lab.tree.canvas.empty
        assert cut_labels(lab) == []
