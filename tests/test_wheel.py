"""The wheel: what an installed copy needs is in it, what only a source checkout needs is not."""

from __future__ import annotations

import ast
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hatchling.builders.sdist import SdistBuilder
from hatchling.builders.wheel import WheelBuilder

from kernels.native.compile import find_compiler, is_current, library_path

ROOT = Path(__file__).parents[1]
PACKAGES = ("app", "engine", "kernels", "assets")
# What trains the bundled model, and what runs other engines.
LEFT_OUT = ("assets/demo/", "engine/bench/peers/")
# The one module that may name what is left out, where it is called.
COMPARISON = "engine/bench/comparison.py"


NATIVE = "kernels/native"
COMPILED = f"{NATIVE}/{library_path().name}"


def build_wheel(root: Path, folder: Path) -> Path:
    (wheel,) = WheelBuilder(str(root)).build(directory=str(folder), versions=["standard"])
    return Path(wheel)


def names_in(wheel: Path) -> frozenset[str]:
    with zipfile.ZipFile(wheel) as archive:
        return frozenset(archive.namelist())


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel that was built from this tree."""
    return build_wheel(ROOT, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def held(wheel: Path) -> frozenset[str]:
    """Names of the files in the wheel."""
    return names_in(wheel)


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What somebody has who builds from the source distribution."""
    folder = tmp_path_factory.mktemp("sdist")
    (packed,) = SdistBuilder(str(ROOT)).build(directory=str(folder), versions=["standard"])
    with tarfile.open(packed) as archive:
        archive.extractall(folder, filter="data")
    (root,) = (path for path in folder.iterdir() if path.is_dir())
    return root


@pytest.fixture
def no_compiler(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setitem(sys.modules, "ziglang", None)


def modules() -> set[str]:
    """Every module of the product in this tree, by its path."""
    files = (path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
    return {path.relative_to(ROOT).as_posix() for path in files}


def imports(tree: ast.Module) -> Iterator[tuple[bool, str]]:
    """Every name that a module imports, and whether it does when it is itself imported."""
    inside = {
        id(node)
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for node in ast.walk(function)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((id(node) not in inside, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = (f"{node.module}.{alias.name}" for alias in node.names)
            yield from ((id(node) not in inside, name) for name in names)


def test_it_holds_every_module_but_those_for_a_source_checkout(held: frozenset[str]) -> None:
    assert all((ROOT / folder).is_dir() for folder in LEFT_OUT)
    expected = {name for name in modules() if not name.startswith(LEFT_OUT)}
    assert {name for name in held if name.endswith(".py")} == expected


def test_nothing_else_of_the_training_or_of_the_peers_is_in_it(held: frozenset[str]) -> None:
    assert [name for name in held if name.startswith(LEFT_OUT)] == []
    assert not any("train" in Path(name).name for name in held)


@pytest.mark.parametrize("folder", ["assets/demo_model", "assets/icons", "assets/themes"])
def test_the_bundled_model_icons_and_themes_are_there(held: frozenset[str], folder: str) -> None:
    files = {path for path in (ROOT / folder).rglob("*") if path.is_file()}
    assert files
    assert {path.relative_to(ROOT).as_posix() for path in files} <= held


def test_so_are_the_desktop_entry_and_the_commands(held: frozenset[str]) -> None:
    assert "assets/linux/biplane.desktop" in held
    assert "assets/linux/biplane-mime.xml" in held
    assert "assets/demo_logits.json.gz" in held
    assert [name for name in held if name.endswith(".dist-info/entry_points.txt")]


@pytest.mark.slow
def test_nothing_in_it_imports_what_is_not(held: frozenset[str]) -> None:
    left_out = tuple(folder.rstrip("/").replace("/", ".") for folder in LEFT_OUT)
    named = {
        (name, at_once)
        for name in held & modules()
        for at_once, imported in imports(ast.parse((ROOT / name).read_text()))
        if f"{imported}.".startswith(tuple(f"{package}." for package in left_out))
    }
    assert named == {(COMPARISON, False)}


needs_compiler = pytest.mark.skipif(
    not is_current(library_path()) and find_compiler() is None, reason="needs a C compiler"
)


@needs_compiler
def test_it_is_for_this_platform_and_holds_the_compiled_kernels(wheel: Path) -> None:
    assert COMPILED in names_in(wheel)
    assert wheel.name.startswith("biplane-")
    assert "-py3-none-" in wheel.name
    assert not wheel.name.endswith("-any.whl")
    assert "manylinux" not in wheel.name


@needs_compiler
def test_its_kernels_are_whole_when_unpacked(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    # Its record is compared with the sources here, from which the wheel was made.
    assert is_current(tmp_path / COMPILED)
    with (tmp_path / COMPILED).open("r+b") as library:
        library.truncate(1000)
    assert not is_current(tmp_path / COMPILED)


@pytest.mark.slow
def test_the_sources_of_the_kernels_are_in_both(held: frozenset[str], unpacked: Path) -> None:
    sources = {path.relative_to(ROOT).as_posix() for path in (ROOT / NATIVE / "src").iterdir()}
    assert sources
    assert sources <= held
    assert all((unpacked / name).is_file() for name in sources)
    assert (unpacked / "packaging/native_hook.py").is_file()
    assert not (unpacked / COMPILED).exists()


def test_without_a_compiler_it_is_for_any_platform_and_says_what_that_means(
    unpacked: Path, tmp_path: Path, no_compiler: None, capfd: pytest.CaptureFixture[str]
) -> None:
    wheel = build_wheel(unpacked, tmp_path)
    assert wheel.name.endswith("-py3-none-any.whl")
    assert COMPILED not in names_in(wheel)
    (said,) = capfd.readouterr().err.splitlines()
    assert said.startswith("Biplane will compute with PyTorch's operators, which is slower: No C")


def test_a_compiler_that_gives_up_does_not_end_the_installation(
    unpacked: Path,
    tmp_path: Path,
    no_compiler: None,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    # It knows all instructions, and then refuses the sources.
    script = 'case "$*" in *empty.c*) exit 0 ;; *) echo "too much for me" >&2; exit 1 ;; esac'
    (tmp_path / "cc").write_text(f"#!/bin/sh\n{script}\n")
    (tmp_path / "cc").chmod(0o755)
    wheel = build_wheel(unpacked, tmp_path)
    assert wheel.name.endswith("-py3-none-any.whl")
    said = capfd.readouterr().err
    assert said.startswith("Biplane will compute with PyTorch's operators, which is slower: ")
    assert "too much for me" in said


def test_the_index_is_asked_for_a_compiler_only_where_there_is_none(
    unpacked: Path, no_compiler: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    (asked,) = WheelBuilder(str(unpacked)).config.dependencies
    assert asked.startswith("ziglang")
    monkeypatch.setenv("BIPLANE_KERNELS", "torch")
    assert WheelBuilder(str(unpacked)).config.dependencies == []


@needs_compiler
def test_with_a_compiler_nothing_is_asked_of_the_index() -> None:
    if find_compiler() is None:
        pytest.skip("compiled elsewhere")
    assert WheelBuilder(str(ROOT)).config.dependencies == []


def test_a_wheel_for_a_platform_that_is_not_known_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BIPLANE_WHEEL", "manylinux_2_17_vax")
    with pytest.raises(SystemExit, match=r"'manylinux_2_17_vax': it can be manylinux_2_17_x86_64,"):
        build_wheel(ROOT, tmp_path)
