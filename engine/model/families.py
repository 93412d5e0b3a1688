"""Which layer classes a family runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.model.attention_layer import AttentionLayer
from engine.model.config import FULL, LINEAR
from engine.model.layer import LayerClass
from engine.model.linear_layer import LinearLayer
from engine.model.mlp import DenseMlp


@dataclass(frozen=True, slots=True)
class FamilyLayers:
    """The mixer class per layer type, and the feed-forward class."""

    mixers: Mapping[str, LayerClass]
    mlp: LayerClass


FAMILY_LAYERS = {
    "qwen3_5": FamilyLayers(mixers={LINEAR: LinearLayer, FULL: AttentionLayer}, mlp=DenseMlp),
}
