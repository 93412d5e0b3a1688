// A projection of many rows: they are rounded or packed, then multiplied.

typedef struct {
    const Many *a;
    Product8 product;
    Scratch scratch;
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
    product8(team, &m->product, scratch_take(&m->scratch));
    TEAM_MEET(team);
}

static void many8_cut(Many8 *m, Cut *memory) {
    const Many *a = m->a;
    Out out = out_of(a);
    void *at = cut(memory, (size_t)rows8_bytes(a->rows, a->m->padded));
    Rows8 rows = rows8_over(a->rows, a->m->inputs, a->m->padded, at);
    m->product = product8_of(a->m, &rows, &out);
    m->scratch.each = (scratch8_bytes(a->m->padded) + 127) & ~(size_t)63;
    m->scratch.memory = cut(memory, m->scratch.each * (size_t)team_threads());
}

static int project_many8(const Many *a) {
    Many8 m = {.a = a};
    Cut memory = {0};
    many8_cut(&m, &memory);
    if (!(memory.at = workspace_take(memory.used))) return 0;
    memory.used = 0;
    many8_cut(&m, &memory);
    team_run(many8_body, &m, 0);
    workspace_give(memory.at);
    return 1;
}

typedef struct {
    const Many *a;
    Product16 product;
    Scratch scratch;
} Many16;

static void many16_body(Team *team, void *arg) {
    Many16 *m = arg;
    const Rows16 *rows = &m->product.rows;
    TEAM_PARTS(team, part, side_rows(rows->rows) / SIDE) rows16_pack(rows, part * SIDE, m->a);
    TEAM_MEET(team);
    product16(team, &m->product, scratch_take(&m->scratch));
    TEAM_MEET(team);
}

static void many16_cut(Many16 *m, Cut *memory) {
    const Many *a = m->a;
    Out out = out_of(a);
    void *at = cut(memory, (size_t)rows16_bytes(a->rows, a->m->inputs));
    Rows16 rows = rows16_over(a->rows, a->m->inputs, at);
    m->product = product16_of(a->m, &rows, &out);
    m->scratch.each = ((size_t)SCRATCH16_BYTES(rows.padded) + 127) & ~(size_t)63;
    m->scratch.memory = cut(memory, m->scratch.each * (size_t)team_threads());
}

static int project_many16(const Many *a) {
    Many16 m = {.a = a};
    Cut memory = {0};
    many16_cut(&m, &memory);
    if (!(memory.at = workspace_take(memory.used))) return 0;
    memory.used = 0;
    many16_cut(&m, &memory);
    team_run(many16_body, &m, 0);
    workspace_give(memory.at);
    return 1;
}

static int project_many(const Many *a) {
    return a->m->format == BFLOAT16 ? project_many16(a) : project_many8(a);
}
