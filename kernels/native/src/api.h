// What the library offers, once per level of instructions.
#ifndef BIPLANE_API_H
#define BIPLANE_API_H

#include <stdint.h>

#include "layers.h"
#include "attend.h"
#include "many.h"
#include "matrix.h"
#include "sweep.h"

// What returns an int and takes memory: 1, or 0 where there is none; then nothing is written.
typedef struct {
    const char *name;
    // y [rows][outputs] = x [rows][inputs] by the matrix, 1 to 16 rows; alone: see Rows, here and below.
    int (*project_rows)(const Matrix *m, int64_t rows, const float *x, float *y, int32_t alone);
    // Read memory once; the result means nothing.
    int32_t (*read_all)(const void *p, int64_t bytes);
    // The k largest of x [n], descending.
    void (*largest)(const float *x, int64_t n, int64_t k, float *values, int64_t *ids);
    // See sweep.h.
    int (*sweep)(const Sweep *s);
    // Whole layers of 1 to 16 rows.
    int (*linear_rows)(const LinearLayer *layer, int64_t rows, float *x, const Live *lives,
                       int64_t live_count, const State *splits, int64_t split_count, int32_t alone);
    void (*fold_states)(const Fold *f);
    // Any number of rows, if neither matrix is float32.
    int (*mlp_rows)(const GatedMlp *mlp, int64_t rows, const float *x, float *out,
                    const float *share, int32_t alone);
    int (*attention_rows)(const AttentionLayer *layer, int64_t rows, float *x, const Seen *seen);
    // Attention of 1 to 16 rows; the workspace is its own.
    int (*attend_rows)(const Attention *a);
    // The same of any number of rows.
    int (*attend_many)(const Attention *a);
    void (*turn_heads)(const Heads *h);
    // A projection of any number of rows.
    int (*project_many)(const Many *a);
    // y [rows][width] in `format`, FLOAT32 or BFLOAT16, from x float32.
    void (*norm_rows)(const Norm *norm, int64_t rows, const float *x, void *y, int32_t format);
} Level;

#endif
