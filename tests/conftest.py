"""What holds for every test: it writes to nobody's files, computes beside others, and ends soon."""

from __future__ import annotations

import gc
import os
from collections.abc import Generator, Iterator

import pytest

# The cores are shared with the other workers: by PyTorch, which is imported later, and by every
# program that a test starts.
if workers := int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "0")):
    os.environ.setdefault("OMP_NUM_THREADS", str(max(1, (os.cpu_count() or 1) // workers)))


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
