// A projection on its own: for the vocabulary head, and for whatever is not part of a whole layer.

typedef struct {
    const Matrix *m;
    Rows rows;
    Target target;
} Projection;

static void project_body(Team *team, void *arg) {
    Projection *p = arg;
    TEAM_PARTS(team, row, p->rows.rows) rows_round(p->m, &p->rows, row);
    TEAM_MEET(team);
    rows_project(team, p->m, &p->rows, &p->target);
    TEAM_MEET(team);
}

static void project_rows(const Matrix *m, int64_t rows, const float *x, float *y) {
    void *workspace = malloc((size_t)rows_bytes(m->format, rows, m->padded) + 64);
    Projection p = {m, rows_over(m, rows, x, workspace), {y, m->outputs, 0}};
    team_run(project_body, &p, (int64_t)m->outputs * m->inputs * rows < 1 << 16);
    free(workspace);
}
