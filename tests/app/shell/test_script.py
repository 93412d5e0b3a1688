"""Scripts for `--screenshot`."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.shell.script import ScriptError, Step, parse_step, read_script


class TestScripts:
    @pytest.mark.parametrize(
        ("paragraph", "step"),
        [
            ("Hello there", Step("say", "Hello there")),
            ("/again", Step("again")),
            ("/edit 2 Other words", Step("edit", "Other words", 2)),
            ("/system Be brief.", Step("system", "Be brief.")),
            ("/select 1", Step("select", "", 1)),
            ("/view tokens", Step("view", "tokens")),
            ("/needle my code", Step("needle", "my code")),
        ],
    )
    def test_paragraphs(self, paragraph: str, step: Step) -> None:
        assert parse_step(paragraph) == step

    @pytest.mark.parametrize("paragraph", ["/dance", "/edit two words", "/select 0"])
    def test_nonsense_is_refused(self, paragraph: str) -> None:
        with pytest.raises(ScriptError):
            parse_step(paragraph)

    def test_a_file_is_read_in_paragraphs(self, tmp_path: Path) -> None:
        path = tmp_path / "talk.txt"
        path.write_text("One\nline two\r\n\r\n\n/again\n", encoding="utf-8")
        assert read_script(path) == ["One\nline two", "/again"]
