"""The tensors of a model folder, across all its files, checked before memory is allocated.

FP8 checkpoints store a matrix as 8-bit floats and one scale per block of it; reading returns the
product. Source of the layout: `weight_scale_inv` and `weight_block_size` in the config.json of the
published FP8 models.
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

import torch
from torch import Tensor

from engine.errors import ModelError
from engine.model.config import ModelConfig
from engine.model.layer import Shapes
from engine.model.safetensors_file import DTYPES, SafetensorsFile, TensorEntry
from engine.sentence import say

EMBEDDING, NORM, HEAD = "embed_tokens.weight", "norm.weight", "lm_head.weight"
# Before the names of the draft head's tensors.
DRAFT = "mtp."
FUSED_EXPERTS = "mlp.experts.gate_up_proj"
FP8, SCALE = "F8_E4M3", "_scale_inv"
BLOCK = 128
INDEX, SINGLE = "model.safetensors.index.json", "model.safetensors"
MAX_INDEX_BYTES = 64 << 20


def file_names(folder: Path) -> list[str]:
    """The names of the files to load, sorted. Raises ModelError."""
    placed = _placement(folder)
    return [SINGLE] if placed is None else sorted(set(placed.values()))


def open_files(folder: Path) -> dict[str, SafetensorsFile]:
    """The file of each tensor to load, with checked headers. Raises ModelError."""
    placed = _placement(folder)
    if placed is None:
        file = SafetensorsFile(folder / SINGLE)
        return dict.fromkeys(file.entries, file)
    files = {name: SafetensorsFile(folder / name) for name in sorted(set(placed.values()))}
    store = {}
    for tensor, name in placed.items():
        if tensor not in files[name].entries:
            raise ModelError(
                '{index} says that {name} holds "{tensor}", but it does not.',
                index=INDEX,
                name=name,
                tensor=tensor,
            )
        store[tensor] = files[name]
    return store


def _placement(folder: Path) -> Mapping[str, str] | None:
    """The name of each tensor's file in the index; None if there is only one file."""
    index = folder / INDEX
    if not index.is_file():
        if not (folder / SINGLE).is_file():
            raise ModelError(
                '"{folder}" has neither {single} nor {index}; only safetensors files are read.',
                folder=folder,
                single=SINGLE,
                index=INDEX,
            )
        return None
    try:
        if index.stat().st_size > MAX_INDEX_BYTES:
            raise ValueError(say("it is too large"))
        stated = json.loads(index.read_text("utf-8"))["weight_map"]
        placed = {str(tensor): str(name) for tensor, name in stated.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ModelError(
            "{index} cannot be read: {error}.", index=INDEX, error=repr(error)
        ) from error
    for name in sorted(set(placed.values())):
        if Path(name).name != name or not name.endswith(".safetensors"):
            raise ModelError(
                '{index} names "{name}", which is not a file in this folder.',
                index=INDEX,
                name=name,
            )
    return placed


def text_prefix(config: ModelConfig) -> str:
    """The prefix of the text model's tensors in a published file of this kind."""
    return "model.language_model." if config.nested else "model."


class TensorStore:
    """Every tensor of the folder by its full name.

    Attributes:
        prefix: of the text model's tensors.
        fused_experts: whether the routed experts of a layer are one tensor.
    """

    def __init__(self, folder: Path, config: ModelConfig) -> None:
        """Read the headers. Raises ModelError."""
        self._files = open_files(folder)
        self.prefix = self._find_prefix(config)
        self.fused_experts = any(name.endswith(FUSED_EXPERTS) for name in self._files)

    @property
    def native(self) -> str:
        """The type of the embedding's numbers, which stands for all."""
        return self.entry(self.prefix + EMBEDDING).dtype

    def entry(self, name: str) -> TensorEntry:
        """The header's entry for a tensor."""
        return self._files[name].entries[name]

    def read(self, name: str, part: int | None = None) -> Tensor:
        """The tensor, or `part` of its first dimension, unpacked if it is FP8; owns its memory."""
        file = self._files[name]
        tensor = file.read(name, part)
        if file.entries[name].dtype != FP8:
            return tensor
        scale = name + SCALE
        return from_blocks(tensor, self._files[scale].read(scale, part))

    def names(self) -> Collection[str]:
        """The names of all tensors."""
        return self._files.keys()

    def text_bytes(self, *, draft_head: bool = False) -> int:
        """Bytes of the text model in the files, and of its draft head."""
        return sum(self.entry(n).nbytes for n in self._files if self._is_text(n, draft_head))

    def check(self, shapes: Shapes) -> None:
        """Check that exactly the tensors of `shapes` exist, in readable dtypes. Raises ModelError.

        shapes: by full name.
        """
        for name, shape in shapes.items():
            if name not in self._files:
                raise ModelError(
                    'The safetensors files have no "{name}"; expected one of shape {wanted}.',
                    name=name,
                    wanted=list(shape),
                )
            entry, file = self.entry(name), self._files[name].path.name
            if entry.shape != shape:
                raise ModelError(
                    '{file}: "{name}" has shape {shape}; config.json asks for {wanted}.',
                    file=file,
                    name=name,
                    shape=list(entry.shape),
                    wanted=list(shape),
                )
            if entry.dtype == FP8:
                self._check_scale(name, entry)
            elif entry.dtype not in DTYPES:
                raise ModelError(
                    '{file}: "{name}" is stored as {dtype}; expected {dtypes} or {fp}.',
                    file=file,
                    name=name,
                    dtype=entry.dtype,
                    dtypes=", ".join(DTYPES),
                    fp=FP8,
                )
        for name in self._files:
            if not name.startswith(self.prefix + "layers.") or name in shapes:
                continue
            if name.endswith(SCALE) and name.removesuffix(SCALE) in shapes:
                continue
            raise ModelError(
                '{name}: "{tensor}" is not part of the model that '
                "config.json describes; expected only its own tensors.",
                name=self._files[name].path.name,
                tensor=name,
            )

    def skipped(self, *, draft_head: bool = False) -> tuple[str, ...]:
        """A sentence per kind of tensor in the files that is not loaded."""
        return skipped_kinds(
            (
                say("multi-token prediction") if name.startswith(DRAFT) else _branch(name),
                self.entry(name).nbytes,
            )
            for name in self._files
            if not self._is_text(name, draft_head)
        )

    def _is_text(self, name: str, draft_head: bool) -> bool:
        bare = name.removeprefix(self.prefix)
        if name.startswith(DRAFT):
            return draft_head
        return name in (HEAD, HEAD + SCALE) or (
            bare != name and bare.split(".")[0] in ("embed_tokens", "layers", "norm")
        )

    def _find_prefix(self, config: ModelConfig) -> str:
        for prefix in (text_prefix(config), "model.language_model.", "model."):
            if prefix + EMBEDDING in self._files:
                return prefix
        raise ModelError(
            'The safetensors files have no "{prefix}{embedding}"; they do not hold '
            "the text model that config.json describes.",
            prefix=text_prefix(config),
            embedding=EMBEDDING,
        )

    def _check_scale(self, name: str, entry: TensorEntry) -> None:
        scale, file = name + SCALE, self._files[name].path.name
        if scale not in self._files:
            raise ModelError(
                '{file}: "{name}" is stored as {fp} without its "{scale}".',
                file=file,
                name=name,
                fp=FP8,
                scale=scale,
            )
        if len(entry.shape) < 2:
            raise ModelError(
                '{file}: "{name}" is stored as {fp}, which only matrices may be.',
                file=file,
                name=name,
                fp=FP8,
            )
        blocks = (*entry.shape[:-2], *(math.ceil(n / BLOCK) for n in entry.shape[-2:]))
        found = self.entry(scale)
        if found.shape != blocks or found.dtype not in DTYPES:
            raise ModelError(
                '{file}: "{scale}" is {dtype} {shape}; expected one scale per '
                "block of {block} by {block}, {blocks}.",
                file=file,
                scale=scale,
                dtype=found.dtype,
                shape=list(found.shape),
                block=BLOCK,
                blocks=list(blocks),
            )


def from_blocks(codes: Tensor, scale: Tensor) -> Tensor:
    """codes [..., outputs, inputs] float8 times scale of its blocks of 128 by 128: bfloat16."""
    wide = scale.float().repeat_interleave(BLOCK, -2)[..., : codes.shape[-2], :]
    whole = wide.repeat_interleave(BLOCK, -1)[..., : codes.shape[-1]]
    return codes.float().mul_(whole).to(torch.bfloat16)


def skipped_kinds(skipped: Iterable[tuple[str, int]]) -> tuple[str, ...]:
    """A sentence per kind, of tensors that were left in their files: the kind and bytes of each."""
    kinds: dict[str, tuple[int, int]] = {}
    for kind, nbytes in skipped:
        count, size = kinds.get(kind, (0, 0))
        kinds[kind] = (count + 1, size + nbytes)
    return tuple(
        say(
            "Skipped {count:,} tensors of {kind} ({size:,.1f} MiB).",
            count=count,
            kind=kind,
            size=size / 2**20,
        )
        for kind, (count, size) in sorted(kinds.items())
    )


def _branch(name: str) -> str:
    """The part of the model that a tensor outside the text model belongs to."""
    return say("the vision model") if "visual" in name or "vision" in name else f'"{name}"'
