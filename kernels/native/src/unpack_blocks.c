// Reads the blocks of a file's commonest types; kernels/blocks/unpack.py reads all of them.
//
// Source: the layouts of ggml's block types.

#include "blocks.h"

#include <string.h>

enum Kind { Q4_0 = 2, Q4_1 = 3, Q5_0 = 6, Q5_1 = 7, Q8_0 = 8, Q4_K = 12, Q5_K = 13, Q6_K = 14,
            IQ4_NL = 20, IQ4_XS = 23 };

int block_size(int32_t kind) {
    switch (kind) {
        case Q4_0: case IQ4_NL: return 18;
        case Q4_1: return 20;
        case Q5_0: return 22;
        case Q5_1: return 24;
        case Q8_0: return 34;
        case Q4_K: return 144;
        case Q5_K: return 176;
        case Q6_K: return 210;
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

void unpack_block(int32_t kind, const uint8_t *block, Part *to) {
    if (kind == Q4_K || kind == Q5_K)
        q4_or_5_k(kind, block, to);
    else if (kind == Q6_K)
        q6_k(block, to);
    else if (kind == IQ4_XS)
        iq4_xs(block, to);
    else
        small_block(kind, block, to);
}
