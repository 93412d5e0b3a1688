// Where the results of many rows go: bfloat16 or float32, in place of what is there or added to it.
#ifndef BIPLANE_OUT_H
#define BIPLANE_OUT_H

#include "matrix.h"
#include "simd.h"

typedef struct {
    void *y;
    int64_t stride, outputs;
    int32_t format, add;
} Out;

// What one thread does at a time: so many rows, and a share of the outputs.
#define MOST_PANEL_ROWS 1024
#define PARTS 16

INLINE void out_float(const Out *out, int64_t row, int64_t output, vf value, int64_t n) {
    float *y = (float *)out->y + row * out->stride + output;
    if (n >= W)
        vf_store(y, out->add ? vf_load(y) + value : value);
    else
        vf_store_part(y, out->add ? vf_load_part(y, n) + value : value, n);
}

INLINE void out_half(const Out *out, int64_t row, int64_t output, vf value, int64_t n) {
    uint16_t *y = (uint16_t *)out->y + row * out->stride + output;
    if (n >= W)
        bf16_store(y, out->add ? bf16_load(y) + value : value);
    else
        bf16_store_part(y, out->add ? bf16_load_part(y, n) + value : value, n);
}

// The first n of W outputs of one row.
INLINE void out_some(const Out *out, int64_t row, int64_t output, vf value, int64_t n) {
    if (n > out->outputs - output) n = out->outputs - output;
    if (n <= 0) return;
    if (out->format == FLOAT32)
        out_float(out, row, output, value, n);
    else
        out_half(out, row, output, value, n);
}

// W outputs of one row, less those beyond the last.
INLINE void out_vector(const Out *out, int64_t row, int64_t output, vf value) {
    out_some(out, row, output, value, W);
}

// The lines that 32 outputs of rows [row, row + 32) will go to: most are in no cache.
INLINE void place_ahead(const Out *out, int64_t output, int64_t row, int64_t to) {
    const int64_t bytes = out->format == FLOAT32 ? 4 : 2;
    int64_t end = row + 32 < to ? row + 32 : to;
    for (; row < end; row++) {
        char *y = (char *)out->y + (row * out->stride + output) * bytes;
        __builtin_prefetch(y, 1, 3);
        if (bytes == 4) __builtin_prefetch(y + 64, 1, 3);
    }
}

// Reads ahead, a few lines with every step of the product: rows of `wide` bytes.
typedef struct {
    const char *at, *end;
    int64_t lines, rows, wide, stride;
} Ahead;

INLINE void ahead_step(Ahead *a) {
    for (int64_t i = 0; i < a->lines && a->rows > 0; i++) {
        __builtin_prefetch(a->at, 0, 2);
        a->at += 64;
        if (a->at < a->end) continue;
        a->at = a->end + a->stride - a->wide;
        a->end += a->stride;
        a->rows--;
    }
}

#endif
