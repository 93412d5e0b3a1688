// A projection of many rows.

typedef struct {
    const Many *a;
    Ready rows;
    Scratch scratch;
} ManyCall;

INLINE int64_t row_bytes(int64_t stride, int format) { return stride * (format == FLOAT32 ? 4 : 2); }

// Rows times the sigmoid of their gates; x, gate: the first of SOME rows, or of those left.
static void ready_gated(const Ready *r, int64_t first, const char *x, const char *gate,
                        const Many *a, float *scratch) {
    const int64_t width = a->m->inputs, left = a->rows - first;
    const int64_t x_bytes = row_bytes(a->x_stride, a->x_format);
    const int64_t gate_bytes = row_bytes(a->gate_stride, a->x_format);
    float *out = scratch;
    for (int64_t k = 0; k < SOME && k < left; k++, out += width)
        for (int64_t i = 0; i < width; i += W) {
            vf v = in_load(x + k * x_bytes, a->x_format, i, width);
            vf g = in_load(gate + k * gate_bytes, a->x_format, i, width);
            padded_store(out, i, width, v * vf_sigmoid(g));
        }
    ready_some(r, first, (const char *)scratch, width * 4, FLOAT32);
}

static void project_many_body(Team *team, void *arg) {
    ManyCall *c = arg;
    const Many *a = c->a;
    const int64_t bytes = row_bytes(a->x_stride, a->x_format);
    void *scratch = scratch_of(&c->scratch, team);
    TEAM_PARTS(team, part, (a->rows + SOME - 1) / SOME) {
        const char *x = (const char *)a->x + part * SOME * bytes;
        if (a->norm)
            ready_normed(&c->rows, part * SOME, (const float *)x, a->x_stride, a->norm, scratch);
        else if (a->gate)
            ready_gated(&c->rows, part * SOME, x,
                        (const char *)a->gate + part * SOME * row_bytes(a->gate_stride, a->x_format),
                        a, scratch);
        else
            ready_some(&c->rows, part * SOME, x, bytes, a->x_format);
    }
    TEAM_MEET(team);
    Out out = {a->y, a->y_stride, a->m->outputs, a->y_format, a->add};
    product(team, &c->rows, &out, scratch);
    TEAM_MEET(team);
}

static void project_many_cut(void *call, Cut *memory, int threads) {
    ManyCall *c = call;
    c->rows = ready_cut(memory, c->a->m, c->a->rows);
    size_t product = product_scratch(c->a->m), changed = (size_t)c->a->m->inputs * SOME * 4;
    c->scratch = scratch_cut(memory, changed > product ? changed : product, threads);
}

static int project_many(const Many *a) {
    ManyCall c = {.a = a};
    return run_call(project_many_cut, project_many_body, &c, 0);
}
