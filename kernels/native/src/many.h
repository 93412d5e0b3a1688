// Many rows times a stored matrix.
#ifndef BIPLANE_MANY_H
#define BIPLANE_MANY_H

#include "layers.h"

typedef struct {
    const Matrix *m;
    int64_t rows;
    const void *x;               // [rows][inputs], FLOAT32 or BFLOAT16
    void *y;                     // [rows][outputs], FLOAT32 or BFLOAT16
    int64_t x_stride, y_stride;  // numbers from row to row
    int32_t x_format, y_format;
    int32_t add;                 // to what y holds, or in its place
    const Norm *norm;            // of the rows, which are FLOAT32 then; NULL: none
    const void *gate;            // [rows][inputs] in x_format; NULL: none
    int64_t gate_stride;
} Many;

#endif
