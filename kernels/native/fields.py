"""The structures of the C interface, field by field as src/*.h has them."""

from __future__ import annotations

import ctypes
from ctypes import c_float, c_int32, c_int64, c_void_p

# `Format` of src/matrix.h.
FLOAT32, BFLOAT16, INT8, INT4 = range(4)
BLOCK_OUTPUTS, PADDED_INPUTS = 16, 64


class MatrixFields(ctypes.Structure):
    """`Matrix` of src/matrix.h."""

    _fields_ = (
        ("format", c_int32),
        ("outputs", c_int32),
        ("inputs", c_int32),
        ("padded", c_int32),
        ("codes", c_void_p),
        ("scales", c_void_p),
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


class MlpFields(ctypes.Structure):
    """`GatedMlp` of src/layers.h."""

    _fields_ = (("norm", NormFields), ("gate_up", MatrixFields), ("down", MatrixFields))
