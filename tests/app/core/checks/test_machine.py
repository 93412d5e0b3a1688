"""The quick checks: each answer to what a computer may be like, in one sentence with a way out."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from app.core.checks.finding import Finding, Level, worst
from app.core.checks.machine import (
    LEAST_DRIVER,
    Folder,
    disk,
    driver,
    driver_version,
    machine_findings,
    memory,
    nvidia_text,
    processor_level,
    writable,
)

GIB = 1 << 30
CLOSED = (
    "NVRM version: NVIDIA UNIX x86_64 Kernel Module  {0}  Tue Oct 1 12:00:00 UTC 2026\n"
    "GCC version:  gcc version 13.2.0 (Debian 13.2.0-25)\n"
)
OPEN = (
    "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  {0}  Release Build  (dvs@host)\n"
    "GCC version:  gcc version 12.2.0 (Debian 12.2.0-14)\n"
)


def place(path: Path) -> Folder:
    return Folder("settings", "settings", path)


class TestMemory:
    @pytest.mark.parametrize(
        ("available", "level"), [(GIB // 2, "problem"), (GIB, "note"), (8 * GIB, "ok")]
    )
    def test_how_much_is_enough(self, available: int, level: Level) -> None:
        found = memory(16 * GIB, available)
        assert found.level == level
        assert "of 16.0 GiB are free" in found.sentence
        assert bool(found.fix) == (level != "ok")


class TestDisk:
    @pytest.mark.parametrize(
        ("free", "level"), [(GIB // 8, "problem"), (GIB, "note"), (50 * GIB, "ok")]
    )
    def test_how_much_is_enough(self, tmp_path: Path, free: int, level: Level) -> None:
        (found,) = disk([place(tmp_path)], lambda _: free)
        assert (found.level, bool(found.fix)) == (level, level != "ok")

    def test_one_disk_is_told_of_once(self, tmp_path: Path) -> None:
        folders = [place(tmp_path / "a"), place(tmp_path / "b" / "c")]
        assert len(disk(folders, lambda _: GIB)) == 1

    def test_a_disk_that_does_not_answer_is_left_to_the_folder(self, tmp_path: Path) -> None:
        def refuse(_: Path) -> int:
            raise OSError("gone")

        assert disk([place(tmp_path)], refuse) == []


def folder(one: Folder) -> Finding:
    (found,) = writable([one])
    return found


class TestFolders:
    def test_only_those_that_are_wrong_are_told_of_one_by_one(self, tmp_path: Path) -> None:
        (tmp_path / "a").touch()
        sound, wrong = place(tmp_path), place(tmp_path / "a")
        assert [one.id for one in writable([sound, sound])] == ["folders"]
        assert [one.id for one in writable([sound, wrong])] == ["folder.settings"]

    def test_one_that_can_be_written_is_left_as_it_was(self, tmp_path: Path) -> None:
        assert folder(place(tmp_path)).level == "ok"
        assert list(tmp_path.iterdir()) == []

    def test_one_that_is_not_there_is_not_created(self, tmp_path: Path) -> None:
        assert folder(place(tmp_path / "a" / "b")).level == "ok"
        assert list(tmp_path.iterdir()) == []

    def test_a_file_in_its_place(self, tmp_path: Path) -> None:
        (tmp_path / "a").touch()
        found = folder(place(tmp_path / "a" / "b"))
        assert found.level == "problem"
        assert "is no folder" in found.sentence

    @pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
    def test_one_that_is_not_ours(self, tmp_path: Path) -> None:
        tmp_path.chmod(0o500)
        for path in (tmp_path, tmp_path / "below"):
            assert folder(place(path)).level == "problem"
        tmp_path.chmod(0o700)

    def test_a_disk_that_takes_nothing(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def full(**_: object) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr("tempfile.TemporaryFile", full)
        found = folder(place(tmp_path))
        assert found.level == "problem"
        assert "(No space left on device), so settings are not kept" in found.sentence


class TestProcessor:
    @pytest.mark.parametrize(
        ("machine", "flags", "level"),
        [
            ("x86_64", {"sse4_2", "avx"}, "note"),
            ("AMD64", {"avx", "avx2"}, "ok"),
            ("x86_64", set[str](), "ok"),
            ("aarch64", {"asimd"}, "ok"),
        ],
    )
    def test_only_avx2_is_asked_for(self, machine: str, flags: set[str], level: Level) -> None:
        assert processor_level(machine, "Old one", frozenset(flags)).level == level


class TestDriver:
    @pytest.mark.parametrize("text", [CLOSED, OPEN])
    @pytest.mark.parametrize(
        ("version", "number"), [("535.183.01", 535), ("580.65.06", 580), ("1000.1", 1000)]
    )
    def test_its_number_is_read(self, text: str, version: str, number: int) -> None:
        assert driver_version(text.format(version)) == (number, version)

    @pytest.mark.parametrize(
        ("text", "level", "says"),
        [
            (None, "ok", "No NVIDIA driver"),
            (CLOSED.format("535.183.01"), "note", "535.183.01 is too old"),
            (OPEN.format(f"{LEAST_DRIVER}.65.06"), "ok", "new enough"),
            ("NVRM version: something else\n", "note", "cannot be read"),
            ("", "note", "cannot be read"),
        ],
    )
    def test_what_is_said_of_it(self, text: str | None, level: Level, says: str) -> None:
        found = driver(text)
        assert found.level == level
        assert says in found.sentence

    def test_the_file_is_read_in_part(self, tmp_path: Path) -> None:
        assert nvidia_text(tmp_path / "none") is None
        (tmp_path / "version").write_bytes(b"\xff" * 10_000)
        assert len(nvidia_text(tmp_path / "version") or "") == 4096


def test_this_computer_has_an_answer_to_each(tmp_path: Path) -> None:
    found = machine_findings([place(tmp_path)])
    assert {one.id for one in found} == {
        *("memory", "disk.settings", "folders", "processor", "driver")
    }
    assert all(one.sentence.endswith(".") for one in found)
    assert all(one.fix for one in found if one.level != "ok")


def test_the_gravest_one_counts() -> None:
    note, problem = (Finding("a", "A", level, "It is.") for level in ("note", "problem"))
    assert [worst([]), worst([note]), worst([note, problem])] == ["ok", "note", "problem"]
