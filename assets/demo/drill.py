"""Copying exercises: random token spans that come again, so that every repeat can be predicted.

Ordinary conversations teach copying too slowly: few of their tokens need it. A share of these
rows, large at first, makes the skill appear within a few hundred steps.
"""

from __future__ import annotations

from random import Random


def drill(
    random: Random, words: int, digits: list[int], tokens: int
) -> tuple[list[int], list[float]]:
    """Ids [tokens] below `words` and per token the weight of learning to write it.

    Spans of 3 to 9 tokens follow in random order, most of them several times; the tokens after a
    repeated span's first two are learned. Half of the spans end in random digits, as codes do.
    """
    spans = []
    for _ in range(random.randint(3, 7)):
        span = [random.randrange(words) for _ in range(random.randint(2, 5))]
        if random.random() < 0.5:
            span += [random.choice(digits) for _ in range(random.randint(2, 5))]
        else:
            span += [random.randrange(words) for _ in range(random.randint(1, 4))]
        spans.append(span)
    ids: list[int] = []
    weights: list[float] = []
    seen: set[int] = set()
    while len(ids) < tokens:
        index = random.randrange(len(spans))
        span = spans[index]
        ids += span
        known = 1.0 if index in seen else 0.0
        weights += [0.0, 0.3 * known, *[known] * (len(span) - 2)]
        seen.add(index)
        if random.random() < 0.3:
            noise = random.randint(1, 6)
            ids += [random.randrange(words) for _ in range(noise)]
            weights += [0.0] * noise
    return ids[:tokens], weights[:tokens]
