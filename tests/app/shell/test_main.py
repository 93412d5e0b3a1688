"""Start-up, options and `--screenshot`."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from app.shell import main, options, preflight
from engine import commands
from engine.config import EngineConfig
from tests.app.fake_loop import FakeLoop, messages_of


class TestOptions:
    def test_defaults(self) -> None:
        made = options.parse([])
        assert made.model is not None
        assert (made.model.name, made.config.mode) == ("demo_model", "fast")
        assert made.screenshot is None

    def test_messages_need_a_picture(self, capsys: pytest.CaptureFixture[str]) -> None:
        with pytest.raises(SystemExit):
            options.parse(["--say", "x"])
        assert "--screenshot" in capsys.readouterr().err

    @pytest.mark.parametrize(
        "bad",
        [
            ["--size", "big"],
            ["--cache-mb", "-1"],
            ["--max-tokens", "-5"],
            ["--screenshot", "x", "--say", "/dance"],
        ],
    )
    def test_bad_values_are_refused_with_a_sentence(self, bad: list[str]) -> None:
        with pytest.raises(SystemExit):
            options.parse(bad)

    def test_a_picture_is_the_same_each_time(self, tmp_path: Path) -> None:
        assert options.parse(["--screenshot", str(tmp_path / "x.png")]).given["seed"] == 0


class TestPreflight:
    def test_a_missing_library_is_named_with_the_cure(self) -> None:
        text = preflight.import_problem(ImportError("libEGL.so.1: cannot open shared object file"))
        assert "libEGL.so.1" in text
        assert "sudo apt install libegl1" in text

    def test_a_missing_package_is_named(self) -> None:
        assert "PySide6-Essentials" in preflight.import_problem(ModuleNotFoundError("PySide6"))

    def test_no_display_is_said(self, monkeypatch: pytest.MonkeyPatch) -> None:
        for name in ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setattr(sys, "platform", "linux")
        assert "no display" in preflight.desktop_problem()


class TestScreenshot:
    def test_a_picture_of_a_conversation(self, qtbot: QtBot, tmp_path: Path) -> None:
        script = tmp_path / "talk.txt"
        script.write_text("Second message\n\nThird message", encoding="utf-8")
        target = tmp_path / "out" / "window.png"
        loops: list[FakeLoop] = []

        def factory(folder: Path, config: EngineConfig) -> FakeLoop:
            loops.append(FakeLoop(folder, config, steps=40))
            return loops[-1]

        given = options.parse(
            [
                "--model",
                "/models/a",
                "--screenshot",
                str(target),
                "--say",
                "First",
                "--script",
                str(script),
                "--size",
                "1000x640",
            ]
        )
        assert main.start(given, factory) == 0
        picture = QImage(str(target))
        assert (picture.width(), picture.height()) == (1000, 640)
        submits = [c for c in loops[0].posted if isinstance(c, commands.Submit)]
        prompts = [messages_of(submit)[-1].content for submit in submits]
        assert prompts == ["First", "Second message", "Third message"]
        assert loops[0].closed

    def test_a_model_that_fails_is_an_error(
        self, qtbot: QtBot, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        target = tmp_path / "window.png"
        given = options.parse(["--model", "/models/broken", "--screenshot", str(target)])
        assert main.start(given, FakeLoop) == 1
        assert "config.json is missing" in capsys.readouterr().err
        assert target.is_file()

    def test_a_place_that_cannot_be_written_is_said(
        self, qtbot: QtBot, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (tmp_path / "file").touch()
        target = tmp_path / "file" / "window.png"
        given = options.parse(["--model", "/models/a", "--screenshot", str(target)])
        assert main.start(given, FakeLoop) == 1
        assert capsys.readouterr().err == f"The screenshot cannot be written to {target}.\n"
