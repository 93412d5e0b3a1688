"""Products with matrices of blocks, timed by turns with reading the same bytes and nothing else.

    python -m tests.kernels.blocks.speed [TYPE,...] [OUTPUTSxINPUTS] [ROWS,...]

int8 and int4 are the formats made of safetensors. Not a test: it says what a machine does.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import torch
from torch import Tensor

from kernels.blocks.packed import PackedBlocks
from kernels.matmul import PackedInt4, PackedInt8, quantize_int4, quantize_int8
from kernels.matmul.packed import PackedMatrix
from kernels.native.library import Library, library
from kernels.native.rows import MOST_FEW
from tests.kernels.blocks.stored import stored

TYPES, SHAPE, ROWS = "Q8_0,Q4_K,IQ4_XS,Q6_K,int8,int4", "3584x1024", "1,4,512"
# More than stays in a cache, for few rows; rounds of which the best counts.
BYTES, ROUNDS = 96 << 20, 5


def made(found: Library, name: str, outputs: int, inputs: int) -> PackedBlocks | PackedMatrix:
    """One matrix of the type."""
    if name == "int8":
        return PackedInt8(found, quantize_int8(torch.randn(outputs, inputs)))
    if name == "int4":
        return PackedInt4(found, quantize_int4(torch.randn(outputs, inputs)))
    return PackedBlocks(found, stored(name, outputs, inputs))


def seconds(run: Callable[[], object]) -> float:
    began = time.perf_counter()
    run()
    return time.perf_counter() - began


def compare(found: Library, names: list[str], shape: tuple[int, int], rows: int) -> None:
    """Print one line for each type."""
    x = torch.randn(rows, shape[1])
    x = x if rows <= MOST_FEW else x.bfloat16()
    all_, best = {}, {}
    for name in names:
        size = sum(part.nbytes for part in made(found, name, *shape).tensors())
        copies = max(1, BYTES // size) if rows <= MOST_FEW else 1
        all_[name] = [made(found, name, *shape) for _ in range(copies)]
    read: dict[str, list[Tensor]] = {
        name: [part for each in several for part in each.tensors()]
        for name, several in all_.items()
    }
    for _ in range(ROUNDS):
        for name, several in all_.items():
            turns = {
                name: lambda several=several: [each.project(x) for each in several],
                f"{name} read": lambda name=name: [
                    found.call.biplane_read_all(part.data_ptr(), part.nbytes) for part in read[name]
                ],
            }
            for what, run in turns.items():
                best[what] = min(best.get(what, 1e9), seconds(run))
    for name, several in all_.items():
        took, floor = best[name], best[f"{name} read"]
        size, weights = sum(part.nbytes for part in read[name]), shape[0] * shape[1] * len(several)
        print(
            f"{rows:4} rows  {name:8} {8 * size / weights:5.2f} bits  {took / len(several) * 1e3:8.3f} ms  "
            f"{size / took / 1e9:5.1f} GB/s of {size / floor / 1e9:5.1f}  "
            f"{2e-9 * rows * weights / took:6.0f} GFLOP/s"
        )


def main() -> None:
    found = library()
    if found is None:
        raise SystemExit("The kernels in C are not compiled: python -m kernels.native.compile")
    given = sys.argv[1:] + [TYPES, SHAPE, ROWS][len(sys.argv) - 1 :]
    outputs, inputs = map(int, given[1].split("x"))
    print(f"{outputs} outputs of {inputs} inputs, {found.level}")
    for rows in given[2].split(","):
        compare(found, given[0].split(","), (outputs, inputs), int(rows))


if __name__ == "__main__":
    main()
