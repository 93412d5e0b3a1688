"""Keys and values of a sequence in their slots of a pool, [kv_heads, slots, dim] each."""

from kernels.kv_slots.fast import gather_runs, write_runs, write_slots
from kernels.kv_slots.runs import Run, coalesce, crop

__all__ = ["Run", "coalesce", "crop", "gather_runs", "write_runs", "write_slots"]
