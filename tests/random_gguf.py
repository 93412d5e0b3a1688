"""Writes a GGUF file of a published shape, in bfloat16 with random weights.

    python -m tests.random_gguf Qwen3.5-0.8B OUT.gguf [--draft-head]

llama-quantize makes of it what speed is compared on: that does not depend on the weights' values.
The vocabulary has as many tokens as the shape says, and none of them means anything.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gguf
import torch
from gguf import GGMLQuantizationType as Kind
from tokenizers import pre_tokenizers
from torch import Tensor

from engine.model.config import parse_config
from engine.model.family import PUBLISHED
from engine.model.loader import body_shapes, draft_shapes
from tests.gguf_files import add_fact, floats, metadata, of_block, stored_name

SPECIALS = ("<|endoftext|>", "<|im_end|>")
TEMPLATE = "{% for m in messages %}{{ m.content }}<|im_end|>{% endfor %}"
SPREAD = 0.02
# As published; of text, all sections turn alike.
ROPE_SECTIONS = [11, 11, 10, 0]


def write_random(size: str, path: Path, *, draft_head: bool = False) -> None:
    """Write the file with one tensor in memory at a time. size: a key of `PUBLISHED`."""
    values = PUBLISHED[size]
    writer = gguf.GGUFWriter(path, "qwen35")
    facts = metadata(values, draft_head=draft_head) | vocabulary(int(values["vocab_size"]))
    facts["qwen35.rope.dimension_sections"] = ROPE_SECTIONS
    for key, value in facts.items():
        if key != "general.architecture":
            add_fact(writer, key, value)
    choose = floats(Kind.BF16)
    for name, tensor in tensors(values, "meta", draft_head):
        kind = choose(name, tensor)
        dtype = torch.float32 if kind == Kind.F32 else torch.bfloat16
        row = torch.empty(0, dtype=torch.float32).numpy().dtype
        writer.add_tensor_info(name, tensor.shape, row, tensor.numel() * dtype.itemsize, kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_ti_data_to_file()
    for name, tensor in tensors(values, "cpu", draft_head):
        if choose(name, tensor) == Kind.BF16:
            tensor = tensor.bfloat16().view(torch.int16)
        writer.write_tensor_data(tensor.numpy())
    writer.close()


def tensors(values: dict[str, Any], device: str, draft_head: bool) -> Iterator[tuple[str, Tensor]]:
    """Every tensor by its name in the file: drawn, or on "meta" only its shape."""
    config = parse_config(values)
    shapes = body_shapes(config) | (draft_shapes(config) if draft_head else {})
    if not config.tied:
        shapes["lm_head.weight"] = (config.vocab_size, config.hidden_size)
    torch.manual_seed(0)
    for name, shape in shapes.items():
        drawn = (torch.randn(shape, device=device) * SPREAD).squeeze()
        if "norm" in name:
            drawn += 1
        elif name.endswith("A_log"):
            drawn -= 1
        yield stored_name(of_block(name, len(config.layer_types))), drawn


def vocabulary(count: int) -> dict[str, Any]:
    """What a file says about a tokenizer of `count` tokens."""
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    words = [f"t{at}" for at in range(count - len(letters) - len(SPECIALS))]
    return {
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": "qwen35",
        "tokenizer.ggml.tokens": [*letters, *words, *SPECIALS],
        "tokenizer.ggml.token_type": [1] * (count - 2) + [3, 3],
        "tokenizer.ggml.merges": ["t 1", "t 2"],
        "tokenizer.ggml.eos_token_id": count - 1,
        "tokenizer.chat_template": TEMPLATE,
    }


if __name__ == "__main__":
    draft_head, given = "--draft-head" in sys.argv, [one for one in sys.argv[1:] if one[0] != "-"]
    if len(given) != 2 or given[0] not in PUBLISHED:
        raise SystemExit(__doc__)
    write_random(given[0], Path(given[1]), draft_head=draft_head)
