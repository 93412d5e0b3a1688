"""The wheel: what an installed copy needs is in it, what only a source checkout needs is not."""

from __future__ import annotations

import ast
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder

ROOT = Path(__file__).parents[1]
PACKAGES = ("app", "engine", "kernels", "assets")
# What trains the bundled model, and what runs other engines.
LEFT_OUT = ("assets/demo/", "engine/bench/peers/")
# The one module that may name what is left out, where it is called.
COMPARISON = "engine/bench/comparison.py"


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> frozenset[str]:
    """Names of the files in a wheel that was built from this tree."""
    folder = tmp_path_factory.mktemp("wheel")
    (wheel,) = WheelBuilder(str(ROOT)).build(directory=str(folder), versions=["standard"])
    with zipfile.ZipFile(wheel) as archive:
        return frozenset(archive.namelist())


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
    assert [name for name in held if name.endswith(".dist-info/entry_points.txt")]


def test_nothing_in_it_imports_what_is_not(held: frozenset[str]) -> None:
    left_out = tuple(folder.rstrip("/").replace("/", ".") for folder in LEFT_OUT)
    named = {
        (name, at_once)
        for name in held & modules()
        for at_once, imported in imports(ast.parse((ROOT / name).read_text()))
        if f"{imported}.".startswith(tuple(f"{package}." for package in left_out))
    }
    assert named == {(COMPARISON, False)}
