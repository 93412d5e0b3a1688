"""Products with matrices of blocks, timed by turns with reading the same bytes and nothing else.

    python -m tests.kernels.blocks.speed [TYPE,...] [OUTPUTSxINPUTS] [ROWS,...]

int8 and int4 are the formats made of safetensors. Not a test: it says what a machine does.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import torch
from torch import Tensor

from kernels.blocks.packed import PackedBlocks
from kernels.matmul import Matrix, PackedInt4, PackedInt8, quantize_int4, quantize_int8
from kernels.native.library import Library, library
from kernels.native.rows import MOST_FEW
from tests.kernels.blocks.stored import stored

DEFAULTS = ("Q8_0,Q4_K,IQ4_XS,Q6_K,int8,int4", "3584x1024", "1,4,512")
# For few rows more than stays in a cache; rounds of which the best counts.
BYTES, ROUNDS = 64 << 20, 5


@dataclass
class Timed:
    """Copies of one matrix, and the least seconds that all of them took."""

    name: str
    matrices: list[Matrix]
    product_s: float = field(default=1e9)
    read_s: float = field(default=1e9)

    def turn(self, found: Library, x: Tensor) -> None:
        """Multiply by all of them once, and read all of them once."""
        product = seconds(lambda: [each.project(x) for each in self.matrices])
        read = seconds(
            lambda: [
                found.call.biplane_read_all(part.data_ptr(), part.nbytes)
                for each in self.matrices
                for part in each.tensors()
            ]
        )
        self.product_s, self.read_s = min(self.product_s, product), min(self.read_s, read)

    def line(self, rows: int, weights: int) -> str:
        """What was found; weights: of one matrix."""
        count = len(self.matrices)
        size = sum(part.nbytes for part in self.matrices[0].tensors())
        rates = [size * count / took / 1e9 for took in (self.product_s, self.read_s)]
        speed = 2e-9 * rows * weights * count / self.product_s
        return (
            f"{rows:4} rows  {self.name:8}{8 * size / weights:6.2f} bits"
            f"{self.product_s / count * 1e3:9.3f} ms  {rates[0]:5.1f} GB/s of {rates[1]:5.1f}"
            f"{speed:7.0f} GFLOP/s"
        )


def maker(found: Library, name: str, outputs: int, inputs: int) -> Callable[[], Matrix]:
    """What makes a matrix of the type."""
    if name == "int8":
        eight = quantize_int8(torch.randn(outputs, inputs))
        return lambda: PackedInt8(found, eight)
    if name == "int4":
        four = quantize_int4(torch.randn(outputs, inputs))
        return lambda: PackedInt4(found, four)
    weight = stored(name, outputs, inputs)
    return lambda: PackedBlocks(found, weight)


def seconds(run: Callable[[], object]) -> float:
    began = time.perf_counter()
    run()
    return time.perf_counter() - began


def compare(found: Library, names: list[str], outputs: int, inputs: int, rows: int) -> None:
    """Print one line for each type."""
    x, several = torch.randn(rows, inputs), []
    copies = max(1, 2 * BYTES // (outputs * inputs)) if rows <= MOST_FEW else 1
    for name in names:
        make = maker(found, name, outputs, inputs)
        several.append(Timed(name, [make() for _ in range(copies)]))
    for _ in range(ROUNDS):
        for each in several:
            each.turn(found, x if rows <= MOST_FEW else x.bfloat16())
    for each in several:
        print(each.line(rows, outputs * inputs), flush=True)


def main() -> None:
    found = library()
    if found is None:
        raise SystemExit("The kernels in C are not compiled: python -m kernels.native.compile")
    names, shape, counts = (*sys.argv[1:], *DEFAULTS[len(sys.argv) - 1 :])
    outputs, inputs = map(int, shape.split("x"))
    print(f"{outputs} outputs of {inputs} inputs, {found.level}")
    for rows in counts.split(","):
        compare(found, names.split(","), outputs, inputs, int(rows))


if __name__ == "__main__":
    main()
