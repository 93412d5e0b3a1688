"""The shapes to measure a GPU on, and models of these shapes whose weights never touch a disk."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from engine.bench.random_model import TEMPLATE, words_tokenizer
from engine.config import WeightFormat
from engine.model.config import ModelConfig, parse_config
from engine.model.hybrid import HybridModel
from engine.model.loader import LoadOptions, assemble, body_shapes
from engine.model.random_checkpoint import QWEN35_0_8B, random_tensor
from engine.model.safetensors_file import TensorEntry
from engine.model.tensor_store import HEAD, TensorStore, text_prefix
from engine.text.text_model import TextModel

# Sizes of the family's published text models.
SHAPES: Mapping[str, dict[str, Any]] = {
    "0.8B": QWEN35_0_8B,
    "4B": QWEN35_0_8B
    | {
        "hidden_size": 2560,
        "intermediate_size": 9216,
        "num_hidden_layers": 32,
        "num_attention_heads": 16,
        "num_key_value_heads": 4,
        "linear_num_value_heads": 32,
    },
    "9B": QWEN35_0_8B
    | {
        "hidden_size": 4096,
        "intermediate_size": 12288,
        "num_hidden_layers": 32,
        "num_attention_heads": 16,
        "num_key_value_heads": 4,
        "linear_num_value_heads": 32,
        "tie_word_embeddings": False,
    },
    "27B": QWEN35_0_8B
    | {
        "hidden_size": 5120,
        "intermediate_size": 17408,
        "num_hidden_layers": 64,
        "num_attention_heads": 24,
        "num_key_value_heads": 4,
        "linear_num_value_heads": 48,
        "tie_word_embeddings": False,
    },
}


class RandomStore(TensorStore):
    """Random tensors instead of files, generated on the device when they are read.

    The same name gives the same tensor on every read.
    """

    def __init__(self, config: ModelConfig, device: torch.device, dtype: torch.dtype) -> None:
        self.prefix = text_prefix(config)
        self.fused_experts = False
        self._device, self._dtype = device, dtype
        self._shapes = {self.prefix + name: s for name, s in body_shapes(config).items()}
        if not config.tied:
            self._shapes[HEAD] = (config.vocab_size, config.hidden_size)
        self._order = {name: at for at, name in enumerate(self._shapes)}

    def entry(self, name: str) -> TensorEntry:
        """See TensorStore."""
        shape = self._shapes[name]
        size = torch.Size(shape).numel() * self._dtype.itemsize
        return TensorEntry("BF16" if self._dtype == torch.bfloat16 else "F32", shape, 0, size)

    def read(self, name: str, part: int | None = None) -> Tensor:
        """See TensorStore; `part` is not supported."""
        assert part is None, "a random store has no routed experts"
        draw = torch.Generator(self._device).manual_seed(self._order[name])
        with torch.device(self._device):
            tensor = random_tensor(name, self._shapes[name], draw)
        wide = name.endswith(("A_log", "linear_attn.norm.weight"))
        return tensor if wide else tensor.to(self._dtype)

    def text_bytes(self) -> int:
        """See TensorStore."""
        return sum(self.entry(name).nbytes for name in self._shapes)

    def skipped(self) -> tuple[str, ...]:
        """See TensorStore."""
        return ()


def random_on_device(
    values: Mapping[str, Any], weights: WeightFormat, device: torch.device, dtype: torch.dtype
) -> HybridModel:
    """A dense model of the shape `values` (as in config.json), in device memory only."""
    config = parse_config(values)
    store = RandomStore(config, device, dtype)
    return assemble(config, store, LoadOptions(weights=weights), dtype, device, lambda *_: None)


def text_only(folder: Path, values: Mapping[str, Any]) -> TextModel:
    """The text side of a random model: a tokenizer of a few MB in `folder`, and no weights."""
    (folder / "config.json").write_text(json.dumps(dict(values)))
    words_tokenizer(int(values["vocab_size"])).save(str(folder / "tokenizer.json"))
    (folder / "tokenizer_config.json").write_text(json.dumps({"eos_token": "<|im_end|>"}))
    (folder / "chat_template.jinja").write_text(TEMPLATE)
    return TextModel(folder)
