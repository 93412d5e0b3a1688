"""How long models took to open: kept in a file that may be lost or damaged."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.core.store.load_times import LoadTimes


class TestLoadTimes:
    def test_the_last_time_counts_and_survives_a_restart(self, tmp_path: Path) -> None:
        path = tmp_path / "cache" / "load-times.json"
        times = LoadTimes(path)
        assert times.of("/models/a") is None
        times.add("/models/a", 4.0)
        times.add("/models/a", 2.5)
        assert LoadTimes(path).of("/models/a") == 2.5
        assert path.stat().st_mode & 0o077 == 0

    @pytest.mark.parametrize("seconds", [0.0, -1.0, float("nan"), 1e9])
    def test_what_is_no_time_is_not_kept(self, seconds: float) -> None:
        times = LoadTimes()
        times.add("/models/a", seconds)
        assert times.of("/models/a") is None

    @pytest.mark.parametrize(
        "text", ["", "[]", '{"seconds": 3}', '{"seconds": {"/a": "x", "/b": true, "/c": 1e300}}']
    )
    def test_a_damaged_file_counts_as_none(self, tmp_path: Path, text: str) -> None:
        path = tmp_path / "load-times.json"
        path.write_text(text)
        times = LoadTimes(path)
        assert [times.of(name) for name in ("/a", "/b", "/c")] == [None, None, None]

    def test_only_so_many_are_kept(self, tmp_path: Path) -> None:
        times = LoadTimes(tmp_path / "load-times.json")
        for number in range(80):
            times.add(f"/models/{number}", 1.0)
        again = LoadTimes(tmp_path / "load-times.json")
        assert again.of("/models/0") is None
        assert again.of("/models/79") == 1.0

    def test_a_folder_that_cannot_be_written_is_no_error(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("")
        times = LoadTimes(tmp_path / "file" / "load-times.json")
        times.add("/models/a", 1.0)
        assert times.of("/models/a") == 1.0
