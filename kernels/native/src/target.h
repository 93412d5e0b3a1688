// Where the results of a product go.
#ifndef BIPLANE_TARGET_H
#define BIPLANE_TARGET_H

#include "simd.h"

typedef struct {
    float *y;
    int64_t stride;  // from row to row
    int add;         // to what is there, or in its place
} Target;

INLINE void put(const Target *t, int64_t row, int64_t output, float value) {
    float *y = t->y + row * t->stride + output;
    *y = t->add ? *y + value : value;
}

INLINE void put_vector(const Target *t, int64_t row, int64_t output, vf value, int64_t outputs) {
    float *y = t->y + row * t->stride + output;
    int64_t n = outputs - output;
    if (n >= W) {
        vf_store(y, t->add ? vf_load(y) + value : value);
    } else if (n > 0) {
        vf_store_part(y, t->add ? vf_load_part(y, n) + value : value, n);
    }
}

#endif
