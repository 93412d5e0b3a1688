"""Describes a model folder without loading it: sizes, memory, and what fits this machine."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import torch

from engine.config import WeightFormat
from engine.gguf.file import model_name, read_gguf
from engine.gguf.header import is_gguf
from engine.model.config import ModelConfig, read_config
from engine.model.fit import Fit, FormatSize, Memory, fit, memories
from engine.model.gguf_store import GgufStore, kept_bits
from engine.model.loader import body_shapes, draft_shapes, parameter_count, with_draft_head
from engine.model.safetensors_file import DTYPES, SafetensorsFile, TensorEntry
from engine.model.sizes import ROUTED, checkpoint_bytes, kv_token_bytes, weight_bytes
from engine.model.tensor_store import (
    EMBEDDING,
    FP8,
    FUSED_EXPERTS,
    HEAD,
    SCALE,
    file_names,
    text_prefix,
)
from engine.sentence import say
from kernels.blocks.forms import FORMS
from kernels.dispatch import kernels_for

VISION, PREDICTION, OTHER = "vision", say("multi-token prediction"), say("outside the text model")


@dataclass(frozen=True, slots=True)
class UnusedTensors:
    """Tensors of one purpose that are not loaded; `bytes` as stored."""

    purpose: str
    tensors: int
    bytes: int


@dataclass(frozen=True, slots=True)
class FolderTensors:
    """The contents of the files.

    Attributes:
        entries: every tensor, by its name in the files; of a GGUF file, in the engine.
        missing_files: named by the index but absent.
        disk_bytes: of the files present.
        blocks: the types of a GGUF file's blocks, the one with most bytes first; "" without.
    """

    entries: Mapping[str, TensorEntry]
    missing_files: tuple[str, ...]
    disk_bytes: int
    blocks: str = ""

    @property
    def main_block(self) -> str:
        """The type that most of a GGUF file is stored in."""
        return self.blocks.partition(",")[0]

    def own_format(
        self, config: ModelConfig, expected: Mapping[str, tuple[int, ...]]
    ) -> tuple[FormatSize, ...]:
        """The one format that a file of blocks is kept in; nothing if there are none."""
        if not self.blocks:
            return ()
        whole = routed = 0
        for name, shape in expected.items():
            # Looked up where it is in the file, unless it is the head, too.
            if name in self.entries and (name != EMBEDDING or config.tied):
                size = round(math.prod(shape) * kept_bits(self.entries[name].dtype) / 8)
                whole += size
                routed += size if ROUTED in name else 0
        itemsize = torch.bfloat16.itemsize
        kv, state = kv_token_bytes(config, itemsize), checkpoint_bytes(config, itemsize)
        return (FormatSize("stored", "bfloat16", whole, routed, kv, state, self.main_block),)


def gguf_headers(path: Path, config: ModelConfig) -> FolderTensors:
    """Read the headers of a GGUF file, but no weights. Raises ModelError."""
    gguf = read_gguf(path)
    store = GgufStore(gguf, config)
    return FolderTensors(store.entries(), (), gguf.nbytes, store.blocks)


def read_headers(folder: Path) -> FolderTensors:
    """Read the headers, but no weights. Raises ModelError if a file is damaged or there is none."""
    missing: list[str] = []
    entries: dict[str, TensorEntry] = {}
    size = 0
    for name in file_names(folder):
        path = folder / name
        if not path.is_file():
            missing.append(name)
            continue
        entries.update(SafetensorsFile(path).entries)
        size += path.stat().st_size
    return FolderTensors(entries, tuple(missing), size)


def purpose_of(name: str) -> str:
    """The purpose of a tensor outside the text model, by its published name."""
    if ".visual." in f".{name}" or ".vision" in f".{name}" or name.startswith(("v.", "mm.")):
        return VISION
    prediction = ("mtp.", "model.mtp.", "blk.")
    return PREDICTION if name.startswith(prediction) else OTHER


def unused(
    found: Mapping[str, TensorEntry], expected: Mapping[str, tuple[int, ...]], *, tied: bool
) -> tuple[UnusedTensors, ...]:
    """Unused tensors, by purpose."""
    sums: dict[str, list[int]] = {}
    for name, entry in found.items():
        # A tied model's files may hold the head a second time; 8-bit floats have scales.
        if name.removesuffix(SCALE) in expected or (tied and name == HEAD):
            continue
        counted = sums.setdefault(purpose_of(name), [0, 0])
        counted[0] += 1
        counted[1] += entry.nbytes
    return tuple(UnusedTensors(purpose, *counted) for purpose, counted in sorted(sums.items()))


def wrong(
    found: Mapping[str, TensorEntry], expected: Mapping[str, tuple[int, ...]]
) -> tuple[str, ...]:
    """A sentence for each tensor with a wrong shape or an unsupported dtype."""
    sentences = []
    for name, shape in expected.items():
        entry = found.get(name)
        if entry is None:
            continue
        if entry.shape != shape:
            sentences.append(
                say(
                    '"{name}" has shape {shape}; config.json asks for {wanted}.',
                    name=name,
                    shape=list(entry.shape),
                    wanted=list(shape),
                )
            )
        elif entry.dtype == FP8:
            if name + SCALE not in found:
                sentences.append(
                    say(
                        '"{name}" is stored as {fp} without its "{name}{scale}".',
                        name=name,
                        fp=FP8,
                        scale=SCALE,
                    )
                )
        elif entry.dtype not in DTYPES and entry.dtype not in FORMS:
            known = ", ".join(DTYPES)
            sentences.append(
                say(
                    '"{name}" is stored as {dtype}; expected {known} or {fp}.',
                    name=name,
                    dtype=entry.dtype,
                    known=known,
                    fp=FP8,
                )
            )
    return tuple(sentences)


@dataclass(frozen=True, slots=True)
class Experts:
    """The routed experts of a mixture; `count` per layer, `per_token` of them run for a token."""

    count: int
    per_token: int
    width: int
    parameters: int


@dataclass(frozen=True, slots=True)
class ModelReport:
    """The description of a folder.

    Attributes:
        parameters: of the text model, a tied head counted once.
        active_parameters: those that run for one token.
        disk_bytes: of the safetensors files; text_bytes: of the loaded part.
        stored: dtype of the embedding, which "auto" uses.
        kernels: what would run it on the device that "auto" uses, in a few words.
        formats: per format, on that device.
        fits: per memory and format.
        missing: tensors that config.json requires but no file has.
        wrong: sentences about tensors that cannot be loaded as they are.
    """

    name: str
    model_type: str
    family: str
    layers: int
    linear_layers: int
    full_layers: int
    hidden_size: int
    intermediate_size: int
    vocab_size: int
    context: int
    parameters: int
    active_parameters: int
    experts: Experts | None
    disk_bytes: int
    text_bytes: int
    stored: str
    kernels: str
    formats: tuple[FormatSize, ...]
    memories: tuple[Memory, ...]
    fits: tuple[Fit, ...]
    unused: tuple[UnusedTensors, ...]
    missing_files: tuple[str, ...]
    missing: tuple[str, ...]
    wrong: tuple[str, ...]

    @property
    def complete(self) -> bool:
        """Whether the loader would find everything it needs."""
        return not (self.missing_files or self.missing or self.wrong)


def inspect_model(folder: Path, at_hand: tuple[Memory, ...] | None = None) -> ModelReport:
    """Describe the model in `folder` from its headers.

    at_hand: the memory to fit it into; None measures this machine. Raises ModelError.
    """
    stated = read_config(folder)
    found = gguf_headers(folder, stated) if is_gguf(folder) else read_headers(folder)
    config = _as_stored(stated, found)
    prefix = "" if is_gguf(folder) else _prefix_of(found, config)
    expected = expected_shapes(config, prefix)
    at_hand = memories() if at_hand is None else at_hand
    stored = _stored_dtype(found, prefix)
    sizes = {
        memory.device: found.own_format(config, expected)
        or format_sizes(config, stored, memory.device)
        for memory in at_hand
    }
    experts = experts_of(config, expected)
    parameters = parameter_count(config)
    return ModelReport(
        name=model_name(folder),
        model_type=config.kind,
        family=config.family,
        layers=len(config.layer_types),
        linear_layers=config.linear_layers,
        full_layers=config.full_layers,
        hidden_size=config.hidden_size,
        intermediate_size=config.intermediate_size,
        vocab_size=config.vocab_size,
        context=config.context,
        parameters=parameters,
        active_parameters=parameters - idle_parameters(experts),
        experts=experts,
        disk_bytes=found.disk_bytes,
        text_bytes=sum(found.entries[name].nbytes for name in expected if name in found.entries),
        stored=found.blocks or stored,
        kernels=kernels_for(torch.device(at_hand[0].device)).name,
        formats=sizes[at_hand[0].device],
        memories=at_hand,
        fits=tuple(
            fit(memory, size, config.context) for memory in at_hand for size in sizes[memory.device]
        ),
        unused=unused(found.entries, expected, tied=config.tied),
        missing_files=found.missing_files,
        missing=tuple(name for name in expected if name not in found.entries),
        wrong=wrong(found.entries, expected),
    )


def expected_shapes(config: ModelConfig, prefix: str) -> dict[str, tuple[int, ...]]:
    """Every tensor that is loaded, by its name in the files."""
    shapes = {prefix + name: shape for name, shape in body_shapes(config).items()}
    if config.draft_head:
        shapes |= draft_shapes(config)
    if not config.tied:
        shapes[HEAD] = (config.vocab_size, config.hidden_size)
    return shapes


def format_sizes(config: ModelConfig, stored: str, device: str) -> tuple[FormatSize, ...]:
    """The formats a model can be kept in: as stored, in bfloat16 if it is not, int8, int4."""
    # The loader computes float16 in float32 on a CPU.
    own = "float32" if stored == "float16" and device == "cpu" else stored
    kinds: list[tuple[WeightFormat, str]] = [("stored", dtype) for dtype in _distinct(own)]
    kinds += [("int8", own), ("int4", own)]
    made = []
    for weights, dtype in kinds:
        itemsize = getattr(torch, dtype).itemsize
        whole, routed = weight_bytes(_kept_shapes(config, weights, device), weights, itemsize)
        kv, state = kv_token_bytes(config, itemsize), checkpoint_bytes(config, itemsize)
        made.append(FormatSize(weights, dtype, whole, routed, kv, state))
    return tuple(made)


def _kept_shapes(
    config: ModelConfig, weights: WeightFormat, device: str
) -> dict[str, tuple[int, ...]]:
    """What is resident: quantised, the head is its own matrix even if tied, and on a CPU the
    embedding stays in the packed file.
    """
    shapes = expected_shapes(config, "")
    if weights != "stored":
        shapes[HEAD] = (config.vocab_size, config.hidden_size)
        if device == "cpu":
            del shapes[EMBEDDING]
    return shapes


def experts_of(config: ModelConfig, expected: dict[str, tuple[int, ...]]) -> Experts | None:
    """The mixture's experts, None for a dense model."""
    stated = config.experts
    if stated is None:
        return None
    routed = sum(math.prod(shape) for name, shape in expected.items() if ROUTED in name)
    return Experts(stated.count, stated.per_token, stated.width, routed)


def idle_parameters(experts: Experts | None) -> int:
    """Weights of the routed experts that a token does not use."""
    if experts is None:
        return 0
    return experts.parameters * (experts.count - experts.per_token) // experts.count


def _distinct(own: str) -> Iterable[str]:
    return dict.fromkeys((own, "bfloat16"))


def _as_stored(config: ModelConfig, found: FolderTensors) -> ModelConfig:
    """The configuration, with experts laid out as in the files, and with their draft head."""
    if config.experts is not None:
        fused = any(name.endswith(FUSED_EXPERTS) for name in found.entries)
        config = replace(config, experts=replace(config.experts, fused=fused))
    return with_draft_head(config, found.entries)


def _prefix_of(found: FolderTensors, config: ModelConfig) -> str:
    """The text model's prefix in the files; the published one if they have no text model."""
    known = (text_prefix(config), "model.language_model.", "model.")
    return next((p for p in known if p + EMBEDDING in found.entries), known[0])


def _stored_dtype(found: FolderTensors, prefix: str) -> str:
    """The embedding's dtype, which the loader uses for all; bfloat16 if it is missing."""
    entry = found.entries.get(prefix + EMBEDDING)
    stored = entry.dtype if entry is not None and entry.dtype in DTYPES else "BF16"
    return str(DTYPES[stored]).removeprefix("torch.")
