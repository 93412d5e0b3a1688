"""A run of a sequence beside the cache: on planes of its own, from a cached state where one is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
import torch

from engine.cache.extents import part
from engine.errors import PromptError
from engine.model.hybrid import HybridModel
from engine.planes import LIVE_SLOT, KVPlane, StatePlane
from engine.run.inspect.watch import Watch
from engine.run.store import Store
from engine.storage.host_planes import gather_kv, scatter_kv

# Between two passes the engine attends to other things.
PASS_TOKENS = 128
# As many rows as a layer's pass never divides, so that a kernel is called once a layer and pass.
WATCHED_TOKENS = 64
# A run copies the keys and values that it reads.
MOST_KV_BYTES = 512 << 20
# What is not cached has to run first, at the speed of a prefill.
MOST_UNCACHED = 8192


class PrivateRun:
    """Tokens [0, position) have been applied; nothing of the cache was touched for it.

    Attributes:
        ids: [n] int64, the whole sequence.
        position: how far it is.
        kv, states: its own planes; the live slot holds the state at `position`.
    """

    def __init__(
        self, model: HybridModel, store: Store, ids: npt.NDArray[np.int64], start: int
    ) -> None:
        """Begin where the deepest usable checkpoint on the device is, at `start` or before it.

        Raises PromptError if too much would have to be copied or run first.
        """
        most = MOST_KV_BYTES // max(1, model.kv_slot_bytes())
        if len(ids) > most:
            raise PromptError(
                f"The lab reads sequences of up to {most:,} tokens of this model, and this one has "
                f"{len(ids):,}: take a shorter conversation."
            )
        match = store.cache.reader.probe(ids[:start])
        resume = match.resume
        if start - resume > MOST_UNCACHED:
            raise PromptError(
                f"{start - resume:,} tokens would have to run first, and the lab runs at most "
                f"{MOST_UNCACHED:,}: ask something in this conversation, so that it is cached, and "
                "try again."
            )
        self.ids, self.position = ids, resume
        self._model = model
        self.kv: KVPlane = model.make_kv_plane(len(ids))
        self.states: StatePlane = model.make_state_plane(1)
        if match.checkpoint is not None:
            k, v = gather_kv(store.kv, part(match.extents, 0, resume))
            scatter_kv(k, v, self.kv, ((0, resume),))
            for mine, cached in zip(
                self.states.parts(LIVE_SLOT),
                store.states.parts(match.checkpoint.slot),
                strict=True,
            ):
                mine.copy_(cached)

    def run_to(self, end: int) -> Iterator[int]:
        """Run to a position; yields the position between two passes."""
        while self.position < end:
            self._forward(min(end, self.position + PASS_TOKENS), None)
            yield self.position

    def watch_to(self, end: int, watch: Watch) -> Iterator[int]:
        """The same, and `watch` has each pass; yields the position before it, once it has run."""
        for last in watched_ends(self.position, end):
            before = self.position
            watch.begin()
            self._forward(last, watch)
            yield before

    def _forward(self, end: int, watch: Watch | None) -> None:
        self._model.forward(
            torch.from_numpy(self.ids[self.position : end]),
            self.position,
            self.kv,
            ((0, end),),
            self.states,
            LIVE_SLOT,
            write_from=self.position,
            logits="none",
            kernels=None if watch is None else watch.kernels,
        )
        self.position = end


def watched_ends(start: int, end: int) -> Sequence[int]:
    """Where watched passes end: none has a single token, which would take the path of a decode.

    Raises PromptError if there is but one token.
    """
    if end - start == 1:
        raise PromptError("One token shows nothing: give at least two.")
    ends = [*range(start + WATCHED_TOKENS, end, WATCHED_TOKENS), end]
    if len(ends) > 1 and ends[-1] - ends[-2] == 1:
        ends[-2] -= 1
    return ends
