// Many rows rounded to 8 bits, each by its own largest value, in the layout of AMX's tiles.

#include "matrix.h"
#include "simd.h"

// Without dot products of bytes, codes are 16 bits wide: a product of bytes would be widened anyway.
#if W == 8 && !defined(__AVXVNNI__)
typedef int16_t Code;
#define PAIRED 1
#else
typedef int8_t Code;
#define PAIRED 0
#endif

#define CODE_ROWS 16
#define CODE_INPUTS 64

typedef struct {
    int64_t rows, inputs, padded;
    Code *codes;    // [rows / 16][padded / 64][16][64]
    float *scale;   // per row
    int32_t *sum;   // of a row's codes
} Rows8;

static Rows8 rows8_cut(Cut *c, int64_t rows, int64_t inputs, int64_t padded) {
    const size_t all = (size_t)(rows + CODE_ROWS - 1) / CODE_ROWS * CODE_ROWS;
    return (Rows8){rows, inputs, padded, cut(c, all * padded * sizeof(Code)), cut(c, all * 4),
                   cut(c, all * 4)};
}

INLINE Code *rows8_at(const Rows8 *r, int64_t row, int64_t input) {
    int64_t tile = row / CODE_ROWS * (r->padded / CODE_INPUTS) + input / CODE_INPUTS;
    return r->codes + (tile * CODE_ROWS + row % CODE_ROWS) * CODE_INPUTS;
}

// W inputs of a row that is float32 or bfloat16, zeros beyond the last.
INLINE vf in_load(const void *x, int format, int64_t i, int64_t n) {
    if (format == FLOAT32) {
        const float *p = (const float *)x + i;
        return i + W <= n ? vf_load(p) : i < n ? vf_load_part(p, n - i) : vf_set(0);
    }
    const uint16_t *p = (const uint16_t *)x + i;
    return i + W <= n ? bf16_load(p) : i < n ? bf16_load_part(p, n - i) : vf_set(0);
}

INLINE void write_codes(Code *out, vi codes) {
    typedef Code Codes __attribute__((vector_size(W * sizeof(Code))));
    Codes narrow_ = __builtin_convertvector(codes, Codes);
#if PAIRED
    // Of four inputs, the first and third meet the even bytes of a weight's four; see wide_of.
    Codes pairs = __builtin_shufflevector(narrow_, narrow_, 0, 2, 1, 3, 4, 6, 5, 7);
    narrow_ = pairs;
#endif
    memcpy(out, &narrow_, sizeof narrow_);
}

// In the sense of step_of.
INLINE float rows8_step(float largest) {
    return (largest < 1e-30f ? 1e-30f : largest) * (1.0f / 127.0f);
}

// Round a row of which the largest value is known.
INLINE void rows8_write(const Rows8 *r, int64_t row, const void *x, int format, float largest) {
    float step = rows8_step(largest);
    const Rounding by = rounding_by(step);
    vi sum = vi_set(0);
    for (int64_t i = 0; i < r->padded; i += CODE_INPUTS) {
        Code *out = rows8_at(r, row, i);
        for (int j = 0; j < CODE_INPUTS; j += W) {
            vi codes = codes_of(in_load(x, format, i + j, r->inputs), by);
            sum += codes;
            write_codes(out + j, codes);
        }
    }
    int32_t part[W], total = 0;
    vi_store(part, sum);
    for (int j = 0; j < W; j++) total += part[j];
    r->scale[row] = step;
    r->sum[row] = total;
}

INLINE void rows8_round_as(const Rows8 *r, int64_t row, const void *x, int format) {
    vf most = vf_set(0);
    for (int64_t i = 0; i < r->inputs; i += W)
        most = vf_larger(most, vf_abs(in_load(x, format, i, r->inputs)));
    rows8_write(r, row, x, format, vf_largest(most));
}

static void rows8_round(const Rows8 *r, int64_t row, const void *x, int format) {
    if (format == FLOAT32)
        rows8_round_as(r, row, x, FLOAT32);
    else
        rows8_round_as(r, row, x, BFLOAT16);
}
