// Many rows side by side, input by input: what weights that lie row after row are multiplied by.
//
// With products of bfloat16 pairs [rows / 16][padded / 2][16][2] bfloat16, else
// [rows / SIDE][padded][SIDE] float32.

#include "out.h"
#include "transpose.h"

#if defined(__AVX512BF16__)
#define SIDE 16
#define PAIRS 1
typedef uint16_t Side;
#else
#define SIDE (2 * W)
#define PAIRS 0
typedef float Side;
#endif

#define SIDE_INPUTS 32

typedef struct {
    int64_t rows, inputs, padded;
    Side *x;
} Rows16;

INLINE int64_t side_padded(int64_t inputs) { return (inputs + SIDE_INPUTS - 1) & -SIDE_INPUTS; }

// Rows are taken 32 at a time.
INLINE int64_t side_rows(int64_t rows) { return (rows + 31) & -32; }

static Rows16 rows16_cut(Cut *c, int64_t rows, int64_t inputs) {
    const int64_t padded = side_padded(inputs);
    return (Rows16){rows, inputs, padded,
                    cut(c, (size_t)(side_rows(rows) * padded) * sizeof(Side))};
}

INLINE Side *rows16_at(const Rows16 *r, int64_t row, int64_t input) {
    return r->x + row / SIDE * SIDE * r->padded + input * SIDE;
}

#if PAIRS

// 32 inputs of a row as bfloat16.
INLINE void side_row(float *out, const void *x, int format, int64_t i, int64_t n) {
    for (int j = 0; j < SIDE_INPUTS; j += W)
        bf16_store((uint16_t *)out + j, in_load(x, format, i + j, n));
}

#define SIDE_WORDS (SIDE_INPUTS / 2)

#else

INLINE void side_row(float *out, const void *x, int format, int64_t i, int64_t n) {
    for (int j = 0; j < SIDE_INPUTS; j += W) vf_store(out + j, in_load(x, format, i + j, n));
}

#define SIDE_WORDS SIDE_INPUTS

#endif

// SIDE rows from `row` on, the first of them at x; those beyond the last are zero.
static void rows16_pack(const Rows16 *r, int64_t row, const char *x, int64_t bytes, int format) {
    float some[SIDE][SIDE_WORDS];
    memset(some, 0, sizeof some);
    int64_t rows = r->rows - row < SIDE ? r->rows - row : SIDE;
    for (int64_t i = 0; i < r->padded; i += SIDE_INPUTS) {
        for (int64_t k = 0; k < rows; k++) {
            if (format == FLOAT32)
                side_row(some[k], x + k * bytes, FLOAT32, i, r->inputs);
            else
                side_row(some[k], x + k * bytes, BFLOAT16, i, r->inputs);
        }
        transpose(some[0], SIDE_WORDS, SIDE, SIDE_WORDS, (float *)rows16_at(r, row, i), SIDE);
    }
}
