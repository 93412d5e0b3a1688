"""Full attention over token slots of a pool, [kv_heads, slots, dim] for keys and for values."""

from kernels.attention.fast import attend, attend_few, attend_row

__all__ = ["attend", "attend_few", "attend_row"]
