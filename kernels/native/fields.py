"""The structures of the C interface, field by field as in src/*.h."""

from __future__ import annotations

import ctypes
from ctypes import c_float, c_int8, c_int32, c_int64, c_void_p

# `Format` of src/matrix.h.
FLOAT32, BFLOAT16, INT8, INT4, STACK, BLOCKS = range(6)
BLOCK_OUTPUTS, PADDED_INPUTS = 16, 64
# For an 8-bit matrix, so that sums of its products fit in 32 bits.
MOST_INPUTS = 65536
# The shapes of src/blocks.h in order: bits, group, scaled, offsets, table, zero.
SHAPES = (
    (8, 32, False, False, False, 0),
    (4, 32, False, False, False, 8),
    (4, 32, False, True, False, 0),
    (5, 32, False, False, False, 16),
    (5, 32, False, True, False, 0),
    (4, 32, True, True, False, 0),
    (5, 32, True, True, False, 0),
    (6, 16, True, False, False, 32),
    (4, 32, False, False, True, 0),
    (4, 32, True, False, True, 0),
    (4, 16, True, False, True, 0),
    (4, 16, True, True, False, 0),
)


class MatrixFields(ctypes.Structure):
    """`Matrix` of src/matrix.h."""

    _fields_ = (
        ("format", c_int32),
        ("outputs", c_int32),
        ("inputs", c_int32),
        ("padded", c_int32),
        ("codes", c_void_p),
        ("scales", c_void_p),
        ("order", c_void_p),
        ("parts", c_int64),
    )


class BlockTableFields(ctypes.Structure):
    """`BlockTable` of src/blocks.h."""

    _fields_ = (("values", c_int8 * 16), ("unit", c_float))


class PackingFields(ctypes.Structure):
    """`Packing` of src/blocks.h."""

    _fields_ = (
        ("shape", c_int32),
        ("kind", c_int32),
        ("rows", c_int64),
        ("inputs", c_int64),
        ("raw", c_void_p),
        ("grid", c_void_p),
        ("out", c_void_p),
    )


class ManyFields(ctypes.Structure):
    """`Many` of src/many.h."""

    _fields_ = (
        ("matrix", c_void_p),
        ("rows", c_int64),
        ("x", c_void_p),
        ("y", c_void_p),
        ("x_stride", c_int64),
        ("y_stride", c_int64),
        ("x_format", c_int32),
        ("y_format", c_int32),
        ("add", c_int32),
        ("norm", c_void_p),
        ("gate", c_void_p),
        ("gate_stride", c_int64),
    )


class NormFields(ctypes.Structure):
    """`Norm` of src/layers.h."""

    _fields_ = (("scale", c_void_p), ("eps", c_float), ("width", c_int32))


class LinearFields(ctypes.Structure):
    """`LinearLayer` of src/layers.h."""

    _fields_ = (
        ("norm", NormFields),
        ("key_heads", c_int32),
        ("value_heads", c_int32),
        ("key_dim", c_int32),
        ("value_dim", c_int32),
        ("kernel", c_int32),
        ("wide", c_int32),
        ("taps", c_void_p),
        ("speed", c_void_p),
        ("step_bias", c_void_p),
        ("gate_norm", c_void_p),
        ("inputs", MatrixFields),
        ("output", MatrixFields),
    )


class StateFields(ctypes.Structure):
    """`State` of src/layers.h."""

    _fields_ = (("after", c_int64), ("delta", c_void_p), ("window", c_void_p))


class KeptFields(ctypes.Structure):
    """`Kept` of src/layers.h."""

    _fields_ = tuple((name, c_void_p) for name in ("decay", "keys", "change", "channels"))


class LiveFields(ctypes.Structure):
    """`Live` of src/layers.h."""

    _fields_ = (
        ("rows", c_int64),
        ("delta", c_void_p),
        ("window", c_void_p),
        ("kept", ctypes.POINTER(KeptFields)),
    )


class FoldFields(ctypes.Structure):
    """`Fold` of src/layers.h."""

    _fields_ = (
        *((name, c_int64) for name in ("layers", "rows")),
        *((name, c_int32) for name in ("key_heads", "value_heads", "key_dim", "value_dim")),
        *((name, c_void_p) for name in ("decay", "keys", "change", "delta")),
    )


class MlpFields(ctypes.Structure):
    """`GatedMlp` of src/layers.h."""

    _fields_ = (("norm", NormFields), ("gate_up", MatrixFields), ("down", MatrixFields))


class PoolFields(ctypes.Structure):
    """`Pool` of src/attend.h."""

    _fields_ = (
        ("format", c_int32),
        ("kv_heads", c_int32),
        ("dim", c_int32),
        ("unused", c_int32),
        ("keys", c_void_p),
        ("values", c_void_p),
        ("head_stride", c_int64),
    )


class AttentionFields(ctypes.Structure):
    """`Attention` of src/attend.h."""

    _fields_ = (
        ("pool", PoolFields),
        ("extents", c_void_p),
        ("length", c_int64),
        ("rows", c_int32),
        ("heads", c_int32),
        ("q", c_void_p),
        ("out", c_void_p),
        ("q_stride", c_int64),
        ("out_stride", c_int64),
        ("partial", c_void_p),
        ("q_format", c_int32),
        ("alone", c_int32),
    )


class HeadsFields(ctypes.Structure):
    """`Heads` of src/attend.h."""

    _fields_ = (
        ("pool", PoolFields),
        ("extents", c_void_p),
        ("length", c_int64),
        ("rows", c_int32),
        ("heads", c_int32),
        ("skip", c_int32),
        ("rotary", c_int32),
        ("qk", c_void_p),
        ("v", c_void_p),
        ("qk_stride", c_int64),
        ("v_stride", c_int64),
        ("scales", c_void_p),
        ("rope", c_void_p),
        ("eps", c_float),
        ("format", c_int32),
    )


class AttentionLayerFields(ctypes.Structure):
    """`AttentionLayer` of src/layers.h."""

    _fields_ = (
        ("norm", NormFields),
        ("heads", c_int32),
        ("kv_heads", c_int32),
        ("dim", c_int32),
        ("rotary", c_int32),
        ("scales", c_void_p),
        ("inputs", MatrixFields),
        ("output", MatrixFields),
    )


class SequenceFields(ctypes.Structure):
    """`Sequence` of src/layers.h."""

    _fields_ = (("extents", c_void_p), ("length", c_int64), ("rows", c_int64))


class SeenFields(ctypes.Structure):
    """`Seen` of src/layers.h."""

    _fields_ = (
        ("pool", PoolFields),
        ("sequences", c_void_p),
        ("count", c_int64),
        ("rope", c_void_p),
        ("skip", c_int32),
        ("alone", c_int32),
    )
