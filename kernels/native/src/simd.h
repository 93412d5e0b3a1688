// Vectors of this level's width, and the few operations that compilers do not write by themselves.
#ifndef BIPLANE_SIMD_H
#define BIPLANE_SIMD_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

#if defined(__AVX512F__)
#define W 16
#elif defined(__AVX2__)
#define W 8
#else
#define W 4
#endif

// How many vectors hold one number per output of a block of 16.
#define BLOCK 16
#define BLOCK_VECTORS (BLOCK / W)

#define INLINE static inline __attribute__((always_inline))

typedef float vf __attribute__((vector_size(4 * W)));
typedef int32_t vi __attribute__((vector_size(4 * W)));
typedef uint32_t vu __attribute__((vector_size(4 * W)));
typedef uint16_t vh __attribute__((vector_size(2 * W)));

// ---- loads and stores, unaligned

INLINE vf vf_load(const float *p) {
    vf v;
    memcpy(&v, p, sizeof v);
    return v;
}

INLINE void vf_store(float *p, vf v) { memcpy(p, &v, sizeof v); }

INLINE vi vi_load(const void *p) {
    vi v;
    memcpy(&v, p, sizeof v);
    return v;
}

INLINE void vi_store(void *p, vi v) { memcpy(p, &v, sizeof v); }

#if W == 16

INLINE __mmask16 first_lanes(int64_t n) { return (__mmask16)((1u << n) - 1); }

#endif

// The first n < W numbers; the rest is zero and not read.
INLINE vf vf_load_part(const float *p, int64_t n) {
#if W == 16
    return (vf)_mm512_maskz_loadu_ps(first_lanes(n), p);
#else
    vf v = {0};
    memcpy(&v, p, (size_t)n * 4);
    return v;
#endif
}

INLINE void vf_store_part(float *p, vf v, int64_t n) {
#if W == 16
    _mm512_mask_storeu_ps(p, first_lanes(n), (__m512)v);
#else
    memcpy(p, &v, (size_t)n * 4);
#endif
}

INLINE vf widen(vh h) { return (vf)(__builtin_convertvector(h, vu) << 16); }

INLINE vf bf16_load(const uint16_t *p) {
    vh h;
    memcpy(&h, p, sizeof h);
    return widen(h);
}

INLINE vf bf16_load_part(const uint16_t *p, int64_t n) {
#if W == 16
    return widen((vh)_mm256_maskz_loadu_epi16(first_lanes(n), p));
#else
    vh h = {0};
    memcpy(&h, p, (size_t)n * 2);
    return widen(h);
#endif
}

// To the nearest bfloat16, ties to even; NaN stays NaN.
INLINE vh narrow(vf v) {
#if defined(__AVX512BF16__)
    return (vh)_mm512_cvtneps_pbh((__m512)v);
#else
    vu u = (vu)v;
    vu rounded = (u + 0x7fff + ((u >> 16) & 1)) >> 16;
    vu nan = (vu)(v != v);
    return __builtin_convertvector((rounded & ~nan) | (nan & 0x7fc0), vh);
#endif
}

INLINE void bf16_store(uint16_t *p, vf v) {
    vh h = narrow(v);
    memcpy(p, &h, sizeof h);
}

INLINE void bf16_store_part(uint16_t *p, vf v, int64_t n) {
    vh h = narrow(v);
#if W == 16
    _mm256_mask_storeu_epi16(p, first_lanes(n), (__m256i)h);
#else
    memcpy(p, &h, (size_t)n * 2);
#endif
}

// ---- numbers

INLINE vf vf_set(float x) {
#if W == 16
    return (vf)_mm512_set1_ps(x);
#elif W == 8
    return (vf)_mm256_set1_ps(x);
#else
    return (vf){x, x, x, x};
#endif
}

INLINE vi vi_set(int32_t x) {
#if W == 16
    return (vi)_mm512_set1_epi32(x);
#elif W == 8
    return (vi)_mm256_set1_epi32(x);
#else
    return (vi){x, x, x, x};
#endif
}

INLINE vf vf_fma(vf a, vf b, vf c) {
#if W == 16
    return (vf)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
#elif W == 8
    return (vf)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
#elif defined(__aarch64__)
    return (vf)vfmaq_f32((float32x4_t)c, (float32x4_t)a, (float32x4_t)b);
#else
    return a * b + c;
#endif
}

// The larger, and the smaller; b where one of both is not a number.
INLINE vf vf_max(vf a, vf b) {
    vi greater = a > b;
    return (vf)(((vi)a & greater) | ((vi)b & ~greater));
}

INLINE vf vf_min(vf a, vf b) {
    vi less = a < b;
    return (vf)(((vi)a & less) | ((vi)b & ~less));
}

INLINE vf vf_abs(vf a) { return (vf)((vu)a & 0x7fffffff); }

INLINE vf vf_of(vi a) { return __builtin_convertvector(a, vf); }

INLINE float vf_sum(vf v) {
    float part[W];
    vf_store(part, v);
    for (int half = W / 2; half; half /= 2)
        for (int i = 0; i < half; i++) part[i] += part[i + half];
    return part[0];
}

// Lane i: the sum of v[i]'s lanes, each in the same order whatever the others hold.
INLINE vf vf_sums(const vf v[W]) {
#if W == 16
    __m512 quarter[4];
    for (int i = 0; i < 4; i++) {
        __m512 a = (__m512)v[4 * i], b = (__m512)v[4 * i + 1];
        __m512 c = (__m512)v[4 * i + 2], d = (__m512)v[4 * i + 3];
        __m512 ab = _mm512_add_ps(_mm512_unpacklo_ps(a, b), _mm512_unpackhi_ps(a, b));
        __m512 cd = _mm512_add_ps(_mm512_unpacklo_ps(c, d), _mm512_unpackhi_ps(c, d));
        quarter[i] = _mm512_add_ps(_mm512_shuffle_ps(ab, cd, 0x44), _mm512_shuffle_ps(ab, cd, 0xee));
    }
    __m512 half[2];
    for (int i = 0; i < 2; i++) {
        __m512 a = quarter[2 * i], b = quarter[2 * i + 1];
        half[i] = _mm512_add_ps(_mm512_shuffle_f32x4(a, b, 0x88), _mm512_shuffle_f32x4(a, b, 0xdd));
    }
    return (vf)_mm512_add_ps(_mm512_shuffle_f32x4(half[0], half[1], 0x88),
                             _mm512_shuffle_f32x4(half[0], half[1], 0xdd));
#elif W == 8
    __m256 half[2];
    for (int i = 0; i < 2; i++) {
        __m256 ab = _mm256_hadd_ps((__m256)v[4 * i], (__m256)v[4 * i + 1]);
        __m256 cd = _mm256_hadd_ps((__m256)v[4 * i + 2], (__m256)v[4 * i + 3]);
        half[i] = _mm256_hadd_ps(ab, cd);
    }
    return (vf)_mm256_add_ps(_mm256_permute2f128_ps(half[0], half[1], 0x20),
                             _mm256_permute2f128_ps(half[0], half[1], 0x31));
#elif defined(__aarch64__)
    return (vf)vpaddq_f32(vpaddq_f32((float32x4_t)v[0], (float32x4_t)v[1]),
                          vpaddq_f32((float32x4_t)v[2], (float32x4_t)v[3]));
#else
    return (vf){vf_sum(v[0]), vf_sum(v[1]), vf_sum(v[2]), vf_sum(v[3])};
#endif
}

// The larger of two that are not negative; what is not a number counts as the largest.
INLINE vf vf_larger(vf a, vf b) {
    vi larger = (vi)a > (vi)b;
    return (vf)(((vi)a & larger) | ((vi)b & ~larger));
}

// Of numbers that are not negative, in the sense of vf_larger.
INLINE float vf_largest(vf v) {
    int32_t part[W], most = 0;
    float largest;
    vi_store(part, (vi)v);
    for (int i = 0; i < W; i++) most = part[i] > most ? part[i] : most;
    memcpy(&largest, &most, sizeof most);
    return largest;
}

// Whether a comparison held in any lane.
INLINE int vi_any(vi held) {
#if W == 16
    return _mm512_test_epi32_mask((__m512i)held, (__m512i)held) != 0;
#elif W == 8
    return !_mm256_testz_si256((__m256i)held, (__m256i)held);
#elif defined(__aarch64__)
    return vmaxvq_u32((uint32x4_t)held) != 0;
#else
    return held[0] | held[1] | held[2] | held[3];
#endif
}

// To the nearest integer, ties to even, for |x| < 2^22.
INLINE vi vi_round(vf x) {
    const vf magic = vf_set(12582912.0f);
    return (vi)(x + magic) - (vi)magic;
}

// exp(x), within two units in the last place; zero below -87, at most exp(88); NaN stays NaN.
INLINE vf vf_exp(vf x) {
    vi tiny = x < vf_set(-87.0f);
    x = vf_min(vf_set(88.0f), vf_max(vf_set(-87.0f), x));
    vi n = vi_round(x * vf_set(1.44269504f));
    vf whole = vf_of(n);
    vf r = vf_fma(whole, vf_set(-0.693359375f), x);
    r = vf_fma(whole, vf_set(2.12194440e-4f), r);
    vf p = vf_set(1.9875691500e-4f);
    p = vf_fma(p, r, vf_set(1.3981999507e-3f));
    p = vf_fma(p, r, vf_set(8.3334519073e-3f));
    p = vf_fma(p, r, vf_set(4.1665795894e-2f));
    p = vf_fma(p, r, vf_set(1.6666665459e-1f));
    p = vf_fma(p, r, vf_set(5.0000001201e-1f));
    p = vf_fma(p, r * r, r + 1.0f);
    vf power = (vf)((n + 127) << 23);
    return (vf)((vi)(p * power) & ~tiny);
}

#if W == 16

// 1 / (1 + exp(-x)), within a few units in the last place, without a division: that alone would take
// as long as all the rest.
INLINE vf vf_sigmoid(vf x) {
    const __m512 log2e = _mm512_set1_ps(-1.44269504f);
    // The second operand is what a comparison with NaN gives. More than exp(87) has no reciprocal.
    __m512 v = _mm512_max_ps(_mm512_set1_ps(-87.0f), (__m512)x);
    __m512 whole = _mm512_roundscale_ps(_mm512_mul_ps(v, log2e), 8);
    __m512 r = _mm512_fmsub_ps(v, log2e, whole);
    __m512 p = _mm512_set1_ps(1.3276471e-3f);
    p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(9.6755419e-3f));
    p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(5.5507135e-2f));
    p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(2.4022120e-1f));
    p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(6.9314694e-1f));
    p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(1.0000001f));
    __m512 d = _mm512_add_ps(_mm512_scalef_ps(p, whole), _mm512_set1_ps(1.0f));
    __m512 near = _mm512_rcp14_ps(d);
    return (vf)_mm512_mul_ps(near, _mm512_fnmadd_ps(d, near, _mm512_set1_ps(2.0f)));
}

INLINE vf vf_silu(vf x) { return x * vf_sigmoid(x); }

#else

INLINE vf vf_sigmoid(vf x) { return 1.0f / (1.0f + vf_exp(-x)); }

INLINE vf vf_silu(vf x) { return x / (1.0f + vf_exp(-x)); }

#endif

#endif
