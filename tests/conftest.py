"""What holds for every test: it writes to nobody's files, computes beside others, and ends soon."""

from __future__ import annotations

import gc
import os
from collections import defaultdict
from collections.abc import Generator, Iterator

import pytest

from tests.pairwise import Cell, covering

# The cores are shared with the other workers: by PyTorch, which is imported later, and by every
# program that a test starts.
if workers := int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "0")):
    os.environ.setdefault("OMP_NUM_THREADS", str(max(1, (os.cpu_count() or 1) // workers)))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Of a grid of three axes or more, a quick run takes cells with every pair of values."""
    grids: defaultdict[str, list[pytest.Function]] = defaultdict(list)
    for item in items:
        if not isinstance(item, pytest.Function) or item.get_closest_marker("slow") is not None:
            continue
        if hasattr(item, "callspec"):
            grids[item.nodeid.partition("[")[0]].append(item)
    for grid in grids.values():
        cells = [_cell(item) for item in grid]
        for at in set(range(len(grid))).difference(covering(cells)):
            grid[at].add_marker(pytest.mark.slow)


def _cell(item: pytest.Function) -> Cell:
    """Its place on each axis of its grid; names that are given values together are one axis."""
    values = {name: id(value) for name, value in item.callspec.params.items()}
    together = [
        tuple(values.pop(name) for name in names if name in values)
        for names in (_names(mark) for mark in item.iter_markers("parametrize"))
    ]
    return (*together, *values.values())


def _names(mark: pytest.Mark) -> list[str]:
    given = mark.args[0]
    return [name.strip() for name in given.split(",")] if isinstance(given, str) else list(given)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """What a test printed or logged goes to another process, which takes no lone surrogates."""
    report = yield
    report.sections = [
        (name, text.encode(errors="backslashreplace").decode()) for name, text in report.sections
    ]
    return report


@pytest.fixture(scope="module", autouse=True)
def long_lived_things_kept_out_of_collections() -> None:
    """Many tests collect garbage; what was alive before their module is not theirs to look at.

    Modules, items and caches are most of all objects: each collection would visit them again.
    """
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def homes_of_their_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for name in ("config", "data", "state", "cache"):
            patch.setenv(f"XDG_{name.upper()}_HOME", str(tmp_path_factory.mktemp(name)))
        yield
