"""The operations of a hybrid model, one module each; `dispatch` chooses a version by device.

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
