"""Which kernels a process gets: by its processor, by the switch, and by what lies on the disk."""

from __future__ import annotations

import logging
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import kernels.native.library as loading
from kernels.native.compile import find_compiler, is_current, levels, library_path, record_of
from kernels.native.library import NAMES, SWITCH, TORCH, in_use, library
from tests.kernels.conftest import LEVELS

compiled = pytest.mark.skipif(not LEVELS, reason="the kernels in C are not compiled")


@pytest.fixture(autouse=True)
def _afresh() -> Iterator[None]:
    library.cache_clear()
    yield
    library.cache_clear()


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the library in the place where it is looked for."""
    path = tmp_path / library_path().name
    if library_path().exists():
        shutil.copy(library_path(), path)
        shutil.copy(record_of(library_path()), record_of(path))
    monkeypatch.setattr(loading, "library_path", lambda: path)
    monkeypatch.delenv(SWITCH, raising=False)
    return path


def said(caplog: pytest.LogCaptureFixture) -> str:
    (record,) = (record for record in caplog.records if record.name == loading.__name__)
    assert record.levelno == logging.WARNING
    return record.getMessage()


@compiled
def test_the_best_level_of_the_processor_is_taken(place: Path) -> None:
    found = library()
    assert found is not None
    assert found.level == LEVELS[-1]
    assert in_use() == NAMES[found.level]


@compiled
@pytest.mark.parametrize("level", LEVELS)
def test_the_switch_takes_a_weaker_one_which_the_version_names(
    place: Path, monkeypatch: pytest.MonkeyPatch, level: str
) -> None:
    monkeypatch.setenv(SWITCH, level)
    found = library()
    assert found is not None
    assert found.level == level
    assert f" {level} " in found.version


def test_where_a_compiler_is_found_the_kernels_are_in_use() -> None:
    """Or all their tests would be skipped without a word."""
    if find_compiler() is None or not levels() or os.environ.get(SWITCH) == TORCH:
        pytest.skip("no kernels are expected here")
    assert library() is not None


def test_every_level_has_a_name() -> None:
    assert set(levels()) <= set(NAMES)


def test_the_switch_takes_none(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SWITCH, TORCH)
    assert library() is None
    assert in_use() == "PyTorch's operators"


def test_a_level_that_there_is_not_is_named_with_those_there_are(
    place: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv(SWITCH, "avx3")
    assert library() is None
    known = ", ".join((*levels(), TORCH))
    assert said(caplog).endswith(f"BIPLANE_KERNELS is 'avx3', and can be {known}.")


@compiled
def test_a_level_that_the_processor_lacks_is_not_run(
    place: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class Without:
        @staticmethod
        def biplane_use_level(name: bytes) -> int:
            return 0

    monkeypatch.setattr(loading, "_functions", lambda path: Without())
    monkeypatch.setenv(SWITCH, LEVELS[0])
    assert library() is None
    assert said(caplog).endswith(f"this processor cannot run the kernels for {LEVELS[0]}.")


class TestAnotherFile:
    """Nothing but the very library of these sources is loaded; anything else costs speed alone."""

    def test_none(self, place: Path, caplog: pytest.LogCaptureFixture) -> None:
        place.unlink(missing_ok=True)
        assert library() is None
        assert "`python -m kernels.native.compile`" in said(caplog)

    @compiled
    @pytest.mark.parametrize("kept", [0, 100, 5000, 100_000])
    def test_one_cut_short(self, place: Path, caplog: pytest.LogCaptureFixture, kept: int) -> None:
        with place.open("r+b") as file:
            file.truncate(kept)
        assert library() is None
        assert "is damaged or older than its sources" in said(caplog)

    @compiled
    def test_one_with_a_byte_changed(self, place: Path, caplog: pytest.LogCaptureFixture) -> None:
        whole = bytearray(place.read_bytes())
        whole[len(whole) // 2] ^= 1
        place.write_bytes(whole)
        assert library() is None
        assert "is damaged" in said(caplog)

    @compiled
    def test_one_of_other_sources(
        self, place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from kernels.native import compile as compiling

        sources = tmp_path / "src"
        shutil.copytree(compiling.SOURCES, sources)
        monkeypatch.setattr(compiling, "SOURCES", sources)
        assert is_current(place)
        with (sources / "team.h").open("a") as header:
            header.write("// more\n")
        assert not is_current(place)
        assert library() is None

    @pytest.mark.parametrize("content", [b"", b"MZ\x90\x00 a library for another system"])
    def test_one_that_is_no_library_here(
        self,
        place: Path,
        caplog: pytest.LogCaptureFixture,
        content: bytes,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        place.write_bytes(content)
        # Copied whole from another platform, with its record.
        monkeypatch.setattr(loading, "is_current", lambda path: True)
        assert library() is None
        assert f"{place.name} could not be loaded: " in said(caplog)
