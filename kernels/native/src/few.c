// What whole layers for few rows share: their beginning and their end.

#include "layers.h"

// Rows that are multiplied by a matrix: where they are, and what rounding makes of them.
typedef struct {
    float *x;
    Rows rows;
} Factor;

static Factor factor(Cut *c, const Matrix *m, int64_t rows, int alone) {
    Factor f;
    f.x = cut(c, (size_t)rows * m->inputs * 4);
    f.rows = rows_cut(c, m, rows, f.x, alone);
    return f;
}

// First phase of a layer: rows [rows][width] normalised and rounded for its first product.
static void enter(Team *team, const Norm *norm, const float *x, const Matrix *m, Factor *f) {
    TEAM_PARTS(team, row, f->rows.rows) {
        const float *from = x + row * m->inputs;
        float *to = f->x + row * m->inputs;
        if (norm->scale)
            rms_norm_row(to, from, norm);
        else
            memcpy(to, from, (size_t)m->inputs * 4);
        rows_round(m, &f->rows, row);
    }
}

// Last two phases: the rows rounded, multiplied by the output matrix and added to x.
static void leave(Team *team, const Matrix *output, const Factor *mixed, float *x) {
    TEAM_PARTS(team, row, mixed->rows.rows) rows_round(output, &mixed->rows, row);
    TEAM_MEET(team);
    Target out = {x, output->outputs, 1};
    rows_project(team, output, &mixed->rows, &out);
    TEAM_MEET(team);
}
