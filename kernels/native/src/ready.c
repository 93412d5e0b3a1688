// Rows in the form that the products of many rows with a matrix read, and those products.

#include "workspace.h"

// So many rows are made ready at a time, by one thread.
#define SOME 32

// Of the three forms, the one for the matrix.
typedef struct {
    const Matrix *m;
    Rows8 eight;
    Rows16 sixteen;
    Grouped grouped;
    float *wide;  // [rows][inputs], for the float32 matrices of a stack
} Ready;

INLINE int in_eight(const Matrix *m) { return m->format == INT8 || m->format == INT4; }

INLINE int has_floats(const Matrix *m) {
    for (int64_t i = 0; i < m->parts; i++)
        if (((const Matrix *)m->codes)[i].format == FLOAT32) return 1;
    return 0;
}

static Ready ready_cut(Cut *memory, const Matrix *m, int64_t rows) {
    Ready r = {.m = m};
    if (in_groups(m)) {
        r.grouped = grouped_cut(memory, rows, m->inputs);
        if (has_floats(m)) r.wide = cut(memory, (size_t)(rows * m->inputs) * 4);
    } else if (in_eight(m))
        r.eight = rows8_cut(memory, rows, m->inputs, m->padded);
    else
        r.sixteen = rows16_cut(memory, rows, m->inputs);
    return r;
}

// The same memory for so many rows.
INLINE Ready ready_for(const Ready *r, int64_t rows) {
    Ready some = *r;
    some.eight.rows = some.sixteen.rows = some.grouped.rows = rows;
    return some;
}

INLINE int64_t ready_rows(const Ready *r) {
    if (in_groups(r->m)) return r->grouped.rows;
    return in_eight(r->m) ? r->eight.rows : r->sixteen.rows;
}

static void ready_wide(const Ready *r, int64_t row, const void *x, int format) {
    const int64_t n = r->m->inputs;
    for (int64_t i = 0; i < n; i += W) vf_store(r->wide + row * n + i, in_load(x, format, i, n));
}

// SOME rows from `first` on, or those that are left; x: the first of them; bytes: from row to row.
static void ready_some(const Ready *r, int64_t first, const char *x, int64_t bytes, int format) {
    if (in_groups(r->m)) {
        for (int64_t row = first; row < first + SOME && row < r->grouped.rows; row++, x += bytes) {
            grouped_round(&r->grouped, row, x, format, r->m->order);
            if (r->wide) ready_wide(r, row, x, format);
        }
        return;
    }
    if (in_eight(r->m)) {
        for (int64_t row = first; row < first + SOME && row < r->eight.rows; row++, x += bytes)
            rows8_round(&r->eight, row, x, format);
        return;
    }
    for (int64_t row = first; row < first + SOME; row += SIDE, x += SIDE * bytes)
        rows16_pack(&r->sixteen, row, x, bytes, format);
}

// The same for rows that are normed first, where the norm has a scale; x: the first of them,
// `stride` numbers from row to row; scratch: SOME rows.
static void ready_normed(const Ready *r, int64_t first, const float *x, int64_t stride,
                         const Norm *norm, float *scratch) {
    const int64_t width = r->m->inputs, left = ready_rows(r) - first;
    if (!norm->scale) {
        ready_some(r, first, (const char *)x, stride * 4, FLOAT32);
        return;
    }
    for (int64_t k = 0; k < SOME && k < left; k++)
        rms_norm_row(scratch + k * width, x + k * stride, norm);
    ready_some(r, first, (const char *)scratch, width * 4, FLOAT32);
}

#include "product_blocks.c"

static size_t product_scratch(const Matrix *m) {
    if (in_groups(m)) return 64;
    size_t bytes = in_eight(m) ? scratch8_bytes(m->padded)
                               : (size_t)SCRATCH16_BYTES(side_padded(m->inputs));
    return (bytes + 127) & ~(size_t)63;
}

// One phase: every thread of the team takes part, with scratch of its own.
static void product(Team *team, const Ready *r, const Out *out, void *scratch) {
    if (in_groups(r->m)) {
        product_blocks(team, r, out);
    } else if (in_eight(r->m)) {
        Product8 p = product8_of(r->m, &r->eight, out);
        product8(team, &p, scratch);
    } else {
        Product16 p = product16_of(r->m, &r->sixteen, out);
        product16(team, &p, scratch);
    }
}
