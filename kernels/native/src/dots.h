// Dot products of four inputs per lane: what the levels of instructions differ in most.
#ifndef BIPLANE_DOTS_H
#define BIPLANE_DOTS_H

#include "simd.h"

// A row's 16 bits are read as high and low bytes where four bytes are multiplied at once.
#if W != 8 || defined(__AVXVNNI__)
#define WIDE_BYTES 1
#else
#define WIDE_BYTES 0
#endif
// Sums of products stay within 32 bits for this many inputs; a matrix has 65,536 at most.
#define EXACT_INPUTS (WIDE_BYTES ? 65536 : 256)

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

// Sums for the high and the low bytes of a row; where it is read as 16 bits, the first is for all.
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
    s.a += (vi)_mm256_madd_epi16((__m256i)w.b, (__m256i)vi_set(second));
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
    return vf_of(s.a);
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

#endif
