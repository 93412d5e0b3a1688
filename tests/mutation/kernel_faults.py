"""Faults of the kernels in C: the library is compiled anew for each."""

from __future__ import annotations

from tests.mutation.fault import Fault

SRC = "../kernels/native/src"
ATTENTION = "tests/kernels/attention/test_native.py"
MANY = "tests/kernels/matmul/test_many.py"

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
    Fault(
        f"{SRC}/product8.c",
        "INLINE vi sums_of(vi sum, int32_t of_row) { return sum - 128 * of_row; }",
        "INLINE vi sums_of(vi sum, int32_t of_row) { return sum - 127 * of_row; }",
        "what unsigned weights add to a sum is not all taken off again",
        MANY,
    ),
    Fault(
        f"{SRC}/product8.c",
        "row + 16 < to ? rows8_at(&p->rows, row + 16, first) : a;",
        "row + 16 <= to ? rows8_at(&p->rows, row, first) : a;",
        "the second tile of rows is the first again",
        MANY,
    ),
    Fault(
        f"{SRC}/open4.c",
        "start = twice(vi_round(zero * fine) + 128);",
        "start = twice(vi_round(zero * fine));",
        "4-bit weights are rounded down to 8 bits",
        MANY,
    ),
    Fault(
        f"{SRC}/product16.c",
        "square16_put(p, first, w->square, w->row + 16 * half, half);",
        "square16_put(p, first, w->square, w->row + 16 * half, 0);",
        "rows get the results of others in the same square",
        MANY,
    ),
    Fault(
        f"{SRC}/product16.c",
        "sum[o][1] = dot_pair(sum[o][1], y, w + o * n + i + j);",
        "sum[o][1] = dot_pair(sum[o][1], x, w + o * n + i + j);",
        "the second vector of rows is the first again",
        MANY,
    ),
    Fault(
        f"{SRC}/out.h",
        "if (n > out->outputs - output) n = out->outputs - output;",
        "",
        "results are written beyond the last output",
        MANY,
    ),
)
