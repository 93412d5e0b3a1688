// Products of few rows with a stored matrix: as fast as the matrix can be read.

#include "dots.h"
#include "matrix.h"
#include "target.h"

#define MOST_ROWS 16
#define AT_ONCE 8
// Bytes between a prefetch and the reads, and into the second-level cache: the first level has too
// few reads under way at a time, which cost bfloat16 matrices a seventh of memory's speed.
#define AHEAD 4096

INLINE void ahead(const void *p) { __builtin_prefetch((const char *)p + AHEAD, 0, 2); }

#include "rows_tiles.c"

static void rows_round(const Matrix *m, const Rows *r, int64_t row) {
    const float *x = r->x + row * r->inputs;
#if defined(__AMX_TILE__)
    if (use_tiles(m, r->rows) && m->format != INT4) {
        if (m->format == INT8)
            split_bytes(r, row);
        else
            split_pairs(r, row);
        return;
    }
#endif
    if (m->format == INT8)
        round_wide(x, r->inputs, r->padded, (int8_t *)r->codes + 2 * row * r->padded,
                   r->scale + row, r->code_sums + 2 * row);
    if (m->format == INT4) {
        int64_t groups = r->padded / GROUP;
        round_grouped(x, r->inputs, r->padded, (int8_t *)r->codes + row * r->padded,
                      r->scale + row * groups, r->sums + row * groups, r->eights + row * groups);
    }
}

// ---- one block of 16 outputs, R rows

INLINE void int8_block(const Matrix *m, const Rows *r, const Target *t, int64_t block,
                       int64_t first, const int R) {
    const int8_t *w = (const int8_t *)m->codes + block * BLOCK * (int64_t)m->padded;
    const int8_t *x = (const int8_t *)r->codes + 2 * first * r->padded;
    vf total[AT_ONCE][BLOCK_VECTORS];
    for (int k = 0; k < R; k++)
        for (int v = 0; v < BLOCK_VECTORS; v++) total[k][v] = vf_set(0);
    for (int64_t start = 0; start < m->padded; start += EXACT_INPUTS) {
        int64_t end = start + EXACT_INPUTS < m->padded ? start + EXACT_INPUTS : m->padded;
        WideSum sum[AT_ONCE][BLOCK_VECTORS];
        for (int k = 0; k < R; k++)
            for (int v = 0; v < BLOCK_VECTORS; v++)
                sum[k][v] = wide_start(r->code_sums + 2 * (first + k));
        for (int64_t i = start; i < end; i += 4) {
            ahead(w + i * BLOCK);
            for (int v = 0; v < BLOCK_VECTORS; v++) {
                Wide four = wide_of(vi_load(w + i * BLOCK + v * 4 * W));
                for (int k = 0; k < R; k++)
                    sum[k][v] = dot_wide(sum[k][v], four, x + 2 * (k * (int64_t)r->padded + i));
            }
        }
        for (int k = 0; k < R; k++)
            for (int v = 0; v < BLOCK_VECTORS; v++) total[k][v] += wide_sum(sum[k][v]);
    }
    const float *scale = (const float *)m->scales + block * BLOCK;
    for (int k = 0; k < R; k++)
        for (int v = 0; v < BLOCK_VECTORS; v++)
            put_vector(t, first + k, block * BLOCK + v * W,
                       total[k][v] * vf_load(scale + v * W) * r->scale[first + k], m->outputs);
}

INLINE void int4_block(const Matrix *m, const Rows *r, const Target *t, int64_t block,
                       int64_t first, const int R) {
    const int64_t groups = m->padded / GROUP;
    const uint8_t *w = (const uint8_t *)m->codes + block * BLOCK * (int64_t)m->padded / 2;
    const uint16_t *s = (const uint16_t *)m->scales + block * groups * 2 * BLOCK;
    const int8_t *x = (const int8_t *)r->codes + first * r->padded;
    const float *step = r->scale + first * groups, *sums = r->sums + first * groups;
    const int32_t *eights = r->eights + first * groups;
    const vi low = vi_set(0x0f0f0f0f);
    vf total[AT_ONCE][BLOCK_VECTORS];
    for (int k = 0; k < R; k++)
        for (int v = 0; v < BLOCK_VECTORS; v++) total[k][v] = vf_set(0);
    for (int64_t g = 0; g < groups; g++, w += GROUP / 2 * BLOCK, s += 2 * BLOCK) {
        vi sum[AT_ONCE][BLOCK_VECTORS];
        for (int k = 0; k < R; k++)
            for (int v = 0; v < BLOCK_VECTORS; v++) sum[k][v] = vi_set(0);
        for (int part = 0; part < GROUP / 8; part++) {
            ahead(w + part * 4 * BLOCK);
            for (int v = 0; v < BLOCK_VECTORS; v++) {
                vi both = vi_load(w + part * 4 * BLOCK + v * 4 * W);
                vi lower = both & low, upper = (vi)((vu)both >> 4) & low;
                for (int k = 0; k < R; k++) {
                    const int8_t *four = x + k * (int64_t)r->padded + g * GROUP + part * 8;
                    sum[k][v] = dot_codes(sum[k][v], lower, four);
                    sum[k][v] = dot_codes(sum[k][v], upper, four + 4);
                }
            }
        }
        ahead(s);
        for (int v = 0; v < BLOCK_VECTORS; v++) {
            vf scale = bf16_load(s + v * W), offset = bf16_load(s + BLOCK + v * W);
            for (int k = 0; k < R; k++) {
                vi signed_sum = codes_sum(sum[k][v]) + vi_set(eights[k * groups + g]);
                vf exact = vf_of(signed_sum) * step[k * groups + g];
                total[k][v] = vf_fma(exact, scale, total[k][v]);
                total[k][v] = vf_fma(offset, vf_set(sums[k * groups + g]), total[k][v]);
            }
        }
    }
    for (int k = 0; k < R; k++)
        for (int v = 0; v < BLOCK_VECTORS; v++)
            put_vector(t, first + k, block * BLOCK + v * W, total[k][v], m->outputs);
}

#define LINE_INPUTS(wide) ((wide) ? 16 : 32)

// One output: its row is read from end to end, several sums at a time.
INLINE void dense_output(const Matrix *m, const Rows *r, const Target *t, int64_t output,
                         int64_t first, const int R, const int wide) {
    const int64_t n = m->inputs;
    const float *x = r->x + first * n;
    const float *w32 = (const float *)m->codes + output * n;
    const uint16_t *w16 = (const uint16_t *)m->codes + output * n;
    enum { STEPS = LINE_INPUTS(0) / W };
    vf sum[AT_ONCE][STEPS];
    for (int k = 0; k < R; k++)
        for (int j = 0; j < STEPS; j++) sum[k][j] = vf_set(0);
    int64_t i = 0;
    for (; i + STEPS * W <= n; i += STEPS * W) {
        ahead(wide ? (const void *)(w32 + i) : (const void *)(w16 + i));
        if (wide) ahead(w32 + i + 16);
        for (int j = 0; j < STEPS; j++) {
            vf w = wide ? vf_load(w32 + i + j * W) : bf16_load(w16 + i + j * W);
            for (int k = 0; k < R; k++)
                sum[k][j] = vf_fma(w, vf_load(x + k * n + i + j * W), sum[k][j]);
        }
    }
    for (; i < n; i += W) {
        int64_t left = n - i < W ? n - i : W;
        vf w = wide ? vf_load_part(w32 + i, left) : bf16_load_part(w16 + i, left);
        for (int k = 0; k < R; k++)
            sum[k][0] = vf_fma(w, vf_load_part(x + k * n + i, left), sum[k][0]);
    }
    for (int k = 0; k < R; k++) {
        vf total = sum[k][0];
        for (int j = 1; j < STEPS; j++) total += sum[k][j];
        put(t, first + k, output, vf_sum(total));
    }
}

INLINE void dense_block(const Matrix *m, const Rows *r, const Target *t, int64_t block,
                        int64_t first, const int R) {
    int64_t output = block * BLOCK, end = output + BLOCK;
    if (end > m->outputs) end = m->outputs;
    for (; output < end; output++)
        if (m->format == FLOAT32)
            dense_output(m, r, t, output, first, R, 1);
        else
            dense_output(m, r, t, output, first, R, 0);
}

INLINE void any_block(const Matrix *m, const Rows *r, const Target *t, int64_t block,
                      int64_t first, const int R) {
    if (m->format == INT8)
        int8_block(m, r, t, block, first, R);
    else if (m->format == INT4)
        int4_block(m, r, t, block, first, R);
    else
        dense_block(m, r, t, block, first, R);
}

#define OF_ROWS(n)                                     \
    case n:                                            \
        for (int64_t b = from; b < to; b++)            \
            any_block(m, r, t, b, first, n);           \
        break;

static void some_rows(const Matrix *m, const Rows *r, const Target *t, int64_t from, int64_t to,
                      int64_t first, int64_t rows) {
    switch (rows) {
        OF_ROWS(1)
        OF_ROWS(2)
        OF_ROWS(3)
        OF_ROWS(4)
        OF_ROWS(5)
        OF_ROWS(6)
        OF_ROWS(7)
        OF_ROWS(8)
    }
}

// Outputs of blocks [from, to) for all rows.
static void rows_blocks(const Matrix *m, const Rows *r, const Target *t, int64_t from, int64_t to) {
#if defined(__AMX_TILE__)
    if (use_tiles(m, r->rows)) {
        tiles_for(m, r);
        tile_blocks(m, r, t, from, to);
        tiles_end();
        // What is not a whole block of a bfloat16 matrix.
        from = m->format == BFLOAT16 && m->outputs / BLOCK < to ? m->outputs / BLOCK : to;
    }
#endif
    for (int64_t first = 0; first < r->rows; first += AT_ONCE) {
        int64_t left = r->rows - first;
        some_rows(m, r, t, from, to, first, left < AT_ONCE ? left : AT_ONCE);
    }
}

// Every part begins with reads that no prefetch announced; threads should still end together.
#define PART_BYTES (256 << 10)

INLINE int64_t part_blocks(const Matrix *m) {
    static const int bits[] = {32, 16, 8, 5};
    int64_t block = (int64_t)m->padded * BLOCK * bits[m->format] / 8;
    return block < PART_BYTES ? PART_BYTES / block : 1;
}

// One phase: every thread of the team takes part. The rows are rounded already.
static void rows_project(Team *team, const Matrix *m, const Rows *r, const Target *t) {
    int64_t blocks = (m->outputs + BLOCK - 1) / BLOCK, each = part_blocks(m);
    TEAM_PARTS(team, part, (blocks + each - 1) / each) {
        int64_t from = part * each, to = from + each;
        rows_blocks(m, r, t, from, to < blocks ? to : blocks);
    }
}
