"""Host memory of the second tier: packed states by slot, spans of KV, and what they leave alone."""

from __future__ import annotations

import hashlib

import pytest
import torch

from engine.config import StateFormat
from engine.planes import LIVE_SLOT, KVPlane, StatePlane, StateShape
from engine.storage.host_planes import (
    HostStates,
    gather_kv,
    pack_state,
    packed_slot_bytes,
    scatter_kv,
    unpack_state,
)

CPU = torch.device("cpu")
FORMS: tuple[StateFormat, ...] = ("none", "bfloat16", "int8")
SHAPE = StateShape((2, 3, 8, 16), (2, 3, 24), (10,), torch.bfloat16)
RUNS = ((7, 3), (0, 2), (11, 1))


def states(slots: int = 4, seed: int = 0) -> StatePlane:
    plane = StatePlane(SHAPE, slots, CPU)
    generator = torch.Generator().manual_seed(seed)
    for slot in range(slots):
        for part in plane.parts(slot):
            part.copy_(torch.randn(part.shape, generator=generator))
    return plane


def checksum(plane: StatePlane, slot: int) -> str:
    parts = (part.contiguous().view(torch.uint8).numpy().tobytes() for part in plane.parts(slot))
    return hashlib.blake2b(b"".join(parts)).hexdigest()


def kv(slots: int, seed: int = 0) -> KVPlane:
    plane = KVPlane((2, 3, slots, 4), torch.bfloat16, CPU)
    generator = torch.Generator().manual_seed(seed)
    for part in plane.parts:
        part.copy_(torch.randn(part.shape, generator=generator))
    return plane


class TestPackedStates:
    @pytest.mark.parametrize("form", FORMS)
    def test_neither_the_live_slot_nor_the_packed_one_is_touched(self, form: StateFormat) -> None:
        plane = states()
        before = [checksum(plane, slot) for slot in range(plane.slots)]
        packed, _ = pack_state(plane, LIVE_SLOT, form)
        pack_state(plane, 2, form)
        for tensor in packed.values():
            tensor.zero_()
        unpack_state(pack_state(plane, 2, form)[0], plane, 3)
        assert [checksum(plane, slot) for slot in range(3)] == before[:3]

    @pytest.mark.parametrize("form", FORMS)
    def test_what_comes_back_is_as_near_as_was_measured(self, form: StateFormat) -> None:
        plane = states()
        packed, error = pack_state(plane, 1, form)
        unpack_state(packed, plane, 2)
        worst = max(
            float((here.float() - there.float()).abs().max() / here.float().abs().max())
            for here, there in zip(plane.parts(1)[:2], plane.parts(2)[:2], strict=True)
        )
        # The window is rounded once more, to its own dtype.
        assert worst <= error + 2**-8 * (form == "int8")
        assert (error == 0) == (form == "none")
        assert torch.equal(plane.hidden[1], plane.hidden[2]), "the hidden row is never packed"

    @pytest.mark.parametrize("form", FORMS)
    def test_a_second_trip_changes_no_bit(self, form: StateFormat) -> None:
        plane = states()
        unpack_state(pack_state(plane, 1, form)[0], plane, 2)
        unpack_state(pack_state(plane, 2, form)[0], plane, 3)
        assert checksum(plane, 2) == checksum(plane, 3)

    @pytest.mark.parametrize("form", FORMS)
    def test_a_slot_takes_memory_when_it_is_first_written(self, form: StateFormat) -> None:
        plane, host = states(), HostStates(form)
        one = packed_slot_bytes(SHAPE, form)
        assert host.nbytes == 0
        host.put(5, pack_state(plane, 1, form)[0])
        host.put(2, pack_state(plane, 2, form)[0])
        assert host.nbytes == 2 * one
        host.put(5, pack_state(plane, 3, form)[0])
        assert host.nbytes == 2 * one
        unpack_state(host[5], plane, 1)
        unpack_state(pack_state(plane, 3, form)[0], plane, 2)
        assert checksum(plane, 1) == checksum(plane, 2)


class TestSpansOfKV:
    def test_a_span_is_gathered_in_the_order_of_its_runs(self) -> None:
        plane = kv(12)
        k, v = gather_kv(plane, RUNS)
        slots = [7, 8, 9, 0, 1, 11]
        assert k.shape == v.shape == (2, 3, 6, 4)
        assert k.is_contiguous()
        assert v.is_contiguous()
        for layer in range(2):
            assert torch.equal(k[layer], plane.k[layer][:, slots])
            assert torch.equal(v[layer], plane.v[layer][:, slots])

    def test_a_gathered_span_is_a_copy(self) -> None:
        plane = kv(12)
        k, _ = gather_kv(plane, ((3, 4),))
        before = k.clone()
        plane.k[0].zero_()
        plane.k[1].zero_()
        assert torch.equal(k, before)

    def test_it_comes_back_into_other_runs_and_nowhere_else(self) -> None:
        source, target = kv(12), kv(9, seed=1)
        before = [part.clone() for part in target.parts]
        k, v = gather_kv(source, RUNS)
        scatter_kv(k, v, target, ((5, 1), (1, 4), (8, 1)))
        again = gather_kv(target, ((5, 1), (1, 4), (8, 1)))
        assert torch.equal(again[0], k)
        assert torch.equal(again[1], v)
        for old, new in zip(before, target.parts, strict=True):
            assert torch.equal(old[:, [0, 6, 7]], new[:, [0, 6, 7]])
