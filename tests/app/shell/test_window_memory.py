"""What is remembered from start to start."""

from __future__ import annotations

import json
import os
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from app.lab.logic.story_place import StoryPlace
from app.shell.window_memory import (
    Panes,
    Rect,
    WindowState,
    earlier_choices,
    memory_file,
    recall,
    save,
)

STATE = WindowState(
    *(Rect(-20, 40, 1000, 700), True, Panes(False, True, 200, 420), True, "00ff"),
    folders={"traces": "/home/somebody/traces"},
    figures=("memory", "tree"),
    saving_told=True,
    unfolded=("sampling", "settings.cache"),
    desks={"Mine": "00aa"},
    story=StoryPlace("cut", frozenset({"why", "cost"}), open=False),
)


class TestFile:
    def test_what_is_saved_comes_back(self, tmp_path: Path) -> None:
        path = tmp_path / "new" / "window.json"
        save(path, STATE)
        assert recall(path) == STATE
        assert [file.name for file in path.parent.iterdir()] == ["window.json"]

    def test_it_is_the_users_alone_whatever_the_umask(self, tmp_path: Path) -> None:
        path = tmp_path / "new" / "window.json"
        before = os.umask(0)
        try:
            save(path, STATE)
        finally:
            os.umask(before)
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700

    def test_what_was_asked_for_on_a_small_window_is_not_kept(self, tmp_path: Path) -> None:
        path = tmp_path / "window.json"
        save(path, WindowState(panes=Panes(over="chats")))
        assert recall(path) == WindowState()

    def test_settings_of_an_earlier_version_are_found(self, tmp_path: Path) -> None:
        path = tmp_path / "window.json"
        save(path, STATE)
        assert earlier_choices(path) == {}
        raw = json.loads(path.read_text(encoding="utf-8"))
        raw |= {"theme": "dark", "remove_deleted": True}
        path.write_text(json.dumps(raw), encoding="utf-8")
        assert earlier_choices(path) == {"theme": "dark", "evict_deleted": True}
        assert recall(path) == STATE
        for wrong in (None, "purple", 3):
            path.write_text(json.dumps({"theme": wrong}), encoding="utf-8")
            assert earlier_choices(path) == {}
        path.write_text("nonsense", encoding="utf-8")
        assert earlier_choices(path) == {}

    @pytest.mark.parametrize("folders", [None, "/home", ["/home"], {"traces": 3}])
    def test_folders_that_are_none_are_forgotten_alone(
        self, tmp_path: Path, folders: object
    ) -> None:
        path = tmp_path / "window.json"
        save(path, STATE)
        raw = json.loads(path.read_text(encoding="utf-8")) | {"folders": folders}
        path.write_text(json.dumps(raw), encoding="utf-8")
        assert recall(path) == replace(STATE, folders={})

    @pytest.mark.parametrize("figures", [None, "memory", {"memory": True}, [3]])
    def test_figures_that_are_none_are_forgotten_alone(
        self, tmp_path: Path, figures: object
    ) -> None:
        path = tmp_path / "window.json"
        save(path, STATE)
        raw = json.loads(path.read_text(encoding="utf-8")) | {"figures": figures}
        path.write_text(json.dumps(raw), encoding="utf-8")
        assert recall(path) == replace(STATE, figures=())

    @pytest.mark.parametrize("desks", [None, "00aa", ["00aa"], {"Mine": 3}])
    def test_layouts_that_are_none_are_forgotten_alone(self, tmp_path: Path, desks: object) -> None:
        path = tmp_path / "window.json"
        save(path, STATE)
        raw = json.loads(path.read_text(encoding="utf-8")) | {"desks": desks}
        path.write_text(json.dumps(raw), encoding="utf-8")
        assert recall(path) == replace(STATE, desks={})

    def test_without_a_file_there_is_nothing_to_remember(self, tmp_path: Path) -> None:
        assert recall(tmp_path / "window.json") == WindowState()

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "[]",
            "nonsense",
            "{}",
            '{"panes": 1, "maximised": true}',
            "[" * 60_000,
            json.dumps({"maximised": False, "panes": {"chats": 1}}),
            json.dumps(
                {
                    "maximised": False,
                    "panes": {"chats": True, "cache": True, "chats_px": 1e9, "cache_px": 0},
                }
            ),
            json.dumps(
                {
                    "rect": {"x": 0, "y": 0, "width": "wide", "height": 5},
                    "maximised": False,
                    "panes": {"chats": True, "cache": True, "chats_px": 0, "cache_px": 0},
                }
            ),
        ],
    )
    def test_a_damaged_file_counts_as_none(self, tmp_path: Path, text: str) -> None:
        path = tmp_path / "window.json"
        path.write_text(text, encoding="utf-8")
        assert recall(path) == WindowState()

    def test_a_folder_that_cannot_be_written_is_no_reason_to_fail(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("", encoding="utf-8")
        save(tmp_path / "file" / "window.json", STATE)

    def test_tests_do_not_see_the_users_own_file(
        self, tmp_path_factory: pytest.TempPathFactory
    ) -> None:
        assert memory_file().is_relative_to(tmp_path_factory.getbasetemp())
