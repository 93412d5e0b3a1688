"""The tensors of a GGUF file, by the names and in the layout that the layers of the family ask for.

llama.cpp's converter renames tensors, adds one to the scales of norms, stores decays as they are
applied, and puts the value heads of the linear layers of Qwen3.5 in another order: the first of
every key head, then the second of every key head. The rows and columns of such tensors are put
back where they are used, their numbers stay those of the file. Source: conversion/qwen.py and
src/models/ of llama.cpp.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from engine.errors import ModelError
from engine.gguf.file import Gguf
from engine.gguf.header import TensorPlace
from engine.model.config import FULL, SPARSE, ModelConfig
from engine.model.file_bytes import FileRows, read_into
from engine.model.layer import Shapes
from engine.model.linear_layer import grouped_ba, grouped_qkvz
from engine.model.safetensors_file import DTYPES, TensorEntry
from engine.model.tensor_store import DRAFT, EMBEDDING, HEAD, NORM, skipped_kinds
from engine.sentence import say
from kernels.blocks import BlockType, dequantize
from kernels.blocks.forms import FORMS
from kernels.blocks.weight import PLAIN

# The architectures whose value heads are in the other order.
_TILED = ("qwen35", "qwen35moe")
_MIXER = {
    "self_attn.o_proj.weight": ("attn_output.weight",),
    "self_attn.q_norm.weight": ("attn_q_norm.weight",),
    "self_attn.k_norm.weight": ("attn_k_norm.weight",),
    "linear_attn.A_log": ("ssm_a", "ssm_a.weight"),
    "linear_attn.dt_bias": ("ssm_dt.bias", "ssm_dt", "ssm_dt.weight"),
    "linear_attn.norm.weight": ("ssm_norm.weight",),
    "linear_attn.conv1d.weight": ("ssm_conv1d.weight",),
    "linear_attn.out_proj.weight": ("ssm_out.weight",),
}
_BLOCK = {
    "input_layernorm.weight": ("attn_norm.weight",),
    "post_attention_layernorm.weight": ("post_attention_norm.weight", "ffn_norm.weight"),
}
_DENSE = {
    "mlp.gate_proj.weight": ("ffn_gate.weight",),
    "mlp.up_proj.weight": ("ffn_up.weight",),
    "mlp.down_proj.weight": ("ffn_down.weight",),
}
_SPARSE = {
    "mlp.gate.weight": ("ffn_gate_inp.weight",),
    "mlp.shared_expert_gate.weight": ("ffn_gate_inp_shexp.weight",),
    "mlp.shared_expert.gate_proj.weight": ("ffn_gate_shexp.weight",),
    "mlp.shared_expert.up_proj.weight": ("ffn_up_shexp.weight",),
    "mlp.shared_expert.down_proj.weight": ("ffn_down_shexp.weight",),
}
_DRAFT = {
    DRAFT + "fc.weight": ("nextn.eh_proj.weight",),
    DRAFT + "pre_fc_norm_embedding.weight": ("nextn.enorm.weight",),
    DRAFT + "pre_fc_norm_hidden.weight": ("nextn.hnorm.weight",),
    DRAFT + "norm.weight": ("nextn.shared_head_norm.weight",),
}
_TOP = {
    EMBEDDING: ("token_embd.weight",),
    NORM: ("output_norm.weight",),
    HEAD: ("output.weight",),
}


@dataclass(frozen=True, slots=True)
class StoredMatrix:
    """Where the numbers of a tensor are in a file.

    Attributes:
        tensor: its name in the file.
        expert: which part of its first dimension is meant; None for all.
        rows: [rows] int64, the file's rows in the engine's order; None for all as they are.
        columns: [inputs] int64, the file's columns in the engine's order; None likewise.
    """

    tensor: str
    place: TensorPlace
    expert: int | None = None
    rows: Tensor | None = None
    columns: Tensor | None = None

    @property
    def kind(self) -> BlockType:
        return self.place.type

    @property
    def inputs(self) -> int:
        return self.place.shape[-1]

    @property
    def row_bytes(self) -> int:
        return self.inputs // self.kind.weights * self.kind.bytes

    @property
    def start(self) -> int:
        return self.place.start + (self.expert or 0) * self.stored_rows * self.row_bytes

    @property
    def stored_rows(self) -> int:
        """The rows that the file has of it, whichever of them are meant."""
        outer = self.place.shape[:-1] if self.expert is None else self.place.shape[1:-1]
        return math.prod(outer)

    @property
    def count(self) -> int:
        """The rows that are meant."""
        return self.stored_rows if self.rows is None else len(self.rows)

    def raw(self, rows: Tensor | None = None) -> Tensor:
        """The bytes of its rows, or of `rows` [n] int64 of them: [rows, row_bytes] uint8."""
        count = self.count if rows is None else len(rows)
        return self.fill(torch.empty((count, self.row_bytes), dtype=torch.uint8), rows)

    def fill(self, out: Tensor, rows: Tensor | None = None) -> Tensor:
        """The same, written to `out` and returned."""
        chosen = self.rows if rows is None else rows if self.rows is None else self.rows[rows]
        if chosen is None:
            return read_into(out, self.place.path, self.start, self.tensor)
        whole = torch.empty((self.stored_rows, self.row_bytes), dtype=torch.uint8)
        read_into(whole, self.place.path, self.start, self.tensor)
        return torch.index_select(whole, 0, chosen, out=out)

    def in_file(self) -> FileRows:
        """The same, read when asked for; only for all its rows as they are. Raises ModelError."""
        assert self.rows is None, "the rows have another order in the file"
        shape = self.stored_rows, self.row_bytes
        return FileRows(self.place.path, self.start, shape, torch.uint8, self.tensor)


class GgufStore:
    """Every tensor of the file by its name in the engine.

    Attributes:
        prefix: of the text model's tensors: none.
        fused_experts: whether the routed experts of a layer are one tensor: each has its own name.
        blocks: the types of its blocks, the one with most bytes first; "" if there are none.
    """

    prefix, fused_experts = "", False

    def __init__(self, gguf: Gguf, config: ModelConfig) -> None:
        self._gguf, self._config = gguf, config
        self._stored = dict(_Layout(gguf, config).stored())
        self.blocks = self._blocks()

    @property
    def quantised(self) -> bool:
        """Whether any tensor is stored in blocks."""
        return bool(self.blocks)

    @property
    def native(self) -> str:
        """The type of an unquantised file's numbers, else the one that its blocks are scaled by."""
        return "BF16" if self.quantised else self._stored[EMBEDDING].kind.name

    def entry(self, name: str) -> TensorEntry:
        """The engine's view of a tensor: type, shape, bytes."""
        stored = self._stored[name]
        nbytes = stored.count * stored.row_bytes
        return TensorEntry(stored.kind.name, self._shape(name, stored), stored.start, nbytes)

    def entries(self) -> dict[str, TensorEntry]:
        """All tensors that were found, by their names in the engine, and the file's others."""
        found = {name: self.entry(name) for name in self._stored}
        used = {stored.tensor for stored in self._stored.values()}
        for name, place in self._gguf.tensors.items():
            if name not in used:
                found[name] = TensorEntry(place.type.name, place.shape, place.start, place.nbytes)
        return found

    def stored(self, name: str) -> StoredMatrix:
        """Where a tensor is in the file."""
        return self._stored[name]

    def read(self, name: str, part: int | None = None) -> Tensor:
        """The tensor in the engine's layout: quantised ones in float32. Raises ModelError."""
        assert part is None, "each expert has its own name"
        stored = self._stored[name]
        if stored.kind.name in DTYPES:
            found = stored.raw().view(DTYPES[stored.kind.name])
        else:
            found = dequantize(stored.raw(), stored.kind)
        if stored.columns is not None:
            found = found[:, stored.columns]
        return found.reshape(self._shape(name, stored))

    def names(self) -> Collection[str]:
        """The names of all tensors that the engine may load."""
        return self._stored.keys()

    def text_bytes(self, *, draft_head: bool = False) -> int:
        """Bytes of the text model in the file, and of its draft head."""
        return sum(
            stored.count * stored.row_bytes
            for name, stored in self._stored.items()
            if draft_head or not name.startswith(DRAFT)
        )

    def check(self, shapes: Shapes) -> None:
        """Check that the tensors of `shapes` exist, in readable types. Raises ModelError."""
        for name, shape in shapes.items():
            if name not in self._stored:
                raise ModelError(
                    '{file} has no tensor for "{name}"; expected one of shape {wanted}.',
                    file=self._gguf.path.name,
                    name=name,
                    wanted=list(shape),
                )
            stored = self._stored[name]
            if self._shape(name, stored) != shape:
                raise ModelError(
                    '{file}: "{tensor}" has shape {shape}, which does not suit the sizes in the '
                    "metadata: {wanted} for {name}.",
                    file=stored.place.path.name,
                    tensor=stored.tensor,
                    shape=list(stored.place.shape),
                    wanted=list(shape),
                    name=name,
                )
            if stored.kind.name not in PLAIN and stored.kind.name not in FORMS:
                raise ModelError(
                    '{file}: "{tensor}" is stored as {kind}, which Biplane does not read: take a '
                    "file in another format, such as Q4_K_M.",
                    file=stored.place.path.name,
                    tensor=stored.tensor,
                    kind=stored.kind.name,
                )
        self._refuse_foreign()

    def extra_bytes(self) -> int:
        """Bytes that the matrices take in memory beyond those in the file."""
        return sum(
            round(stored.count * stored.inputs * kept_bits(stored.kind.name) / 8)
            - stored.count * stored.row_bytes
            for stored in self._stored.values()
            if stored.kind.name in FORMS
        )

    def skipped(self, *, draft_head: bool = False) -> tuple[str, ...]:
        """A sentence per kind of tensor in the file that is not loaded."""
        left = [] if draft_head else [name for name in self._stored if name.startswith(DRAFT)]
        unread = [(DRAFT, self.entry(name).nbytes) for name in left]
        others = [(name, place.nbytes) for name, place in self._others()]
        return skipped_kinds((_purpose(name), nbytes) for name, nbytes in unread + others)

    def _shape(self, name: str, stored: StoredMatrix) -> tuple[int, ...]:
        """The shape of a tensor in the engine: some dimensions of length one are not stored."""
        place = stored.place.shape
        if name.endswith("conv1d.weight") and len(place) == 2:
            return (stored.count, 1, place[-1])
        if name.endswith("shared_expert_gate.weight"):
            return (stored.count, place[-1])
        if len(place) == 1:
            return place
        return (stored.count, place[-1])

    def _blocks(self) -> str:
        sizes = Counter[str]()
        for stored in self._stored.values():
            if stored.kind.name not in DTYPES:
                sizes[stored.kind.name] += stored.count * stored.row_bytes
        return ", ".join(name for name, _ in sizes.most_common())

    def _others(self) -> Iterator[tuple[str, TensorPlace]]:
        used = {stored.tensor for stored in self._stored.values()}
        return ((name, place) for name, place in self._gguf.tensors.items() if name not in used)

    def _refuse_foreign(self) -> None:
        """A tensor of a layer that nothing asks for would change what the layer computes."""
        layers = len(self._config.layer_types)
        for name, place in self._others():
            first, number, *_ = *name.split("."), "", ""
            if first == "blk" and number.isdecimal() and int(number) < layers:
                raise ModelError(
                    '{file}: "{tensor}" is not part of the model that the metadata describes.',
                    file=place.path.name,
                    tensor=name,
                )


class _Layout:
    """Finds the tensors of one model in a file."""

    def __init__(self, gguf: Gguf, config: ModelConfig) -> None:
        self._tensors: Mapping[str, TensorPlace] = gguf.tensors
        self._config = config
        self._tiled = config.kind in _TILED

    def stored(self) -> Iterator[tuple[str, StoredMatrix]]:
        yield from self._named("", "", _TOP)
        for number, kind in enumerate(self._config.layer_types):
            mlp = self._config.mlp_types[number]
            yield from self._block(f"layers.{number}.", f"blk.{number}.", kind, mlp)
        # The draft head's block comes last.
        block = f"blk.{len(self._config.layer_types)}."
        yield from self._named("", block, _DRAFT)
        yield from self._block(f"{DRAFT}layers.0.", block, FULL, self._config.mlp_types[-1])

    def _block(
        self, layer: str, block: str, kind: str, mlp: str
    ) -> Iterator[tuple[str, StoredMatrix]]:
        yield from self._named(layer, block, _BLOCK)
        found = self._attention if kind == FULL else self._linear
        for name, stored in found(block):
            yield layer + name, stored
        if mlp == SPARSE:
            yield from self._named(layer, block, _SPARSE)
            for name, stored in self._experts(block):
                yield layer + name, stored
        else:
            yield from self._named(layer, block, _DENSE)

    def _named(
        self, layer: str, block: str, names: Mapping[str, tuple[str, ...]]
    ) -> Iterator[tuple[str, StoredMatrix]]:
        """Tensors that differ in nothing but their names."""
        for name, stated in names.items():
            for tensor in stated:
                if block + tensor in self._tensors:
                    yield layer + name, self._whole(block + tensor)
                    break

    def _attention(self, block: str) -> Iterator[tuple[str, StoredMatrix]]:
        config = self._config
        outputs = (config.heads * 2, config.kv_heads, config.kv_heads)
        names = [f"self_attn.{part}_proj.weight" for part in "qkv"]
        fused = block + "attn_qkv.weight"
        if fused in self._tensors:
            first = 0
            for name, heads in zip(names, outputs, strict=True):
                rows = torch.arange(first, first + heads * config.head_dim)
                yield name, self._whole(fused, rows)
                first += len(rows)
        else:
            stated = {
                name: (f"attn_{part}.weight",) for name, part in zip(names, "qkv", strict=True)
            }
            yield from self._named("", block, stated)
        yield from self._mixer(block, "self_attn.")

    def _linear(self, block: str) -> Iterator[tuple[str, StoredMatrix]]:
        config = self._config
        lead, channels = "linear_attn.", config.conv_channels
        heads = self._heads(1)
        values, wide = self._heads(config.linear_value_dim), 2 * config.key_width
        mixed = values if values is None else torch.cat((torch.arange(wide), wide + values))
        legacy = block + "ssm_in.weight"
        if legacy in self._tensors:
            rows = grouped_qkvz(config)
            yield lead + "in_proj_qkv.weight", self._whole(legacy, rows[:channels])
            yield lead + "in_proj_z.weight", self._whole(legacy, rows[channels:])
        for name, tensor, order in (
            ("in_proj_qkv", "attn_qkv", mixed),
            ("in_proj_z", "attn_gate", values),
            ("in_proj_b", "ssm_beta", heads),
            ("in_proj_a", "ssm_alpha", heads),
        ):
            if f"{block}{tensor}.weight" in self._tensors:
                yield f"{lead}{name}.weight", self._whole(f"{block}{tensor}.weight", order)
        rates = block + "ssm_ba.weight"
        if rates in self._tensors:
            rows = grouped_ba(config)
            count = config.linear_value_heads
            yield lead + "in_proj_b.weight", self._whole(rates, rows[:count])
            yield lead + "in_proj_a.weight", self._whole(rates, rows[count:])
        orders = {
            "linear_attn.conv1d.weight": (mixed, None),
            "linear_attn.A_log": (None, heads),
            "linear_attn.dt_bias": (None, heads),
            "linear_attn.out_proj.weight": (None, values),
        }
        for name, stored in self._mixer(block, lead):
            order, columns = orders.get(name, (None, None))
            yield name, StoredMatrix(stored.tensor, stored.place, None, order, columns)

    def _mixer(self, block: str, lead: str) -> Iterator[tuple[str, StoredMatrix]]:
        names = {name: stated for name, stated in _MIXER.items() if name.startswith(lead)}
        return self._named("", block, names)

    def _experts(self, block: str) -> Iterator[tuple[str, StoredMatrix]]:
        experts = self._config.experts
        assert experts is not None, "a sparse layer has experts"
        fused = block + "ffn_gate_up_exps.weight"
        halves = torch.arange(2 * experts.width).view(2, -1)
        places: dict[str, tuple[str, Tensor | None]] = {
            "gate_proj": (f"{block}ffn_gate_exps.weight", None),
            "up_proj": (f"{block}ffn_up_exps.weight", None),
            "down_proj": (f"{block}ffn_down_exps.weight", None),
        }
        if fused in self._tensors:
            places |= {"gate_proj": (fused, halves[0]), "up_proj": (fused, halves[1])}
        for part, (tensor, rows) in places.items():
            place = self._tensors.get(tensor)
            if place is None or len(place.shape) != 3 or place.shape[0] != experts.count:
                continue
            for number in range(experts.count):
                name = f"mlp.experts.{number}.{part}.weight"
                yield name, StoredMatrix(tensor, place, number, rows)

    def _heads(self, dim: int) -> Tensor | None:
        """Where the file has the value heads of each key head, `dim` rows each; None: in order."""
        config = self._config
        served = config.linear_value_heads // config.linear_key_heads
        if not self._tiled or served == 1:
            return None
        rows = torch.arange(config.linear_value_heads * dim)
        return rows.view(served, config.linear_key_heads, dim).transpose(0, 1).flatten()

    def _whole(self, tensor: str, rows: Tensor | None = None) -> StoredMatrix:
        return StoredMatrix(tensor, self._tensors[tensor], rows=rows)


def kept_bits(kind: str) -> float:
    """Bits per weight of a type in a GGUF file once it is loaded: some are kept in a wider form."""
    if kind in FORMS:
        return FORMS[kind].weight_bits()
    return 8.0 * DTYPES[kind].itemsize if kind in DTYPES else 0.0


def _purpose(name: str) -> str:
    """The part of a published file that a tensor outside the text model belongs to."""
    if ".nextn." in name or name.startswith(("mtp.", "nextn.", "blk.")):
        return say("multi-token prediction")
    if name.startswith(("v.", "mm.", "vision")):
        return say("the vision model")
    return f'"{name}"'
