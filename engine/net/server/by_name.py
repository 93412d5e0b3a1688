"""Models that requests may open by their name, one at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from engine.events import ModelInfo
from engine.net.server.problem import Refused

# What Ollama's clients put after a name that has no tag.
LATEST = ":latest"


@dataclass(frozen=True, slots=True)
class Known:
    """What is told of a model, open or not.

    Attributes:
        weight_bytes: of an open one in memory, else in its files.
        thinks: whether it can think; None until it was open.
    """

    name: str
    folder: str
    family: str
    parameters: int
    weight_bytes: int
    weights: str
    layers: int
    context: int
    thinks: bool | None = None

    @classmethod
    def of(cls, model: ModelInfo) -> Known:
        """An open one."""
        return cls(
            model.name,
            model.folder,
            model.family,
            model.parameters,
            model.weight_bytes,
            model.weights or model.dtype,
            model.layers,
            model.context,
            model.supports_thinking,
        )


@dataclass(frozen=True, slots=True)
class Opened:
    """A model that a request opened.

    Attributes:
        seconds: from closing the one before, whose files are written then, to the end.
        closed: that one's name.
        back_s: how long that one took to open, so about what going back costs.
        kept: whether its cache stays on disk.
    """

    name: str
    seconds: float
    closed: str
    back_s: float
    kept: bool

    @property
    def sentence(self) -> str:
        """What it cost, and what going back will."""
        cache = "comes from the disk" if self.kept else "is gone, since no files are written"
        return (
            f"{self.name} was opened in {self.seconds:.1f} s, and {self.closed} closed. Going back "
            f"takes about {self.back_s:.1f} s; what was cached of {self.closed} {cache}."
        )


class Models(Protocol):
    """Thread-safe; the server calls `open` on a thread that may wait."""

    @property
    def known(self) -> tuple[Known, ...]:
        """All that a request may name."""

    def open(self, name: str) -> Opened | None:
        """Close the open model, open this one and attach it; None if it is open.

        Raises BiplaneError if it cannot be opened; the one before is open again then.
        """


def found(known: tuple[Known, ...], name: str) -> Known:
    """The model that a request names. Raises Refused."""
    for one in known:
        if one.name in (name, name.removesuffix(LATEST)):
            return one
    names = ", ".join(one.name for one in known)
    raise Refused(
        "not_found_error",
        f"{name[:80]!r} is not a model of this server, which has {names}.",
        "model",
        "model_not_found",
    )
