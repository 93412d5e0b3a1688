"""Checks a model folder before the open model is closed: whether it is sound, and fits."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from app.core.words import format as fmt
from app.core.words.tr import tr
from engine.config import EngineConfig
from engine.errors import BiplaneError

if TYPE_CHECKING:
    from engine.model.fit import FormatSize
    from engine.model.inspect import ModelReport

# The planes get a quarter of the memory left by the weights (`engine/run/memory.py`).
_PLANES_SHARE = 4


@dataclass(frozen=True, slots=True)
class Found:
    """The result of a check.

    Attributes:
        problem: why it cannot be opened, in one sentence; "" if it can.
        beside: there is enough memory for it while the open model stays open.
    """

    problem: str = ""
    beside: bool = False


class Look(Protocol):
    """A running check; `done` returns its result, None while it is running."""

    def done(self) -> Found | None: ...


Looker = Callable[[Path, EngineConfig, int], Look]


class FolderCheck:
    """Runs on its own thread: a large model's headers take a moment, a slow disk longer."""

    def __init__(self, folder: Path, config: EngineConfig, held_bytes: int) -> None:
        """held_bytes: what closing the open model would free."""
        self._found: Found | None = None
        self._args = (folder, config, held_bytes)
        threading.Thread(target=self._run, name="biplane-folder", daemon=True).start()

    def done(self) -> Found | None:
        return self._found

    def _run(self) -> None:
        try:
            self._found = examine(*self._args)
        except BaseException as error:
            # Panics of the tokenizer's library are not Exceptions, but must be reported, too.
            self._found = Found(
                tr("{args} cannot be read: {error}.").format(args=self._args[0], error=error)
            )


def examine(folder: Path, config: EngineConfig, held_bytes: int) -> Found:
    """Read the folder's headers and its tokenizer, but no weights."""
    from app.core.words.joining import in_turn
    from app.core.words.model_words import problem_lines
    from engine.model.inspect import inspect_model
    from engine.text.model_files import read_text_files

    try:
        report = inspect_model(folder)
        lines = [line for line in problem_lines(report) if line]
        if lines:
            return Found(in_turn(*lines))
        read_text_files(folder)
    except (BiplaneError, OSError) as error:
        return Found(str(error))
    return room(report, config, held_bytes)


def room(report: ModelReport, config: EngineConfig, held_bytes: int) -> Found:
    """Where a sound model fits: next to the open one, in its place, or nowhere."""
    size = _size(report, config)
    memory = next((m for m in report.memories if config.device in ("auto", m.device)), None)
    if size is None or memory is None:
        # A format missing from the report; the loader will check it.
        return Found()
    weights = size.weight_bytes
    if config.expert_bytes:
        weights -= max(0, size.routed_bytes - config.expert_bytes)
    if weights > memory.free_bytes + held_bytes:
        return Found(
            tr(
                "{name} needs {weights} of memory, but only {free_bytes} is "
                "available: close other programs, or choose fewer bits in File > "
                "Weights and experts."
            ).format(
                name=report.name,
                weights=fmt.byte_size(weights),
                free_bytes=fmt.byte_size(memory.free_bytes + held_bytes),
            )
        )
    return Found(beside=_beside(memory.free_bytes - weights, size, report, config))


def _beside(left: int, size: FormatSize, report: ModelReport, config: EngineConfig) -> bool:
    """Whether a usable cache fits into `left` bytes."""
    from engine.model.fit import GOOD_CONTEXT, WORKSPACE_BYTES, context_in

    left -= WORKSPACE_BYTES + config.host_bytes
    if config.cache_bytes:
        return left >= config.cache_bytes
    context = context_in(left // _PLANES_SHARE, size, report.context)
    return context >= min(GOOD_CONTEXT, report.context)


def _size(report: ModelReport, config: EngineConfig) -> FormatSize | None:
    return next(
        (
            size
            for size in report.formats
            # A file's own blocks are kept as they are.
            if size.blocks
            or (size.weights == config.weights and config.dtype in ("auto", size.dtype))
        ),
        None,
    )
