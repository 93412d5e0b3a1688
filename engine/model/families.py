"""Which layer classes a family runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.model.attention_layer import AttentionLayer
from engine.model.config import FULL, LINEAR
from engine.model.feed_forward import DENSE, SPARSE
from engine.model.layer import LayerClass
from engine.model.linear_layer import GroupedLinearLayer, LinearLayer
from engine.model.mlp import DenseMlp
from engine.model.sparse_mlp import SparseMlp


@dataclass(frozen=True, slots=True)
class FamilyLayers:
    """The mixer class per layer type, and the feed-forward class per mlp type."""

    mixers: Mapping[str, LayerClass]
    mlps: Mapping[str, LayerClass]


_MLPS: Mapping[str, LayerClass] = {DENSE: DenseMlp, SPARSE: SparseMlp}
FAMILY_LAYERS = {
    "qwen3_5": FamilyLayers({LINEAR: LinearLayer, FULL: AttentionLayer}, _MLPS),
    "qwen3_next": FamilyLayers({LINEAR: GroupedLinearLayer, FULL: AttentionLayer}, _MLPS),
}
