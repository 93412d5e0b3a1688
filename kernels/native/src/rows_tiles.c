// Products of several rows by AMX tiles: a tile of the matrix is read once for up to 16 rows.
//
// Rows keep their precision: two bfloat16 parts, or the high and low bytes of 16 bits, one product each.

#include "tile.h"

#define TILE_LEAST_ROWS 3

#if defined(__AMX_TILE__)

INLINE int use_tiles(const Matrix *m, const Rows *r) {
    if (r->rows < TILE_LEAST_ROWS || r->alone) return 0;
    if (m->format == BFLOAT16) return !(m->inputs % 32) && !(m->outputs % BLOCK);
    return m->format == INT8 || m->format == INT4;
}

// ---- rows

// [inputs / 2][rows][2] bfloat16: what a product reads per pair of inputs; then the same of the rest.
static void split_pairs(const Rows *r, int64_t row) {
    const float *x = r->x + row * (int64_t)r->inputs;
    uint16_t *high = r->codes, *low = high + (int64_t)r->rows * r->inputs;
    uint16_t h[W], l[W];
    for (int64_t i = 0; i < r->inputs; i += W) {
        vf v = vf_load(x + i);
        bf16_store(h, v);
        bf16_store(l, v - bf16_load(h));
        for (int j = 0; j < W; j += 2) {
            int64_t at = ((i + j) / 2 * r->rows + row) * 2;
            memcpy(high + at, h + j, 4);
            memcpy(low + at, l + j, 4);
        }
    }
}

// High bytes [rows][padded], then low bytes.
static void split_bytes(const Rows *r, int64_t row) {
    const float *x = r->x + row * (int64_t)r->inputs;
    int8_t *high = (int8_t *)r->codes + row * (int64_t)r->padded;
    int8_t *low = high + (int64_t)r->rows * r->padded;
    float step = step_of(largest_of(x, r->inputs), 32600.0f);
    const Rounding by = rounding_by(step);
    r->scale[row] = step;
    for (int64_t i = 0; i < r->padded; i += W) {
        vi v = codes_of(padded_load(x, i, r->inputs), by), top = (v + 128) >> 8;
        _mm_storeu_si128((void *)(high + i), _mm512_cvtepi32_epi8((__m512i)top));
        _mm_storeu_si128((void *)(low + i), _mm512_cvtepi32_epi8((__m512i)(v - (top << 8))));
    }
}

// ---- two blocks of 16 outputs

static void dense_tiles(const Matrix *m, const Rows *r, const Target *t, int64_t block, int pair) {
    const int64_t n = m->inputs, stride = 2 * n, row_bytes = 4 * r->rows;
    const uint16_t *w = (const uint16_t *)m->codes + block * BLOCK * n;
    const uint16_t *high = r->codes, *low = high + (int64_t)r->rows * n;
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
    for (int64_t i = 0; i < n; i += 32) {
        for (int o = 0; o < BLOCK * (1 + pair); o++) ahead(w + o * n + i);
        _tile_loadd(6, high + i * r->rows, row_bytes);
        _tile_loadd(7, low + i * r->rows, row_bytes);
        _tile_loadd(4, w + i, stride);
        _tile_dpbf16ps(0, 4, 6);
        _tile_dpbf16ps(1, 4, 7);
        if (pair) {
            _tile_loadd(5, w + BLOCK * n + i, stride);
            _tile_dpbf16ps(2, 5, 6);
            _tile_dpbf16ps(3, 5, 7);
        }
    }
    float sum[4][BLOCK][MOST_ROWS];
    _tile_stored(0, sum[0], sizeof sum[0][0]);
    _tile_stored(1, sum[1], sizeof sum[0][0]);
    _tile_stored(2, sum[2], sizeof sum[0][0]);
    _tile_stored(3, sum[3], sizeof sum[0][0]);
    for (int b = 0; b <= pair; b++)
        for (int o = 0; o < BLOCK; o++)
            for (int k = 0; k < r->rows; k++)
                put(t, k, (block + b) * BLOCK + o, sum[2 * b][o][k] + sum[2 * b + 1][o][k]);
}

static void int8_tiles(const Matrix *m, const Rows *r, const Target *t, int64_t block, int pair) {
    const int64_t n = m->padded;
    const int8_t *w = (const int8_t *)m->codes + block * BLOCK * n;
    const int8_t *high = r->codes, *low = high + (int64_t)r->rows * n;
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
    for (int64_t i = 0; i < n; i += 64) {
        for (int k = 0; k < 16; k++) ahead(w + i * BLOCK + 64 * k);
        _tile_loadd(4, high + i, n);
        _tile_loadd(5, low + i, n);
        _tile_loadd(6, w + i * BLOCK, 64);
        _tile_dpbssd(0, 4, 6);
        _tile_dpbssd(1, 5, 6);
        if (pair) {
            for (int k = 0; k < 16; k++) ahead(w + BLOCK * n + i * BLOCK + 64 * k);
            _tile_loadd(7, w + BLOCK * n + i * BLOCK, 64);
            _tile_dpbssd(2, 4, 7);
            _tile_dpbssd(3, 5, 7);
        }
    }
    int32_t sum[4][MOST_ROWS][BLOCK];
    _tile_stored(0, sum[0], 64);
    _tile_stored(1, sum[1], 64);
    _tile_stored(2, sum[2], 64);
    _tile_stored(3, sum[3], 64);
    for (int b = 0; b <= pair; b++) {
        vf scale = vf_load((const float *)m->scales + (block + b) * BLOCK);
        for (int k = 0; k < r->rows; k++) {
            vf high_sum = vf_of(vi_load(sum[2 * b][k])), low_sum = vf_of(vi_load(sum[2 * b + 1][k]));
            vf exact = vf_fma(high_sum, vf_set(256.0f), low_sum);
            put_vector(t, k, (block + b) * BLOCK, exact * scale * r->scale[k], m->outputs);
        }
    }
}

#define GROUPS_AT_ONCE 4

// The codes of one group as bytes: eight rows of four inputs of 16 outputs.
INLINE void spread_codes(int8_t *out, const uint8_t *w) {
    const vi low = vi_set(0x0f0f0f0f);
    for (int part = 0; part < GROUP / 8; part++) {
        vi both = vi_load(w + 64 * part);
        ahead(w + 64 * part);
        vi_store(out + 128 * part, both & low);
        vi_store(out + 128 * part + 64, (vi)((vu)both >> 4) & low);
    }
}

INLINE void int4_tiles(const Matrix *m, const Rows *r, const Target *t, int64_t block,
                       const int R) {
    const int64_t groups = m->padded / GROUP;
    const uint8_t *w = (const uint8_t *)m->codes + block * BLOCK * (int64_t)m->padded / 2;
    const uint16_t *s = (const uint16_t *)m->scales + block * groups * 2 * BLOCK;
    const int8_t *x = r->codes;
    _Alignas(64) int8_t bytes[GROUPS_AT_ONCE][GROUP * BLOCK];
    _Alignas(64) int32_t sum[GROUPS_AT_ONCE][MOST_ROWS][BLOCK];
    vf total[MOST_ROWS];
    for (int k = 0; k < R; k++) total[k] = vf_set(0);
    for (int64_t g = 0; g < groups; g += GROUPS_AT_ONCE) {
        // Padding is to 64 inputs, so there are two groups or four.
        int64_t some = groups - g < GROUPS_AT_ONCE ? groups - g : GROUPS_AT_ONCE;
        for (int j = 0; j < some; j++) spread_codes(bytes[j], w + (g + j) * GROUP / 2 * BLOCK);
#define GROUP_TILE(j, c)                                       \
    if (j < some) {                                            \
        _tile_zero(c);                                         \
        _tile_loadd(6, x + (g + j) * GROUP, m->padded);        \
        _tile_loadd(7, bytes[j], 64);                          \
        _tile_dpbsud(c, 6, 7);                                 \
        _tile_stored(c, sum[j], 64);                           \
    }
        GROUP_TILE(0, 0)
        GROUP_TILE(1, 1)
        GROUP_TILE(2, 2)
        GROUP_TILE(3, 3)
        for (int64_t j = 0; j < some; j++) {
            const uint16_t *both = s + (g + j) * 2 * BLOCK;
            vf scale = bf16_load(both), offset = bf16_load(both + BLOCK);
            for (int k = 0; k < R; k++) {
                int64_t at = k * groups + g + j;
                vf exact = vf_of(vi_load(sum[j][k]) + vi_set(r->eights[at])) * r->scale[at];
                total[k] = vf_fma(exact, scale, total[k]);
                total[k] = vf_fma(offset, vf_set(r->sums[at]), total[k]);
            }
        }
        ahead(s + g * 2 * BLOCK);
    }
    for (int k = 0; k < R; k++) put_vector(t, k, block * BLOCK, total[k], m->outputs);
}

#define TILES_OF_ROWS(n)                     \
    case n:                                  \
        int4_tiles(m, r, t, block, n);       \
        break;

static void int4_any_rows(const Matrix *m, const Rows *r, const Target *t, int64_t block) {
    switch (r->rows) {
        TILES_OF_ROWS(3) TILES_OF_ROWS(4) TILES_OF_ROWS(5) TILES_OF_ROWS(6) TILES_OF_ROWS(7)
        TILES_OF_ROWS(8) TILES_OF_ROWS(9) TILES_OF_ROWS(10) TILES_OF_ROWS(11) TILES_OF_ROWS(12)
        TILES_OF_ROWS(13) TILES_OF_ROWS(14) TILES_OF_ROWS(15) TILES_OF_ROWS(16)
    }
}

static void tiles_for(const Matrix *m, const Rows *r) {
    Tiles t = {0};
    int rows = r->rows;
    if (m->format == BFLOAT16) {
        for (int c = 0; c < 4; c++) tiles_shape(&t, c, 16, 4 * rows);
        for (int c = 4; c < 6; c++) tiles_shape(&t, c, 16, 64);
        for (int c = 6; c < 8; c++) tiles_shape(&t, c, 16, 4 * rows);
    } else {
        for (int c = 0; c < 4; c++) tiles_shape(&t, c, rows, 64);
        int four_bits = m->format == INT4;
        tiles_shape(&t, 4, rows, 64);
        tiles_shape(&t, 5, rows, 64);
        tiles_shape(&t, 6, four_bits ? rows : 16, four_bits ? GROUP : 64);
        tiles_shape(&t, 7, four_bits ? GROUP / 4 : 16, 64);
    }
    tiles_begin(&t);
}

// Outputs of blocks [from, to).
static void tile_blocks(const Matrix *m, const Rows *r, const Target *t, int64_t from, int64_t to) {
    int64_t b = from;
    while (b < to) {
        int pair = b + 1 < to;
        if (m->format == INT4) {
            int4_any_rows(m, r, t, b);
            b++;
            continue;
        }
        if (m->format == INT8)
            int8_tiles(m, r, t, b, pair);
        else
            dense_tiles(m, r, t, b, pair);
        b += 1 + pair;
    }
}

#else

#define use_tiles(m, r) 0

#endif
