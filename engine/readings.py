"""Readings of a model's tensors, for learning: plain numbers, measured and never invented."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Series = tuple[float, ...]
# Cells along each side of a state's picture, at most.
PICTURE_CELLS = 16


@dataclass(frozen=True, slots=True)
class EntrySeries:
    """The entries of a full-attention layer, as stored in the KV plane.

    Attributes:
        layer: its index among all layers.
        keys, values: by kv head, the Euclidean norm of each token's key and value.
    """

    layer: int
    keys: tuple[Series, ...]
    values: tuple[Series, ...]


@dataclass(frozen=True, slots=True)
class StateHead:
    """The state of one head of a linear layer after each token of a window.

    Attributes:
        norms: its Frobenius norm.
        changes: the norm of its difference from the state before the token, over the larger of the
            norms of the two; 1 for the first token of a sequence.
        decays: the factor that the token's gate multiplied the state by, 0 to 1.
        rates: beta, 0 to 1: how much of the difference between the token's value and what its key
            read before was written.
        likeness: for each lag, the cosine between this state and the one that many tokens earlier;
            None if that is before the window.
        readback: for each token of the window, how well the values of the tokens up to it can be
            read back then: the cosine between S^T k_j and v_j, for each j up to the token.
        pictures: the mean magnitude of the state's numbers in `rows` by `columns` cells, row by
            row, a byte each: 255 is `largest`.
        written: the same for its difference from the state before the token, on the same scale.
    """

    norms: Series
    changes: Series
    decays: Series
    rates: Series
    likeness: tuple[tuple[float | None, ...], ...]
    readback: tuple[Series, ...]
    pictures: tuple[bytes, ...]
    written: tuple[bytes, ...]
    largest: float


@dataclass(frozen=True, slots=True)
class StateSeries:
    """The state of a linear layer after each token of a window.

    Attributes:
        layer: its index among all layers.
        lags: those of `StateHead.likeness`, in tokens.
        rows, columns: cells of a picture, along the key and the value dimension.
        heads: by value head.
    """

    layer: int
    lags: tuple[int, ...]
    rows: int
    columns: int
    heads: tuple[StateHead, ...]


@dataclass(frozen=True, slots=True)
class MemoryReading:
    """How the two kinds of memory took up the last tokens of a sequence.

    Attributes:
        total: tokens of the whole sequence; `start` of them come before the window.
        texts: of each token of the window.
        entries, state: of the requested layers; None if the model has no such layer.
    """

    total: int
    start: int
    texts: tuple[str, ...]
    entries: EntrySeries | None
    state: StateSeries | None


@dataclass(frozen=True, slots=True)
class LayerRecall:
    """How much of what a layer reads comes from the needle, for each query of a reading.

    Attributes:
        shares: of the whole layer: for full attention the attention mass on the needle, the mean
            over the heads; for linear attention its part of the read-out (see
            `engine.run.inspect.jobs`). Over all tokens either sums to 1.
        head_shares: the same by head.
        answers: linear attention: the cosine between the needle's value and what its own key reads
            from the state, the mean over heads and needle tokens; empty for full attention.
        head_answers: the same by head.
    """

    layer: int
    kind: Literal["linear", "full"]
    shares: Series
    head_shares: tuple[Series, ...]
    answers: Series = ()
    head_answers: tuple[Series, ...] = ()


@dataclass(frozen=True, slots=True)
class RecallReading:
    """The tokens of a sequence, and what its layers still retain of a needle among them.

    Attributes:
        total: tokens of the whole sequence; `start` of them come before `texts`.
        texts: of the tokens from `start` on.
        needle: [first, end) in the sequence; None if none was requested.
        first_query: position of the first query; the others follow it.
        layers: all of them, in order; empty without a needle.
        moments: if no query was requested, what the full-attention layers read of the needle at
            each position from the needle's end on: the mean over the layers of their shares.
    """

    total: int
    start: int
    texts: tuple[str, ...]
    needle: tuple[int, int] | None = None
    first_query: int = 0
    layers: tuple[LayerRecall, ...] = ()
    moments: Series = ()

    @property
    def queries(self) -> int:
        return len(self.layers[0].shares) if self.layers else 0
