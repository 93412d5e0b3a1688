"""Loads a model folder into a `HybridModel`; every file is checked before memory is allocated."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Protocol

import torch
from torch import Tensor

from engine.config import WeightFormat
from engine.errors import ModelError
from engine.gguf.file import read_gguf
from engine.gguf.header import is_gguf
from engine.model.attention_layer import AttentionLayer
from engine.model.block import Block, block_shapes
from engine.model.block_maker import BlockMaker
from engine.model.config import DENSE, FULL, LINEAR, SPARSE, Experts, ModelConfig, read_config
from engine.model.draft_head import BLOCK, DraftHead, DraftWords, head_shapes
from engine.model.expert_pool import ExpertPool
from engine.model.gguf_store import GgufStore
from engine.model.hybrid import HybridModel
from engine.model.layer import DenseMaker, LayerClass, LayerSource, MatrixMaker, Shapes, own
from engine.model.linear_layer import GroupedLinearLayer, LinearLayer
from engine.model.mlp import DenseMlp
from engine.model.packed_files import PackedFiles
from engine.model.quant_maker import QuantMaker
from engine.model.safetensors_file import DTYPES
from engine.model.sparse_mlp import SparseMlp
from engine.model.tensor_store import DRAFT, EMBEDDING, HEAD, NORM, SCALE, TensorStore
from engine.sentence import say
from kernels.embedding import DenseEmbedding, Embedding
from kernels.matmul import DenseMatrix, Matrix
from kernels.native.library import library

NAMED_DTYPES = {
    "float32": torch.float32,
    "bfloat16": torch.bfloat16,
    "float16": torch.float16,
}
# Norms, decays, taps and routers are smaller.
SMALL_BYTES = 1 << 20
# What weights take beyond their file is said from this share on.
NOTED_SHARE = 0.15


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


class Progress(Protocol):
    """Called with what is being read, and the fraction done, 0 to 1 (None if unknown).

    The third argument is the number of bytes that the fraction is of, 0 if it is not of bytes.
    """

    def __call__(self, stage: str, fraction: float | None, total_bytes: int = 0, /) -> None: ...


@dataclass(frozen=True, slots=True)
class LoadOptions:
    """How weights are stored in memory.

    Attributes:
        dtype: "auto" (the embedding's own), "float32", "bfloat16" or "float16"; float16 is computed
            in float32 on a CPU, where half precision is slow and overflows.
        weights: "stored" (in that dtype), "int8" or "int4".
        expert_bytes: for the routed experts; 0 keeps all.
        packed: folder for the quantised weights; None does not store them on disk.
    """

    dtype: str = "auto"
    weights: WeightFormat = "stored"
    expert_bytes: int = 0
    packed: Path | None = None


def draft_shapes(config: ModelConfig) -> Shapes:
    """Every tensor of a draft head, by its full name, and its shape."""
    return head_shapes(config, FAMILY_LAYERS[config.family].mlps[config.mlp_types[-1]])


def with_draft_head(config: ModelConfig, names: Collection[str]) -> ModelConfig:
    """The configuration, with a draft head if files with tensors of these names have a whole one.

    A head of another kind, with more tensors, is left where it is.
    """
    found = {name.removesuffix(SCALE) for name in names if name.startswith(DRAFT)}
    return replace(config, draft_head=bool(found) and found == set(draft_shapes(config)))


def body_shapes(config: ModelConfig) -> Shapes:
    """Every tensor below the text prefix, except the head, and its shape."""
    layers = FAMILY_LAYERS[config.family]
    shapes: Shapes = {
        EMBEDDING: (config.vocab_size, config.hidden_size),
        NORM: (config.hidden_size,),
    }
    for number, (mixer, mlp) in enumerate(zip(config.layer_types, config.mlp_types, strict=True)):
        block = block_shapes(config, layers.mixers[mixer], layers.mlps[mlp])
        shapes.update({f"layers.{number}.{name}": shape for name, shape in block.items()})
    return shapes


def parameter_count(config: ModelConfig) -> int:
    """Number of weights of the text model, a tied head counted once."""
    head = 0 if config.tied else config.vocab_size * config.hidden_size
    return head + sum(math.prod(shape) for shape in body_shapes(config).values())


def load_model(
    folder: Path, options: LoadOptions | str, device: torch.device, progress: Progress
) -> HybridModel:
    """Load the model in `folder`, or in a GGUF file, a layer at a time.

    options: a plain string is its dtype. progress may raise to end the loading. Raises ModelError.
    """
    if isinstance(options, str):
        options = LoadOptions(options)
    progress(say("reading the header") if is_gguf(folder) else say("reading config.json"), None)
    config = read_config(folder)
    store: TensorStore | GgufStore = (
        GgufStore(read_gguf(folder), config) if is_gguf(folder) else TensorStore(folder, config)
    )
    config = _as_stored(config, store)
    if device.type != "cpu" or library() is not None:
        # Without the kernels in C a processor drafts nothing.
        config = with_draft_head(config, store.names())
    shapes = {store.prefix + name: shape for name, shape in body_shapes(config).items()}
    if config.draft_head:
        shapes |= draft_shapes(config)
    if not config.tied:
        shapes[HEAD] = (config.vocab_size, config.hidden_size)
    store.check(shapes)
    notes: tuple[str, ...] = ()
    if isinstance(store, GgufStore) and store.quantised:
        options, notes = _unpacked(options, store)
    dtype = _chosen_dtype(options.dtype, store.native, device)
    return assemble(config, store, options, dtype, device, progress, notes)


@torch.inference_mode()
def assemble(
    config: ModelConfig,
    store: TensorStore | GgufStore,
    options: LoadOptions,
    dtype: torch.dtype,
    device: torch.device,
    progress: Progress,
    notes: tuple[str, ...] = (),
) -> HybridModel:
    """Build the model from a store with checked tensors; `dtype` overrides the options'."""
    return _Loading(config, store, options, dtype, device, progress, notes).run()


class _Loading:
    """One load; its notes are passed to the model."""

    def __init__(
        self,
        config: ModelConfig,
        store: TensorStore | GgufStore,
        options: LoadOptions,
        dtype: torch.dtype,
        device: torch.device,
        progress: Progress,
        notes: tuple[str, ...],
    ) -> None:
        self._config, self._store, self._dtype, self._device = config, store, dtype, device
        self._options, self._progress = options, progress
        self._notes = [*notes, *store.skipped(draft_head=config.draft_head)]
        self._total, self._done, self._share = (
            max(store.text_bytes(draft_head=config.draft_head), 1),
            0,
            0.0,
        )
        self._files: PackedFiles | None = None
        self._quant: QuantMaker | None = None
        if options.weights != "stored":
            if options.packed is not None:
                self._files = PackedFiles(options.packed, self._notes.append)
            self._quant = QuantMaker(options.weights, device, self._files)
        self._maker: MatrixMaker = self._quant or DenseMaker(dtype, device)
        self._blocks: BlockMaker | None = None
        if isinstance(store, GgufStore) and self._quant is None:
            self._blocks = BlockMaker(store, dtype, device, self._count)
        experts = config.experts
        sparse = config.mlp_types.count("sparse")
        sparse += config.draft_head and config.mlp_types[-1] == SPARSE
        self._pool = ExpertPool(options.expert_bytes, sparse * experts.count if experts else 0)

    def run(self) -> HybridModel:
        top = self._source(self._store.prefix)
        self._begin("embedding")
        embedding, head = self._table(top)
        norm = top.norm(NORM)
        self._end()
        blocks = []
        seen = dict.fromkeys(self._config.layer_types, 0)
        layers = FAMILY_LAYERS[self._config.family]
        for number, kind in enumerate(self._config.layer_types):
            self._begin(f"layer-{number:04}")
            source = self._source(f"{self._store.prefix}layers.{number}.")
            mixer = layers.mixers[kind](self._config, source, seen[kind])
            mlp = layers.mlps[self._config.mlp_types[number]](self._config, source, number)
            blocks.append(Block(self._config, source, mixer, mlp))
            seen[kind] += 1
            self._end()
            self._tell((number + 1) / len(self._config.layer_types))
        if head is None:
            self._begin("head")
            head = self._head()
            self._end()
        draft_head = self._draft_head(embedding, head) if self._config.draft_head else None
        self._tell(1.0)
        # Experts may be read long after loading, when progress is no longer of interest.
        self._progress = _say_nothing
        if self._files is not None:
            self._files.close()
        if self._files is not None and self._files.bytes_written:
            size = self._files.bytes_written / 2**20
            self._notes.append(
                say(
                    "Saved {size:,.0f} MiB of {weights} weights in {folder}.",
                    size=size,
                    weights=self._options.weights,
                    folder=self._files.folder,
                )
            )
        return HybridModel(
            self._config,
            embedding,
            blocks,
            norm,
            head,
            parameters=parameter_count(self._config),
            dtype=self._dtype,
            weights=self._options.weights,
            experts=self._pool,
            block_types="" if self._blocks is None else self._blocks.types,
            draft_head=draft_head,
            notes=tuple(self._notes),
        )

    def _draft_head(self, embedding: Embedding, head: Matrix) -> DraftHead:
        """The head that drafts, with the model's own head for its tokens."""
        config = self._config
        self._begin("draft-head")
        block = self._source(BLOCK)
        mlp = FAMILY_LAYERS[config.family].mlps[config.mlp_types[-1]](
            config, block, len(config.layer_types)
        )
        words = DraftWords(embedding, head, config, self._dtype)
        made = DraftHead(config, self._source(DRAFT), block, mlp, words)
        self._end()
        return made

    def _table(self, top: LayerSource) -> tuple[Embedding, Matrix | None]:
        """The embedding, and the head if it is the same table."""
        name, tied = self._store.prefix + EMBEDDING, self._config.tied
        if self._blocks is not None:
            embedding = self._blocks.embedding(name)
            return embedding, self._blocks.matrix([(name, None)]) if tied else None
        if self._quant is None:
            table = own(top.rows(EMBEDDING), self._device)
            return DenseEmbedding(table), DenseMatrix(table) if tied else None
        embedding = self._quant.embedding(name, lambda: top.rows(EMBEDDING))
        return embedding, self._quant.make_wide(name, lambda: top.rows(EMBEDDING)) if tied else None

    def _head(self) -> Matrix:
        source = self._source("")
        if self._quant is None:
            return source.matrix(HEAD)
        return self._quant.make_wide(HEAD, lambda: source.rows(HEAD))

    def _source(self, prefix: str) -> LayerSource:
        return LayerSource(
            read=partial(self._read, prefix),
            part=partial(self._part, prefix),
            dtype=self._dtype,
            device=self._device,
            maker=self._maker,
            blocks=self._blocks,
            applied=isinstance(self._store, GgufStore),
            experts=self._pool,
            prefix=prefix,
        )

    def _read(self, prefix: str, name: str) -> Tensor:
        self._count(self._store.entry(prefix + name).nbytes)
        return self._checked(prefix + name, self._store.read(prefix + name))

    def _part(self, prefix: str, name: str, at: int) -> Tensor:
        entry = self._store.entry(prefix + name)
        self._count(entry.nbytes // max(entry.shape[0], 1))
        return self._checked(prefix + name, self._store.read(prefix + name, at))

    def _checked(self, name: str, tensor: Tensor) -> Tensor:
        """Return a tensor after checking for defects that the logits would not show.

        A rounded matrix or row of activations has finite codes, whatever it was made from. A large
        matrix as stored is not checked: its defects make the logits NaN, too. Raises ModelError.
        """
        checks = self._quant is not None or tensor.nbytes <= SMALL_BYTES
        # A meta tensor has no numbers.
        checks = checks and not tensor.is_meta
        # The extremes are NaN if any number is; found at the speed of reading memory.
        if checks and not all(extreme.isfinite() for extreme in tensor.aminmax()):
            raise ModelError(
                '"{name}" in the model\'s files has a number that is infinite or not a '
                "number: the weights are damaged, download the model again.",
                name=name,
            )
        return tensor

    def _count(self, nbytes: int) -> None:
        self._done += nbytes
        self._tell(self._done / self._total)

    def _tell(self, share: float) -> None:
        stage = (
            say("loading weights") if self._quant is None else say("loading and packing weights")
        )
        # Layers read from packed files count by their number, the others by their bytes.
        self._share = max(self._share, min(share, 1.0))
        self._progress(stage, self._share, self._total)

    def _begin(self, unit: str) -> None:
        if self._files is not None:
            self._files.begin(unit)

    def _end(self) -> None:
        if self._files is not None:
            self._files.end()


def _say_nothing(stage: str, share: float | None, total: int = 0, /) -> None:
    """Ignores progress."""


def _as_stored(config: ModelConfig, store: TensorStore | GgufStore) -> ModelConfig:
    """The configuration with the experts' layout as in the files."""
    experts: Experts | None = config.experts
    if experts is None:
        return config
    return replace(config, experts=replace(experts, fused=store.fused_experts))


def _unpacked(options: LoadOptions, store: GgufStore) -> tuple[LoadOptions, tuple[str, ...]]:
    """The options for a file of blocks, which are kept as they are, and what to say about it."""
    notes = []
    if options.weights != "stored":
        notes.append(
            say(
                "The weights stay as the file has them ({blocks}): rounding them once more, to "
                "{weights}, would lose more than it saves.",
                blocks=store.blocks,
                weights=options.weights,
            )
        )
    extra = store.extra_bytes()
    if extra > store.text_bytes() * NOTED_SHARE:
        notes.append(
            say(
                "In memory the weights take {size:,.0f} MiB more than in the file: {blocks} are "
                "computed with in wider numbers, which lose nothing.",
                size=extra / 2**20,
                blocks=store.blocks,
            )
        )
    return replace(options, weights="stored", packed=None), tuple(notes)


def _chosen_dtype(asked: str, stored: str, device: torch.device) -> torch.dtype:
    if asked == "auto":
        # 8-bit floats are unpacked to bfloat16.
        chosen = DTYPES.get(stored, torch.bfloat16)
    elif asked in NAMED_DTYPES:
        chosen = NAMED_DTYPES[asked]
    else:
        raise ModelError(
            'The dtype "{asked}" is not one of auto, {named_dtypes}.',
            asked=asked,
            named_dtypes=", ".join(NAMED_DTYPES),
        )
    if chosen == torch.float16 and device.type == "cpu":
        return torch.float32
    return chosen
