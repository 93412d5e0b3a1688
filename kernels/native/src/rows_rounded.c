// Rows as the products of few rows read them.
//
// For 8-bit weights they are rounded to 16 bits, for 4-bit weights and for blocks to 8 bits per group of
// 32 inputs; from there on sums are of integers, so they do not depend on any order.

#include "dots.h"
#include "matrix.h"
#include "workspace.h"

#define GROUP 32

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

// Numbers to codes. Where a step is infinite or no number it makes the results so by itself, and
// codes of such numbers would not stay within their sums: there are none.
typedef struct {
    vf inverse;
    vi known;
} Rounding;

INLINE Rounding rounding_by(float step) {
    return (Rounding){vf_set(1.0f / step), vi_set(isfinite(step) ? -1 : 0)};
}

INLINE vi codes_of(vf x, Rounding by) { return vi_round(x * by.inverse) & by.known; }

INLINE vf padded_load(const float *x, int64_t i, int64_t n) {
    if (i + W <= n) return vf_load(x + i);
    return i < n ? vf_load_part(x + i, n - i) : vf_set(0);
}

INLINE void padded_store(float *x, int64_t i, int64_t n, vf v) {
    if (i + W <= n)
        vf_store(x + i, v);
    else
        vf_store_part(x + i, v, n - i);
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
    const Rounding by = rounding_by(step);
    *scale = step;
    sums[0] = sums[1] = 0;
    int32_t v[W];
    for (int64_t i = 0; i < padded; i += W) {
        vi_store(v, codes_of(padded_load(x, i, inputs), by));
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
        const Rounding by = rounding_by(step);
        for (int k = 0; k < GROUP / W; k++) {
            sum += part[k];
            vi_store(v + k * W, codes_of(part[k], by));
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

// How far apart rows lie beside bfloat16 weights.
INLINE int64_t pairs_padded(int64_t inputs) { return (inputs + 2 * W - 1) & -(2 * W); }

// The even inputs of 2 * W, then the odd ones; zeros beyond the end.
static void order_pairs(const float *x, int64_t inputs, float *out) {
    for (int64_t i = 0; i < inputs; i += 2 * W)
        for (int j = 0; j < 2 * W; j++)
            out[i + j % 2 * W + j / 2] = i + j < inputs ? x[i + j] : 0;
}

// ---- rows in 8 bits per group, as matrices of blocks read them

static Grouped grouped_cut(Cut *c, int64_t rows, int64_t inputs) {
    const size_t all = (size_t)(rows * inputs);
    Grouped g = {rows, inputs, cut(c, all), cut(c, all / 8), NULL, NULL};
    g.sum32 = cut(c, all / 8);
    g.sum16 = cut(c, all / 4);
    return g;
}

INLINE int32_t vi_sum(vi v) {
    int32_t part[W], total = 0;
    vi_store(part, v);
    for (int i = 0; i < W; i++) total += part[i];
    return total;
}

// One group of a row; x: its GROUP inputs.
INLINE void grouped_some(const Grouped *r, int64_t at, const vf x[GROUP / W]) {
    typedef int8_t Bytes __attribute__((vector_size(W)));
    vf most = vf_set(0);
    for (int k = 0; k < GROUP / W; k++) most = vf_larger(most, vf_abs(x[k]));
    const float step = step_of(vf_largest(most), 127.0f);
    const Rounding by = rounding_by(step);
    vi sum[2] = {vi_set(0), vi_set(0)};
    for (int k = 0; k < GROUP / W; k++) {
        vi codes = codes_of(x[k], by);
        sum[k * W / 16] += codes;
        Bytes bytes = __builtin_convertvector(codes, Bytes);
        memcpy(r->codes + at * GROUP + k * W, &bytes, W);
    }
    r->step[at] = step;
    r->sum16[2 * at] = vi_sum(sum[0]);
    r->sum16[2 * at + 1] = vi_sum(sum[1]);
    r->sum32[at] = r->sum16[2 * at] + r->sum16[2 * at + 1];
}

// x: the row, FLOAT32 or BFLOAT16; order: as in Matrix.
static void grouped_round(const Grouped *r, int64_t row, const void *x, int format,
                          const int32_t *order) {
    const int64_t groups = r->inputs / GROUP;
    for (int64_t g = 0; g < groups; g++) {
        const int64_t from = (order ? order[g] : g) * GROUP;
        vf some[GROUP / W];
        for (int k = 0; k < GROUP / W; k++)
            some[k] = format == FLOAT32 ? vf_load((const float *)x + from + k * W)
                                        : bf16_load((const uint16_t *)x + from + k * W);
        grouped_some(r, row * groups + g, some);
    }
}

INLINE int in_groups(const Matrix *m) { return m->format >= STACK; }

// ---- rows as any matrix reads them

// Memory for rows x as a matrix of this format reads them; they are rounded by rows_round.
static Rows rows_cut(Cut *c, const Matrix *m, int64_t rows, const float *x, int alone) {
    Rows r = {.rows = (int32_t)rows, .inputs = m->inputs, .padded = m->padded, .alone = alone,
              .x = x};
    const size_t all = (size_t)rows * m->padded;
    if (m->format == INT8) {
        r.codes = cut(c, 2 * all);
        r.scale = cut(c, (size_t)rows * 4);
        r.code_sums = cut(c, (size_t)rows * 8);
    } else if (m->format == INT4) {
        r.codes = cut(c, all);
        r.scale = cut(c, all / GROUP * 4);
        r.sums = cut(c, all / GROUP * 4);
        r.eights = cut(c, all / GROUP * 4);
    } else if (m->format == BFLOAT16) {
        r.codes = cut(c, (size_t)(rows * pairs_padded(m->inputs)) * 4);
    } else if (in_groups(m)) {
        r.grouped = grouped_cut(c, rows, m->inputs);
    }
    return r;
}
