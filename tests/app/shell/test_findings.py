"""The display among the quick checks: where windows appear, and whether a lack of it matters."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from app.core.checks.finding import Level
from app.shell import findings, preflight
from app.shell.findings import display, own_folders, quick_findings


@pytest.mark.parametrize(
    ("environment", "level", "says"),
    [
        ({}, "note", "found no display"),
        ({"QT_QPA_PLATFORM": "offscreen"}, "ok", "shown nowhere"),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "ok", "Wayland (wayland-0)"),
        ({"WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0"}, "ok", "Wayland (wayland-0)"),
        ({"DISPLAY": ":7"}, "ok", "X11 (:7)"),
    ],
)
def test_where_windows_appear(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], level: Level, says: str
) -> None:
    for name in ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(preflight, "plugin_problem", lambda *_: "")
    found = display()
    assert found.level == level
    assert says in found.sentence


def test_a_missing_library_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr(findings, "desktop_problem", lambda: "Qt needs a library.")
    assert (display().level, display().sentence) == ("problem", "Qt needs a library.")


def test_every_folder_of_the_program_is_looked_at(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert {"folders", "display", "memory"} <= {one.id for one in quick_findings()}
    (tmp_path / "file").touch()
    for name in ("CONFIG", "DATA", "CACHE", "STATE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / "file"))
    ids = {one.id for one in quick_findings()}
    assert {f"folder.{one.id}" for one in own_folders()} <= ids
