// What the library offers, once per level of instructions.
#ifndef BIPLANE_API_H
#define BIPLANE_API_H

#include <stdint.h>

#include "attend.h"
#include "matrix.h"

typedef struct {
    const char *name;
    // y [rows][outputs] = x [rows][inputs] by the matrix, 1 to 16 rows.
    void (*project_rows)(const Matrix *m, int64_t rows, const float *x, float *y);
    // Read memory once; the result means nothing.
    int32_t (*read_all)(const void *p, int64_t bytes);
    // Attention of 1 to 16 rows; the workspace is its own.
    void (*attend_rows)(const Attention *a);
    // The same of any number of rows.
    void (*attend_many)(const Attention *a);
    void (*turn_heads)(const Heads *h);
} Level;

#endif
