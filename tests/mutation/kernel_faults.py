"""Faults of the kernels in C: the library is compiled anew for each."""

from __future__ import annotations

from tests.mutation.fault import Fault

SRC = "../kernels/native/src"
ATTENTION = "tests/kernels/attention/test_native.py"

KERNEL_FAULTS = (
    Fault(
        f"{SRC}/attend_rows.c",
        "seen[i] = a->length - a->rows + row + 1 - r->start;",
        "seen[i] = a->length - a->rows + row + 2 - r->start;",
        "a row sees the token after it",
        ATTENTION,
    ),
    Fault(
        f"{SRC}/attend_rows.c",
        "sum += share[0] * range[dim + 1];",
        "sum += range[dim + 1];",
        "ranges are merged without regard to their largest scores",
        ATTENTION,
    ),
    Fault(
        f"{SRC}/attend_rows.c",
        "r->tokens = (int32_t)(left < RANGE ? left : RANGE);",
        "r->tokens = RANGE;",
        "slots past the end of the sequence are read",
        ATTENTION,
    ),
    Fault(
        f"{SRC}/heads.c",
        "if (row < h->skip) return;",
        "",
        "keys and values that are in their slots already are written again",
        ATTENTION,
    ),
    Fault(
        f"{SRC}/heads.c",
        "x[d + 1] = b * turn[d] + a * turn[d + 1];",
        "x[d + 1] = b * turn[d] + x[d] * turn[d + 1];",
        "the second of a pair is rotated by the first's new value",
        ATTENTION,
    ),
)
