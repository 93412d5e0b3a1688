// A projection on its own: for the vocabulary head, and for whatever is not part of a whole layer.

typedef struct {
    const Matrix *m;
    const float *x;
    Rows rows;
    Target target;
    int alone;
} Projection;

static void project_body(Team *team, void *arg) {
    Projection *p = arg;
    TEAM_PARTS(team, row, p->rows.rows) rows_round(p->m, &p->rows, row);
    TEAM_MEET(team);
    rows_project(team, p->m, &p->rows, &p->target);
    TEAM_MEET(team);
}

static void project_cut(void *call, Cut *memory, int threads) {
    Projection *p = call;
    p->rows = rows_cut(memory, p->m, p->rows.rows, p->x, p->alone);
}

static int project_rows(const Matrix *m, int64_t rows, const float *x, float *y, int32_t alone) {
    Projection p = {m, x, {.rows = (int32_t)rows}, {y, m->outputs, 0}, alone};
    return run_call(project_cut, project_body, &p,
                    (int64_t)m->outputs * m->inputs * rows < 1 << 16);
}
