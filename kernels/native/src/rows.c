// Products of few rows with a stored matrix: as fast as the matrix can be read.

#include "dots.h"
#include "matrix.h"
#include "target.h"

#define MOST_ROWS 16
#define AT_ONCE 8
// Bytes between a prefetch and the reads, and into the second-level cache: the first level has too
// few reads under way at a time, which cost bfloat16 matrices a seventh of memory's speed. Where
// several places of a matrix are read at once, each is read so much less ahead (bfloat16 weights).
#define AHEAD 4096

INLINE void ahead_by(const void *p, int64_t bytes) {
    __builtin_prefetch((const char *)p + bytes, 0, 2);
}

INLINE void ahead(const void *p) { ahead_by(p, AHEAD); }

// Weights of 8 bits are read at S places `apart` from each other at once, and those of bfloat16
// below. A processor fetches ahead for each page that is read: on two cores of an AMD EPYC (Zen 3)
// with other users of the memory one place gives 13 GB/s and four give 22; alone, 8-bit weights gain
// a tenth. There are registers for so many sums with few rows only; 4-bit weights, with more sums, do
// not gain.
#if W == 8
#define PLACES(rows) ((rows) == 1 ? 4 : (rows) == 2 ? 2 : 1)
#else
#define PLACES(rows) 1
#endif

#include "blocks.c"
#include "rows_tiles.c"

static void rows_round(const Matrix *m, const Rows *r, int64_t row) {
    const float *x = r->x + row * r->inputs;
#if defined(__AMX_TILE__)
    if (use_tiles(m, r) && m->format != INT4) {
        if (m->format == INT8)
            split_bytes(r, row);
        else
            split_pairs(r, row);
        return;
    }
#endif
    if (m->format == BFLOAT16)
        order_pairs(x, r->inputs, (float *)r->codes + row * pairs_padded(r->inputs));
    if (m->format == INT8)
        round_wide(x, r->inputs, r->padded, (int8_t *)r->codes + 2 * row * r->padded,
                   r->scale + row, r->code_sums + 2 * row);
    if (m->format == INT4) {
        int64_t groups = r->padded / GROUP;
        round_grouped(x, r->inputs, r->padded, (int8_t *)r->codes + row * r->padded,
                      r->scale + row * groups, r->sums + row * groups, r->eights + row * groups);
    }
    if (in_groups(m)) grouped_round(&r->grouped, row, x, FLOAT32, m->order);
}

// ---- blocks of 16 outputs, R rows

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

// ---- float32 and bfloat16 weights: outputs row after row
//
// A vector of bfloat16 weights is two of float32, the even inputs and the odd ones, of one instruction
// each; rows lie in the same order. What is read of a row serves S outputs: long rows come from the
// second-level cache, which delivers them half as fast as sums add up.

#define OUTPUTS(rows) (W == 16 || (rows) == 1 ? 4 : (rows) <= 4 ? 2 : 1)
// So many rows at once, then the others with the same weights, which the first-level cache still has.
#define ROWS(rows) (W == 16 && (rows) > 4 ? 4 : (rows))
#define LINE_INPUTS 32

typedef struct {
    vf even, odd;
} Pairs;

INLINE Pairs pairs_of(vu w) { return (Pairs){(vf)(w << 16), (vf)(w & 0xffff0000)}; }

INLINE Pairs pairs_load_part(const uint16_t *w, int64_t inputs) {
    vu all = {0};
    memcpy(&all, w, (size_t)inputs * 2);
    return pairs_of(all);
}

// One vector of each of S outputs, `apart` from each other, with the same inputs of R rows. One sum of
// an output and row, however many there are: a row's bits are the same alone and beside others.
INLINE void add_pairs(vf sum[], const Pairs pairs[4], const float *x, int64_t stride,
                      const int S, const int R) {
    for (int k = 0; k < R; k++) {
        vf even = vf_load(x + k * stride), odd = vf_load(x + k * stride + W);
        for (int s = 0; s < S; s++) {
            vf *to = sum + s * R + k;
            *to = vf_fma(pairs[s].even, even, *to);
            *to = vf_fma(pairs[s].odd, odd, *to);
        }
    }
}

INLINE void half_outputs(const Matrix *m, const Rows *r, const Target *t, int64_t output,
                         int64_t apart, int64_t first, const int S, const int R) {
    const int64_t n = m->inputs, stride = pairs_padded(n);
    const float *x = (const float *)r->codes + first * stride;
    const uint16_t *w = (const uint16_t *)m->codes + output * n;
    vf sum[2 * AT_ONCE];
    Pairs pairs[4];
    for (int k = 0; k < S * R; k++) sum[k] = vf_set(0);
    int64_t i = 0;
    for (; i + LINE_INPUTS <= n; i += LINE_INPUTS) {
        for (int s = 0; s < S; s++) ahead_by(w + s * apart * n + i, AHEAD / S);
        for (int j = 0; j < LINE_INPUTS; j += 2 * W) {
            for (int s = 0; s < S; s++) pairs[s] = pairs_of((vu)vi_load(w + s * apart * n + i + j));
            add_pairs(sum, pairs, x + i + j, stride, S, R);
        }
    }
    for (; i < n; i += 2 * W) {
        const int64_t left = n - i < 2 * W ? n - i : 2 * W;
        for (int s = 0; s < S; s++) pairs[s] = pairs_load_part(w + s * apart * n + i, left);
        add_pairs(sum, pairs, x + i, stride, S, R);
    }
    for (int from = 0; from < S * R; from += W) {
        vf some[W] = {0};
        float total[W];
        for (int k = from; k < S * R && k < from + W; k++) some[k - from] = sum[k];
        vf_store(total, vf_sums(some));
        for (int k = from; k < S * R && k < from + W; k++)
            put(t, first + k % R, output + k / R * apart, total[k - from]);
    }
}

INLINE void float_output(const Matrix *m, const Rows *r, const Target *t, int64_t output,
                         int64_t first, const int R) {
    const int64_t n = m->inputs;
    const float *x = r->x + first * n, *w = (const float *)m->codes + output * n;
    vf sum[AT_ONCE][2];
    for (int k = 0; k < R; k++) sum[k][0] = sum[k][1] = vf_set(0);
    int64_t i = 0;
    for (; i + 2 * W <= n; i += 2 * W) {
        ahead(w + i);
        for (int j = 0; j < 2; j++) {
            vf v = vf_load(w + i + j * W);
            for (int k = 0; k < R; k++)
                sum[k][j] = vf_fma(v, vf_load(x + k * n + i + j * W), sum[k][j]);
        }
    }
    for (; i < n; i += W) {
        const int64_t left = n - i < W ? n - i : W;
        vf v = vf_load_part(w + i, left);
        for (int k = 0; k < R; k++)
            sum[k][0] = vf_fma(v, vf_load_part(x + k * n + i, left), sum[k][0]);
    }
    for (int k = 0; k < R; k++) put(t, first + k, output, vf_sum(sum[k][0] + sum[k][1]));
}

INLINE void half_rows(const Matrix *m, const Rows *r, const Target *t, int64_t output,
                      int64_t apart, int64_t first, const int S, const int R) {
    half_outputs(m, r, t, output, apart, first, S, ROWS(R));
    if (R > ROWS(R)) half_outputs(m, r, t, output, apart, first + ROWS(R), S, R - ROWS(R));
}

INLINE void half_blocks(const Matrix *m, const Rows *r, const Target *t, int64_t output,
                        int64_t end, int64_t first, const int R) {
    const int64_t apart = (end - output) / OUTPUTS(R), rest = output + OUTPUTS(R) * apart;
    for (int64_t last = output + apart; output < last; output++)
        half_rows(m, r, t, output, apart, first, OUTPUTS(R), R);
    for (output = rest; output < end; output++) half_rows(m, r, t, output, 0, first, 1, R);
}

// Outputs of blocks [from, to).
INLINE void any_blocks(const Matrix *m, const Rows *r, const Target *t, int64_t from, int64_t to,
                       int64_t first, const int R) {
    const int64_t apart = (to - from) / PLACES(R), rest = from + PLACES(R) * apart;
    const int64_t end = to * BLOCK < m->outputs ? to * BLOCK : m->outputs;
    if (m->format == FLOAT32) {
        for (int64_t o = from * BLOCK; o < end; o++) float_output(m, r, t, o, first, R);
    } else if (m->format == BFLOAT16) {
        half_blocks(m, r, t, from * BLOCK, end, first, R);
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
    if (m->format >= BLOCKS) {
        const Out out = {t->y, t->stride, m->outputs, FLOAT32, t->add};
        some_blocks(m, &r->grouped, &out, from, to, 0, r->rows);
        return;
    }
#if defined(__AMX_TILE__)
    if (use_tiles(m, r)) {
        tiles_for(m, r);
        tile_blocks(m, r, t, from, to);
        tiles_end();
        return;
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
    int64_t block = m->format >= BLOCKS ? block_bytes(shape_of(m), m)
                                        : (int64_t)m->padded * BLOCK * bits[m->format] / 8;
    int64_t blocks = block < PART_BYTES ? PART_BYTES / block : 1;
    // As many for each place.
    return blocks > PLACES(1) ? blocks - blocks % PLACES(1) : blocks;
}

INLINE int64_t blocks_of(const Matrix *m) { return (m->outputs + BLOCK - 1) / BLOCK; }

INLINE int64_t parts_of(const Matrix *m) {
    const int64_t each = part_blocks(m);
    return (blocks_of(m) + each - 1) / each;
}

static void rows_part(const Matrix *m, const Rows *r, const Target *t, int64_t part) {
    const int64_t each = part_blocks(m), from = part * each, to = from + each, last = blocks_of(m);
    rows_blocks(m, r, t, from, to < last ? to : last);
}

// Part number `part` of all that the matrices of a stack have.
static void stack_part(const Matrix *m, const Rows *r, const Target *t, int64_t part) {
    const Matrix *one = m->codes;
    Target there = *t;
    for (int64_t parts; part >= (parts = parts_of(one)); part -= parts) there.y += one++->outputs;
    rows_part(one, r, &there, part);
}

// One phase: every thread of the team takes part. The rows are rounded already.
static void rows_project(Team *team, const Matrix *m, const Rows *r, const Target *t) {
    if (m->format != STACK) {
        TEAM_PARTS(team, part, parts_of(m)) rows_part(m, r, t, part);
        return;
    }
    int64_t parts = 0;
    for (int64_t i = 0; i < m->parts; i++) parts += parts_of((const Matrix *)m->codes + i);
    TEAM_PARTS(team, part, parts) stack_part(m, r, t, part);
}
