"""What is opened at the start, and how large everything is then."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from app.core.preferences.book import Book
from app.models.logic.recent_models import recent_file, save
from app.shell.options import Options, parse
from app.shell.run import _first_model
from tests.mostly_slow import mostly_slow

LOOK = """
import os, sys
from app.core.preferences.book import Book
from app.shell.run import _application
book = Book()
if len(sys.argv) > 1:
    book.set("scale", int(sys.argv[1]))
app = _application(book)
print(app.primaryScreen().devicePixelRatio())
"""


@pytest.fixture
def options(tmp_path: Path) -> Options:
    return replace(parse([]), memory=tmp_path / "window.json")


def model(folder: Path) -> Path:
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps({}))
    return folder


class TestFirstModel:
    def test_is_the_last_one_that_is_still_there(self, options: Options, tmp_path: Path) -> None:
        assert options.memory is not None
        mine = model(tmp_path / "mine")
        save(recent_file(options.memory), (tmp_path / "gone", mine))
        assert _first_model(options, Book()) == mine

    def test_else_the_bundled_one(self, options: Options) -> None:
        assert _first_model(options, Book()) == options.model

    def test_is_what_the_command_line_names(self, options: Options, tmp_path: Path) -> None:
        named = parse(["--model", str(tmp_path / "named")])
        assert named.model_named
        assert _first_model(named, Book()) == tmp_path / "named"

    def test_is_what_is_set(self, options: Options, tmp_path: Path) -> None:
        assert options.memory is not None
        save(recent_file(options.memory), (model(tmp_path / "mine"),))
        book = Book()
        book.set("first_model", "bundled")
        assert _first_model(options, book) == options.model
        book.set("first_model", "none")
        assert _first_model(options, book) is None


class TestScale:
    @pytest.mark.parametrize(
        ("percent", "ratio"), mostly_slow([("150", "1.5"), ("", "1.0"), ("200", "2.0")])
    )
    def test_counts_at_the_start(self, percent: str, ratio: str) -> None:
        done = subprocess.run(
            [sys.executable, "-c", LOOK, *([percent] if percent else [])],
            env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.split() == [ratio], done.stderr
