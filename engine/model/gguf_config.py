"""The metadata of a GGUF file, told as a config.json would tell it.

Source of the keys: the constants of the `gguf` package, and what llama.cpp's converter writes for
the architectures of this family.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.errors import ModelError
from engine.gguf.file import Gguf
from engine.gguf.header import Texts
from engine.sentence import say

ARCHITECTURE, KIND = "general.architecture", "general.type"
EMBEDDING, HEAD = "token_embd.weight", "output.weight"
DENSE_KINDS, SPARSE_KINDS = ("qwen35",), ("qwen35moe", "qwen3next")
_LINEAR, _FULL = "linear_attention", "full_attention"
# What llama.cpp assumes where a file does not say.
_INTERVAL = 4
# Parts of a model that are published beside it, and adapters for one.
_BESIDE = ("mmproj", "adapter", "imatrix")
_VISION = ("clip", "mmproj")


def config_values(gguf: Gguf) -> dict[str, Any]:
    """The sizes of a model, by the names in a config.json. Raises ModelError naming the key."""
    arch = architecture(gguf)
    sizes = _Sizes(gguf, arch)
    layers = sizes.whole("block_count") - (sizes.whole("nextn_predict_layers", 0))
    if layers < 1:
        raise sizes.wrong("block_count", say("a number of layers"))
    inner, value_heads = sizes.whole("ssm.inner_size"), sizes.whole("ssm.time_step_rank")
    key_heads, head_dim = sizes.whole("ssm.group_count"), sizes.whole("attention.key_length")
    if inner % value_heads:
        raise sizes.wrong("ssm.inner_size", say("a multiple of ssm.time_step_rank"))
    if value_heads % key_heads:
        raise sizes.wrong("ssm.time_step_rank", say("a multiple of ssm.group_count"))
    if sizes.whole("attention.value_length", head_dim) != head_dim:
        raise sizes.wrong("attention.value_length", say("equal to attention.key_length"))
    heads, kv_heads = sizes.whole("attention.head_count"), sizes.kv_heads()
    if heads % kv_heads:
        raise sizes.wrong("attention.head_count", say("a multiple of attention.head_count_kv"))
    rotated = sizes.whole("rope.dimension_count")
    if rotated > head_dim or rotated % 2:
        raise sizes.wrong("rope.dimension_count", say("even and at most attention.key_length"))
    if gguf.text(f"{arch}.rope.scaling.type") not in (None, "none"):
        raise sizes.wrong("rope.scaling.type", say('"none"'))
    values = {
        "model_type": arch,
        "vocab_size": _vocabulary(gguf),
        "hidden_size": sizes.whole("embedding_length"),
        "num_hidden_layers": layers,
        "layer_types": sizes.layer_types(layers),
        "num_attention_heads": heads,
        "num_key_value_heads": kv_heads,
        "head_dim": head_dim,
        "linear_num_key_heads": key_heads,
        "linear_num_value_heads": value_heads,
        "linear_key_head_dim": sizes.whole("ssm.state_size"),
        "linear_value_head_dim": inner // value_heads,
        "linear_conv_kernel_dim": sizes.whole("ssm.conv_kernel"),
        "rms_norm_eps": sizes.number("attention.layer_norm_rms_epsilon"),
        "rope_parameters": {
            "rope_type": "default",
            "rope_theta": sizes.number("rope.freq_base"),
            "partial_rotary_factor": rotated / head_dim,
        },
        "max_position_embeddings": sizes.whole("context_length"),
        "tie_word_embeddings": HEAD not in gguf.tensors,
        "eos_token_id": gguf.whole("tokenizer.ggml.eos_token_id"),
    }
    if arch in DENSE_KINDS:
        return values | {"intermediate_size": sizes.whole("feed_forward_length")}
    width = sizes.whole("expert_feed_forward_length")
    return values | {
        "num_experts": sizes.whole("expert_count"),
        "num_experts_per_tok": sizes.whole("expert_used_count"),
        "moe_intermediate_size": width,
        "shared_expert_intermediate_size": sizes.whole("expert_shared_feed_forward_length", width),
    }


def architecture(gguf: Gguf) -> str:
    """What runs the model. Raises ModelError for what is not a model, or not one of ours."""
    arch, kind = gguf.text(ARCHITECTURE), gguf.text(KIND)
    name = gguf.path.name
    if arch in _VISION or kind == "mmproj":
        raise ModelError(
            "{name} is the part of a model that sees images (mmproj): open the model's other "
            ".gguf file; Biplane reads text only.",
            name=name,
        )
    if kind in _BESIDE:
        raise ModelError(
            '{name} is no model of its own ("{kind}"): open the .gguf file of the model.',
            name=name,
            kind=kind,
        )
    known = (*DENSE_KINDS, *SPARSE_KINDS)
    if arch not in known:
        named = say("without a name") if arch is None else f'"{arch[:64]}"'
        *others, last = known
        raise ModelError(
            "The architecture {named} of {name} is not supported; of GGUF files, Biplane runs "
            "{others} and {last}.",
            named=named,
            name=name,
            others=", ".join(others),
            last=last,
        )
    return arch


def _vocabulary(gguf: Gguf) -> int:
    place = gguf.tensors.get(EMBEDDING)
    if place is None or len(place.shape) != 2:
        raise ModelError(
            '{name} has no "{tensor}": it holds only a part of a model.',
            name=gguf.path.name,
            tensor=EMBEDDING,
        )
    return place.shape[0]


class _Sizes:
    """The metadata of one architecture; every method raises ModelError naming its key."""

    def __init__(self, gguf: Gguf, arch: str) -> None:
        self._gguf, self._arch = gguf, arch

    def whole(self, name: str, default: int | None = None) -> int:
        value = self._stated(name, default)
        if isinstance(value, np.ndarray):
            # Some sizes may differ per layer; here they do not.
            if not value.size or (value != value[0]).any():
                raise self.wrong(name, say("the same for every layer"))
            value = value[0].item()
        least = 0 if default == 0 else 1
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value < 2**31:
            raise self.wrong(name, say("a positive integer"))
        return value

    def number(self, name: str) -> float:
        value = self._stated(name)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1e12:
            raise self.wrong(name, say("a positive number"))
        return float(value)

    def kv_heads(self) -> int:
        """Of the layers with full attention: for the others some files state 0."""
        value = self._stated("attention.head_count_kv")
        if isinstance(value, np.ndarray):
            stated = value[value != 0]
            if not stated.size or (stated != stated[0]).any():
                raise self.wrong("attention.head_count_kv", say("the same for every layer"))
            return int(stated[0])
        return self.whole("attention.head_count_kv")

    def layer_types(self, layers: int) -> list[str]:
        flags = self._gguf.metadata.get(f"{self._arch}.attention.recurrent_layers")
        if flags is None:
            every = self.whole("full_attention_interval", _INTERVAL)
            return [_FULL if (at + 1) % every == 0 else _LINEAR for at in range(layers)]
        if not isinstance(flags, np.ndarray) or len(flags) < layers:
            raise self.wrong("attention.recurrent_layers", say("a list of {n} layers", n=layers))
        return [_LINEAR if flag else _FULL for flag in flags[:layers]]

    def wrong(self, name: str, wanted: str) -> ModelError:
        key = f"{self._arch}.{name}"
        return ModelError(
            '{file}: "{key}" is {value}; it must be {wanted}.',
            file=self._gguf.path.name,
            key=key,
            value=_shown(self._gguf.metadata.get(key)),
            wanted=wanted,
        )

    def _stated(self, name: str, default: int | None = None) -> Any:
        key = f"{self._arch}.{name}"
        value = self._gguf.metadata.get(key, default)
        if value is None:
            raise ModelError(
                '{file} has no "{key}"; it must state every size of the model.',
                file=self._gguf.path.name,
                key=key,
            )
        return value


def _shown(value: object) -> str:
    if isinstance(value, np.ndarray | tuple | Texts):
        return say("a list")
    return repr(value)[:64]
