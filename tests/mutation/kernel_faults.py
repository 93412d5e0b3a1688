"""Faults of the kernels in C: the library is compiled anew for each."""

from __future__ import annotations

from tests.mutation.fault import Fault

SRC = "../kernels/native/src"
ATTENTION = "tests/kernels/attention/test_native.py"
MANY = "tests/kernels/matmul/test_many.py"

ROWS = "tests/kernels/native/test_rows.py"
TEAM = "tests/kernels/native/test_team.py"

SWEEP = "tests/kernels/gated_delta/test_sweep.py"

KERNEL_FAULTS = (
    Fault(
        f"{SRC}/rows.c",
        "int64_t end = start + EXACT_INPUTS < m->padded ? start + EXACT_INPUTS : m->padded;",
        "int64_t end = start + EXACT_INPUTS;",
        "8-bit weights past the end of a row are multiplied",
        ROWS,
    ),
    Fault(
        f"{SRC}/rows.c",
        "#define EXACT_INPUTS 256",
        "#define EXACT_INPUTS 8192",
        "sums of 16-bit products overflow",
        ROWS,
    ),
    Fault(
        f"{SRC}/rows.c",
        "eights[g] = -8 * total;",
        "eights[g] = -7 * total;",
        "4-bit codes are taken for one more than they are",
        ROWS,
    ),
    Fault(
        f"{SRC}/rows.c",
        "    for (; i < n; i += W) {",
        "    for (; i + 1 < n; i += W) {",
        "a single input after the last whole vector is left out",
        ROWS,
    ),
    Fault(
        f"{SRC}/rows.c",
        "rows_blocks(m, r, t, from, to < blocks ? to : blocks);",
        "rows_blocks(m, r, t, from, to);",
        "the last part goes on past the last output",
        ROWS,
    ),
    Fault(
        f"{SRC}/rows.c",
        "return (largest < 1e-30f ? 1e-30f : largest) / codes;",
        "return fmaxf(largest, 1e-30f) / codes;",
        "rounding hides what is not a number",
        ROWS,
    ),
    Fault(
        f"{SRC}/team.c",
        "    while (at < team->before + parts) {",
        "    while (at < parts) {",
        "parts of a second phase are lost",
        ROWS,
    ),
    Fault(
        f"{SRC}/team.c",
        "if (small || threads == 1 || !TRY_LOCK(turn)) {",
        "if (small || threads == 1) {",
        "two callers share one job",
        TEAM,
    ),
    Fault(
        f"{SRC}/team.c",
        "    for (int spins = 0; spins < IDLE_SPINS; spins++) {",
        "    for (;;) {",
        "helpers without work never sleep",
        TEAM,
    ),
    Fault(
        f"{SRC}/team.c",
        "    while (started < count && start_helper(started)) started++;",
        "    for (int i = 0; i < count; i++) start_helper(i);",
        "every job starts helpers of its own",
        TEAM,
    ),
    Fault(
        "../kernels/native/compile.py",
        "        return record_of(library).read_text() == _record(library)",
        "        return record_of(library).exists()",
        "a library that is damaged, or of other sources, is loaded",
        "tests/kernels/native/test_library.py",
    ),
    Fault(
        "../kernels/cpu.py",
        "        native.call.biplane_limit_threads(threads)",
        "        pass",
        "the kernels in C take all cores whatever was asked",
        "tests/engine/run/test_opening.py",
    ),
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
    Fault(
        f"{SRC}/sweep_conv.c",
        "if (position >= 0) return (const char *)s->rows",
        "if (position > 0) return (const char *)s->rows",
        "the first row of a pass is taken from the window before it",
        SWEEP,
    ),
    Fault(
        f"{SRC}/chunk_rates.c",
        "        if (t >= tokens) r->rate[t] = 0;\n        sum += t < tokens ? r->decay[t] : 0;",
        "        if (t >= tokens) r->rate[t] = 0;\n        sum += r->decay[t];",
        "a state decays for tokens behind the last",
        SWEEP,
    ),
    Fault(
        f"{SRC}/chunk.c",
        "& (at <= (int32_t)t)",
        "& (at < (int32_t)t)",
        "a token does not read what it wrote itself",
        SWEEP,
    ),
    Fault(
        f"{SRC}/chunk.c",
        "if (i) small_product(per, SOLVED, dim,",
        "if (i > SOLVED) small_product(per, SOLVED, dim,",
        "tokens of a chunk's second block do not see the first block",
        SWEEP,
    ),
    Fault(
        f"{SRC}/small.c",
        "    for (; j < columns; j += BLOCK, b.at += BLOCK)",
        "    for (; j + BLOCK < columns; j += BLOCK, b.at += BLOCK)",
        "the last columns of a small product are not computed",
        SWEEP,
    ),
    Fault(
        f"{SRC}/transpose.h",
        "_mm512_storeu_ps(out + (4 + c) * to, _mm512_shuffle_f32x4(odd, odd2, 0x88));",
        "_mm512_storeu_ps(out + (4 + c) * to, _mm512_shuffle_f32x4(odd, odd2, 0xdd));",
        "keys are transposed wrongly",
        SWEEP,
    ),
    Fault(
        f"{SRC}/sweep.c",
        "        first = split->after;\n",
        "        first = s->tokens;\n",
        "tokens after a split are left out",
        SWEEP,
    ),
)
