// Transposes 32-bit numbers, block by block of W x W.
#ifndef BIPLANE_TRANSPOSE_H
#define BIPLANE_TRANSPOSE_H

#include "simd.h"

#if W == 16

INLINE void transpose_block(const float *in, int64_t from, float *out, int64_t to) {
    __m512 a[16], b[16];
    for (int i = 0; i < 16; i++) a[i] = _mm512_loadu_ps(in + i * from);
    for (int i = 0; i < 16; i += 2) {
        b[i] = _mm512_unpacklo_ps(a[i], a[i + 1]);
        b[i + 1] = _mm512_unpackhi_ps(a[i], a[i + 1]);
    }
    // Now a[4 g + c] holds column c of each group of four, of rows 4 g to 4 g + 3.
    for (int i = 0; i < 16; i += 4) {
        for (int j = 0; j < 2; j++) {
            __m512d low = (__m512d)b[i + j], high = (__m512d)b[i + 2 + j];
            a[i + 2 * j] = (__m512)_mm512_unpacklo_pd(low, high);
            a[i + 2 * j + 1] = (__m512)_mm512_unpackhi_pd(low, high);
        }
    }
    for (int c = 0; c < 4; c++) {
        __m512 even = _mm512_shuffle_f32x4(a[c], a[4 + c], 0x88);
        __m512 odd = _mm512_shuffle_f32x4(a[c], a[4 + c], 0xdd);
        __m512 even2 = _mm512_shuffle_f32x4(a[8 + c], a[12 + c], 0x88);
        __m512 odd2 = _mm512_shuffle_f32x4(a[8 + c], a[12 + c], 0xdd);
        _mm512_storeu_ps(out + c * to, _mm512_shuffle_f32x4(even, even2, 0x88));
        _mm512_storeu_ps(out + (4 + c) * to, _mm512_shuffle_f32x4(odd, odd2, 0x88));
        _mm512_storeu_ps(out + (8 + c) * to, _mm512_shuffle_f32x4(even, even2, 0xdd));
        _mm512_storeu_ps(out + (12 + c) * to, _mm512_shuffle_f32x4(odd, odd2, 0xdd));
    }
}

#elif W == 8

INLINE void transpose_block(const float *in, int64_t from, float *out, int64_t to) {
    __m256 a[8], b[8];
    for (int i = 0; i < 8; i++) a[i] = _mm256_loadu_ps(in + i * from);
    for (int i = 0; i < 8; i += 2) {
        b[i] = _mm256_unpacklo_ps(a[i], a[i + 1]);
        b[i + 1] = _mm256_unpackhi_ps(a[i], a[i + 1]);
    }
    for (int i = 0; i < 8; i += 4) {
        for (int j = 0; j < 2; j++) {
            __m256d low = (__m256d)b[i + j], high = (__m256d)b[i + 2 + j];
            a[i + 2 * j] = (__m256)_mm256_unpacklo_pd(low, high);
            a[i + 2 * j + 1] = (__m256)_mm256_unpackhi_pd(low, high);
        }
    }
    for (int c = 0; c < 4; c++) {
        _mm256_storeu_ps(out + c * to, _mm256_permute2f128_ps(a[c], a[4 + c], 0x20));
        _mm256_storeu_ps(out + (4 + c) * to, _mm256_permute2f128_ps(a[c], a[4 + c], 0x31));
    }
}

#else

INLINE void transpose_block(const float *in, int64_t from, float *out, int64_t to) {
    for (int i = 0; i < W; i++)
        for (int j = 0; j < W; j++) out[j * to + i] = in[i * from + j];
}

#endif

// in [rows][columns] to out [columns][rows], both multiples of 16; from, to: from row to row.
static void transpose(const float *in, int64_t from, int64_t rows, int64_t columns, float *out,
                      int64_t to) {
    for (int64_t i = 0; i < rows; i += W)
        for (int64_t j = 0; j < columns; j += W)
            transpose_block(in + i * from + j, from, out + j * to + i, to);
}

#endif
