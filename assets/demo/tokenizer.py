"""Trains and opens the demo model's byte-level BPE tokenizer."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers, trainers

from assets.demo.shape import MARKER_TOKENS, SPECIAL_TOKENS

# Words keep their leading space, digits stand alone, and a run of line ends stays one piece, so
# that text cut after a line end tokenises the same way alone and inside a longer text.
PIECES = r"'(?:s|t|re|ve|m|ll|d)\b| ?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+|\s*[\r\n]+|\s+(?!\S)|\s+"


def train_tokenizer(texts: Iterable[str], vocab: int) -> Tokenizer:
    """Learn merges from `texts`; the added tokens take the last ids of `vocab` exactly."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(PIECES), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    added = len(SPECIAL_TOKENS) + len(MARKER_TOKENS)
    trainer = trainers.BpeTrainer(
        vocab_size=vocab - added,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        min_frequency=2,
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    tokenizer.add_special_tokens([AddedToken(text, normalized=False) for text in SPECIAL_TOKENS])
    tokenizer.add_tokens(
        [AddedToken(text, normalized=False, special=False) for text in MARKER_TOKENS]
    )
    if tokenizer.get_vocab_size() != vocab:
        raise ValueError(f"the corpus gave {tokenizer.get_vocab_size()} tokens instead of {vocab}")
    return tokenizer


def open_tokenizer(folder: Path) -> Tokenizer:
    """The tokenizer of a model folder."""
    return Tokenizer.from_file(str(folder / "tokenizer.json"))
