// Reads the blocks of a file's types, as kernels/blocks/unpack.py does.
//
// Source: the layouts of ggml's block types.

#include "blocks.h"

#include <string.h>

enum Kind { Q4_0 = 2, Q4_1 = 3, Q5_0 = 6, Q5_1 = 7, Q8_0 = 8, Q2_K = 10, Q3_K = 11, Q4_K = 12,
            Q5_K = 13, Q6_K = 14, IQ2_XXS = 16, IQ2_XS = 17, IQ3_XXS = 18, IQ4_NL = 20, IQ3_S = 21,
            IQ2_S = 22, IQ4_XS = 23 };

int block_size(int32_t kind) {
    switch (kind) {
        case Q4_0: case IQ4_NL: return 18;
        case Q4_1: return 20;
        case Q5_0: return 22;
        case Q5_1: return 24;
        case Q8_0: return 34;
        case Q2_K: return 84;
        case Q3_K: return 110;
        case Q4_K: return 144;
        case Q5_K: return 176;
        case Q6_K: return 210;
        case IQ2_XXS: return 66;
        case IQ2_XS: return 74;
        case IQ2_S: return 82;
        case IQ3_XXS: return 98;
        case IQ3_S: return 110;
        case IQ4_XS: return 136;
        default: return 0;
    }
}

static uint16_t half(const uint8_t *p) {
    uint16_t bits;
    memcpy(&bits, p, 2);
    return bits;
}

// `runs` runs of `length` bytes: their low halves, then their high ones.
static inline void halves(const uint8_t *q, int length, int runs, uint8_t *codes) {
    for (int r = 0; r < runs; r++, q += length, codes += 2 * length)
        for (int i = 0; i < length; i++) {
            codes[i] = q[i] & 15;
            codes[length + i] = q[i] >> 4;
        }
}

// Runs of 32 codes get their high bits from the same bytes, `width` bits each.
static inline void high_bits(const uint8_t *q, int runs, int width, uint8_t *codes) {
    const int mask = (1 << width) - 1;
    for (int r = 0; r < runs; r++, codes += 32)
        for (int i = 0; i < 32; i++) codes[i] |= (uint8_t)((q[i] >> (r * width) & mask) << 4);
}

static void fifth_bits(const uint8_t *q, uint8_t *codes) {
    for (int i = 0; i < 32; i++) codes[i] |= (uint8_t)((q[i / 8] >> i % 8 & 1) << 4);
}

// Eight scales and minima of 6 bits in 12 bytes.
static void sixes(const uint8_t *q, Part *to) {
    for (int i = 0; i < 4; i++) {
        to->scales[i] = (int8_t)(q[i] & 63);
        to->minima[i] = q[4 + i] & 63;
        to->scales[4 + i] = (int8_t)((q[8 + i] & 15) | (q[i] >> 2 & 48));
        to->minima[4 + i] = (uint8_t)((q[8 + i] >> 4) | (q[4 + i] >> 2 & 48));
    }
}

static void small_block(int32_t kind, const uint8_t *b, Part *to) {
    const int offset = kind == Q4_1 || kind == Q5_1, wide = kind == Q5_0 || kind == Q5_1;
    to->head = half(b);
    if (offset) to->low = half(b + 2);
    const uint8_t *rest = b + 2 + 2 * offset;
    if (kind == Q8_0) {
        memcpy(to->codes, rest, 32);
        return;
    }
    halves(rest + 4 * wide, 16, 1, to->codes);
    if (wide) fifth_bits(rest, to->codes);
}

// Codes of two bits, four runs of 32 to as many bytes.
static void quarters(const uint8_t *q, uint8_t *codes) {
    for (int r = 0; r < 8; r++, codes += 32)
        for (int i = 0; i < 32; i++) codes[i] = q[32 * (r / 4) + i] >> 2 * (r % 4) & 3;
}

static void q2_k(const uint8_t *b, Part *to) {
    to->head = half(b + 80);
    to->low = half(b + 82);
    for (int i = 0; i < 16; i++) {
        to->scales[i] = (int8_t)(b[i] & 15);
        to->minima[i] = b[i] >> 4;
    }
    quarters(b + 16, to->codes);
}

// Codes are 4 more than what they stand for.
static void q3_k(const uint8_t *b, Part *to) {
    to->head = half(b + 108);
    for (int i = 0; i < 16; i++) {
        int low = b[96 + i % 8] >> 4 * (i / 8) & 15, high = b[104 + i % 4] >> 2 * (i / 4) & 3;
        to->scales[i] = (int8_t)((low | high << 4) - 32);
    }
    quarters(b + 32, to->codes);
    for (int r = 0; r < 8; r++)
        for (int i = 0; i < 32; i++) to->codes[32 * r + i] |= (uint8_t)((b[i] >> r & 1) << 2);
}

static void q4_or_5_k(int32_t kind, const uint8_t *b, Part *to) {
    to->head = half(b);
    to->low = half(b + 2);
    sixes(b + 4, to);
    halves(b + (kind == Q5_K ? 48 : 16), 32, 4, to->codes);
    if (kind == Q5_K) high_bits(b + 16, 8, 1, to->codes);
}

static void q6_k(const uint8_t *b, Part *to) {
    to->head = half(b + 208);
    memcpy(to->scales, b + 192, 16);
    halves(b, 64, 2, to->codes);
    high_bits(b + 128, 4, 2, to->codes);
    high_bits(b + 160, 4, 2, to->codes + 128);
}

static void iq4_xs(const uint8_t *b, Part *to) {
    const int high = half(b + 2);
    to->head = half(b);
    for (int i = 0; i < 8; i++) {
        int low = b[4 + i / 2] >> 4 * (i % 2) & 15;
        to->scales[i] = (int8_t)((low | (high >> 2 * i & 3) << 4) - 32);
    }
    halves(b + 8, 16, 8, to->codes);
}

// ---- types whose codes are entries of a grid, of 8 digits or of 4, with signs beside them

static uint32_t word(const uint8_t *p) {
    uint32_t bits;
    memcpy(&bits, p, 4);
    return bits;
}

// Seven signs, and an eighth that makes the number of set ones even.
static int even(uint32_t seven) { return (int)(seven | (uint32_t)__builtin_parity(seven) << 7); }

static inline void put_signs(int signs, uint8_t *codes) {
    for (int i = 0; i < 8; i++) codes[i] |= (uint8_t)((signs >> i & 1) << 3);
}

static inline void entry8(const uint8_t *grid, int index, int signs, uint8_t *codes) {
    memcpy(codes, grid + 8 * index, 8);
    put_signs(signs, codes);
}

static inline void entries4(const uint8_t *grid, int first, int second, int signs, uint8_t *codes) {
    memcpy(codes, grid + 4 * first, 4);
    memcpy(codes + 4, grid + 4 * second, 4);
    put_signs(signs, codes);
}

// Scales of 4 bits stand for odd numbers.
static void odd_scales(const uint8_t *q, int count, Part *to) {
    for (int i = 0; i < count; i++) to->scales[i] = (int8_t)(2 * (q[i / 2] >> 4 * (i % 2) & 15) + 1);
}

static void iq2_xxs(const uint8_t *b, const uint8_t *grid, Part *to) {
    for (int g = 0; g < 8; g++) {
        const uint8_t *at = b + 2 + 8 * g;
        const uint32_t rest = word(at + 4);
        to->scales[g] = (int8_t)(2 * (rest >> 28) + 1);
        for (int k = 0; k < 4; k++)
            entry8(grid, at[k], even(rest >> 7 * k & 127), to->codes + 32 * g + 8 * k);
    }
}

static void iq2_xs(const uint8_t *b, const uint8_t *grid, Part *to) {
    odd_scales(b + 66, 16, to);
    for (int k = 0; k < 32; k++) {
        const int both = half(b + 2 + 2 * k);
        entry8(grid, both & 511, even((uint32_t)both >> 9), to->codes + 8 * k);
    }
}

static void iq2_s(const uint8_t *b, const uint8_t *grid, Part *to) {
    odd_scales(b + 74, 16, to);
    for (int k = 0; k < 32; k++) {
        const int high = b[66 + k / 4] >> 2 * (k % 4) & 3;
        entry8(grid, b[2 + k] | high << 8, b[34 + k], to->codes + 8 * k);
    }
}

static void iq3_xxs(const uint8_t *b, const uint8_t *grid, Part *to) {
    for (int g = 0; g < 8; g++) {
        const uint32_t rest = word(b + 66 + 4 * g);
        const uint8_t *at = b + 2 + 8 * g;
        to->scales[g] = (int8_t)(2 * (rest >> 28) + 1);
        for (int k = 0; k < 4; k++)
            entries4(grid, at[2 * k], at[2 * k + 1], even(rest >> 7 * k & 127),
                     to->codes + 32 * g + 8 * k);
    }
}

static void iq3_s(const uint8_t *b, const uint8_t *grid, Part *to) {
    odd_scales(b + 106, 8, to);
    for (int k = 0; k < 32; k++) {
        const int high = b[66 + k / 4] >> 2 * (k % 4);
        entries4(grid, b[2 + 2 * k] | (high & 1) << 8, b[3 + 2 * k] | (high & 2) << 7, b[74 + k],
                 to->codes + 8 * k);
    }
}

static void from_grid(int32_t kind, const uint8_t *block, const uint8_t *grid, Part *to) {
    to->head = half(block);
    switch (kind) {
        case IQ2_XXS: iq2_xxs(block, grid, to); break;
        case IQ2_XS: iq2_xs(block, grid, to); break;
        case IQ2_S: iq2_s(block, grid, to); break;
        case IQ3_XXS: iq3_xxs(block, grid, to); break;
        default: iq3_s(block, grid, to);
    }
}

void unpack_block(int32_t kind, const uint8_t *block, const uint8_t *grid, Part *to) {
    switch (kind) {
        case Q4_K: case Q5_K: q4_or_5_k(kind, block, to); break;
        case Q6_K: q6_k(block, to); break;
        case Q2_K: q2_k(block, to); break;
        case Q3_K: q3_k(block, to); break;
        case IQ4_XS: iq4_xs(block, to); break;
        case IQ2_XXS: case IQ2_XS: case IQ2_S: case IQ3_XXS: case IQ3_S:
            from_grid(kind, block, grid, to);
            break;
        default: small_block(kind, block, to);
    }
}
