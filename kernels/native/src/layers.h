// Whole layers for few rows: the norm before it, the layer, and its output added to the residual.
#ifndef BIPLANE_LAYERS_H
#define BIPLANE_LAYERS_H

#include "attend.h"
#include "matrix.h"

// The RMS norm in front of a layer; no scale: rows are taken as they are.
typedef struct {
    const float *scale;
    float eps;
    int32_t width;
} Norm;

// Gated DeltaNet. inputs: rows for q, k, v, z, b, a; taps: [kernel][channels];
// speed: minus exp(A_log), step_bias, per value head; gate_norm: [value_dim].
typedef struct {
    Norm norm;
    int32_t key_heads, value_heads, key_dim, value_dim, kernel;
    int32_t wide;  // whether the window is float32, not bfloat16
    const float *taps, *speed, *step_bias, *gate_norm;
    Matrix inputs, output;
} LinearLayer;

// Where a state goes: delta [value_heads][key_dim][value_dim], window [kernel - 1][channels].
typedef struct {
    int64_t after;  // rows
    float *delta;
    void *window;
} State;

// What up to MOST_ROWS drafted rows do to a state that they must not touch yet, head after head and of
// each row after row: decays, the keys of unit length, and the changes of the values. Channels that
// enter the window: row after row, in its format.
typedef struct {
    float *decay, *keys, *change;
    void *channels;
} Kept;

// A live state and the rows that run on it. kept: NULL, or where what they do to it goes instead.
typedef struct {
    int64_t rows;
    float *delta;
    void *window;
    const Kept *kept;
} Live;

// A state after the first `rows` of those rows, of `layers` layers, one after the other in all arrays.
typedef struct {
    int64_t layers, rows;
    int32_t key_heads, value_heads, key_dim, value_dim;
    const float *decay, *keys, *change;
    float *delta;
} Fold;

// Full attention. inputs: rows for queries, keys, values, gates; scales: [heads + kv_heads][dim].
typedef struct {
    Norm norm;
    int32_t heads, kv_heads, dim, rotary;
    const float *scales;
    Matrix inputs, output;
} AttentionLayer;

// The last rows of a sequence, and where its keys and values are.
typedef struct {
    const Extent *extents;
    int64_t length, rows;
} Sequence;

// The sequences whose rows follow each other in a pass. rope: of all rows, [rotary / 2][2] each.
typedef struct {
    Pool pool;
    const Sequence *sequences;
    int64_t count;
    const float *rope;
    int32_t skip;   // rows at the front whose keys and values are in their slots, of one sequence
    int32_t alone;  // see Rows
} Seen;

// down(SiLU(gate(x)) * up(x)); gate rows above up rows.
typedef struct {
    Norm norm;
    Matrix gate_up, down;
} GatedMlp;

#endif
