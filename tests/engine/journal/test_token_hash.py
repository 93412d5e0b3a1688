"""Hashed tokens: prefixes stay what they are to a cache, and of the rest only long passages."""

from __future__ import annotations

import numpy as np
import pytest

from engine.journal.token_hash import WINDOW, TokenHasher


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


def test_hashes_that_are_remembered_change_nothing() -> None:
    plain = sequences(4)
    together = TokenHasher(b"k" * 32)
    for tokens in plain:
        assert together.hashed(tokens).tolist() == TokenHasher(b"k" * 32).hashed(tokens).tolist()


def test_after_a_difference_the_same_text_has_the_same_hashes_again() -> None:
    one = np.arange(500)
    # Two tokens more at 100: all that follows has moved.
    other = np.concatenate([one[:100], [7, 7], one[100:]])
    hasher = TokenHasher()
    mine, theirs = hasher.hashed(one), hasher.hashed(other)
    assert mine[:100].tolist() == theirs[:100].tolist()
    again = 100 + WINDOW - 1
    assert not set(mine[100:again].tolist()) & set(theirs.tolist())
    assert mine[again:].tolist() == theirs[again + 2 :].tolist()


def test_tokens_and_short_passages_that_repeat_cannot_be_seen() -> None:
    rng = np.random.default_rng(5)
    short = np.arange(WINDOW - 1)
    tokens = np.concatenate([np.append(short, rng.integers(100, 10**6)) for _ in range(100)])
    hashed = TokenHasher().hashed(tokens)
    assert len(set(hashed.tolist())) == len(tokens)


def test_a_beginning_is_not_the_same_text_in_the_middle() -> None:
    hasher = TokenHasher()
    start = np.arange(WINDOW - 1)
    inside = hasher.hashed(np.concatenate([[5], start]))[1:]
    assert not set(hasher.hashed(start).tolist()) & set(inside.tolist())


def test_two_files_have_nothing_in_common() -> None:
    tokens = np.arange(500)
    one, other = TokenHasher().hashed(tokens), TokenHasher().hashed(tokens)
    assert not set(one.tolist()) & set(other.tolist())


@pytest.mark.parametrize("count", [0, 1])
def test_short_sequences(count: int) -> None:
    assert len(TokenHasher().hashed(np.arange(count))) == count
