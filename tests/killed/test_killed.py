"""kill -9 of the whole program at random moments: what was complete is there, and a draft, and
the beginning of the answer that was being written.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.killed.expected import COMMIT_S
from tests.killed.rounds import Lives, Server

ROUNDS = 50
REAL_ROUNDS = 3
_FIRST_SEED = 1100
# Two users at a time, each with a folder of their own.
_USERS = 2

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    server = Server()
    yield server
    server.close()


def test_fifty_kills_lose_nothing_that_was_complete(server: Server, tmp_path: Path) -> None:
    seeds = range(_FIRST_SEED, _FIRST_SEED + ROUNDS)

    def use(user: int) -> Lives:
        folder = tmp_path / str(user)
        folder.mkdir()
        lives = Lives(server, folder, "paced")
        for seed in seeds[user::_USERS]:
            lives.live(seed, most_s=1.5)
        return lives

    with ThreadPoolExecutor(_USERS) as pool:
        both = list(pool.map(use, range(_USERS)))
    tell(f"{ROUNDS} rounds, seeds {seeds.start} to {seeds.stop - 1}", both)
    # It was no quiet day: much was said, and some of it was cut off.
    assert sum(len(lives.expected.whole) for lives in both) > ROUNDS
    assert sum(lives.cut_off for lives in both) >= 3
    assert sum(lives.marked for lives in both) >= 3


def test_the_real_engine_is_killed(server: Server, tmp_path: Path) -> None:
    lives = Lives(server, tmp_path, "real")
    for seed in range(REAL_ROUNDS):
        lives.live(seed, most_s=2.5)
    tell(f"{REAL_ROUNDS} rounds on the bundled model, seeds 0 to {REAL_ROUNDS - 1}", [lives])


def tell(what: str, all_lives: list[Lives]) -> None:
    """Print what was measured; what was lost too late has failed already."""
    lags = sorted(lag for lives in all_lives for lag in lives.expected.lags)
    lost = [one for lives in all_lives for one in lives.expected.lost]
    cut = sum(lives.cut_off for lives in all_lives)
    print(
        f"\n{what}: {len(lags)} messages, in the database {statistics.median(lags) * 1e3:.1f} ms "
        f"after they were shown (at most {lags[-1] * 1e3:.0f} ms), {cut} answers cut off, "
        f"lost within {COMMIT_S} s: {[f'{age * 1e3:.0f} ms' for _, age in lost]}"
    )
    # At once: at the next of two times a second it would be a quarter of one.
    assert statistics.median(lags) < 0.15
    assert sum(age >= COMMIT_S for _, age in lost) <= len(lags) // 50
