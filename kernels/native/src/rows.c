// Products of few rows with a stored matrix: as fast as the matrix can be read.
//
// Rows are float32. For 8-bit weights they are rounded to 16 bits, for 4-bit weights to 8 bits per
// group of 32 inputs; from there on sums are of integers, so they do not depend on any order.

#include "matrix.h"
#include "simd.h"

#define GROUP 32
// A row's 16 bits are read as high and low bytes where four bytes are multiplied at once.
#if W != 8 || defined(__AVXVNNI__)
#define WIDE_BYTES 1
#else
#define WIDE_BYTES 0
#endif
// Sums of products stay within 32 bits for this many inputs; a matrix has 65,536 at most.
#define EXACT_INPUTS (WIDE_BYTES ? 65536 : 256)
#define MOST_ROWS 16
#define AT_ONCE 8
// Bytes between a prefetch and the reads: what a core takes from memory during its latency.
#define AHEAD 2048

// ---- rounding of rows

INLINE float largest_of(const float *x, int64_t n) {
    vf most = {0};
    int64_t i = 0;
    for (; i + W <= n; i += W) most = vf_larger(most, vf_abs(vf_load(x + i)));
    if (i < n) most = vf_larger(most, vf_abs(vf_load_part(x + i, n - i)));
    return vf_largest(most);
}

// What one code stands for; what is not a number in a row shows in all of its results.
INLINE float step_of(float largest, float codes) {
    return (largest < 1e-30f ? 1e-30f : largest) / codes;
}

INLINE vf padded_load(const float *x, int64_t i, int64_t n) {
    if (i + W <= n) return vf_load(x + i);
    return i < n ? vf_load_part(x + i, n - i) : vf_set(0);
}

// Four inputs as the wide dot product reads them; their sums are added to those of the row.
INLINE void write_wide(int8_t *out, const int32_t *v, int32_t *sums) {
#if WIDE_BYTES
    for (int j = 0; j < 4; j++) {
        int32_t high = (v[j] + 128) >> 8, low = v[j] - 256 * high;
        out[j] = (int8_t)high;
        out[4 + j] = (int8_t)low;
        sums[0] += high;
        sums[1] += low;
    }
#else
    int16_t pairs[4] = {(int16_t)v[0], (int16_t)v[2], (int16_t)v[1], (int16_t)v[3]};
    memcpy(out, pairs, 8);
    (void)sums;
#endif
}

static void round_wide(const float *x, int64_t inputs, int64_t padded, int8_t *codes, float *scale,
                       int32_t *sums) {
    // Below 32767, so that a high byte is never more than 127.
    float step = step_of(largest_of(x, inputs), 32600.0f);
    vf inverse = vf_set(1.0f / step);
    *scale = step;
    sums[0] = sums[1] = 0;
    int32_t v[W];
    for (int64_t i = 0; i < padded; i += W) {
        vi_store(v, vi_round(padded_load(x, i, inputs) * inverse));
        for (int j = 0; j < W; j += 4) write_wide(codes + 2 * (i + j), v + j, sums);
    }
}

static void round_grouped(const float *x, int64_t inputs, int64_t padded, int8_t *codes,
                          float *scale, float *sums, int32_t *eights) {
    int32_t v[GROUP];
    for (int64_t g = 0; g < padded / GROUP; g++) {
        vf part[GROUP / W], most = {0}, sum = {0};
        for (int k = 0; k < GROUP / W; k++) {
            part[k] = padded_load(x, g * GROUP + k * W, inputs);
            most = vf_larger(most, vf_abs(part[k]));
        }
        float step = step_of(vf_largest(most), 127.0f);
        vf inverse = vf_set(1.0f / step);
        for (int k = 0; k < GROUP / W; k++) {
            vi rounded = vi_round(part[k] * inverse);
            sum += part[k];
            vi_store(v + k * W, rounded);
        }
        int32_t total = 0;
        for (int j = 0; j < GROUP; j++) {
            codes[g * GROUP + j] = (int8_t)v[j];
            total += v[j];
        }
        eights[g] = -8 * total;
        scale[g] = step;
        // Of the row itself: the offset is added to what is not rounded.
        sums[g] = vf_sum(sum);
    }
}

// Bytes of workspace that the rows need for a matrix of that format.
static int64_t rows_bytes(int32_t format, int64_t rows, int64_t padded) {
    if (format == INT8) return rows * (2 * padded + 64);
    if (format == INT4) return rows * (padded + padded / GROUP * 12 + 128);
    return rows * 4 * padded;
}

// Lay out the workspace; the rows themselves are rounded by rows_round.
INLINE Rows rows_over(const Matrix *m, int64_t rows, const float *x, void *workspace) {
    Rows r = {.rows = (int32_t)rows, .inputs = m->inputs, .padded = m->padded, .x = x};
    char *at = workspace;
    if (m->format == INT8) {
        r.codes = at;
        r.scale = (float *)(at + 2 * rows * m->padded);
        r.code_sums = (int32_t *)(r.scale + rows);
    } else if (m->format == INT4) {
        int64_t groups = m->padded / GROUP;
        r.codes = at;
        r.scale = (float *)(at + rows * m->padded);
        r.sums = r.scale + rows * groups;
        r.eights = (int32_t *)(r.sums + rows * groups);
    } else {
        r.codes = at;
    }
    return r;
}

// ---- dot products of four inputs per lane

// 4 * W signed bytes: W outputs, four inputs each.
typedef struct {
    vi a, b;
} Wide;

INLINE Wide wide_of(vi bytes) {
#if WIDE_BYTES && W != 4
    // Unsigned, 128 more than they are: sums start with as much less.
    vi more = bytes ^ vi_set((int32_t)0x80808080);
    return (Wide){more, more};
#elif WIDE_BYTES
    return (Wide){bytes, bytes};
#else
    // The even and the odd inputs, 16 bits each.
    __m256i v = (__m256i)bytes;
    return (Wide){(vi)_mm256_srai_epi16(_mm256_slli_epi16(v, 8), 8), (vi)_mm256_srai_epi16(v, 8)};
#endif
}

// Sums for the high and the low bytes of a row, or for even and odd inputs.
typedef struct {
    vi a, b;
} WideSum;

INLINE WideSum wide_start(const int32_t *code_sums) {
#if WIDE_BYTES && W != 4
    return (WideSum){vi_set(-128 * code_sums[0]), vi_set(-128 * code_sums[1])};
#else
    (void)code_sums;
    return (WideSum){{0}, {0}};
#endif
}

INLINE WideSum dot_wide(WideSum s, Wide w, const int8_t *x) {
    int32_t first, second;
    memcpy(&first, x, 4);
    memcpy(&second, x + 4, 4);
#if W == 16
    s.a = (vi)_mm512_dpbusd_epi32((__m512i)s.a, (__m512i)w.a, (__m512i)vi_set(first));
    s.b = (vi)_mm512_dpbusd_epi32((__m512i)s.b, (__m512i)w.b, (__m512i)vi_set(second));
#elif defined(__AVXVNNI__)
    s.a = (vi)_mm256_dpbusd_avx_epi32((__m256i)s.a, (__m256i)w.a, (__m256i)vi_set(first));
    s.b = (vi)_mm256_dpbusd_avx_epi32((__m256i)s.b, (__m256i)w.b, (__m256i)vi_set(second));
#elif W == 8
    s.a += (vi)_mm256_madd_epi16((__m256i)w.a, (__m256i)vi_set(first));
    s.b += (vi)_mm256_madd_epi16((__m256i)w.b, (__m256i)vi_set(second));
#elif defined(__ARM_FEATURE_DOTPROD)
    s.a = (vi)vdotq_s32((int32x4_t)s.a, (int8x16_t)w.a, (int8x16_t)vi_set(first));
    s.b = (vi)vdotq_s32((int32x4_t)s.b, (int8x16_t)w.b, (int8x16_t)vi_set(second));
#endif
    return s;
}

INLINE vf wide_sum(WideSum s) {
#if WIDE_BYTES
    return vf_fma(vf_of(s.a), vf_set(256.0f), vf_of(s.b));
#else
    return vf_of(s.a + s.b);
#endif
}

// codes: bytes of 0 to 15, W outputs and four inputs each; x: four bytes.
INLINE vi dot_codes(vi sum, vi codes, const int8_t *x) {
    int32_t four;
    memcpy(&four, x, 4);
#if W == 16
    return (vi)_mm512_dpbusd_epi32((__m512i)sum, (__m512i)codes, (__m512i)vi_set(four));
#elif defined(__AVXVNNI__)
    return (vi)_mm256_dpbusd_avx_epi32((__m256i)sum, (__m256i)codes, (__m256i)vi_set(four));
#elif W == 8
    // Of 16 bits, eight sums of two products of at most 15 * 127 do not overflow: one group.
    return (vi)_mm256_add_epi16((__m256i)sum,
                                _mm256_maddubs_epi16((__m256i)codes, (__m256i)vi_set(four)));
#elif defined(__ARM_FEATURE_DOTPROD)
    return (vi)vdotq_s32((int32x4_t)sum, (int8x16_t)codes, (int8x16_t)vi_set(four));
#else
    return sum;
#endif
}

INLINE vi codes_sum(vi sum) {
#if W == 8 && !defined(__AVXVNNI__)
    return (vi)_mm256_madd_epi16((__m256i)sum, _mm256_set1_epi16(1));
#else
    return sum;
#endif
}

INLINE void ahead(const void *p) { __builtin_prefetch((const char *)p + AHEAD, 0, 3); }

// ---- where results go

typedef struct {
    float *y;
    int64_t stride;  // from row to row
    int add;         // to what is there, or in its place
} Target;

INLINE void put(const Target *t, int64_t row, int64_t output, float value) {
    float *y = t->y + row * t->stride + output;
    *y = t->add ? *y + value : value;
}

INLINE void put_vector(const Target *t, int64_t row, int64_t output, vf value, int64_t outputs) {
    float *y = t->y + row * t->stride + output;
    int64_t n = outputs - output;
    if (n >= W) {
        vf_store(y, t->add ? vf_load(y) + value : value);
    } else if (n > 0) {
        vf_store_part(y, t->add ? vf_load_part(y, n) + value : value, n);
    }
}

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
