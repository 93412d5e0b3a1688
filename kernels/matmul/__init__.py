"""Products with stored matrices: dense, in 8 bits and in 4, on a CPU and on CUDA."""

from kernels.matmul.choice import int4_matrix, int8_matrix
from kernels.matmul.int4 import GROUP, Int4Matrix, Int4Weight, fits_int4, quantize_int4
from kernels.matmul.int8 import Int8Matrix, Int8Weight, quantize_int8
from kernels.matmul.matrix import (
    DenseMatrix,
    Matrix,
    few_logits,
    fields_of,
    first_outputs,
    project_few,
    stays_on_device,
)
from kernels.matmul.packed import PackedInt4, PackedInt8

__all__ = [
    "GROUP",
    "DenseMatrix",
    "Int4Matrix",
    "Int4Weight",
    "Int8Matrix",
    "Int8Weight",
    "Matrix",
    "PackedInt4",
    "PackedInt8",
    "few_logits",
    "fields_of",
    "first_outputs",
    "fits_int4",
    "int4_matrix",
    "int8_matrix",
    "project_few",
    "quantize_int4",
    "quantize_int8",
    "stays_on_device",
]
