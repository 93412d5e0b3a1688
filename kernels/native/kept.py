"""What drafted rows do to the linear layers' states, kept until it is known which rows stay.

A state goes on to any of the rows in one pass over it (`src/delta_rows.c`), with the bits that it
would have if only those rows had run. Nothing is copied before, and nothing afterwards.

Source: the recurrent form in Yang et al., "Gated Delta Networks" (2024): given each row's decay,
key and change, a state is a sum of outer products.
"""

from __future__ import annotations

import ctypes

import torch
from torch import Tensor

from kernels.native.fields import FoldFields, KeptFields
from kernels.native.layers import LinearShape
from kernels.native.library import Library
from kernels.native.rows import MOST_FEW


class KeptRows:
    """Buffers for up to 16 rows of every linear layer.

    Attributes:
        nbytes: their size.
    """

    def __init__(self, found: Library, shape: LinearShape, layers: int) -> None:
        self._call = found.call.biplane_fold_states
        self._shape = shape
        # A head's rows lie together: 16 rows whole pages apart would share one place of a cache.
        self._decay = torch.empty(layers, shape.value_heads, MOST_FEW)
        self._keys = torch.empty(layers, shape.key_heads, MOST_FEW, shape.key_dim)
        self._change = torch.empty(layers, shape.value_heads, MOST_FEW, shape.value_dim)
        channels = 2 * shape.key_heads * shape.key_dim + shape.value_heads * shape.value_dim
        self._channels = torch.empty(layers, MOST_FEW, channels, dtype=shape.window_dtype)
        parts = (self._decay, self._keys, self._change, self._channels)
        self.nbytes = sum(part.nbytes for part in parts)
        self._layers = [
            KeptFields(*(part[layer].data_ptr() for part in parts)) for layer in range(layers)
        ]

    def layer(self, index: int) -> KeptFields:
        """Where rows of a linear layer are kept."""
        return self._layers[index]

    def fold(self, delta: Tensor, window: Tensor, rows: int) -> None:
        """The state after the first `rows` rows, in place of the one before them.

        delta: [layers, value_heads, key_dim, value_dim] float32; window: [layers, kernel - 1,
        channels]. Both must be what the rows ran on.
        """
        assert 0 <= rows <= MOST_FEW, "more rows than were kept"
        assert delta.is_contiguous(), "a state in pieces"
        shape, past = self._shape, window.shape[1]
        fields = FoldFields(
            *(len(self._layers), rows),
            *(shape.key_heads, shape.value_heads, shape.key_dim, shape.value_dim),
            *(part.data_ptr() for part in (self._decay, self._keys, self._change, delta)),
        )
        self._call(ctypes.byref(fields))
        entered = self._channels[:, max(rows - past, 0) : rows]
        if rows < past:
            entered = torch.cat((window[:, rows:], entered), 1)
        window.copy_(entered)
