"""Hashed tokens: prefixes stay what they are to a cache, and nothing more can be read."""

from __future__ import annotations

import numpy as np
import pytest

from engine.trace.token_hash import TokenHasher


def sequences(seed: int) -> list[np.ndarray]:
    """Sequences that share prefixes of every kind."""
    rng = np.random.default_rng(seed)
    known = [rng.integers(0, 3, 40)]
    for _ in range(60):
        base = known[int(rng.integers(len(known)))]
        cut = int(rng.integers(0, len(base) + 1))
        known.append(np.concatenate([base[:cut], rng.integers(0, 3, int(rng.integers(1, 12)))]))
    return known


def shared(a: np.ndarray, b: np.ndarray) -> int:
    length = min(len(a), len(b))
    same = a[:length] == b[:length]
    return length if same.all() else int(same.argmin())


def test_two_sequences_share_exactly_the_prefix_that_they_shared() -> None:
    hasher = TokenHasher()
    plain = sequences(3)
    hashed = [hasher.hashed(tokens) for tokens in plain]
    for one, its in zip(plain, hashed, strict=True):
        assert len(its) == len(one)
        assert its.min() >= 0
        assert its.max() < 2**31
        for other, theirs in zip(plain, hashed, strict=True):
            assert shared(its, theirs) == shared(one, other)


def test_links_that_are_remembered_change_nothing() -> None:
    plain = sequences(4)
    together = TokenHasher(b"k" * 32)
    for tokens in plain:
        assert together.hashed(tokens).tolist() == TokenHasher(b"k" * 32).hashed(tokens).tolist()


def test_a_token_that_repeats_does_not_repeat_in_its_hashes() -> None:
    hashed = TokenHasher().hashed(np.full(2000, 7))
    assert len(set(hashed.tolist())) == 2000


def test_two_files_have_nothing_in_common() -> None:
    tokens = np.arange(500)
    one, other = TokenHasher().hashed(tokens), TokenHasher().hashed(tokens)
    assert not set(one.tolist()) & set(other.tolist())


@pytest.mark.parametrize("count", [0, 1])
def test_short_sequences(count: int) -> None:
    assert len(TokenHasher().hashed(np.arange(count))) == count
