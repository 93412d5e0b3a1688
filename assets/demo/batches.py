"""Turns corpus samples into batches of token ids, targets and loss weights."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

import torch
from tokenizers import Tokenizer
from torch import Tensor

from assets.demo.corpus import Sample, sample
from assets.demo.drill import drill

# Token ids, and the weight of learning to write each.
Row = tuple[list[int], list[float]]


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows of about equal length, padded on the right.

    Attributes:
        ids: [rows, tokens] int64.
        places: [predicted] int64, flat positions in `ids` whose next token is learned.
        targets: [predicted] int64, those next tokens.
        weights: [predicted] float32.
    """

    ids: Tensor
    places: Tensor
    targets: Tensor
    weights: Tensor


def encode(tokenizer: Tokenizer, samples: list[Sample]) -> list[Row]:
    """Token ids of each sample and, per token, the weight of learning to write it."""
    rows = []
    encodings = tokenizer.encode_batch([item.text for item in samples])
    for item, encoding in zip(samples, encodings, strict=True):
        by_character = [0.0] * len(item.text)
        for start, end, weight in item.weighted:
            by_character[start:end] = [weight] * (end - start)
        rows.append((encoding.ids, [by_character[end - 1] for _, end in encoding.offsets]))
    return rows


def make_batch(rows: list[Row], chunk: int, pad: int) -> Batch:
    """Pad rows to the next multiple of `chunk`."""
    width = -(-max(len(ids) for ids, _ in rows) // chunk) * chunk
    ids = torch.full((len(rows), width), pad)
    weights = torch.zeros(len(rows), width)
    for row, (tokens, values) in enumerate(rows):
        ids[row, : len(tokens)] = torch.tensor(tokens)
        # The weight of a token belongs to the position before it, which predicts it.
        weights[row, : len(tokens) - 1] = torch.tensor(values[1:])
    places = weights.flatten().nonzero().squeeze(1)
    return Batch(ids, places, ids.flatten()[places + 1], weights.flatten()[places])


def stream(
    tokenizer: Tokenizer,
    seed: int,
    first: int,
    turns: tuple[int, int],
    batch_tokens: int,
    chunk: int,
    drills: float = 0.0,
    pool: int = 768,
) -> Iterator[tuple[int, Batch]]:
    """Endless (index of the next unread dialogue, batch); rows of a batch have about one length.

    `drills` is the share of tokens that come from copying exercises instead of the corpus.
    """
    pad = _id_of(tokenizer, "<|endoftext|>")
    digits = [_id_of(tokenizer, digit) for digit in "0123456789"]
    while True:
        rows = encode(tokenizer, [sample(seed, i, turns) for i in range(first, first + pool)])
        first += pool
        random = Random(f"{seed}/{first}")
        wanted = sum(len(ids) for ids, _ in rows) * drills / (1 - drills)
        while wanted > 0:
            length = random.choice((64, 128, 128, 192))
            rows.append(drill(random, pad, digits, length))
            wanted -= length
        for batch in batches_of(rows, batch_tokens, chunk, random, pad):
            yield first, batch


def batches_of(
    rows: list[Row], batch_tokens: int, chunk: int, random: Random, pad: int
) -> Iterator[Batch]:
    """`rows` in batches of at most `batch_tokens` tokens and about equal lengths; sorts `rows`."""
    rows.sort(key=lambda row: len(row[0]))
    batches: list[list[Row]] = []
    group: list[Row] = []
    for row in rows:
        width = -(-len(row[0]) // chunk) * chunk
        if group and width * (len(group) + 1) > batch_tokens:
            batches.append(group)
            group = []
        group.append(row)
    batches.append(group)
    random.shuffle(batches)
    for group in batches:
        yield make_batch(group, chunk, pad)


def _id_of(tokenizer: Tokenizer, token: str) -> int:
    found = tokenizer.token_to_id(token)
    assert found is not None
    return found
