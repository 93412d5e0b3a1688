// A projection of many rows.

typedef struct {
    const Many *a;
    Ready rows;
    Scratch scratch;
} ManyCall;

static void project_many_body(Team *team, void *arg) {
    ManyCall *c = arg;
    const Many *a = c->a;
    const int64_t bytes = a->x_stride * (a->x_format == FLOAT32 ? 4 : 2);
    void *scratch = scratch_take(&c->scratch);
    TEAM_PARTS(team, part, (a->rows + SOME - 1) / SOME) {
        const char *x = (const char *)a->x + part * SOME * bytes;
        if (a->norm)
            ready_normed(&c->rows, part * SOME, (const float *)x, a->x_stride, a->norm, scratch);
        else
            ready_some(&c->rows, part * SOME, x, bytes, a->x_format);
    }
    TEAM_MEET(team);
    Out out = {a->y, a->y_stride, a->m->outputs, a->y_format, a->add};
    product(team, &c->rows, &out, scratch);
    TEAM_MEET(team);
}

static void project_many_cut(void *call, Cut *memory) {
    ManyCall *c = call;
    c->rows = ready_cut(memory, c->a->m, c->a->rows);
    size_t product = product_scratch(c->a->m), normed = (size_t)c->a->m->inputs * SOME * 4;
    c->scratch.each = ((normed > product ? normed : product) + 127) & ~(size_t)63;
    c->scratch.memory = cut(memory, c->scratch.each * (size_t)team_threads());
}

static int project_many(const Many *a) {
    ManyCall c = {.a = a};
    return run_call(project_many_cut, project_many_body, &c, 0);
}
