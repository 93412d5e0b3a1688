"""What is missing on the system is one sentence, not an abort."""

from __future__ import annotations

from pathlib import Path

from app.shell import preflight


def test_a_library_that_is_missing_is_named(tmp_path: Path) -> None:
    (tmp_path / "libqxcb.so").write_bytes(b"")

    def load(path: str) -> object:
        raise OSError("libxcb-icccm.so.4: cannot open shared object file: No such file")

    sentence = preflight.plugin_problem(tmp_path, load)
    assert "libxcb-icccm.so.4" in sentence
    assert "apt install" in sentence
    assert "libxcb-icccm4" in sentence


def test_a_plugin_that_loads_is_no_problem(tmp_path: Path) -> None:
    (tmp_path / "libqxcb.so").write_bytes(b"")
    assert preflight.plugin_problem(tmp_path, lambda path: object()) == ""


def test_another_systems_qt_has_no_such_plugin(tmp_path: Path) -> None:
    assert preflight.plugin_problem(tmp_path) == ""


def test_a_file_that_is_no_library_is_refused(tmp_path: Path) -> None:
    (tmp_path / "libqxcb.so").write_bytes(b"not a library")
    assert preflight.plugin_problem(tmp_path) != ""
