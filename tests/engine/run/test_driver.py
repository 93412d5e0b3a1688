"""The random driver: for seconds by default, for minutes if BIPLANE_DRIVER_MINUTES says so."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

import psutil
import pytest

from tests.engine.run.driver import Driver
from tests.mostly_slow import mostly_slow

MINUTES = float(os.environ.get("BIPLANE_DRIVER_MINUTES", "0"))
STEPS = 60
COMPARISONS = 20  # what a turn meets depends on time too: a poor run of steps goes on
SEEDS = 6


@pytest.fixture(scope="module")
def models(tiny_folder: Path, headed_folder: Path) -> tuple[Path, Path]:
    """Without a draft head, and with one."""
    return tiny_folder, headed_folder


def drive(
    seed: int, models: tuple[Path, Path], files: Path, monkeypatch: pytest.MonkeyPatch
) -> Driver:
    print(f"seed {seed}")
    process = psutil.Process()
    files_before = process.num_fds()
    # The head has KV of its own: a token takes twice the room.
    driver = Driver(seed, models[seed % 2], files, monkeypatch, 1 + seed % 2)
    try:
        for number in range(4 * STEPS):
            if number >= STEPS and driver.done["compared"] > COMPARISONS:
                break
            driver.step()
        driver.close()
    finally:
        driver.engine.close()
        print(driver._mode, dict(driver.done), dict(driver.faults.met), driver.said)
    left = [thread.name for thread in threading.enumerate() if thread.name.startswith("biplane")]
    assert not left, "threads leaked"
    assert process.num_fds() <= files_before, "open files leaked"
    return driver


@pytest.mark.parametrize("seed", mostly_slow(range(SEEDS), 3))
def test_nothing_is_wrong_nothing_leaks_and_it_comes_to_rest(
    seed: int, models: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver = drive(seed, models, tmp_path, monkeypatch)
    assert driver.done["compared"] > COMPARISONS
    assert all(sentence.endswith(".") for sentence in driver.said)
    assert driver.done["reused from device"] > 0


@pytest.mark.skipif(not MINUTES, reason="BIPLANE_DRIVER_MINUTES is not set")
@pytest.mark.timeout(0)
def test_for_the_requested_time(
    models: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ends, seed = time.monotonic() + 60 * MINUTES, SEEDS
    compared = 0
    while time.monotonic() < ends:
        with monkeypatch.context() as patched:
            compared += drive(seed, models, tmp_path / str(seed), patched).done["compared"]
        seed += 1
    print(f"{seed - SEEDS} engines, {compared} comparisons")
