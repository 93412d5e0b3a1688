"""The operations of a hybrid model, a package for each, its versions side by side.

`plain.py` is the reference: float32, one obvious loop, nothing mutated; what the others must equal,
and never run by the engine. `fast.py` is PyTorch tuned for a CPU, `cuda.py` the entry on CUDA of
what differs there, `triton.py` our kernels for it. A package itself exports what callers on any
device use; `dispatch` and `step_ops` choose by device.

The Triton kernels follow the signatures of the fast versions, read no tensor on the host, and carry
no autotuner: every launch can be recorded in a CUDA graph. Importing them needs Triton but no GPU,
so nothing else imports them before their first use; under `TRITON_INTERPRET=1` they run on CPU
tensors, which is how they are tested without one.

Tensors are token-major and without a batch dimension: `[tokens, heads, dim]`.
"""

import os

from kernels.host_memory import share_one_heap

# Threads that wait for one another spin, by default for so long that another program on one core
# stops everything: measured on two cores, decode fell from 12 tokens a second to under 1, with this
# to 3, and undisturbed nothing is lost. libgomp reads it when torch is first imported.
os.environ.setdefault("GOMP_SPINCOUNT", "20000")

# Before any thread has a heap of its own: one that ended would leave it to the engine's.
share_one_heap()
