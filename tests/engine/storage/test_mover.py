"""Copies between the device's planes and the host's: the right slots, bit for bit, and in time."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
import torch

from engine.config import StateFormat
from engine.planes import KVPlane, StatePlane, StateShape
from engine.storage.host_planes import HostStates, pack_state, unpack_state
from engine.storage.mover import TierMover

SHAPE = StateShape((2, 3, 8, 16), (2, 3, 24), (10,), torch.bfloat16)
HERE, THERE = ((9, 4), (0, 2), (20, 3)), ((3, 1), (12, 6), (1, 2))
gpu = [
    pytest.mark.gpu,
    pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device"),
]
DEVICES = ["cpu", pytest.param("cuda", marks=gpu)]


@dataclass
class World:
    """Planes of both tiers, full of noise, and the mover between them."""

    kv: KVPlane
    states: StatePlane
    host_kv: KVPlane
    host_states: HostStates
    mover: TierMover


def world(device: str, form: StateFormat = "none", *, slots: int = 24, dim: int = 4) -> World:
    torch.manual_seed(11)
    there, on_gpu = torch.device(device), device == "cuda"
    kv = KVPlane((2, 3, slots, dim), torch.bfloat16, there)
    host_kv = KVPlane((2, 3, slots - 4, dim), torch.bfloat16, torch.device("cpu"), pinned=on_gpu)
    states = StatePlane(SHAPE, 4, there)
    for part in (*kv.parts, *host_kv.parts):
        part.normal_()
    for slot in range(4):
        for part in states.parts(slot):
            part.normal_()
    host_states = HostStates(form, pinned=on_gpu)
    return World(kv, states, host_kv, host_states, TierMover(kv, states, host_kv, host_states))


def numbers(extents: tuple[tuple[int, int], ...]) -> list[int]:
    return [slot for first, length in extents for slot in range(first, first + length)]


def contents(plane: KVPlane) -> list[torch.Tensor]:
    return [part.cpu().clone() for part in plane.parts]


def rest(plane: KVPlane, extents: tuple[tuple[int, int], ...]) -> list[int]:
    return sorted(set(range(plane.slots)) - set(numbers(extents)))


@pytest.mark.parametrize("device", DEVICES)
class TestKV:
    def test_down_into_runs_that_are_broken_elsewhere(self, device: str) -> None:
        w = world(device)
        source, before = contents(w.kv), contents(w.host_kv)
        w.mover.kv_to_host(HERE, THERE)
        for old, was, now in zip(source, before, contents(w.host_kv), strict=True):
            assert torch.equal(now[:, numbers(THERE)], old[:, numbers(HERE)])
            others = rest(w.host_kv, THERE)
            assert torch.equal(now[:, others], was[:, others])
        for old, now in zip(source, contents(w.kv), strict=True):
            assert torch.equal(old, now)

    def test_up_again(self, device: str) -> None:
        w = world(device)
        source, before = contents(w.host_kv), contents(w.kv)
        w.mover.kv_to_device(THERE, HERE)
        for old, was, now in zip(source, before, contents(w.kv), strict=True):
            assert torch.equal(now[:, numbers(HERE)], old[:, numbers(THERE)])
            others = rest(w.kv, HERE)
            assert torch.equal(now[:, others], was[:, others])

    def test_it_follows_a_resize(self, device: str) -> None:
        w = world(device)
        w.kv.resize(40)
        for part in w.kv.parts:
            part[:, 30:35] = 7
        w.mover.kv_to_host(((30, 5),), ((2, 5),))
        for part in w.host_kv.parts:
            assert (part[:, 2:7] == 7).all()


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("form", ["none", "bfloat16", "int8"])
class TestStates:
    def test_there_and_back(self, device: str, form: StateFormat) -> None:
        w = world(device, form)
        expected, error = pack_state(w.states, 2, form)
        live = [part.clone() for part in w.states.parts(0)]
        assert w.mover.state_to_host(2, 6) == error
        w.mover.state_to_device(6, 3)
        unpack_state(expected, w.states, 1)
        for back, want in zip(w.states.parts(3), w.states.parts(1), strict=True):
            assert torch.equal(back, want)
        for old, now in zip(live, w.states.parts(0), strict=True):
            assert torch.equal(old, now)

    def test_a_host_slot_is_written_anew(self, device: str, form: StateFormat) -> None:
        w = world(device, form)
        w.mover.state_to_host(1, 6)
        held = w.host_states.nbytes
        w.mover.state_to_host(2, 6)
        assert w.host_states.nbytes == held
        w.mover.state_to_device(6, 3)
        assert torch.equal(w.states.hidden[3], w.states.hidden[2])


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
class TestOrder:
    """Large planes and a busy compute stream, so that a missing wait would show."""

    def test_a_slot_may_be_reused_as_soon_as_it_went_down(self) -> None:
        w = world("cuda", slots=40_004, dim=64)
        extents = ((0, 40_000),)
        for value in range(1, 6):
            for part in w.kv.parts:
                part.fill_(value)
            w.mover.kv_to_host(extents, extents)
            for part in w.kv.parts:
                part.fill_(-1)
            for part in w.host_kv.parts:
                assert (part == value).all()

    @pytest.mark.parametrize("form", ["none", "bfloat16", "int8"])
    def test_states_lie_in_pinned_memory_and_nothing_waits_for_one_that_comes_up(
        self, form: StateFormat
    ) -> None:
        w = world("cuda", form)
        w.mover.state_to_host(2, 6)
        assert all(part.is_pinned() for part in w.host_states[6].values())
        torch.cuda.set_sync_debug_mode("error")
        try:
            w.mover.state_to_device(6, 3)
            w.mover.kv_to_device(THERE, HERE)
        finally:
            torch.cuda.set_sync_debug_mode("default")

    def test_a_state_that_comes_up_is_there_for_the_next_operation(self) -> None:
        w = world("cuda")
        busy = torch.randn(4096, 4096, device="cuda")
        for value in range(1, 6):
            w.states.delta[2].fill_(value)
            w.mover.state_to_host(2, 6)
            busy = busy @ busy / busy.norm()
            w.states.delta[3].fill_(-1)
            w.mover.state_to_device(6, 3)
            assert (w.states.delta[3] == value).all()

    def test_what_comes_up_is_there_for_the_next_operation(self) -> None:
        w = world("cuda", slots=40_004, dim=64)
        extents = ((0, 40_000),)
        busy = torch.randn(4096, 4096, device="cuda")
        for value in range(1, 6):
            for part in w.host_kv.parts:
                part.fill_(value)
            for part in w.kv.parts:
                busy = busy @ busy / busy.norm()
                part.fill_(-1)
            w.mover.kv_to_device(extents, extents)
            seen = [part[:, :40_000].float().amin() for part in w.kv.parts]
            assert {float(least) for least in seen} == {float(value)}
