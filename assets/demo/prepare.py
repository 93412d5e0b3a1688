"""Writes the model folder before training: `python -m assets.demo.prepare`.

Trains a new tokenizer only with `--tokenizer`: weights belong to the tokenizer they were trained
with, so the one in the folder is otherwise kept.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator

from assets.demo.bundle import MODEL_FOLDER, write_settings, write_weights
from assets.demo.corpus import sample
from assets.demo.network import Network, initialise
from assets.demo.shape import Shape
from assets.demo.tokenizer import open_tokenizer, train_tokenizer

MARKERS = re.compile(r"<\|[a-z_]+\|>|</?think>")


def plain_texts(count: int) -> Iterator[str]:
    """Corpus texts without the markers, which are tokens of their own and not words to learn."""
    for index in range(count):
        yield MARKERS.sub("\n", sample(9, index).text)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tokenizer", action="store_true", help="train a new tokenizer")
    parser.add_argument("--weights", action="store_true", help="write untrained weights")
    given = parser.parse_args()
    shape = Shape()
    if given.tokenizer:
        tokenizer = train_tokenizer(plain_texts(12_000), shape.vocab)
    else:
        tokenizer = open_tokenizer(MODEL_FOLDER)
    write_settings(MODEL_FOLDER, shape, tokenizer)
    if given.weights:
        network = Network(shape)
        initialise(network, 1)
        write_weights(MODEL_FOLDER, network.state_dict())


if __name__ == "__main__":
    main()
