// A projection of many rows: they are rounded or packed, then multiplied.

typedef struct {
    const Many *a;
    Product8 product;
} Many8;

static void many8_body(Team *team, void *arg) {
    Many8 *m = arg;
    const Rows8 *rows = &m->product.rows;
    TEAM_PARTS(team, tile, (rows->rows + CODE_ROWS - 1) / CODE_ROWS) {
        int64_t row = tile * CODE_ROWS, end = row + CODE_ROWS;
        for (; row < end && row < rows->rows; row++)
            rows8_round(rows, row, many_row(m->a, row), m->a->x_format);
    }
    TEAM_MEET(team);
    product8(team, &m->product);
    TEAM_MEET(team);
}

static void project_many8(const Many *a) {
    void *workspace = malloc((size_t)rows8_bytes(a->rows, a->m->padded));
    Rows8 rows = rows8_over(a->rows, a->m->inputs, a->m->padded, workspace);
    Out out = out_of(a);
    Many8 m = {a, product8_of(a->m, &rows, &out)};
    team_run(many8_body, &m, 0);
    free(workspace);
}

typedef struct {
    const Many *a;
    Product16 product;
} Many16;

static void many16_body(Team *team, void *arg) {
    Many16 *m = arg;
    const Rows16 *rows = &m->product.rows;
    TEAM_PARTS(team, part, side_rows(rows->rows) / SIDE)
        rows16_pack(rows, part * SIDE, m->a);
    TEAM_MEET(team);
    product16(team, &m->product);
    TEAM_MEET(team);
}

static void project_many16(const Many *a) {
    void *workspace = malloc((size_t)rows16_bytes(a->rows, a->m->inputs));
    Rows16 rows = rows16_over(a->rows, a->m->inputs, workspace);
    Out out = out_of(a);
    Many16 m = {a, product16_of(a->m, &rows, &out)};
    team_run(many16_body, &m, 0);
    free(workspace);
}

static void project_many(const Many *a) {
    if (a->m->format == BFLOAT16)
        project_many16(a);
    else
        project_many8(a);
}
