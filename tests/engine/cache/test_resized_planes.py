"""Pools, planes and contents under resizing: real tensors, compared bit for bit."""

from __future__ import annotations

import zlib

import numpy as np
import pytest
import torch

from engine.cache.extents import to_slots
from engine.cache.resize import Moves
from engine.planes import LIVE_SLOT, SINK_SLOT, KVPlane, StatePlane, StateShape
from tests.engine.cache.tiers.test_tiers import chat
from tests.engine.cache.tiers.three_tiers import Prefix, ThreeTiers

CPU = torch.device("cpu")
SHAPE = StateShape((1, 2, 4, 4), (1, 3, 6), (5,), torch.bfloat16)
HEADS, DIM = 2, 4


class RealPlanes:
    """Real planes alongside the byte model: each write of the model is written here as numbers."""

    def __init__(self, world: ThreeTiers) -> None:
        self._world = world
        kv_slots, state_slots = world.cache.reader.sizes
        self.kv = KVPlane((2, HEADS, kv_slots, DIM), torch.float32, CPU)
        self.states = StatePlane(SHAPE, state_slots + 1, CPU)
        self.states.delta[SINK_SLOT].fill_(-5.0)
        self._kv_written: dict[int, Prefix] = {}
        self._state_written: dict[int, Prefix] = {}

    def write(self) -> None:
        """Write what the last request wrote, and no more."""
        said = self._world.bytes
        new = [slot for slot in self._held_kv() if self._kv_written.get(slot) != said.kv[slot]]
        if new:
            for number, part in enumerate(self.kv.parts):
                part[:, new] = rows([said.kv[slot] for slot in new], number)
        for slot in self._held_states():
            if self._state_written.get(slot) != said.state[slot]:
                for part, want in zip(
                    self.states.parts(slot), state(said.state[slot]), strict=True
                ):
                    part.copy_(want)
        self._remember()

    def resize(self, kv_slots: int, state_slots: int) -> Moves:
        """In the engine's order: the pools, the copies, then the memory."""
        moves = self._world.cache.resize(kv_slots, state_slots)
        for source, target in moves.kv:
            for here, there in zip(to_slots(source), to_slots(target), strict=True):
                self._world.bytes.kv[int(there)] = self._world.bytes.kv[int(here)]
        for here, there in moves.states:
            self._world.bytes.state[there] = self._world.bytes.state[here]
        self.kv.move(moves.kv)
        self.states.move(moves.states)
        self.kv.resize(kv_slots)
        self.states.resize(state_slots + 1)
        self._remember()
        return moves

    def check(self) -> None:
        """Every slot that the tree holds has exactly the numbers written for its prefix."""
        said, held = self._world.bytes, self._held_kv()
        for number, part in enumerate(self.kv.parts):
            assert part.shape == (HEADS, self._world.cache.reader.sizes[0], DIM)
            if held:
                assert torch.equal(part[:, held], rows([said.kv[slot] for slot in held], number))
        for slot in self._held_states():
            for part, want in zip(self.states.parts(slot), state(said.state[slot]), strict=True):
                assert torch.equal(part, want)
        assert self.states.delta[LIVE_SLOT].count_nonzero() == 0
        assert (self.states.delta[SINK_SLOT] == -5.0).all()

    def _held_kv(self) -> list[int]:
        nodes = self._world.cache.reader.nodes()[1:]
        extents = {
            run for node in nodes for run in self._world.cache.reader.holding(node.id).extents
        }
        return sorted({int(slot) for run in extents for slot in to_slots((run,))})

    def _held_states(self) -> list[int]:
        return [
            n.checkpoint.slot for n in self._world.cache.reader.nodes() if n.checkpoint is not None
        ]

    def _remember(self) -> None:
        said = self._world.bytes
        self._kv_written = {slot: said.kv[slot] for slot in self._held_kv()}
        self._state_written = {slot: said.state[slot] for slot in self._held_states()}


def code(prefix: Prefix) -> int:
    return zlib.crc32(np.asarray(prefix, np.int64).tobytes())


def rows(prefixes: list[Prefix], number: int) -> torch.Tensor:
    """[heads, slots, dim] of one tensor of the plane; float32 holds these numbers exactly."""
    base = torch.tensor([float(code(prefix) & 0x3FFFF) for prefix in prefixes]) * 8 + number
    heads = torch.arange(HEADS)[:, None, None] * 0.5
    return (base[None, :, None] + heads).expand(HEADS, len(prefixes), DIM).contiguous()


def state(prefix: Prefix) -> list[torch.Tensor]:
    generator = torch.Generator().manual_seed(code(prefix))
    shapes = ((SHAPE.delta, torch.float32), (SHAPE.conv, SHAPE.dtype), (SHAPE.hidden, SHAPE.dtype))
    return [torch.randn(shape, generator=generator).to(dtype) for shape, dtype in shapes]


@pytest.mark.parametrize("seed", range(3))
def test_contents_survive_growing_and_shrinking(seed: int) -> None:
    rng = np.random.default_rng(seed)
    world = ThreeTiers(device=(500, 8), host=None, files=None)
    planes = RealPlanes(world)
    chats = [chat(n, 90) for n in range(8)]
    moved_kv = moved_states = 0
    for step in range(60):
        tokens = chats[int(rng.integers(8))]
        world.run([*tokens[: int(rng.integers(20, 90))], step], decode=chat(step, 5))
        planes.write()
        planes.check()
        moves = planes.resize(int(rng.integers(120, 500)), int(rng.integers(1, 12)))
        moved_kv, moved_states = moved_kv + len(moves.kv), moved_states + len(moves.states)
        planes.check()
        world.verify()
    print(f"{moved_kv} pieces of KV and {moved_states} states moved")
    assert moved_kv > 5
    assert moved_states > 5
