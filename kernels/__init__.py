"""The operations of a hybrid model, a package for each, with all its implementations.

`plain.py` is the reference for the others: float32, one obvious loop, nothing mutated; the engine
never runs it. `fast.py` is PyTorch tuned for a CPU, `cuda.py` the CUDA entry point where that
differs, `triton.py` our kernels for it. A package itself exports what callers on any device use;
`dispatch` and `step_ops` select by device.

The Triton kernels follow the signatures of the fast versions, read no tensor on the host, and carry
no autotuner: every launch can be captured in a CUDA graph. Importing them needs Triton but no GPU,
so nothing imports them before their first use; under `TRITON_INTERPRET=1` they run on CPU tensors,
which is how they are tested without a GPU.

Tensors are token-major and without a batch dimension: `[tokens, heads, dim]`.
"""

import os

from kernels.host_memory import share_one_heap

# Waiting threads spin, by default for so long that another program on one core stalls everything:
# measured on two cores, decode dropped from 12 tokens a second to under 1, with this setting to 3;
# an idle machine loses nothing. libgomp reads it when torch is first imported.
os.environ.setdefault("GOMP_SPINCOUNT", "20000")

# oneDNN caches a compiled product for every shape it has met, and PyTorch keeps a second cache of
# them, up to 1,024 each. Every prompt has its own lengths, so they grew by 4 MiB a turn, to over
# half a gigabyte; only those of the last few passes are ever used again.
for _cache in ("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "LRU_CACHE_CAPACITY"):
    os.environ.setdefault(_cache, "64")

# Before any thread has its own heap, which would pass to the engine's when that thread ends.
share_one_heap()
