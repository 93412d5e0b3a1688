"""Matrices in the block formats of GGUF files, computed with as they are stored."""

from kernels.blocks.embedding import BlockEmbedding
from kernels.blocks.matrix import block_matrix, stack
from kernels.blocks.types import BLOCK_TYPES, BLOCK_TYPES_BY_NAME, BlockType
from kernels.blocks.weight import BlockWeight, dequantize

__all__ = [
    "BLOCK_TYPES",
    "BLOCK_TYPES_BY_NAME",
    "BlockEmbedding",
    "BlockType",
    "BlockWeight",
    "block_matrix",
    "dequantize",
    "stack",
]
