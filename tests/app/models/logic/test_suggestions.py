"""Which published models are suggested on a machine."""

from __future__ import annotations

from dataclasses import replace

from app.models.logic.shelf import ShelfEntry
from app.models.logic.suggestions import suggestions
from engine.machine_speed import FormatSpeed, MachineSpeed
from engine.model.needs import FormatNeeds, ModelNeeds
from tests.engine.test_machine_speed import SPEED

GIB = 1 << 30


def needs_of(billions: float, *, device: str = "cpu", free: int = 64 * GIB) -> ModelNeeds:
    parameters = round(billions * 1e9)
    size = FormatNeeds(
        weights="stored",
        name="bfloat16",
        weight_bytes=2 * parameters,
        read_bytes=2 * parameters,
        routed_bytes=0,
        kv_token_bytes=1000,
        state_bytes=1000,
    )
    return ModelNeeds(
        parameters=parameters,
        active_parameters=parameters,
        token_flops=2 * parameters,
        context=32_768,
        formats=(size,),
        workspace_bytes=1000,
        device=device,
        free_bytes=free,
        total_bytes=64 * GIB,
        own_bytes=0,
    )


SIZES = (0.8, 2, 4, 9, 27)
SHELF = tuple(ShelfEntry(f"Qwen/{size}", "known", str(size), f"Qwen/{size}") for size in SIZES)
# 2 GB of weights are read 20 times a second.
MEASURED = replace(
    SPEED, formats=(FormatSpeed("stored", 2 * 10**9, 100.0, 200.0, 20.0, 30.0),), token_flops=10**9
)


def named(speed: MachineSpeed | None = None, *, device: str = "cpu", free: int = 64 * GIB) -> str:
    needs = {
        entry.key: needs_of(size, device=device, free=free)
        for entry, size in zip(SHELF, SIZES, strict=True)
    }
    found = suggestions(SHELF, needs, 0, speed)
    return " ".join(key.removeprefix("Qwen/") for key, _ in found)


class TestChoice:
    def test_a_processor_that_is_not_measured_gets_the_smallest(self) -> None:
        assert named() == "0.8 2 4"

    def test_a_measured_one_gets_the_largest_that_it_can_write_with(self) -> None:
        # 20 tokens a second at one billion: 5 at four, and 2.2 at nine.
        assert named(MEASURED) == "0.8 2 4"
        fast = replace(MEASURED, formats=(replace(MEASURED.formats[0], decode_tok_s=60.0),))
        assert named(fast) == "2 4 9"

    def test_a_gpu_gets_the_largest_that_fit(self) -> None:
        assert named(device="cuda") == "4 9 27"

    def test_what_does_not_fit_is_not_suggested(self) -> None:
        assert named(device="cuda", free=6 * GIB) == "0.8 2"
        assert named(device="cuda", free=GIB) == ""

    def test_what_is_not_known_yet_is_not_suggested(self) -> None:
        assert suggestions(SHELF, {}, 0, None) == ()

    def test_what_is_here_already_is_not_suggested(self) -> None:
        here = tuple(replace(entry, kind="downloaded") for entry in SHELF)
        needs = {entry.key: needs_of(1) for entry in here}
        assert suggestions(here, needs, 0, None) == ()


def test_the_size_is_that_of_the_download() -> None:
    assert suggestions(SHELF[:1], {SHELF[0].key: needs_of(0.8)}, 0, None) == (
        ("Qwen/0.8", "0.8 · 1.49 GiB"),
    )
