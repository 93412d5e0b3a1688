"""The longest ending seen before, against a search of everything."""

from __future__ import annotations

import numpy as np
import pytest

from engine.cache.lines import Line
from engine.cache.node import Tokens
from engine.drafted import Source
from engine.plan.draft_index import LONGEST, ORDER, DraftIndex, Place


def tokens(*values: int) -> Tokens:
    return np.array(values, np.int32)


def tree(*paths: Tokens) -> dict[Source, list[Line]]:
    """Cached paths of one node each, numbered from 1."""
    return {
        "device": [
            Line(path, (len(path),), ((number, len(path)),))
            for number, path in enumerate(paths, start=1)
        ]
    }


def searched(past: list[list[int]], said: list[int]) -> int:
    """The length of the longest ending of `said` that something follows somewhere."""
    best = 0
    for part in (*past, said):
        for at in range(len(part) - 1):
            length = 0
            while (
                length < min(LONGEST, at + 1, len(said)) and part[at - length] == said[-1 - length]
            ):
                length += 1
            best = max(best, length)
    return best if best >= ORDER else 0


def check(index: DraftIndex, past: list[list[int]], said: list[int], place: Place | None) -> None:
    expected = searched(past, said)
    assert (0 if place is None else place.length) == expected
    if place is None:
        return
    held = index._tokens[: index.count].tolist()
    assert held[place.at + 1 - place.length : place.at + 1] == said[-place.length :]
    ahead = index.after(place, 4)
    follows = held[place.at + 1 : place.at + 5]
    if -1 in follows:
        follows = follows[: follows.index(-1)]
    assert ahead[: len(follows)] == follows
    assert -1 not in ahead


@pytest.mark.parametrize("seed", range(6))
def test_it_finds_what_a_search_finds(seed: int) -> None:
    rng = np.random.default_rng(seed)
    # Few enough tokens that endings repeat, and enough that no ending has too many places.
    vocab = int(rng.choice([6, 9, 20]))
    past = [rng.integers(0, vocab, int(rng.integers(0, 80))).tolist() for _ in range(4)]
    said = rng.integers(0, vocab, int(rng.integers(1, 60))).tolist()
    index = DraftIndex(
        tree(*(tokens(*part) for part in past[:2])),
        [tokens(*part) for part in past[2:]],
        tokens(*said),
    )
    place = index.find()
    check(index, past, said, place)
    for _ in range(150):
        likely = index.after(place, 1) if place is not None else []
        token = likely[0] if likely and rng.random() < 0.8 else int(rng.integers(0, vocab))
        hit = likely == [token]
        index.append(token)
        said.append(token)
        place = index.next(place) if hit and place is not None else index.find()
        check(index, past, said, place)


def test_a_longer_ending_counts_before_a_later_one() -> None:
    index = DraftIndex(
        tree(tokens(5, 1, 2, 3, 7), tokens(6, 1, 2, 3, 8)), [], tokens(9, 5, 1, 2, 3)
    )
    place = index.find()
    assert place is not None
    assert (place.length, index.after(place, 3)) == (4, [7])


def test_of_equal_endings_the_last_counts() -> None:
    index = DraftIndex(tree(tokens(1, 2, 3, 4), tokens(1, 2, 3, 5)), [], tokens(9, 1, 2, 3))
    place = index.find()
    assert place is not None
    assert index.after(place, 3) == [5]
    assert index.source(place) == ("device", 2, 3)


def test_what_repeats_itself_goes_on_so() -> None:
    index = DraftIndex({}, [], tokens(7, 1, 2, 3, 1, 2, 3))
    place = index.find()
    assert place is not None
    assert index.after(place, 8) == [1, 2, 3, 1, 2, 3, 1, 2]
    assert index.source(place) == ("text", 0, 4)


def test_a_prediction_is_followed_before_the_tree() -> None:
    index = DraftIndex(tree(tokens(1, 2, 3, 4)), [tokens(1, 2, 3, 8)], tokens(9, 1, 2, 3))
    place = index.find()
    assert place is not None
    assert (index.after(place, 3), index.source(place)) == ([8], ("prediction", 0, 3))


@pytest.mark.parametrize("prompt", [(), (1,), (1, 2), (1, 2, 3)])
def test_a_short_prompt_has_no_ending(prompt: tuple[int, ...]) -> None:
    index = DraftIndex({}, [], tokens(*prompt))
    assert index.find() is None
    for token in (1, 2, 3, 1, 2, 3):
        index.append(token)
    assert index.find() is not None
