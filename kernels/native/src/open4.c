// A block of 16 outputs of a 4-bit matrix in 8 bits, one scale per output: what many rows multiply.
//
// The second rounding is of a 127th of an output's largest weight, a tenth of the first one's.

#include "matrix.h"
#include "simd.h"

// Pairs of 16-bit numbers. Products may overflow where the sums do not, so they have no sign.
typedef uint16_t vus __attribute__((vector_size(4 * W)));

// One number per output in both halves of its 32 bits.
INLINE vus twice(vi x) { return (vus)((x & 0xffff) | (vi)((vu)x << 16)); }

// Steps of an output's 8 bits: the largest weight that any of its groups can hold is 127 of them.
INLINE void open_steps(const uint16_t *scales, int64_t groups, vf *step) {
    for (int v = 0; v < BLOCK_VECTORS; v++) {
        vf most = vf_set(1e-30f);
        for (int64_t g = 0; g < groups; g++) {
            const uint16_t *s = scales + g * 2 * BLOCK + v * W;
            vf scale = bf16_load(s), offset = bf16_load(s + BLOCK);
            most = vf_larger(most, vf_abs(vf_fma(scale, vf_set(-8.0f), offset)));
            most = vf_larger(most, vf_abs(vf_fma(scale, vf_set(7.0f), offset)));
        }
        step[v] = most * (1.0f / 127.0f);
    }
}

// Two sums of a byte's code times a 256th of a step, in the high bytes: the nearest 8-bit codes.
INLINE vi open_bytes(vi even, vi odd, vus slope, vus start) {
    vus first = (vus)even * slope + start, second = (vus)odd * slope + start;
    vus low = first >> 8;
    return (vi)low | ((vi)second & (int32_t)0xff00ff00);
}

// codes: [inputs / 4][16][4]; scale: per output.
static void open_block(const Matrix *m, int64_t block, int8_t *codes, float *scale) {
    const int64_t groups = m->padded / 32;
    const uint8_t *w = (const uint8_t *)m->codes + block * BLOCK * (int64_t)m->padded / 2;
    const uint16_t *scales = (const uint16_t *)m->scales + block * groups * 2 * BLOCK;
    const vi mask = vi_set(0x000f000f);
    vf step[BLOCK_VECTORS];
    open_steps(scales, groups, step);
    for (int v = 0; v < BLOCK_VECTORS; v++) {
        vf fine = 256.0f / step[v];
        vf_store(scale + v * W, step[v]);
        for (int64_t g = 0; g < groups; g++) {
            const uint16_t *s = scales + g * 2 * BLOCK + v * W;
            vf by = bf16_load(s), zero = vf_fma(by, vf_set(-8.0f), bf16_load(s + BLOCK));
            vus slope = twice(vi_round(by * fine)), start = twice(vi_round(zero * fine) + 128);
            for (int part = 0; part < 4; part++) {
                vu both = (vu)vi_load(w + (g * 4 + part) * 4 * BLOCK + v * 4 * W);
                int8_t *out = codes + (g * 8 + part * 2) * 4 * BLOCK + v * 4 * W;
                vi low = open_bytes((vi)both & mask, (vi)(both >> 8) & mask, slope, start);
                vi high = open_bytes((vi)(both >> 4) & mask, (vi)(both >> 12) & mask, slope, start);
                vi_store(out, low);
                vi_store(out + 4 * BLOCK, high);
            }
        }
    }
}
