"""The head that some models bring for drafting: one more block that predicts a token further on.

Source: the family's `mtp.*` tensors and vLLM's qwen3_5_mtp.py. A row of it is made of a token's
embedding and the model's final normed row at the position before; what it returns takes the place
of that row for the next drafted token.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import torch
from torch import Tensor

from engine.model.attention_layer import AttentionLayer, key_value_rows
from engine.model.block import Block, block_shapes
from engine.model.config import ModelConfig
from engine.model.layer import Layer, LayerClass, LayerSource, RunContext, Shapes
from engine.model.tensor_store import DRAFT
from kernels.embedding import Embedding
from kernels.kv_slots import crop, write_extents
from kernels.matmul import DenseMatrix, Matrix, few_logits, first_outputs
from kernels.norms import rms_norm

BLOCK = DRAFT + "layers.0."
INPUTS = "fc.weight"
NORMS = ("pre_fc_norm_embedding.weight", "pre_fc_norm_hidden.weight", "norm.weight")
# A head of a large vocabulary costs as much as many layers: its first rows, which tokenizers give
# to what is frequent, and those of tokens seen here are enough for drafts.
FREQUENT, SEEN = 1 << 15, 1 << 12


def head_shapes(config: ModelConfig, mlp: LayerClass) -> Shapes:
    """Every tensor of the head and its shape in the file."""
    hidden = config.hidden_size
    shapes: Shapes = {DRAFT + INPUTS: (hidden, 2 * hidden)}
    shapes |= dict.fromkeys([DRAFT + name for name in NORMS], (hidden,))
    block = block_shapes(config, AttentionLayer, mlp)
    return shapes | {BLOCK + name: shape for name, shape in block.items()}


class DraftHead:
    """Drafts tokens one by one.

    Its block has keys and values of its own, the last layer of the KV plane. Those at a position
    are made of the token there and the final row before it: like all KV they depend on no later
    token, so a cached prefix is good whatever follows it. Nothing comes before position 0, which
    is therefore never attended to.
    """

    def __init__(
        self,
        config: ModelConfig,
        source: LayerSource,
        block: LayerSource,
        mlp: Layer,
        words: DraftWords,
    ) -> None:
        """source, block: the tensors below DRAFT and BLOCK; mlp: the block's feed-forward."""
        self._config, self._dtype = config, source.dtype
        self._index = config.full_layers
        self._words = words
        self._inputs = source.matrix(INPUTS)
        self._of_token, self._of_row, self._norm = map(source.norm, NORMS)
        self._attention = AttentionLayer(config, block, self._index)
        self._block = Block(config, block, self._attention, mlp)
        # For positions that only need an entry: as most do.
        self._entries = block.stacked("self_attn.entries", *key_value_rows(config))

    @torch.inference_mode()
    def enter(self, tokens: Tensor, rows: Tensor, run: RunContext) -> None:
        """Write the keys and values of positions, given their tokens [n] int64 and the final rows
        before them [n, hidden].
        """
        self._words.saw(tokens.tolist())
        normed = self._normed(self._mixed(tokens, rows), self._block.before_mixer)
        keys, values = (
            self._entries.project(normed)
            .view(len(tokens), 2, self._config.kv_heads, self._config.head_dim)
            .unbind(1)
        )
        turned = self._attention.turned_keys(keys, run.rope)
        write_extents(run.kv.k[self._index], turned[run.skip :], run.writes)
        write_extents(run.kv.v[self._index], values[run.skip :], run.writes)

    @torch.inference_mode()
    def draft(self, tokens: Tensor, rows: Tensor, run: RunContext) -> tuple[Tensor, int, float]:
        """After the last of these tokens: a row in place of its own, the likeliest token to follow
        it, and how likely the head holds that to be.

        tokens: [n] int64, 1 to 16; rows: [n, hidden], the final rows before them. run: their
        positions, from 1 on, whose keys and values are written.
        """
        self._words.saw(tokens.tolist())
        run = replace(run, extents=crop(run.extents, 1, sum(length for _, length in run.extents)))
        x = self._mixed(tokens, rows)
        x = self._block.few(x, run) if run.kernels.fuses else self._block.forward(x, run)
        after = self._normed(x[-1], self._norm)
        return after, *self._words.likeliest(after)

    def _mixed(self, tokens: Tensor, rows: Tensor) -> Tensor:
        """[n] and [n, hidden] as input of the block, [n, hidden] float32."""
        embedded = self._normed(self._words.embedding.rows(tokens), self._of_token)
        both = torch.cat((embedded, self._normed(rows.float(), self._of_row)), 1)
        if len(both) == 1:
            return self._inputs.project_row(both[0]).float().unsqueeze(0)
        return self._inputs.project(both).float()

    def _normed(self, x: Tensor, scale: Tensor) -> Tensor:
        return rms_norm(x, scale, self._config.eps, self._dtype)

    def tensors(self) -> tuple[Tensor, ...]:
        """Every weight of the head."""
        own = (self._of_token, self._of_row, self._norm)
        matrices = (*self._inputs.tensors(), *self._entries.tensors())
        return (*matrices, *self._block.tensors(), *own, *self._words.tensors())


class DraftWords:
    """The tokens that may be drafted.

    Attributes:
        embedding: the model's.
    """

    def __init__(
        self, embedding: Embedding, head: Matrix, config: ModelConfig, dtype: torch.dtype
    ) -> None:
        """head: the model's, over the whole vocabulary; dtype: the model's."""
        self.embedding = embedding
        self._head, self._outputs = head, config.vocab_size
        self._ids: list[int] = []
        self._places: dict[int, int] = {}
        self._rows: Tensor | None = None
        if config.tied and config.vocab_size > 2 * FREQUENT:
            frequent = first_outputs(head, FREQUENT)
            if frequent is None:
                return
            self._head, self._outputs = frequent, FREQUENT
            place = head.tensors()[0].device
            self._rows = torch.zeros(SEEN, config.hidden_size, dtype=dtype, device=place)

    def saw(self, tokens: Iterable[int]) -> None:
        """Tokens that may be drafted from now on; of the rare ones the last SEEN are known."""
        if self._rows is None:
            return
        new = dict.fromkeys(t for t in tokens if t >= FREQUENT and t not in self._places)
        for token in list(new)[-SEEN:]:
            place = len(self._places) if len(self._places) < SEEN else self._oldest()
            self._places[token] = place
            self._ids[place : place + 1] = [token]
            self._rows[place] = self.embedding.rows(torch.tensor([token]))[0]

    def _oldest(self) -> int:
        """The place of the token that was seen first, which is forgotten."""
        return self._places.pop(next(iter(self._places)))

    def likeliest(self, row: Tensor) -> tuple[int, float]:
        """The likeliest token after a row [hidden], and its probability among these."""
        logits = few_logits(self._head, row.unsqueeze(0))[0]
        if self._rows is not None and self._ids:
            rare = DenseMatrix(self._rows[: len(self._ids)])
            logits = torch.cat((logits, few_logits(rare, row.unsqueeze(0))[0]))
        best = int(logits.argmax())
        chance = 1 / float((logits - logits[best]).exp_().sum())
        return self._ids[best - FREQUENT] if best >= self._outputs else best, chance

    def tensors(self) -> tuple[Tensor, ...]:
        """What it keeps besides the model's own tables."""
        return () if self._rows is None else (self._rows,)
