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

// ---- blocks of 16 outputs, R rows
//
// bfloat16 and 8-bit weights are read at S places `apart` from each other at once. A processor
// fetches ahead for each page that is read: on two cores of an AMD EPYC (Zen 3) with other users of
// the memory one place gives 13 GB/s and four give 22; alone, 8-bit weights gain a tenth. There are
// registers for so many sums with few rows only; 4-bit weights, with more sums, do not gain.
#if W == 8
#define PLACES(rows) ((rows) == 1 ? 4 : (rows) == 2 ? 2 : 1)
#else
#define PLACES(rows) 1
#endif
// How many vectors of a block are added up at once: sums that leave the registers cost most.
#define VECTORS_OF(rows) (W == 8 && (rows) > 4 ? 1 : BLOCK_VECTORS)

// Blocks `block`, `block + apart`, ...: S of them.
INLINE void int8_blocks(const Matrix *m, const Rows *r, const Target *t, int64_t block,
                        int64_t apart, int64_t first, const int S, const int R) {
    const int64_t bytes = BLOCK * (int64_t)m->padded;
    const int8_t *w = (const int8_t *)m->codes + block * bytes;
    const int8_t *x = (const int8_t *)r->codes + 2 * first * r->padded;
    for (int from = 0; from < BLOCK_VECTORS; from += VECTORS_OF(R)) {
        vf total[AT_ONCE][BLOCK_VECTORS];
        for (int k = 0; k < S * R; k++)
            for (int v = 0; v < VECTORS_OF(R); v++) total[k][v] = vf_set(0);
        for (int64_t start = 0; start < m->padded; start += EXACT_INPUTS) {
            int64_t end = start + EXACT_INPUTS < m->padded ? start + EXACT_INPUTS : m->padded;
            WideSum sum[AT_ONCE][BLOCK_VECTORS];
            for (int k = 0; k < S * R; k++)
                for (int v = 0; v < VECTORS_OF(R); v++)
                    sum[k][v] = wide_start(r->code_sums + 2 * (first + k % R));
            for (int64_t i = start; i < end; i += 4)
                for (int s = 0; s < S; s++) {
                    const int8_t *four_inputs = w + s * apart * bytes + i * BLOCK;
                    if (from == 0) ahead(four_inputs);
                    for (int v = 0; v < VECTORS_OF(R); v++) {
                        Wide four = wide_of(vi_load(four_inputs + (from + v) * 4 * W));
                        for (int k = 0; k < R; k++)
                            sum[s * R + k][v] = dot_wide(sum[s * R + k][v], four,
                                                         x + 2 * (k * (int64_t)r->padded + i));
                    }
                }
            for (int k = 0; k < S * R; k++)
                for (int v = 0; v < VECTORS_OF(R); v++) total[k][v] += wide_sum(sum[k][v]);
        }
        for (int s = 0; s < S; s++)
            for (int v = 0; v < VECTORS_OF(R); v++) {
                int64_t output = (block + s * apart) * BLOCK + (from + v) * W;
                vf scale = vf_load((const float *)m->scales + output);
                for (int k = 0; k < R; k++)
                    put_vector(t, first + k, output,
                               total[s * R + k][v] * scale * r->scale[first + k], m->outputs);
            }
    }
}

INLINE void int4_block(const Matrix *m, const Rows *r, const Target *t, int64_t block,
                       int64_t first, const int R) {
    const int64_t groups = m->padded / GROUP;
    const int8_t *x = (const int8_t *)r->codes + first * r->padded;
    const float *step = r->scale + first * groups, *sums = r->sums + first * groups;
    const int32_t *eights = r->eights + first * groups;
    const vi low = vi_set(0x0f0f0f0f);
    for (int from = 0; from < BLOCK_VECTORS; from += VECTORS_OF(R)) {
        const uint8_t *w = (const uint8_t *)m->codes + block * BLOCK * (int64_t)m->padded / 2;
        const uint16_t *s = (const uint16_t *)m->scales + block * groups * 2 * BLOCK;
        vf total[AT_ONCE][BLOCK_VECTORS];
        for (int k = 0; k < R; k++)
            for (int v = 0; v < VECTORS_OF(R); v++) total[k][v] = vf_set(0);
        for (int64_t g = 0; g < groups; g++, w += GROUP / 2 * BLOCK, s += 2 * BLOCK) {
            vi sum[AT_ONCE][BLOCK_VECTORS];
            for (int k = 0; k < R; k++)
                for (int v = 0; v < VECTORS_OF(R); v++) sum[k][v] = vi_set(0);
            for (int part = 0; part < GROUP / 8; part++) {
                if (from == 0) ahead(w + part * 4 * BLOCK);
                for (int v = 0; v < VECTORS_OF(R); v++) {
                    vi both = vi_load(w + part * 4 * BLOCK + (from + v) * 4 * W);
                    vi lower = both & low, upper = (vi)((vu)both >> 4) & low;
                    for (int k = 0; k < R; k++) {
                        const int8_t *four = x + k * (int64_t)r->padded + g * GROUP + part * 8;
                        sum[k][v] = dot_codes(sum[k][v], lower, four);
                        sum[k][v] = dot_codes(sum[k][v], upper, four + 4);
                    }
                }
            }
            if (from == 0) ahead(s);
            for (int v = 0; v < VECTORS_OF(R); v++) {
                vf scale = bf16_load(s + (from + v) * W);
                vf offset = bf16_load(s + BLOCK + (from + v) * W);
                for (int k = 0; k < R; k++) {
                    vi signed_sum = codes_sum(sum[k][v]) + vi_set(eights[k * groups + g]);
                    vf exact = vf_of(signed_sum) * step[k * groups + g];
                    total[k][v] = vf_fma(exact, scale, total[k][v]);
                    total[k][v] = vf_fma(offset, vf_set(sums[k * groups + g]), total[k][v]);
                }
            }
        }
        for (int k = 0; k < R; k++)
            for (int v = 0; v < VECTORS_OF(R); v++)
                put_vector(t, first + k, block * BLOCK + (from + v) * W, total[k][v], m->outputs);
    }
}

#define LINE_INPUTS(wide) ((wide) ? 16 : 32)
// Sums of one output and row: enough that none waits for the last addition.
#define SUMS (W == 4 ? 8 : 2)

// S outputs `apart` from each other: their rows are read from end to end.
INLINE void dense_outputs(const Matrix *m, const Rows *r, const Target *t, int64_t output,
                          int64_t apart, int64_t first, const int S, const int R, const int wide) {
    const int64_t n = m->inputs;
    const float *x = r->x + first * n;
    const float *w32 = (const float *)m->codes + output * n;
    const uint16_t *w16 = (const uint16_t *)m->codes + output * n;
    enum { STEPS = LINE_INPUTS(0) / W };
    vf sum[AT_ONCE][SUMS];
    for (int k = 0; k < S * R; k++)
        for (int j = 0; j < SUMS; j++) sum[k][j] = vf_set(0);
    int64_t i = 0;
    for (; i + STEPS * W <= n; i += STEPS * W)
        for (int s = 0; s < S; s++) {
            const int64_t at = s * apart * n + i;
            ahead(wide ? (const void *)(w32 + at) : (const void *)(w16 + at));
            if (wide) ahead(w32 + at + 16);
            for (int j = 0; j < STEPS; j++) {
                vf w = wide ? vf_load(w32 + at + j * W) : bf16_load(w16 + at + j * W);
                for (int k = 0; k < R; k++)
                    sum[s * R + k][j % SUMS] =
                        vf_fma(w, vf_load(x + k * n + i + j * W), sum[s * R + k][j % SUMS]);
            }
        }
    for (; i < n; i += W)
        for (int s = 0; s < S; s++) {
            const int64_t at = s * apart * n + i, left = n - i < W ? n - i : W;
            vf w = wide ? vf_load_part(w32 + at, left) : bf16_load_part(w16 + at, left);
            for (int k = 0; k < R; k++)
                sum[s * R + k][0] =
                    vf_fma(w, vf_load_part(x + k * n + i, left), sum[s * R + k][0]);
        }
    for (int k = 0; k < S * R; k++) {
        vf total = sum[k][0];
        for (int j = 1; j < SUMS; j++) total += sum[k][j];
        put(t, first + k % R, output + k / R * apart, vf_sum(total));
    }
}

INLINE void dense_blocks(const Matrix *m, const Rows *r, const Target *t, int64_t from, int64_t to,
                         int64_t first, const int R, const int wide) {
    int64_t output = from * BLOCK, end = to * BLOCK < m->outputs ? to * BLOCK : m->outputs;
    const int64_t apart = (end - output) / PLACES(R), rest = output + PLACES(R) * apart;
    for (int64_t last = output + apart; output < last; output++)
        dense_outputs(m, r, t, output, apart, first, PLACES(R), R, wide);
    for (output = rest; output < end; output++) dense_outputs(m, r, t, output, 0, first, 1, R, wide);
}

// Outputs of blocks [from, to).
INLINE void any_blocks(const Matrix *m, const Rows *r, const Target *t, int64_t from, int64_t to,
                       int64_t first, const int R) {
    const int64_t apart = (to - from) / PLACES(R), rest = from + PLACES(R) * apart;
    if (m->format == FLOAT32) {
        dense_blocks(m, r, t, from, to, first, R, 1);
    } else if (m->format == BFLOAT16) {
        dense_blocks(m, r, t, from, to, first, R, 0);
    } else if (m->format == INT8) {
        for (int64_t b = from; b < from + apart; b++)
            int8_blocks(m, r, t, b, apart, first, PLACES(R), R);
        for (int64_t b = rest; b < to; b++) int8_blocks(m, r, t, b, 0, first, 1, R);
    } else {
        for (int64_t b = from; b < to; b++) int4_block(m, r, t, b, first, R);
    }
}

#define OF_ROWS(n)                                   \
    case n:                                          \
        any_blocks(m, r, t, from, to, first, n);     \
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
    int64_t blocks = block < PART_BYTES ? PART_BYTES / block : 1;
    // As many for each place.
    return blocks > PLACES(1) ? blocks - blocks % PLACES(1) : blocks;
}

// One phase: every thread of the team takes part. The rows are rounded already.
static void rows_project(Team *team, const Matrix *m, const Rows *r, const Target *t) {
    int64_t blocks = (m->outputs + BLOCK - 1) / BLOCK, each = part_blocks(m);
    TEAM_PARTS(team, part, (blocks + each - 1) / each) {
        int64_t from = part * each, to = from + each;
        rows_blocks(m, r, t, from, to < blocks ? to : blocks);
    }
}
