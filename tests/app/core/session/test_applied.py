"""Settings that were applied in What if: which a start uses, and what its file may hold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from app.core.session.applied import Applied, applied_file
from engine.config import EngineConfig

START = EngineConfig(interval=1024, cache_bytes=5_000_000)
MODEL, OTHER = "/models/one", "/models/two"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return applied_file(tmp_path / "config" / "window.json")


class TestUsing:
    def test_each_model_has_its_own(self, file: Path) -> None:
        applied = Applied(file)
        applied.apply(MODEL, {"interval": 128})
        assert applied.config(MODEL, START).interval == 128
        assert applied.config(OTHER, START) == START

    def test_it_is_kept_once_it_was_saved(self, file: Path) -> None:
        applied = Applied(file)
        applied.apply(MODEL, {"interval": 128})
        assert Applied(file).config(MODEL, START) == START
        applied.save()
        applied.apply(MODEL, {"cache_bytes": 9_000_000})
        assert Applied(file).remembered(MODEL) == {"interval": 128}
        applied.save()
        again = Applied(file).config(MODEL, START)
        assert (again.interval, again.cache_bytes) == (128, 9_000_000)

    def test_undo_returns_to_what_was_remembered_before(self, file: Path) -> None:
        applied = Applied(file)
        applied.apply(MODEL, {"interval": 128})
        applied.apply(MODEL, {"interval": 256, "policy": "lru"})
        applied.undo(MODEL)
        assert applied.remembered(MODEL) == {"interval": 128}
        applied.undo(MODEL)
        applied.undo(MODEL)
        applied.save()
        assert Applied(file).remembered(MODEL) == {}
        assert json.loads(file.read_text(encoding="utf-8")) == {"models": {}}

    def test_the_command_line_goes_before_an_earlier_run_and_not_before_this_one(
        self, file: Path
    ) -> None:
        first = Applied(file)
        first.apply(MODEL, {"interval": 128, "policy": "lru"})
        first.save()
        second = Applied(file, frozenset({"interval"}))
        used = second.config(MODEL, START)
        assert (used.interval, used.policy) == (1024, "lru")
        assert second.overruled(MODEL) == {"interval"}
        second.apply(MODEL, {"interval": 256})
        assert second.config(MODEL, START).interval == 256
        assert second.overruled(MODEL) == frozenset()

    def test_what_keeps_a_model_from_opening_is_given_up_once_and_not_forgotten(
        self, file: Path
    ) -> None:
        first = Applied(file)
        first.apply(MODEL, {"cache_bytes": 1})
        assert not first.give_up(MODEL), "what this run applied is for undo"
        first.save()
        second = Applied(file)
        assert second.give_up(MODEL)
        assert second.config(MODEL, START) == START
        assert not second.give_up(MODEL)
        second.save()
        assert Applied(file).remembered(MODEL) == {"cache_bytes": 1}

    def test_the_longest_unused_models_make_room(self, file: Path) -> None:
        applied = Applied(file)
        for number in range(33):
            applied.apply(f"/models/{number}", {"interval": 128})
        applied.apply("/models/1", {"interval": 256})
        applied.save()
        kept = Applied(file)
        assert not kept.remembered("/models/0")
        assert kept.remembered("/models/1") == {"interval": 256}

    def test_others_cannot_read_it(self, file: Path) -> None:
        applied = Applied(file)
        applied.apply(MODEL, {"interval": 128})
        applied.save()
        assert file.stat().st_mode & 0o077 == 0


class TestFile:
    @pytest.mark.parametrize(
        "text",
        ["", "[]", "{}", '{"models": 3}', "[" * 100_000, "\0", '{"models": {"/models/one": 7}}'],
    )
    def test_what_cannot_be_read_counts_as_none(self, file: Path, text: str) -> None:
        file.parent.mkdir(parents=True)
        file.write_text(text, encoding="utf-8")
        assert Applied(file).config(MODEL, START) == START

    @pytest.mark.parametrize(
        ("name", "value"),
        [
            ("interval", 100),
            ("interval", "128"),
            ("cache_bytes", -1),
            ("state_share", 7),
            ("policy", "best"),
            ("mode", None),
            ("cache_dir", "/tmp"),
            ("threads", 1),
        ],
    )
    def test_invalid_values_are_left_out_and_the_others_used(
        self, file: Path, name: str, value: Any
    ) -> None:
        file.parent.mkdir(parents=True)
        models = {MODEL: {name: value, "decode_interval": 64}}
        file.write_text(json.dumps({"models": models}), encoding="utf-8")
        applied = Applied(file)
        assert applied.remembered(MODEL) == {"decode_interval": 64}
        assert applied.config(MODEL, START).decode_interval == 64

    def test_a_file_without_end_is_not_read(self, file: Path) -> None:
        file.parent.mkdir(parents=True)
        models = {MODEL: {"interval": 128}, "/" + "x" * 70_000: {}}
        file.write_text(json.dumps({"models": models}), encoding="utf-8")
        assert not Applied(file).remembered(MODEL)
