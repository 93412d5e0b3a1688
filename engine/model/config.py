"""The model's sizes, read from config.json; a missing field is reported by name."""

from __future__ import annotations

import json
import reprlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.errors import ModelError
from engine.gguf.file import read_gguf
from engine.gguf.header import is_gguf
from engine.hub.manifest import UNFINISHED
from engine.model import gguf_config
from engine.sentence import say

LINEAR, FULL = "linear_attention", "full_attention"
MAX_CONFIG_BYTES = 4 << 20
MAX_LAYERS = 1024
DENSE, SPARSE = "dense", "sparse"


@dataclass(frozen=True, slots=True)
class ConfigFields:
    """The text part of a config.json; every method raises ModelError naming its field.

    Attributes:
        values: the text model's own object.
        outer: the whole file, which for some models contains more than the text model.
    """

    values: Mapping[str, Any]
    outer: Mapping[str, Any]

    def get(self, name: str) -> Any:
        value = self.values.get(name)
        return self.outer.get(name) if value is None else value

    def flag(self, name: str) -> bool:
        value = self.values.get(name)
        if not isinstance(value, bool):
            raise ModelError(
                'config.json: "{name}" is {value}; it must be true or false.',
                name=name,
                value=repr(value),
            )
        return value

    def size(self, name: str) -> int:
        value = self.values.get(name)
        if value is None:
            raise ModelError(
                'config.json has no "{name}"; it must state every size of the model.', name=name
            )
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise ModelError(
                'config.json: "{name}" is {value}; it must be a positive integer.',
                name=name,
                value=repr(value),
            )
        return value

    def number(self, name: str, values: Mapping[str, Any] | None = None) -> float:
        value = (self.values if values is None else values).get(name)
        if value is None:
            raise ModelError(
                'config.json has no "{name}"; it must state every size of the model.', name=name
            )
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1e12:
            raise ModelError(
                'config.json: "{name}" is {value}; it must be a positive number.',
                name=name,
                value=repr(value),
            )
        return float(value)

    def fixed(self, name: str, expected: object) -> None:
        """Refuse the field if it is present with any value but `expected`."""
        value = self.values.get(name, expected)
        if value != expected:
            raise ModelError(
                'config.json: "{name}" is {value}; only {expected} is supported.',
                name=name,
                value=repr(value),
                expected=repr(expected),
            )


@dataclass(frozen=True, slots=True)
class Experts:
    """The routed experts of a sparse feed-forward layer.

    Attributes:
        count: experts per layer; `per_token` of them run for a token.
        width: inner width of one; `shared_width`: of the expert that every token runs.
        normalised: whether the chosen experts' weights are scaled to sum to one.
        fused: whether the file has one tensor for all experts of a layer.
    """

    count: int
    per_token: int
    width: int
    shared_width: int
    normalised: bool
    fused: bool


@dataclass(frozen=True, slots=True)
class FeedForward:
    """ "dense" or "sparse" for each layer, and the routed experts, if any."""

    types: tuple[str, ...]
    experts: Experts | None


def all_dense(fields: ConfigFields, layers: int) -> FeedForward:
    """No layer routes."""
    return FeedForward((DENSE,) * layers, None)


def all_sparse(fields: ConfigFields, layers: int) -> FeedForward:
    """Every layer routes, and the file has one tensor for all experts of a layer."""
    return FeedForward((SPARSE,) * layers, _experts(fields, normalised=True, fused=True))


def all_sparse_apart(fields: ConfigFields, layers: int) -> FeedForward:
    """Every layer routes, and the file gives each expert's tensors by themselves."""
    return FeedForward((SPARSE,) * layers, _experts(fields, normalised=True, fused=False))


def some_sparse(fields: ConfigFields, layers: int) -> FeedForward:
    """Every n-th layer routes, except those listed; each expert has its own tensors."""
    experts = _experts(fields, normalised=fields.flag("norm_topk_prob"), fused=False)
    every = fields.size("decoder_sparse_step")
    kept = fields.values.get("mlp_only_layers") or []
    if not isinstance(kept, list) or not all(isinstance(i, int) for i in kept):
        raise ModelError(
            'config.json: "mlp_only_layers" is {kept}; it must list layers.', kept=repr(kept)
        )
    dense = set(kept)
    types = tuple(DENSE if i in dense or (i + 1) % every else SPARSE for i in range(layers))
    return FeedForward(types, experts)


def _experts(fields: ConfigFields, *, normalised: bool, fused: bool) -> Experts:
    experts = Experts(
        count=fields.size("num_experts"),
        per_token=fields.size("num_experts_per_tok"),
        width=fields.size("moe_intermediate_size"),
        shared_width=fields.size("shared_expert_intermediate_size"),
        normalised=normalised,
        fused=fused,
    )
    if experts.per_token > experts.count:
        raise ModelError(
            'config.json: "num_experts_per_tok" is {per_token}, but there are only '
            '{count} ("num_experts").',
            per_token=experts.per_token,
            count=experts.count,
        )
    return experts


@dataclass(frozen=True, slots=True)
class ModelType:
    """The properties of a `model_type` in config.json.

    Attributes:
        family: the family whose layer classes run it, a key of `families.FAMILY_LAYERS`.
        feed_forward: reads the feed-forward layers of a file with a given number of layers.
    """

    family: str
    feed_forward: Callable[[ConfigFields, int], FeedForward]


MODEL_TYPES = {
    "qwen3_5": ModelType("qwen3_5", all_dense),
    "qwen3_5_text": ModelType("qwen3_5", all_dense),
    "qwen3_5_moe": ModelType("qwen3_5", all_sparse),
    "qwen3_5_moe_text": ModelType("qwen3_5", all_sparse),
    "qwen3_next": ModelType("qwen3_next", some_sparse),
}
# By the architecture in a GGUF file, where the layers of both families are laid out alike and each
# expert can be read by itself.
GGUF_TYPES = {
    **dict.fromkeys(gguf_config.DENSE_KINDS, ModelType("qwen3_5", all_dense)),
    **dict.fromkeys(gguf_config.SPARSE_KINDS, ModelType("qwen3_5", all_sparse_apart)),
}


@dataclass(frozen=True, slots=True)
class ModelConfig:
    """Sizes of one model; source: the family's config.json.

    Attributes:
        kind: the text model's own type in config.json ("qwen3_5_text", "qwen3_next").
        family: names the layer classes ("qwen3_5").
        nested: the file also contains a vision model, so text tensors have another prefix.
        intermediate_size: of the dense feed-forward layers; 0 if there are none.
        layer_types: "linear_attention" or "full_attention", one per layer.
        mlp_types: "dense" or "sparse", one per layer.
        experts: of the sparse layers, None if there are none.
        rotary_dim: rotated leading dimensions of an attention head.
        context: longest sequence in tokens.
        end_ids: the tokens config.json names as the end of a sequence.
        draft_head: whether the files have a whole head for drafts, which the engine loads.
    """

    kind: str
    family: str
    nested: bool
    vocab_size: int
    hidden_size: int
    intermediate_size: int
    layer_types: tuple[str, ...]
    mlp_types: tuple[str, ...]
    experts: Experts | None
    heads: int
    kv_heads: int
    head_dim: int
    rotary_dim: int
    rope_theta: float
    linear_key_heads: int
    linear_value_heads: int
    linear_key_dim: int
    linear_value_dim: int
    conv_kernel: int
    eps: float
    context: int
    tied: bool
    end_ids: frozenset[int]
    draft_head: bool = False

    @property
    def full_layers(self) -> int:
        return self.layer_types.count(FULL)

    @property
    def kv_layers(self) -> int:
        """Layers of the KV plane: full attention, and the draft head's."""
        return self.full_layers + self.draft_head

    @property
    def linear_layers(self) -> int:
        return self.layer_types.count(LINEAR)

    @property
    def key_width(self) -> int:
        """Channels of the queries, and of the keys, of a linear layer."""
        return self.linear_key_heads * self.linear_key_dim

    @property
    def value_width(self) -> int:
        """Channels of the values of a linear layer."""
        return self.linear_value_heads * self.linear_value_dim

    @property
    def conv_channels(self) -> int:
        return 2 * self.key_width + self.value_width


def read_config(folder: Path) -> ModelConfig:
    """The configuration in folder/config.json, or in a GGUF file. Raises ModelError."""
    return parse_config(config_values(folder), GGUF_TYPES if is_gguf(folder) else MODEL_TYPES)


def config_values(folder: Path) -> Mapping[str, Any]:
    """The decoded folder/config.json, or what a GGUF file says, in its terms. Raises ModelError."""
    if is_gguf(folder):
        return gguf_config.config_values(read_gguf(folder))
    path = folder / "config.json"
    try:
        if (folder / UNFINISHED).exists():
            raise ModelError(
                '"{folder}" is a download that is not finished: fetch the rest in View > Models, '
                "then open the model.",
                folder=folder,
            )
        if not path.is_file():
            raise ModelError(_no_model(folder))
        if path.stat().st_size > MAX_CONFIG_BYTES:
            raise ModelError("config.json is larger than 4 MiB; it is not a model configuration.")
        values = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise ModelError(
            '"{path}" cannot be read: {error}.', path=path, error=error.strerror or error
        ) from error
    except (ValueError, RecursionError) as error:
        raise ModelError("config.json cannot be read: {error}.", error=error) from error
    if not isinstance(values, dict):
        raise ModelError("config.json is not a JSON object.")
    return values


def _no_model(folder: Path) -> str:
    """Why a folder without config.json cannot be opened, and what to open. Raises OSError."""
    if not folder.exists():
        return say(
            'There is no folder "{folder}": choose one with config.json, tokenizer.json and '
            "weights as safetensors.",
            folder=folder,
        )
    if not folder.is_dir():
        return say(
            '"{folder}" is not a folder: choose one with config.json, tokenizer.json and weights '
            "as safetensors.",
            folder=folder,
        )
    if any(is_gguf(path) for path in folder.iterdir()):
        return say(
            '"{folder}" holds GGUF files: open one of them instead of the folder.', folder=folder
        )
    return say('"{folder}" has no config.json; it is not a model folder.', folder=folder)


def parse_config(
    values: Mapping[str, Any], types: Mapping[str, ModelType] = MODEL_TYPES
) -> ModelConfig:
    """The configuration in the decoded config.json. Raises ModelError."""
    kind = values.get("model_type")
    if not isinstance(kind, str) or kind not in types:
        raise _unsupported(kind)
    _check_packing(values)
    nested = "text_config" in values
    text = values["text_config"] if nested else values
    if not isinstance(text, Mapping):
        raise ModelError('config.json: "text_config" is not an object.')
    inner = text.get("model_type", f"{kind}_text") if nested else kind
    if not isinstance(inner, str) or inner not in types:
        raise _unsupported(inner)
    fields = ConfigFields(text, values)
    for name, expected in (
        ("hidden_act", "silu"),
        ("attention_bias", False),
        ("attn_output_gate", True),
    ):
        fields.fixed(name, expected)
    head_dim = fields.size("head_dim")
    theta, rotary_dim = _rope(fields, head_dim)
    layer_types = _layer_types(fields)
    feed_forward = types[inner].feed_forward(fields, len(layer_types))
    config = ModelConfig(
        kind=inner,
        family=types[inner].family,
        nested=nested,
        vocab_size=fields.size("vocab_size"),
        hidden_size=fields.size("hidden_size"),
        intermediate_size=fields.size("intermediate_size") if DENSE in feed_forward.types else 0,
        layer_types=layer_types,
        mlp_types=feed_forward.types,
        experts=feed_forward.experts if SPARSE in feed_forward.types else None,
        heads=fields.size("num_attention_heads"),
        kv_heads=fields.size("num_key_value_heads"),
        head_dim=head_dim,
        rotary_dim=rotary_dim,
        rope_theta=theta,
        linear_key_heads=fields.size("linear_num_key_heads"),
        linear_value_heads=fields.size("linear_num_value_heads"),
        linear_key_dim=fields.size("linear_key_head_dim"),
        linear_value_dim=fields.size("linear_value_head_dim"),
        conv_kernel=fields.size("linear_conv_kernel_dim"),
        eps=fields.number("rms_norm_eps"),
        context=fields.size("max_position_embeddings"),
        tied=_tied(text, values),
        end_ids=_end_ids(fields.get("eos_token_id")),
    )
    _check_groups(config)
    return config


def _unsupported(kind: object) -> ModelError:
    *others, last = sorted(MODEL_TYPES)
    name = reprlib.repr(kind).strip("'")
    named = say("without a name") if kind is None else f'"{name}"'
    return ModelError(
        "The architecture {named} (model_type in config.json) is not supported; Biplane "
        "runs {others} and {last}.",
        named=named,
        others=", ".join(others),
        last=last,
    )


def _check_packing(values: Mapping[str, Any]) -> None:
    """Refuse weights in another program's format: their tensors are not those of the model."""
    stated = values.get("quantization_config") or values.get("quantization")
    if stated is None:
        return
    method = stated.get("quant_method") if isinstance(stated, Mapping) else None
    if method != "fp8":
        raise ModelError(
            "config.json: the weights are quantised in a format that Biplane does not read "
            "({method}); take the original model, which Biplane quantises itself.",
            method=reprlib.repr(method or "quantization").strip("'"),
        )


def _layer_types(fields: ConfigFields) -> tuple[str, ...]:
    layers = fields.size("num_hidden_layers")
    if layers > MAX_LAYERS:
        raise ModelError(
            'config.json: "num_hidden_layers" is {layers}; at most {max_layers}.',
            layers=layers,
            max_layers=MAX_LAYERS,
        )
    stated = fields.values.get("layer_types")
    if stated is None:
        if fields.values.get("full_attention_interval") is None:
            raise ModelError('config.json has neither "layer_types" nor "full_attention_interval".')
        interval = fields.size("full_attention_interval")
        return tuple(FULL if (i + 1) % interval == 0 else LINEAR for i in range(layers))
    if not isinstance(stated, list) or len(stated) != layers:
        raise ModelError('config.json: "layer_types" must list {layers} layers.', layers=layers)
    for kind in stated:
        if kind not in (LINEAR, FULL):
            raise ModelError(
                'config.json: "layer_types" has "{kind}", which is not supported.', kind=kind
            )
    return tuple(stated)


def _rope(fields: ConfigFields, head_dim: int) -> tuple[float, int]:
    """Base of the rotary frequencies and number of rotated dimensions."""
    rope = fields.values.get("rope_parameters") or fields.values.get("rope_scaling") or {}
    if not isinstance(rope, Mapping):
        raise ModelError('config.json: "rope_parameters" is not an object.')
    kind = rope.get("rope_type", rope.get("type", "default"))
    if kind != "default":
        raise ModelError(
            'config.json: the rope type "{kind}" is not supported, only "default".', kind=kind
        )
    merged = {**fields.values, **rope}
    theta = fields.number("rope_theta", merged)
    share = fields.number("partial_rotary_factor", merged)
    rotary_dim = int(head_dim * share)
    if share > 1 or rotary_dim % 2:
        raise ModelError(
            'config.json: "partial_rotary_factor" {share:g} of "head_dim" {head_dim} gives '
            "{rotary_dim} rotated dimensions; they must be even and at most head_dim.",
            share=share,
            head_dim=head_dim,
            rotary_dim=rotary_dim,
        )
    return theta, rotary_dim


def _tied(text: Mapping[str, Any], outer: Mapping[str, Any]) -> bool:
    """Whether the head is the embedding; the outer configuration takes precedence."""
    name = "tie_word_embeddings"
    value = outer.get(name, text.get(name))
    if value is None:
        raise ModelError(
            'config.json has no "{name}"; it must state whether the output head is tied.', name=name
        )
    if not isinstance(value, bool):
        raise ModelError(
            'config.json: "{name}" is {value}; it must be true or false.',
            name=name,
            value=repr(value),
        )
    return value


def _end_ids(value: Any) -> frozenset[int]:
    listed = value if isinstance(value, list) else [] if value is None else [value]
    if not all(isinstance(i, int) and not isinstance(i, bool) for i in listed):
        raise ModelError(
            'config.json: "eos_token_id" is {value}; it must be a token id.', value=repr(value)
        )
    return frozenset(listed)


def _check_groups(config: ModelConfig) -> None:
    if config.heads % config.kv_heads:
        raise ModelError(
            'config.json: "num_attention_heads" {heads} is not a multiple of '
            '"num_key_value_heads" {kv_heads}.',
            heads=config.heads,
            kv_heads=config.kv_heads,
        )
    if config.linear_value_heads % config.linear_key_heads:
        raise ModelError(
            'config.json: "linear_num_value_heads" {linear_value_heads} is not a multiple '
            'of "linear_num_key_heads" {linear_key_heads}.',
            linear_value_heads=config.linear_value_heads,
            linear_key_heads=config.linear_key_heads,
        )
    if config.conv_kernel < 2:
        raise ModelError('config.json: "linear_conv_kernel_dim" must be at least 2.')
