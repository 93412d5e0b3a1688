"""How fast this machine reads, copies and multiplies: the basis of the benchmarks' floors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Generic, TypeVar

import torch
import torch.nn.functional as F
from torch import Tensor

from engine.api import Engine
from engine.bench.harness import Progress, fastest, seconds
from engine.bench.timed import on_own_thread
from engine.config import EngineConfig
from engine.events import ModelInfo
from engine.machine_speed import processor
from engine.run.describe import all_cores, pick_device
from kernels.cpu import fast_bfloat16, fast_int8, use_threads
from kernels.matmul import DenseMatrix, int8_matrix, quantize_int8
from kernels.native.library import library

# [rows, INNER] x [INNER, OUTER], about the size of one layer's input projection at 0.8B.
INNER, OUTER = 1024, 7168
READ_COLUMNS = 1024
# What makes a call of bfloat16 rows [rows, INNER].
Prepared = Callable[[Tensor], Callable[[], object]]
Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Effort:
    """How much to measure.

    Attributes:
        read_bytes: data read once per call; more than any processor's caches hold.
        rows: of the matrix products.
        repeats: of each measurement; the fastest counts, since a floor assumes the best.
    """

    read_bytes: int = 1 << 30
    rows: tuple[int, ...] = (512, 1024, 2048)
    repeats: int = 5


FULL = Effort()


@dataclass(frozen=True, slots=True)
class GemmRate:
    """A matrix product with `rows` rows: operations per second, two per multiply-add."""

    rows: int
    flop_s: float


@dataclass(frozen=True, slots=True)
class MachineRates:
    """The rates measured with `threads` threads on `device`.

    Attributes:
        read_bytes_s: of memory that no cache holds, by the fastest way to read it.
        copy_bytes_s: bytes read plus bytes written.
        bfloat16, float32: matrix products, by number of rows: PyTorch's or Biplane's own, whichever
            is faster.
        int8: products with 8-bit matrices, by the faster of oneDNN (rows rounded before) and
            Biplane (rows rounded in that time); None if neither has exact ones.
    """

    device: str
    threads: int
    read_bytes_s: float
    copy_bytes_s: float
    bfloat16: tuple[GemmRate, ...]
    float32: tuple[GemmRate, ...]
    int8: tuple[GemmRate, ...] | None


def measure_machine(
    device: torch.device, threads: int, effort: Effort | None = None
) -> MachineRates:
    """Measure with `threads` threads; takes a few seconds and effort.read_bytes of memory."""
    return on_own_thread(partial(_measured, device, threads, effort or FULL))


def _measured(device: torch.device, threads: int, effort: Effort) -> MachineRates:
    with torch.inference_mode(), _with_threads(threads):
        return MachineRates(
            device=str(device),
            threads=threads,
            read_bytes_s=_read_rate(device, effort),
            copy_bytes_s=_copy_rate(device, effort),
            bfloat16=_gemm_rates(torch.bfloat16, device, effort),
            float32=_gemm_rates(torch.float32, device, effort),
            int8=_int8_rates(device, effort),
        )


@dataclass(frozen=True, slots=True)
class Measured(Generic[Found]):
    """One format of a model's weights; `compared` gives its figures beside the machine's rates."""

    info: ModelInfo
    machine: str
    compared: Callable[[MachineRates], Found]


def between_rates(
    run: Callable[[], Found], config: EngineConfig, effort: Effort | None, progress: Progress
) -> tuple[Found, MachineRates]:
    """The result of `run`, and the machine's rates, measured before and after it."""
    threads, device = all_threads(config.threads), pick_device(config.device)
    progress("measuring how fast this machine reads, copies and multiplies")
    rates = measure_machine(device, threads, effort)
    found = run()
    progress("measuring the machine's rates again")
    return found, faster(rates, measure_machine(device, threads, effort))


def faster(first: MachineRates, second: MachineRates) -> MachineRates:
    """The better of two measurements, figure by figure: other programs can only slow one down."""
    int8 = None
    if first.int8 is not None and second.int8 is not None:
        int8 = _faster_rows(first.int8, second.int8)
    return replace(
        first,
        read_bytes_s=max(first.read_bytes_s, second.read_bytes_s),
        copy_bytes_s=max(first.copy_bytes_s, second.copy_bytes_s),
        bfloat16=_faster_rows(first.bfloat16, second.bfloat16),
        float32=_faster_rows(first.float32, second.float32),
        int8=int8,
    )


def _faster_rows(first: tuple[GemmRate, ...], second: tuple[GemmRate, ...]) -> tuple[GemmRate, ...]:
    pairs = zip(first, second, strict=True)
    return tuple(max(pair, key=lambda rate: rate.flop_s) for pair in pairs)


def all_threads(asked: int) -> int:
    """The threads an engine uses for a large model: `asked`, or all physical cores if 0."""
    return asked or all_cores()


def settle(device: torch.device) -> None:
    """Wait until the device has finished all queued work."""
    if device.type == "cuda":
        torch.cuda.synchronize(device)


def device_seconds(call: Callable[[], object], device: torch.device) -> float:
    """Seconds that one call takes, including its work on the device."""

    def settled() -> None:
        call()
        settle(device)

    settle(device)
    return seconds(settled)


def machine_line(engine: Engine) -> str:
    """The processor's name, the engine's thread count, and torch's version."""
    threads = engine.on_core(lambda core: torch.get_num_threads())
    return f"{processor()[0]}, {threads} threads, torch {torch.__version__}"


def gemm_rate(rates: MachineRates, dtype: str, weights: str) -> float:
    """The most FLOP/s that a prefill can reach.

    dtype: the model's; a wider type may be used instead, if it is faster. Quantised weights may
    also be multiplied as int8.
    """
    of_dtype = rates.float32 if dtype == "float32" else (*rates.bfloat16, *rates.float32)
    usable = of_dtype if weights == "stored" else (*of_dtype, *(rates.int8 or ()))
    return max(rate.flop_s for rate in usable)


@contextmanager
def _with_threads(threads: int) -> Iterator[None]:
    before = torch.get_num_threads()
    use_threads(threads)
    try:
        yield
    finally:
        use_threads(before)


def _fastest(call: Callable[[], object], device: torch.device, repeats: int) -> float:
    """Seconds of the fastest of `repeats` calls."""
    return fastest(partial(device_seconds, call, device), repeats)


def _read_rate(device: torch.device, effort: Effort) -> float:
    # Written, not only allocated: pages never written are all read from a single page of zeros.
    data = torch.ones(effort.read_bytes // 2, dtype=torch.bfloat16, device=device)
    wide = data.view(torch.float32)
    matrices = [flat.view(-1, READ_COLUMNS) for flat in (data, wide)]
    reads: list[Callable[[], object]] = [wide.sum]
    for matrix in matrices:
        row = torch.ones(READ_COLUMNS, dtype=matrix.dtype, device=device)
        reads.append(partial(torch.mv, matrix, row))
    native = library() if device.type == "cpu" else None
    if native is not None:
        reads.append(partial(native.call.biplane_read_all, data.data_ptr(), data.nbytes))
    return data.nbytes / min(_fastest(read, device, effort.repeats) for read in reads)


def _copy_rate(device: torch.device, effort: Effort) -> float:
    source = torch.ones(effort.read_bytes // 2, dtype=torch.uint8, device=device)
    target = torch.empty_like(source)
    return 2 * source.nbytes / _fastest(lambda: target.copy_(source), device, effort.repeats)


def _gemm_rates(dtype: torch.dtype, device: torch.device, effort: Effort) -> tuple[GemmRate, ...]:
    weight = torch.randn(OUTER, INNER, device=device).to(dtype)
    own = DenseMatrix(weight)
    rates = []
    for rows in effort.rows:
        x = torch.randn(rows, INNER, device=device).to(dtype)
        ways = [partial(own.project, x)]
        # Where the processor has no such products, PyTorch's take minutes.
        if device.type != "cpu" or dtype == torch.float32 or fast_bfloat16():
            ways.append(partial(F.linear, x, weight))
        rates.append(_best_rate(rows, ways, device, effort))
    return tuple(rates)


def _int8_rates(device: torch.device, effort: Effort) -> tuple[GemmRate, ...] | None:
    if device.type != "cpu" or not (fast_int8() or library()):
        return None
    kinds = (_onednn_int8, _own_int8) if fast_int8() else (_own_int8,)
    ways = [made for made in map(_made, kinds) if made is not None]
    if not ways:
        return None
    rates = []
    for rows in effort.rows:
        x = torch.randn(rows, INNER).bfloat16()
        rates.append(_best_rate(rows, [way(x) for way in ways], device, effort))
    return tuple(rates)


def _made(way: Callable[[], Prepared]) -> Prepared | None:
    # Builds of torch differ in the operators they have, and in the processors that can run them.
    try:
        made = way()
        made(torch.ones(2, INNER, dtype=torch.bfloat16))()
    except (AttributeError, RuntimeError, NotImplementedError):
        return None
    return made


def _onednn_int8() -> Prepared:
    weight = torch.randint(-127, 128, (OUTER, INNER), dtype=torch.int8)
    scales, zeros = torch.full((OUTER,), 0.01), torch.zeros(OUTER, dtype=torch.int32)
    ops = torch.ops.onednn
    packed = ops.qlinear_prepack(weight, None)

    def prepared(x: Tensor) -> Callable[[], object]:
        codes = torch.randint(0, 255, x.shape, dtype=torch.uint8)
        fixed = (codes, 0.02, 128, packed, scales, zeros, None, 1.0, 0, torch.bfloat16)
        return partial(ops.qlinear_pointwise, *fixed, "none", [], "")

    return prepared


def _own_int8() -> Prepared:
    own = int8_matrix(quantize_int8(torch.randn(OUTER, INNER)), torch.device("cpu"))
    return lambda x: partial(own.project, x)


def _best_rate(
    rows: int, ways: Iterable[Callable[[], object]], device: torch.device, effort: Effort
) -> GemmRate:
    taken = min(_fastest(way, device, effort.repeats) for way in ways)
    return GemmRate(rows, 2 * rows * INNER * OUTER / taken)
