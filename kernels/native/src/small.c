// Products of small matrices that lie in a core's caches.
//
// Operands consist of units of 32 bits: one float32, or two bfloat16 that follow each other along
// the dimension that is summed over. `per` numbers to a unit: 1, or PER_UNIT where the level has dot
// products of bfloat16. a: [rows][units]; b: [units][columns]; c: [rows][columns] float32.
// Rows and columns come in multiples of 16, and so do the units where tiles multiply them.

#include "simd.h"
#include "tile.h"

#if defined(__AVX512BF16__)
#define PER_UNIT 2
#else
#define PER_UNIT 1
#endif

typedef struct {
    const float *at;
    int64_t stride;  // from row to row, in units
} Operand;

// ---- units from rows of float32

// n numbers times `factor` as consecutive units.
INLINE void units_along(float *out, const float *x, float factor, int64_t n, const int per) {
    vf f = vf_set(factor);
    if (per == 1) {
        for (int64_t i = 0; i < n; i += W) vf_store(out + i, vf_load(x + i) * f);
        return;
    }
#if PER_UNIT == 2
    int64_t i = 0;
    for (; i + 32 <= n; i += 32) {
        vf low = vf_load(x + i) * f, high = vf_load(x + i + 16) * f;
        vf_store(out + i / 2, (vf)_mm512_cvtne2ps_pbh((__m512)high, (__m512)low));
    }
    if (i < n) {
        vf low = vf_load(x + i) * f;
        vf_store(out + i / 2, (vf)_mm512_cvtne2ps_pbh(_mm512_setzero_ps(), (__m512)low));
    }
#endif
}

#if PER_UNIT == 2
// Number i of each of two rows becomes unit i.
INLINE vf units_of(vf first, vf second) {
    const __m512i order =
        _mm512_set_epi16(31, 15, 30, 14, 29, 13, 28, 12, 27, 11, 26, 10, 25, 9, 24, 8, 23, 7, 22, 6,
                         21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0);
    __m512i both = (__m512i)_mm512_cvtne2ps_pbh((__m512)second, (__m512)first);
    return (vf)_mm512_permutexvar_epi16(order, both);
}
#endif

// `per` rows of n numbers, each times its factor, as n units.
INLINE void units_across(float *out, const float *x, int64_t stride, const float *factor, int64_t n,
                         const int per) {
    if (per == 1) {
        for (int64_t i = 0; i < n; i += W) vf_store(out + i, vf_load(x + i) * factor[0]);
        return;
    }
#if PER_UNIT == 2
    for (int64_t i = 0; i < n; i += W) {
        vf first = vf_load(x + i) * factor[0], second = vf_load(x + stride + i) * factor[1];
        vf_store(out + i, units_of(first, second));
    }
#endif
}

// ---- products

INLINE vf unit_dot(vf sum, vf a, vf b, const int per) {
#if PER_UNIT == 2
    if (per == 2) return (vf)_mm512_dpbf16_ps((__m512)sum, (__m512bh)a, (__m512bh)b);
#endif
    return vf_fma(a, b, sum);
}

#define SMALL_ROWS 4
#define SMALL_VECTORS (W == 8 ? 2 : 4)

INLINE void small_block(const int per, const int V, int64_t units, Operand a, Operand b, float *c,
                        int64_t row, int add) {
    vf sum[SMALL_ROWS][SMALL_VECTORS];
    for (int r = 0; r < SMALL_ROWS; r++)
        for (int v = 0; v < V; v++) sum[r][v] = add ? vf_load(c + r * row + v * W) : vf_set(0);
    for (int64_t k = 0; k < units; k++) {
        vf column[SMALL_VECTORS];
        for (int v = 0; v < V; v++) column[v] = vf_load(b.at + k * b.stride + v * W);
        for (int r = 0; r < SMALL_ROWS; r++) {
            vf one = vf_set(a.at[r * a.stride + k]);
            for (int v = 0; v < V; v++) sum[r][v] = unit_dot(sum[r][v], one, column[v], per);
        }
    }
    for (int r = 0; r < SMALL_ROWS; r++)
        for (int v = 0; v < V; v++) vf_store(c + r * row + v * W, sum[r][v]);
}

INLINE void small_columns(const int per, const int V, int64_t rows, int64_t units, Operand a,
                          Operand b, float *c, int64_t row, int add) {
    for (int64_t r = 0; r < rows; r += SMALL_ROWS) {
        Operand some = {a.at + r * a.stride, a.stride};
        small_block(per, V, units, some, b, c + r * row, row, add);
    }
}

INLINE void small_by_vectors(const int per, int64_t rows, int64_t columns, int64_t units, Operand a,
                             Operand b, float *c, int64_t row, int add) {
    const int64_t wide = SMALL_VECTORS * W;
    int64_t j = 0;
    for (; j + wide <= columns; j += wide, b.at += wide)
        small_columns(per, SMALL_VECTORS, rows, units, a, b, c + j, row, add);
    for (; j + 2 * W <= columns; j += 2 * W, b.at += 2 * W)
        small_columns(per, 2, rows, units, a, b, c + j, row, add);
    for (; j < columns; j += BLOCK, b.at += BLOCK)
        small_columns(per, BLOCK_VECTORS, rows, units, a, b, c + j, row, add);
}

#if defined(__AMX_TILE__)

INLINE void small_tiles(const int tall, const int wide, int64_t units, Operand a, Operand b,
                        float *c, int64_t row, int add) {
    float *below = c + 16 * row;
    int64_t step = 4 * row;
    if (add) {
        _tile_loadd(0, c, step);
        if (wide) _tile_loadd(1, c + 16, step);
        if (tall) _tile_loadd(2, below, step);
        if (tall && wide) _tile_loadd(3, below + 16, step);
    } else {
        _tile_zero(0);
        _tile_zero(1);
        _tile_zero(2);
        _tile_zero(3);
    }
    for (int64_t k = 0; k < units; k += 16) {
        const float *column = b.at + k * b.stride;
        _tile_loadd(6, column, 4 * b.stride);
        _tile_loadd(4, a.at + k, 4 * a.stride);
        _tile_dpbf16ps(0, 4, 6);
        if (wide) {
            _tile_loadd(7, column + 16, 4 * b.stride);
            _tile_dpbf16ps(1, 4, 7);
        }
        if (tall) {
            _tile_loadd(5, a.at + 16 * a.stride + k, 4 * a.stride);
            _tile_dpbf16ps(2, 5, 6);
        }
        if (tall && wide) _tile_dpbf16ps(3, 5, 7);
    }
    _tile_stored(0, c, step);
    if (wide) _tile_stored(1, c + 16, step);
    if (tall) _tile_stored(2, below, step);
    if (tall && wide) _tile_stored(3, below + 16, step);
}

static void small_by_tiles(int64_t rows, int64_t columns, int64_t units, Operand a, Operand b,
                           float *c, int64_t row, int add) {
    for (int64_t i = 0; i < rows; i += 32) {
        Operand some = {a.at + i * a.stride, a.stride};
        int tall = i + 32 <= rows;
        for (int64_t j = 0; j < columns; j += 32) {
            Operand panel = {b.at + j, b.stride};
            int wide = j + 32 <= columns;
            float *at = c + i * row + j;
            if (tall && wide) small_tiles(1, 1, units, some, panel, at, row, add);
            if (tall && !wide) small_tiles(1, 0, units, some, panel, at, row, add);
            if (!tall && wide) small_tiles(0, 1, units, some, panel, at, row, add);
            if (!tall && !wide) small_tiles(0, 0, units, some, panel, at, row, add);
        }
    }
}

#endif

// Before and after a thread's small products of `per` numbers to a unit.
static void small_begin(const int per) {
#if defined(__AMX_TILE__)
    Tiles t = {0};
    for (int tile = 0; tile < TILES; tile++) tiles_shape(&t, tile, TILE_ROWS, TILE_BYTES);
    if (per == 2) tiles_begin(&t);
#endif
}

static void small_end(const int per) {
#if defined(__AMX_TILE__)
    if (per == 2) tiles_end();
#endif
}

// c = a b, or c + a b if `add`; row: from row to row of c.
static void small_product(const int per, int64_t rows, int64_t columns, int64_t units, Operand a,
                          Operand b, float *c, int64_t row, int add) {
    if (per == 1) {
        small_by_vectors(1, rows, columns, units, a, b, c, row, add);
        return;
    }
#if defined(__AMX_TILE__)
    small_by_tiles(rows, columns, units, a, b, c, row, add);
#elif PER_UNIT == 2
    small_by_vectors(2, rows, columns, units, a, b, c, row, add);
#endif
}
