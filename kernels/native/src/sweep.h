// One Gated DeltaNet layer over many tokens, between its two projections.
#ifndef BIPLANE_SWEEP_H
#define BIPLANE_SWEEP_H

#include <stdint.h>

// Where the chunks start anew, and who gets the state after that many tokens.
typedef struct {
    int64_t after;
    float *delta;  // NULL: nobody
    void *conv;
} SweepSplit;

// Rows hold queries, keys, values, z, b and a side by side, each by head. `kind` of numbers, FLOAT32
// or BFLOAT16: the rows', the windows' and the result's. Head dimensions are multiples of 16.
typedef struct {
    int32_t kind;
    int32_t key_heads, value_heads, key_dim, value_dim;
    float eps;          // of the gated norm
    int64_t tokens;
    int64_t stride;     // from row to row, in numbers
    int64_t splits;
    const void *rows;
    const float *taps;  // [4][channels]
    const float *speed, *bias;  // [value_heads]: log decay = speed softplus(a + bias)
    const float *norm;  // [value_dim]
    void *window;       // [3][channels], the rows before; advanced
    float *state;       // [value_heads][key_dim][value_dim], advanced
    const SweepSplit *split; // ascending
    void *out;          // [tokens][value_heads * value_dim]
} Sweep;

#endif
