"""Writes the model folder: config, tokenizer, template, generation settings and weights."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer
from torch import Tensor

from assets.demo.network import Network
from assets.demo.shape import MARKER_TOKENS, SPECIAL_TOKENS, Shape, config_json
from assets.demo.template import TEMPLATE_FILE

MODEL_FOLDER = Path(__file__).resolve().parent.parent / "demo_model"


def _write_json(path: Path, content: Mapping[str, object]) -> None:
    path.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


def write_settings(folder: Path, shape: Shape, tokenizer: Tokenizer) -> None:
    """Write every file of the folder except the weights."""
    folder.mkdir(parents=True, exist_ok=True)
    config = config_json(shape)
    _write_json(folder / "config.json", config)
    _write_json(
        folder / "generation_config.json",
        {
            "do_sample": True,
            "temperature": 0.5,
            "top_p": 0.9,
            "top_k": 20,
            "eos_token_id": [config["eos_token_id"], config["pad_token_id"]],
            "pad_token_id": config["pad_token_id"],
        },
    )
    added = {
        str(tokenizer.token_to_id(text)): {
            "content": text,
            "lstrip": False,
            "normalized": False,
            "rstrip": False,
            "single_word": False,
            "special": text in SPECIAL_TOKENS,
        }
        for text in (*SPECIAL_TOKENS, *MARKER_TOKENS)
    }
    _write_json(
        folder / "tokenizer_config.json",
        {
            "tokenizer_class": "PreTrainedTokenizerFast",
            "add_prefix_space": False,
            "added_tokens_decoder": added,
            "bos_token": None,
            "clean_up_tokenization_spaces": False,
            "eos_token": "<|im_end|>",
            "model_max_length": shape.max_positions,
            "pad_token": "<|endoftext|>",
            "unk_token": None,
        },
    )
    tokenizer.save(str(folder / "tokenizer.json"))
    shutil.copyfile(TEMPLATE_FILE, folder / "chat_template.jinja")


def write_weights(folder: Path, weights: Mapping[str, Tensor]) -> None:
    """Replace model.safetensors atomically with `weights` rounded to bfloat16."""
    rounded = {
        name: tensor.detach().to(torch.bfloat16).contiguous() for name, tensor in weights.items()
    }
    part = folder / "model.safetensors.part"
    save_file(rounded, part, metadata={"format": "pt"})
    part.chmod(0o644)
    os.replace(part, folder / "model.safetensors")


def read_weights(folder: Path) -> dict[str, Tensor]:
    """The weights of the network, without its draft head."""
    stored = load_file(folder / "model.safetensors")
    return {name: tensor for name, tensor in stored.items() if not name.startswith("mtp.")}


def load_network(folder: Path, shape: Shape | None = None) -> Network:
    """A float32 network holding the folder's weights."""
    network = Network(shape or Shape())
    weights = read_weights(folder)
    network.load_state_dict({name: tensor.float() for name, tensor in weights.items()})
    return network
