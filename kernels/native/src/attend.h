// Attention over the slots of a sequence, and what makes a row's heads ready for it.
#ifndef BIPLANE_ATTEND_H
#define BIPLANE_ATTEND_H

#include <stdint.h>

// Slots that follow each other; extents in a row are a sequence in logical order.
typedef struct {
    int64_t first, length;
} Extent;

// A layer's keys and values, [kv_heads][slots][dim] each, a slot's numbers side by side.
typedef struct {
    int32_t format;  // FLOAT32 or BFLOAT16
    int32_t kv_heads, dim;
    int32_t unused;
    void *keys, *values;
    int64_t head_stride;  // numbers from one head to the next
} Pool;

// Causal attention of a sequence's last rows over all of it, their own keys and values included.
typedef struct {
    Pool pool;
    const Extent *extents;  // the whole sequence; none is empty
    int64_t length;         // tokens of the whole sequence
    int32_t rows, heads;
    const float *q;  // [rows][heads][dim], `q_stride` numbers from row to row
    float *out;      // the same, `out_stride` from row to row; may be q
    int64_t q_stride, out_stride;
    float *partial;  // workspace of attend_numbers
    int32_t q_format;  // attend_many: of q and out, FLOAT32 or BFLOAT16
    int32_t alone;     // attend_rows: a row's bits are those that it has alone: no tiles
} Attention;

// The rows' queries and keys normed and rotated in place; keys and values put into their slots.
typedef struct {
    Pool pool;
    const Extent *extents;  // as in Attention
    int64_t length;
    int32_t rows, heads;
    int32_t skip;    // rows at the front whose keys and values are in their slots already
    int32_t rotary;  // dims that are rotated, in pairs side by side
    void *qk;        // [rows][heads + kv_heads][dim], `qk_stride` numbers from row to row
    const void *v;   // [rows][kv_heads][dim], `v_stride`
    int64_t qk_stride, v_stride;
    const float *scales;  // [heads + kv_heads][dim]
    const float *rope;    // [rows][rotary / 2][2]: cosine and sine
    float eps;
    int32_t format;       // of qk and v, FLOAT32 or BFLOAT16
} Heads;

#endif
