"""`biplane bench gui`: every figure is measured on the real window and stands beside its budget."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from app.bench import drawing, reading, streaming, talks
from app.bench.drawing import growing, made_up
from app.bench.figure import Figure, figure, processor
from app.bench.gui import PARTS, GuiReport
from app.cli.bench import print_gui
from app.cli.main import main
from app.core.store.opening import open_store
from tests.present import present


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same measurements on less."""
    monkeypatch.setattr(talks, "CHARS", 60_000)
    monkeypatch.setattr(talks, "MANY_TURNS", 40)
    monkeypatch.setattr(talks, "FEW_CHARS", (20_000, 60_000))
    monkeypatch.setattr(talks, "SEARCHED", 400)
    monkeypatch.setattr(talks, "_TALKS", 10)
    monkeypatch.setattr(reading, "_STEPS", 12)
    monkeypatch.setattr(reading, "_PAGES", 8)
    monkeypatch.setattr(streaming, "_FLUSHES", 20)


def measured(capsys: pytest.CaptureFixture[str], *options: str) -> dict[str, Any]:
    assert main(["bench", "gui", "--json", "--runs", "1", *options]) == 0
    report: dict[str, Any] = json.loads(capsys.readouterr().out)
    return report


def figures(report: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {one["name"]: one for one in report["figures"]}


@pytest.mark.usefixtures("small")
class TestWindow:
    @pytest.mark.slow
    def test_reading_streaming_and_searching(
        self, qtbot: QtBot, capsys: pytest.CaptureFixture[str]
    ) -> None:
        only = ("--only", "read", "--only", "stream", "--only", "search")
        report = measured(capsys, *only)
        assert report["display"] == "offscreen"
        assert "AMX" in report["processor"]
        found = figures(report)
        budgets = {name: one["budget"] for name, one in found.items()}
        assert budgets["search"] == budgets["search_shown"] == 50
        assert budgets["flush_short_p95"] == budgets["flush_long_p95"] == 8
        for shape in ("many", "few"):
            assert budgets[f"open_{shape}"] == 300
            for way in ("wheel", "page", "drag"):
                assert budgets[f"scroll_{shape}_{way}_p95"] == 33
                assert budgets[f"scroll_{shape}_{way}_most"] == 150
        for one in found.values():
            assert one["value"] > 0
            assert one["runs"] == [one["value"]]

    def test_what_is_scrolled_and_found_is_really_there(self, qtbot: QtBot, tmp_path: Path) -> None:
        store = open_store(tmp_path).store
        talks.add_many(store, 1)
        messages = store.messages(1)
        store.close()
        assert len(messages) == talks.MANY_TURNS
        assert abs(sum(len(one.content) for one in messages) / talks.CHARS - 1) < 0.3
        assert [one.parent_id for one in messages[1:]] == [one.id for one in messages[:-1]]
        assert all(one.report for one in messages if one.role == "assistant")


class TestTree:
    @pytest.mark.slow
    def test_frames_of_every_view_and_size_are_timed(
        self, qtbot: QtBot, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(drawing, "SIZES", (200, 10_000))
        monkeypatch.setattr(drawing, "_FRAMES", 6)
        found = figures(measured(capsys, "--only", "draw"))
        for view in ("cells", "tokens", "memory", "topology"):
            assert found[f"layout_{view}_200"]["value"] > 0
            for way in ("hover", "pan", "zoom", "growth"):
                for word in ("median", "p95"):
                    assert found[f"frame_{view}_200_{way}_{word}"]["budget"] is None
                    large = found[f"frame_{view}_10000_{way}_{word}"]
                    assert large["budget"] == pytest.approx(16.67, abs=0.01)
                    assert large["value"] > 0.01
                busy = found[f"frame_{view}_10000_{way}_busy"]["value"]
                # Frames that paint nothing would take no time at all.
                assert busy > (0.05 if way == "hover" else 0.5)

    def test_the_made_up_tree_is_sound(self) -> None:
        given = made_up(500)
        by_id = {node.id: node for node in given.nodes}
        assert len(given.nodes) == 501
        for node in given.nodes[1:]:
            assert node.start == by_id[present(node.parent)].end < node.end
        assert given == made_up(500)

    def test_it_grows_is_split_and_loses_leaves_and_stays_sound(self) -> None:
        first = made_up(300, talks=True)
        for before, now in pairwise([first, *growing(first, 60)]):
            old, by_id = {id(node) for node in before.nodes}, {node.id: node for node in now.nodes}
            assert len(by_id) == len(now.nodes)
            # Few records are new: the others are shared.
            assert sum(id(node) not in old for node in now.nodes) <= 2
            assert now.version == before.version + 1
            for node in now.nodes[1:]:
                assert node.start == by_id[present(node.parent)].end < node.end
                assert all(node.start <= said.start < node.end for said in node.speech)


@pytest.mark.slow
class TestEngine:
    @pytest.mark.slow
    def test_loading_reading_and_writing(self, capsys: pytest.CaptureFixture[str]) -> None:
        found = figures(measured(capsys, "--only", "write", "--answers", "1"))
        for part in ("load", "prefill", "decode", "decode_pane", "decode_debugger"):
            assert found[f"gap_{part}_p95"]["budget"] == 33
            assert found[f"gap_{part}_most"]["budget"] == 150
            # The meter ticks every 16 ms.
            assert found[f"gap_{part}_most"]["value"] >= found[f"gap_{part}_p95"]["value"] > 10
        assert found["flush_engine_p95"]["budget"] == 8
        assert found["debugger_cost"]["budget"] == 2
        assert found["debugger_cost"]["unit"] == "%"
        assert 0 < found["debugger_share"]["value"] < 100
        for shown in ("closed", "pane", "debugger"):
            assert 10 < found[f"gui_us_{shown}"]["value"] < found[f"rest_us_{shown}"]["value"]
            assert found[f"gui_us_{shown}"]["unit"] == "µs"
        for shown in ("pane", "debugger"):
            assert found[f"{shown}_processor"]["unit"] == "%"

    def test_starting(self, capsys: pytest.CaptureFixture[str]) -> None:
        one, answer, *cold = measured(capsys, "--only", "start")["figures"]
        assert (one["name"], one["unit"], one["budget"]) == ("start", "s", 1.5)
        assert 0.1 < one["value"] < answer["value"] < 120
        assert answer["name"] == "start_answer"
        # Only root may have the disk's pages forgotten.
        assert [figure["name"] for figure in cold] in ([], ["start_cold"])


class TestFigures:
    def test_it_is_the_median_and_holds_or_not(self) -> None:
        one = figure("open", "open it", [400.0, 100.0, 299.0], 300.0)
        assert one == Figure("open", "open it", "ms", 299.0, 300.0, (400.0, 100.0, 299.0))
        assert one.holds
        assert not figure("open", "open it", [300.0], 300.0).holds
        assert figure("most", "no budget", [1e9], None).holds

    def test_the_table_says_what_missed(self, capsys: pytest.CaptureFixture[str]) -> None:
        rows = (figure("a", "open it", [10.0], 300.0), figure("b", "drag it", [40.0], 33.0))
        print_gui(GuiReport("a processor, no AMX", (0.5, 2.0), "xcb", "", 1, rows))
        lines = capsys.readouterr().out.splitlines()
        assert lines[0].startswith("a processor, no AMX; display xcb")
        assert lines[-2].split() == ["open", "it", "10.00", "ms", "of", "300", "ms", "holds"]
        assert lines[-1].endswith("MISSED")

    def test_the_processor_says_whether_it_has_matrix_instructions(self) -> None:
        assert "AMX" in processor()
        assert "cores" in processor()
        assert set(PARTS) == {"start", "search", "read", "stream", "draw", "write", "seek"}
