"""Keys and values of a sequence, in their slots of a pool, [kv_heads, slots, dim] each."""

from kernels.kv_slots.extents import Extent, coalesce, crop
from kernels.kv_slots.fast import gather_extents, write_extents, write_slots

__all__ = ["Extent", "coalesce", "crop", "gather_extents", "write_extents", "write_slots"]
