"""A checkpoint is restored by one contiguous copy, however many layers it has."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode

from engine.planes import LIVE_SLOT, StatePlane, StateShape

SHAPE = StateShape((18, 4, 16, 16), (18, 3, 96), (64,), torch.bfloat16)


class Seen(TorchDispatchMode):
    """The operations that ran, and the bytes of what each wrote."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.calls: list[tuple[str, int]] = []

    def __torch_dispatch__(
        self,
        func: Any,
        types: Any,
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        out = func(*args, **(kwargs or {}))
        self.calls.append((str(func), out.nbytes))
        return out


class TestRestore:
    def test_is_one_copy_of_all_bytes(self) -> None:
        states = StatePlane(SHAPE, 3, torch.device("cpu"))
        with Seen() as seen:
            states.copy(2, LIVE_SLOT)
        assert seen.calls == [("aten.copy_.default", SHAPE.nbytes)]

    @pytest.mark.gpu
    @pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
    def test_is_one_copy_on_a_gpu(self) -> None:
        states = StatePlane(SHAPE, 3, torch.device("cuda"))
        for part in states.parts(2):
            part.normal_()
        states.copy(2, LIVE_SLOT)
        torch.cuda.synchronize()
        with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as seen:
            states.copy(2, LIVE_SLOT)
            torch.cuda.synchronize()
        device = torch.autograd.DeviceType.CUDA  # type: ignore[attr-defined]
        work = [e.name for e in seen.events() if e.device_type == device]
        assert len(work) == 1, work
        for one, other in zip(states.parts(2), states.parts(LIVE_SLOT), strict=True):
            assert torch.equal(one, other)
