"""GGUF files of small checkpoints, in the layout that llama.cpp's converter gives them.

The layout is written here a second time, forwards: what the engine reads backwards.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import torch
from gguf import GGMLQuantizationType as Kind
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer
from torch import Tensor

from tests.kernels.blocks.stored import stored as drawn

ARCHITECTURES = {
    "qwen3_5_text": "qwen35",
    "qwen3_5_moe_text": "qwen35moe",
    "qwen3_next": "qwen3next",
}
_NAMES = {
    "embed_tokens.weight": "token_embd.weight",
    "norm.weight": "output_norm.weight",
    "lm_head.weight": "output.weight",
    "input_layernorm.weight": "attn_norm.weight",
    "post_attention_layernorm.weight": "post_attention_norm.weight",
    "self_attn.q_proj.weight": "attn_q.weight",
    "self_attn.k_proj.weight": "attn_k.weight",
    "self_attn.v_proj.weight": "attn_v.weight",
    "self_attn.o_proj.weight": "attn_output.weight",
    "self_attn.q_norm.weight": "attn_q_norm.weight",
    "self_attn.k_norm.weight": "attn_k_norm.weight",
    "linear_attn.in_proj_qkv.weight": "attn_qkv.weight",
    "linear_attn.in_proj_z.weight": "attn_gate.weight",
    "linear_attn.in_proj_b.weight": "ssm_beta.weight",
    "linear_attn.in_proj_a.weight": "ssm_alpha.weight",
    "linear_attn.in_proj_ba.weight": "ssm_ba.weight",
    "linear_attn.conv1d.weight": "ssm_conv1d.weight",
    "linear_attn.A_log": "ssm_a",
    "linear_attn.dt_bias": "ssm_dt.bias",
    "linear_attn.norm.weight": "ssm_norm.weight",
    "linear_attn.out_proj.weight": "ssm_out.weight",
    "mlp.gate_proj.weight": "ffn_gate.weight",
    "mlp.up_proj.weight": "ffn_up.weight",
    "mlp.down_proj.weight": "ffn_down.weight",
    "mlp.gate.weight": "ffn_gate_inp.weight",
    "mlp.shared_expert_gate.weight": "ffn_gate_inp_shexp.weight",
    "mlp.shared_expert.gate_proj.weight": "ffn_gate_shexp.weight",
    "mlp.shared_expert.up_proj.weight": "ffn_up_shexp.weight",
    "mlp.shared_expert.down_proj.weight": "ffn_down_shexp.weight",
    "mlp.experts.gate_proj": "ffn_gate_exps.weight",
    "mlp.experts.up_proj": "ffn_up_exps.weight",
    "mlp.experts.down_proj": "ffn_down_exps.weight",
}
# Of the draft head, whose block follows the model's own.
_DRAFT = {
    "mtp.layers.0": "",
    "mtp.fc": "nextn.eh_proj.",
    "mtp.pre_fc_norm_embedding": "nextn.enorm.",
    "mtp.pre_fc_norm_hidden": "nextn.hnorm.",
    "mtp.norm": "nextn.shared_head_norm.",
}
Choose = Callable[[str, Tensor], Kind]


def floats(matrices: Kind = Kind.F32) -> Choose:
    """Matrices in one type of floats, everything else in float32, as the converter does."""

    def choose(name: str, tensor: Tensor) -> Kind:
        small = name.endswith(("_norm.weight", "conv1d.weight", "inp.weight", "inp_shexp.weight"))
        return Kind.F32 if tensor.ndim < 2 or small else matrices

    return choose


def quantised(*kinds: Kind) -> Choose:
    """Large matrices in these types by turns, as in published files; the small in float32."""
    turns = iter(range(1_000_000))

    def choose(name: str, tensor: Tensor) -> Kind:
        small = tensor.ndim < 2 or tensor.shape[-1] % 32 or tensor.shape[-2] < 8
        if small or name.endswith(("conv1d.weight", "inp.weight", "alpha.weight", "beta.weight")):
            return Kind.F32
        return kinds[next(turns) % len(kinds)]

    return choose


def metadata(config: Mapping[str, Any], *, draft_head: bool = False) -> dict[str, Any]:
    """What the converter writes about the sizes of a model."""
    text = dict(config.get("text_config", config))
    arch = ARCHITECTURES[text["model_type"]]
    rope = text["rope_parameters"]
    sizes = {
        "block_count": text["num_hidden_layers"] + draft_head,
        "context_length": text["max_position_embeddings"],
        "embedding_length": text["hidden_size"],
        "attention.head_count": text["num_attention_heads"],
        "attention.head_count_kv": text["num_key_value_heads"],
        "attention.key_length": text["head_dim"],
        "attention.value_length": text["head_dim"],
        "attention.layer_norm_rms_epsilon": float(text["rms_norm_eps"]),
        "rope.freq_base": float(rope["rope_theta"]),
        "rope.dimension_count": int(text["head_dim"] * rope["partial_rotary_factor"]),
        "ssm.conv_kernel": text["linear_conv_kernel_dim"],
        "ssm.state_size": text["linear_key_head_dim"],
        "ssm.group_count": text["linear_num_key_heads"],
        "ssm.time_step_rank": text["linear_num_value_heads"],
        "ssm.inner_size": text["linear_num_value_heads"] * text["linear_value_head_dim"],
    }
    if draft_head:
        sizes["nextn_predict_layers"] = 1
    if "layer_types" in text:
        sizes["attention.recurrent_layers"] = [k != "full_attention" for k in text["layer_types"]]
    else:
        sizes["full_attention_interval"] = text["full_attention_interval"]
    if "num_experts" in text:
        sizes |= {
            "expert_count": text["num_experts"],
            "expert_used_count": text["num_experts_per_tok"],
            "expert_feed_forward_length": text["moe_intermediate_size"],
            "expert_shared_feed_forward_length": text["shared_expert_intermediate_size"],
        }
    else:
        sizes["feed_forward_length"] = text["intermediate_size"]
    return {"general.architecture": arch} | {f"{arch}.{key}": value for key, value in sizes.items()}


def converted(folder: Path, config: Mapping[str, Any]) -> dict[str, Tensor]:
    """The tensors of a checkpoint by their names in a GGUF file, and as they are there."""
    return _converted(_published(folder), config)


def rounded_checkpoint(
    folder: Path, exact: Mapping[str, np.ndarray[Any, Any]], target: Path
) -> None:
    """Write a checkpoint in float32 whose matrices are what a GGUF file of another one says.

    exact: of the file's tensors, as `write` returned them.
    """
    config = json.loads((folder / "config.json").read_text())
    files = {file.name: load_file(file) for file in sorted(folder.glob("*.safetensors"))}
    flat, places, first = [], {}, 0
    for file, tensors in files.items():
        for name, tensor in tensors.items():
            flat.append(tensor.float().flatten())
            places[file, name] = first
            first += tensor.numel()
    numbers = torch.cat(flat)
    assert first < 2**24, "a place must be exact in float32"
    # Where each number of the file comes from, found by converting the places themselves.
    target.mkdir()
    for file, tensors in files.items():
        numbered = {
            name: torch.arange(places[file, name], places[file, name] + t.numel()).view(t.shape)
            for name, t in tensors.items()
        }
        save_file({name: t.float() for name, t in numbered.items()}, target / file)
    for name, found in _converted(_published(target), config, apply=False).items():
        if found.ndim > 1 and not name.endswith("conv1d.weight"):
            numbers[found.flatten().long()] = torch.from_numpy(exact[name]).flatten()
    for file, tensors in files.items():
        kept = {
            name: numbers[places[file, name] :][: t.numel()].view(t.shape).clone()
            for name, t in tensors.items()
        }
        save_file(kept, target / file)
    for beside in folder.glob("*.json"):
        (target / beside.name).write_bytes(beside.read_bytes())


def _converted(
    tensors: Iterator[tuple[str, Tensor]], config: Mapping[str, Any], *, apply: bool = True
) -> dict[str, Tensor]:
    text = dict(config.get("text_config", config))
    made: dict[str, Tensor] = {}
    for name, tensor in tensors:
        for bare, stored in _split(of_block(name, text["num_hidden_layers"]), tensor, text):
            tiled = _tiled(bare, stored, text)
            made[stored_name(bare)] = _applied(bare, tiled) if apply else tiled
    return made


def of_block(name: str, layers: int) -> str:
    """A tensor of the draft head by the name that it has in the block after the model's own."""
    for lead, there in _DRAFT.items():
        if name.startswith(lead + "."):
            return f"layers.{layers}.{there}{name.removeprefix(lead)[1:]}"
    return name


def stored_name(name: str) -> str:
    """The name in a GGUF file of a tensor below the text model's prefix."""
    if not name.startswith("layers."):
        return _NAMES[name]
    _, number, rest = name.split(".", 2)
    return f"blk.{number}.{rest if rest.startswith('nextn.') else _NAMES[rest]}"


def write(
    path: Path,
    tensors: Mapping[str, Tensor],
    facts: Mapping[str, Any],
    choose: Choose | None = None,
    **how: Any,
) -> dict[str, np.ndarray[Any, Any]]:
    """Write a GGUF file; returns what each tensor's numbers are there, in float32.

    how: of GGUFWriter, to split the file.
    """
    choose = choose or floats()
    writer = gguf.GGUFWriter(path, str(facts.get("general.architecture", "")), **how)
    for key, value in facts.items():
        if key != "general.architecture":
            add_fact(writer, key, value)
    exact = {}
    for name, tensor in tensors.items():
        wide = tensor.float().contiguous().numpy()
        kind = choose(name, tensor)
        raw = _stored(wide, kind)
        writer.add_tensor(name, raw, raw_dtype=kind)
        exact[name] = gguf.dequantize(raw, kind).reshape(wide.shape)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return exact


def _stored(wide: np.ndarray[Any, Any], kind: Kind) -> np.ndarray[Any, Any]:
    """The numbers in blocks; of types that the package cannot round to, drawn ones."""
    try:
        made: np.ndarray[Any, Any] = gguf.quantize(wide, kind)
    except NotImplementedError:
        rows = drawn(kind.name, wide.size // wide.shape[-1], wide.shape[-1], seed=wide.size)
        made = rows.raw[:].numpy().reshape(*wide.shape[:-1], -1)
    return made


def add_fact(writer: gguf.GGUFWriter, key: str, value: Any) -> None:
    """Put one value of the metadata into a file, as the type that the converter takes."""
    kinds = {bool: "bool", int: "uint32", float: "float32", str: "string"}
    add = "array" if isinstance(value, list) else kinds[type(value)]
    getattr(writer, f"add_{add}")(key, value)


def _published(folder: Path) -> Iterator[tuple[str, Tensor]]:
    """Every tensor below the text model's prefix; routed experts as one tensor per layer."""
    experts: dict[str, dict[int, Tensor]] = {}
    for file in sorted(folder.glob("*.safetensors")):
        for name, tensor in load_file(file).items():
            bare = name.removeprefix("model.").removeprefix("language_model.")
            lead, found, rest = bare.partition("mlp.experts.")
            if found and rest[0].isdigit():
                number, _, part = rest.partition(".")
                key = f"{lead}mlp.experts.{part.removesuffix('.weight')}"
                experts.setdefault(key, {})[int(number)] = tensor
            else:
                yield bare, tensor
    for key, parts in experts.items():
        yield key, torch.stack([parts[number] for number in sorted(parts)])


def _split(name: str, tensor: Tensor, text: Mapping[str, Any]) -> Iterator[tuple[str, Tensor]]:
    """What the converter writes as several tensors."""
    if name.endswith("mlp.experts.gate_up_proj"):
        lead = name.removesuffix("gate_up_proj")
        gate, up = tensor.chunk(2, 1)
        yield lead + "gate_proj", gate
        yield lead + "up_proj", up
    elif name.endswith("in_proj_qkvz.weight"):
        lead = name.removesuffix("in_proj_qkvz.weight")
        groups, dim = text["linear_num_key_heads"], text["linear_key_head_dim"]
        wide = text["linear_num_value_heads"] // groups * text["linear_value_head_dim"]
        by_group = tensor.view(groups, -1, tensor.shape[1])
        q, k, v, z = (part.flatten(0, 1) for part in by_group.split([dim, dim, wide, wide], 1))
        yield lead + "in_proj_qkv.weight", torch.cat((q, k, v))
        yield lead + "in_proj_z.weight", z
    else:
        yield name, tensor


def _tiled(name: str, tensor: Tensor, text: Mapping[str, Any]) -> Tensor:
    """The value heads in the order that llama.cpp repeats key heads in."""
    keys, values = text["linear_num_key_heads"], text["linear_num_value_heads"]
    if text["model_type"] == "qwen3_next" or keys == values or "linear_attn." not in name:
        return tensor
    dim = text["linear_value_head_dim"]
    first = 2 * keys * text["linear_key_head_dim"]

    def turned(part: Tensor, width: int, axis: int = 0) -> Tensor:
        moved = part.transpose(0, axis)
        shape = moved.shape
        moved = moved.reshape(keys, values // keys, width, *shape[1:]).transpose(0, 1)
        return moved.reshape(shape).transpose(0, axis)

    if name.endswith(("in_proj_qkv.weight", "conv1d.weight")):
        return torch.cat((tensor[:first], turned(tensor[first:], dim)))
    if name.endswith("in_proj_z.weight"):
        return turned(tensor, dim)
    if name.endswith("out_proj.weight"):
        return turned(tensor, dim, axis=1)
    return tensor if name.endswith(".norm.weight") else turned(tensor, 1)


def _applied(name: str, tensor: Tensor) -> Tensor:
    """Norms and decays as they are applied; dimensions of length one left out."""
    if name.endswith("A_log"):
        return -tensor.float().exp()
    if name.endswith("norm.weight") and not name.endswith("linear_attn.norm.weight"):
        return tensor.float() + 1
    if name.endswith(("conv1d.weight", "shared_expert_gate.weight")):
        return tensor.squeeze()
    return tensor


def tokenizer_facts(
    tokenizer: Tokenizer, padded: int = 0, template: str = "", pre: str = "qwen35"
) -> dict[str, Any]:
    """What the converter writes about a tokenizer. padded: tokens of the model's vocabulary."""
    stated = json.loads(tokenizer.to_str())
    added = {token["id"]: token for token in stated["added_tokens"]}
    texts = {id: text for text, id in tokenizer.get_vocab().items()}
    count = max(padded, max(texts) + 1)
    kinds = [1 if at in texts else 5 for at in range(count)]
    for at, token in added.items():
        kinds[at] = 3 if token["special"] else 4
    ids = {token["content"]: at for at, token in added.items()}
    facts = {
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": pre,
        "tokenizer.ggml.tokens": [texts.get(at, f"[PAD{at}]") for at in range(count)],
        "tokenizer.ggml.token_type": kinds,
        "tokenizer.ggml.merges": [" ".join(pair) for pair in stated["model"]["merges"]],
        "tokenizer.ggml.add_bos_token": False,
    }
    if "<|im_end|>" in ids:
        facts["tokenizer.ggml.eos_token_id"] = ids["<|im_end|>"]
    if "<|endoftext|>" in ids:
        facts["tokenizer.ggml.padding_token_id"] = ids["<|endoftext|>"]
        facts["tokenizer.ggml.bos_token_id"] = ids["<|endoftext|>"]
    return facts | ({"tokenizer.chat_template": template} if template else {})


def write_folder(folder: Path, path: Path, choose: Choose | None = None, **how: Any) -> None:
    """The GGUF file of a whole model folder, tokenizer and template included."""
    config = json.loads((folder / "config.json").read_text())
    settings = json.loads((folder / "tokenizer_config.json").read_text())
    beside = folder / "chat_template.jinja"
    template = beside.read_text() if beside.is_file() else settings.get("chat_template", "")
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tensors = converted(folder, config)
    count = len(tensors["token_embd.weight"])
    facts = metadata(config) | tokenizer_facts(tokenizer, count, template)
    write(path, tensors, facts, choose, **how)


def write_checkpoint(folder: Path, path: Path, choose: Choose | None = None, **how: Any) -> None:
    """The GGUF file of a checkpoint, without a tokenizer."""
    config = json.loads((folder / "config.json").read_text())
    tensors = converted(folder, config)
    draft_head = any(".nextn." in name for name in tensors)
    write(path, tensors, metadata(config, draft_head=draft_head), choose, **how)
