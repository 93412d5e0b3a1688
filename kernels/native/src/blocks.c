// Products with matrices of blocks, of any number of rows.
//
// Rows are rounded to 8 bits per 32 inputs, and sums within a group are of integers; what is then added
// up per group, in the order of the groups, is the same whatever rows run beside one: a row's results
// depend on that row alone, to the bit. Few rows read codes where they lie. For more rows the codes
// of 16 outputs are opened to bytes once, in the first-level cache, and all rows pass by.

#include "blocks.h"
#include "dots.h"
#include "matrix.h"
#include "out.h"

// How bytes of either sign meet those of a row: where they are read as unsigned, 128 more than they are.
#if W == 16 || defined(__AVXVNNI__)
#define BIAS 128
#else
#define BIAS 0
#endif

// ---- four inputs of W outputs at a time
//
// Without dot products of bytes, sums of codes below 64 stay within 16 bits for some steps of a group.

// Sums in the order in which they are written: gcc would multiply everything first and add up later,
// for which there are not the registers.
INLINE vi in_order(vi sum) {
#if W == 8 && !defined(__AVXVNNI__)
    __asm__("" : "+x"(sum));
#endif
    return sum;
}

INLINE vi dot_step(vi sum, vi codes, const int8_t *x, const int bits) {
#if W == 8 && !defined(__AVXVNNI__)
    if (bits == 8) {
        int32_t four;
        memcpy(&four, x, 4);
        __m256i given = _mm256_sign_epi8((__m256i)vi_set(four), (__m256i)codes);
        __m256i pairs = _mm256_maddubs_epi16(_mm256_abs_epi8((__m256i)codes), given);
        return in_order(sum + (vi)_mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
    }
#endif
    return in_order(dot_codes(sum, codes, x));
}

INLINE vi dot_end(vi sum, const int bits) { return bits == 8 ? sum : codes_sum(sum); }

// Steps that sums of codes of so many bits last.
INLINE int dot_steps(const int bits) {
#if W == 8 && !defined(__AVXVNNI__)
    return bits == 6 ? 2 : bits == 5 ? 4 : 8;
#else
    return 8;
#endif
}

// What is left of a group's sums when they are of values.
INLINE vi exact_sums(const Shape s, vi sum, vi of_row) {
    const int zero = s.bits == 8 || s.table ? BIAS : s.zero;
    return zero ? sum - of_row * zero : sum;
}

INLINE vf add_group(const Shape s, vf total, vi sum, vf scale, vf offset, vi of_row, float step) {
    vf part = vf_of(exact_sums(s, sum, of_row)) * scale;
    if (s.offsets) part = vf_fma(offset, vf_of(of_row), part);
    return vf_fma(part, vf_set(step), total);
}

// ---- units

INLINE vf half_load(const uint8_t *p) {
#if W == 16
    return (vf)_mm512_cvtph_ps(_mm256_loadu_si256((const void *)p));
#elif W == 8
    return (vf)_mm256_cvtph_ps(_mm_loadu_si128((const void *)p));
#elif defined(__aarch64__)
    return (vf)vcvt_f32_f16(vreinterpret_f16_u16(vld1_u16((const uint16_t *)p)));
#else
    return vf_set(0);
#endif
}

// W bytes as numbers; compilers take them one by one when left to it.
INLINE vf bytes_load(const uint8_t *p, const int has_sign) {
#if W == 16
    __m128i bytes = _mm_loadu_si128((const void *)p);
    return vf_of((vi)(has_sign ? _mm512_cvtepi8_epi32(bytes) : _mm512_cvtepu8_epi32(bytes)));
#elif W == 8
    __m128i bytes = _mm_loadl_epi64((const void *)p);
    return vf_of((vi)(has_sign ? _mm256_cvtepi8_epi32(bytes) : _mm256_cvtepu8_epi32(bytes)));
#else
    vi numbers;
    for (int i = 0; i < W; i++) numbers[i] = has_sign ? (int8_t)p[i] : p[i];
    return vf_of(numbers);
#endif
}

// One vector of outputs of a unit.
typedef struct {
    const uint8_t *unit;
    vf head, low;
} Span;

INLINE Span span_of(const Shape s, const uint8_t *unit, int v, float unit_size) {
    Span h = {unit, half_load(unit + 2 * v * W) * unit_size, vf_set(0)};
    if (s.offsets) h.low = half_load(unit + 32 + 2 * v * W);
    return h;
}

INLINE vf scale_of(const Shape s, const Span *h, int group, int v) {
    if (!s.scaled) return h->head;
    return h->head * bytes_load(h->unit + HEAD_BYTES(s) + 16 * group + v * W, 1);
}

INLINE vf offset_of(const Shape s, const Span *h, int group, int v) {
    if (!s.offsets || !s.scaled) return h->low;
    return -(h->low * bytes_load(h->unit + HEAD_BYTES(s) + SCALE_BYTES(s) + 16 * group + v * W, 0));
}

// The table for the codes of every lane.
INLINE vi table_of(const Shape s, const Matrix *m) {
    vi found = vi_set(0);
    if (!s.table) return found;
    const int8_t *values = ((const BlockTable *)m->scales)->values;
    for (int i = 0; i < 4 * W; i += 16) memcpy((char *)&found + i, values, 16);
    return BIAS ? found ^ vi_set((int32_t)0x80808080) : found;
}

INLINE vi look_up(vi table, vi codes) {
#if W == 16
    return (vi)_mm512_shuffle_epi8((__m512i)table, (__m512i)codes);
#elif W == 8
    return (vi)_mm256_shuffle_epi8((__m256i)table, (__m256i)codes);
#elif defined(__aarch64__)
    return (vi)vqtbl1q_u8((uint8x16_t)table, (uint8x16_t)codes);
#else
    return codes;
#endif
}

// The codes of step `step` of a slice as bytes that dot_step takes; p: the slice at this vector.
INLINE vi codes_at(const Shape s, const uint8_t *p, int step, vi table) {
    if (s.bits == 8) {
        vi all = vi_load(p + 64 * step);
        return BIAS ? all ^ vi_set((int32_t)0x80808080) : all;
    }
    vu both = (vu)vi_load(p + 64 * (step / 2));
    vi codes = (vi)(step % 2 ? both >> 4 : both) & vi_set(0x0f0f0f0f);
    if (s.table) return look_up(table, codes);
    if (s.bits == 4) return codes;
    const int place = s.bits == 5 ? step : 2 * (step % 4);
    vu plane = (vu)vi_load(p + 256 + (s.bits == 5 ? 0 : 64 * (step / 4)));
    vu there = place < 4 ? plane << (4 - place) : plane >> (place - 4);
    return codes | ((vi)there & vi_set(s.bits == 5 ? 0x10101010 : 0x30303030));
}

INLINE int64_t block_bytes(const Shape s, const Matrix *m) {
    return m->inputs / SPAN(s) * UNIT_BYTES(s);
}

INLINE Shape shape_of(const Matrix *m) { return shapes[m->format - BLOCKS]; }

// ---- so few rows that codes are read where they lie: opening them costs as much as some rows

// Of four rows, the sums of smaller codes do not stay in the registers.
#if W == 8 && !defined(__AVXVNNI__)
#define DIRECT_ROWS 4
#else
#define DIRECT_ROWS 2
#endif

// Sums of the groups of a slice, for each of R rows; p: the slice at this vector.
INLINE void slice_rows(const Shape s, const uint8_t *p, const int8_t *x, int64_t stride, vi table,
                       vi sum[][2], const int R) {
    const int steps = s.group / 4, bits = s.table ? 8 : s.bits, most = dot_steps(bits);
    for (int g = 0; g < SLICE / s.group; g++) {
        for (int k = 0; k < R; k++) sum[k][g] = vi_set(0);
        for (int from = 0; from < steps; from += most) {
            vi some[DIRECT_ROWS];
            const int end = from + most < steps ? from + most : steps;
            for (int k = 0; k < R; k++) some[k] = vi_set(0);
#pragma GCC unroll 8
            for (int j = from; j < end; j++) {
                const int step = g * steps + j;
                vi codes = codes_at(s, p, step, table);
                for (int k = 0; k < R; k++)
                    some[k] = dot_step(some[k], codes, x + k * stride + 4 * step, bits);
            }
            for (int k = 0; k < R; k++) sum[k][g] += dot_end(some[k], bits);
        }
    }
}

// One unit of a block; x, step, of_rows: of its inputs.
INLINE void direct_unit(const Shape s, const uint8_t *unit, const Grouped *r, const int8_t *x,
                        const float *step, const int32_t *of_rows, float size, vi table,
                        vf total[][BLOCK_VECTORS], const int R) {
    const int64_t slices = r->inputs / SLICE, groups = r->inputs / s.group;
    Span span[BLOCK_VECTORS];
    for (int v = 0; v < BLOCK_VECTORS; v++) span[v] = span_of(s, unit, v, size);
    for (int line = 0; line < CODES_AT(s); line += 64) ahead(unit + line);
    for (int i = 0; i < SPAN(s) / SLICE; i++, x += SLICE, step++, of_rows += SLICE / s.group) {
        const uint8_t *p = unit + CODES_AT(s) + i * SLICE_BYTES(s);
        for (int line = 0; line < SLICE_BYTES(s); line += 64) ahead(p + line);
        for (int v = 0; v < BLOCK_VECTORS; v++) {
            vi sum[DIRECT_ROWS][2];
            slice_rows(s, p + v * 4 * W, x, r->inputs, table, sum, R);
            for (int g = 0; g < SLICE / s.group; g++) {
                const int group = i * (SLICE / s.group) + g;
                vf scale = scale_of(s, &span[v], group, v), offset = offset_of(s, &span[v], group, v);
                for (int k = 0; k < R; k++)
                    total[k][v] = add_group(s, total[k][v], sum[k][g], scale, offset,
                                            vi_set(of_rows[k * groups + g]), step[k * slices]);
            }
        }
    }
}

// Blocks `block`, `block + apart`, ...: S of them, read beside each other.
INLINE void direct_blocks(const Shape s, const Matrix *m, const Grouped *r, const Out *out,
                          int64_t block, int64_t apart, int64_t row, const int S, const int R) {
    const int64_t bytes = block_bytes(s, m), slices = m->inputs / SLICE, groups = m->inputs / s.group;
    const uint8_t *first = (const uint8_t *)m->codes + block * bytes;
    const int8_t *x = r->codes + row * r->inputs;
    const float *step = r->step + row * slices, size = ((const BlockTable *)m->scales)->unit;
    const int32_t *of_rows = (s.group == 16 ? r->sum16 : r->sum32) + row * groups;
    const vi table = table_of(s, m);
    vf total[4][DIRECT_ROWS][BLOCK_VECTORS];
    for (int place = 0; place < S; place++)
        for (int k = 0; k < R; k++)
            for (int v = 0; v < BLOCK_VECTORS; v++) total[place][k][v] = vf_set(0);
    for (int64_t at = 0; at < bytes; at += UNIT_BYTES(s)) {
        for (int place = 0; place < S; place++)
            direct_unit(s, first + place * apart * bytes + at, r, x, step, of_rows, size, table,
                        total[place], R);
        x += SPAN(s);
        step += SPAN(s) / SLICE;
        of_rows += SPAN_GROUPS(s);
    }
    for (int place = 0; place < S; place++)
        for (int k = 0; k < R; k++)
            for (int v = 0; v < BLOCK_VECTORS; v++)
                out_vector(out, row + k, (block + place * apart) * BLOCK + v * W, total[place][k][v]);
}

// ---- several rows: some inputs of a block opened

#define OPEN_INPUTS 1024
// Sums of so many rows wait while the next inputs are opened.
#define OPEN_ROWS 256
#if W == 16
#define BESIDE 8
#else
#define BESIDE 4
#endif

typedef struct {
    _Alignas(64) uint8_t codes[OPEN_INPUTS * BLOCK];    // [inputs / 4][16][4], as dot_step takes them
    _Alignas(64) float scale[OPEN_INPUTS / 16][BLOCK];  // per group
    _Alignas(64) float offset[OPEN_INPUTS / 16][BLOCK];
    _Alignas(64) float sums[OPEN_ROWS][BLOCK];
} Opened;

INLINE void open_unit(const Shape s, const uint8_t *unit, float size, vi table, Opened *o, int64_t at) {
    for (int line = 0; line < UNIT_BYTES(s); line += 64) ahead(unit + line);
    for (int v = 0; v < BLOCK_VECTORS; v++) {
        const Span span = span_of(s, unit, v, size);
        for (int g = 0; g < SPAN_GROUPS(s); g++) {
            vf_store(o->scale[at / s.group + g] + v * W, scale_of(s, &span, g, v));
            if (s.offsets) vf_store(o->offset[at / s.group + g] + v * W, offset_of(s, &span, g, v));
        }
        for (int k = 0; k < SPAN(s) / SLICE; k++) {
            const uint8_t *p = unit + CODES_AT(s) + k * SLICE_BYTES(s) + v * 4 * W;
            uint8_t *to = o->codes + (at + k * SLICE) * BLOCK + v * 4 * W;
#pragma GCC unroll 8
            for (int step = 0; step < SLICE / 4; step++)
                vi_store(to + 64 * step, codes_at(s, p, step, table));
        }
    }
}

// Rows [row, row + R) by inputs [from, to) of the block.
INLINE void opened_rows(const Shape s, const Opened *o, const Grouped *r, int64_t row, int64_t from,
                        int64_t to, float sums[][BLOCK], const int R) {
    const int bits = s.table ? 8 : s.bits, steps = s.group / 4, most = dot_steps(bits);
    const int64_t stride = r->inputs, groups = r->inputs / s.group, slices = r->inputs / SLICE;
    const int8_t *x = r->codes + row * stride;
    const float *step = r->step + row * slices;
    const int32_t *of_rows = (s.group == 16 ? r->sum16 : r->sum32) + row * groups;
    vf total[BESIDE][BLOCK_VECTORS];
    for (int k = 0; k < R; k++)
        for (int v = 0; v < BLOCK_VECTORS; v++)
            total[k][v] = from ? vf_load(sums[k] + v * W) : vf_set(0);
    const uint8_t *w = o->codes;
    const float *scale = o->scale[0], *offset = o->offset[0];
    for (int64_t i = from; i < to; i += s.group, scale += BLOCK, offset += BLOCK) {
        vi sum[BESIDE][BLOCK_VECTORS];
        for (int k = 0; k < R; k++)
            for (int v = 0; v < BLOCK_VECTORS; v++) sum[k][v] = vi_set(0);
        for (int first = 0; first < steps; first += most) {
            const int end = first + most < steps ? first + most : steps;
            vi some[BESIDE][BLOCK_VECTORS];
            for (int k = 0; k < R; k++)
                for (int v = 0; v < BLOCK_VECTORS; v++) some[k][v] = vi_set(0);
#pragma GCC unroll 8
            for (int j = first; j < end; j++, w += 4 * BLOCK)
                for (int v = 0; v < BLOCK_VECTORS; v++) {
                    vi codes = vi_load(w + v * 4 * W);
                    for (int k = 0; k < R; k++)
                        some[k][v] = dot_step(some[k][v], codes, x + k * stride + i + 4 * j, bits);
                }
            for (int k = 0; k < R; k++)
                for (int v = 0; v < BLOCK_VECTORS; v++) sum[k][v] += dot_end(some[k][v], bits);
        }
        for (int k = 0; k < R; k++)
            for (int v = 0; v < BLOCK_VECTORS; v++)
                total[k][v] = add_group(s, total[k][v], sum[k][v], vf_load(scale + v * W),
                                        s.offsets ? vf_load(offset + v * W) : vf_set(0),
                                        vi_set(of_rows[k * groups + i / s.group]),
                                        step[k * slices + i / SLICE]);
    }
    for (int k = 0; k < R; k++)
        for (int v = 0; v < BLOCK_VECTORS; v++) vf_store(sums[k] + v * W, total[k][v]);
}

INLINE void block_rows(const Shape s, const Matrix *m, const Grouped *r, const Out *out, int64_t block,
                       int64_t first, int64_t last, Opened *o) {
    const uint8_t *unit = (const uint8_t *)m->codes + block * block_bytes(s, m);
    const float size = ((const BlockTable *)m->scales)->unit;
    const vi table = table_of(s, m);
    for (int64_t from = 0; from < m->inputs; from += OPEN_INPUTS) {
        const int64_t to = from + OPEN_INPUTS < m->inputs ? from + OPEN_INPUTS : m->inputs;
        for (int64_t at = from; at < to; at += SPAN(s), unit += UNIT_BYTES(s))
            open_unit(s, unit, size, table, o, at - from);
        int64_t row = first;
        for (; row + BESIDE <= last; row += BESIDE)
            opened_rows(s, o, r, row, from, to, o->sums + (row - first), BESIDE);
        for (; BESIDE > 4 && row + 4 <= last; row += 4)
            opened_rows(s, o, r, row, from, to, o->sums + (row - first), 4);
        for (; row + 2 <= last; row += 2)
            opened_rows(s, o, r, row, from, to, o->sums + (row - first), 2);
        if (row < last) opened_rows(s, o, r, row, from, to, o->sums + (row - first), 1);
    }
    for (int64_t row = first; row < last; row++)
        for (int v = 0; v < BLOCK_VECTORS; v++)
            out_vector(out, row, block * BLOCK + v * W, vf_load(o->sums[row - first] + v * W));
}

// ---- any shape

#define BLOCKS_OF(number, ...)                                                             \
    static void blocks_##number(const Matrix *m, const Grouped *r, const Out *out,         \
                                int64_t from, int64_t to, int64_t first, int64_t last) {   \
        const Shape s = {__VA_ARGS__};                                                     \
        Opened opened;                                                                     \
        int64_t block = from;                                                              \
        if (last - first == 1) {                                                           \
            const int64_t apart = (to - from) / PLACES(1);                                 \
            for (; PLACES(1) > 1 && block < from + apart; block++)                         \
                direct_blocks(s, m, r, out, block, apart, first, PLACES(1), 1);            \
            if (PLACES(1) > 1) block = from + PLACES(1) * apart;                           \
            for (; block < to; block++) direct_blocks(s, m, r, out, block, 0, first, 1, 1); \
        }                                                                                  \
        if (last - first == 2)                                                             \
            for (; block < to; block++) direct_blocks(s, m, r, out, block, 0, first, 1, 2); \
        if (DIRECT_ROWS > 2 && last - first == 3)                                          \
            for (; block < to; block++) direct_blocks(s, m, r, out, block, 0, first, 1, 3); \
        if (DIRECT_ROWS > 2 && last - first == 4 && s.bits == 8)                           \
            for (; block < to; block++) direct_blocks(s, m, r, out, block, 0, first, 1, 4); \
        for (; block < to; block++) block_rows(s, m, r, out, block, first, last, &opened); \
    }
EACH_SHAPE(BLOCKS_OF)

#define BLOCKS_NAMED(number, ...) blocks_##number,
static void (*const blocks_product[])(const Matrix *, const Grouped *, const Out *, int64_t, int64_t,
                                      int64_t, int64_t) = {EACH_SHAPE(BLOCKS_NAMED)};

// Blocks [from, to) for rows [first, last), at most OPEN_ROWS.
static void some_blocks(const Matrix *m, const Grouped *r, const Out *out, int64_t from, int64_t to,
                        int64_t first, int64_t last) {
    blocks_product[m->format - BLOCKS](m, r, out, from, to, first, last);
}
