// The gated feed-forward layer for many rows, some hundred at a time, in four phases; in three where
// the gate is applied as the first product ends.

// What lies between the two products should stay in the last-level cache.
#define MLP_ROWS 512

typedef struct {
    const GatedMlp *mlp;
    int64_t rows;
    const float *x;      // [rows][inputs]
    float *out;          // [rows][outputs], added to
    const float *share;  // per row, NULL: 1
    Ready normed, gated;
    uint16_t *between;   // [MLP_ROWS][gate_up outputs] bfloat16
    Scratch scratch;
} MlpMany;

static void gated_some(const MlpMany *c, const Ready *to, int64_t first, const float *share,
                       float *scratch) {
    const int64_t width = c->mlp->down.inputs, left = ready_rows(to) - first;
    for (int64_t k = 0; k < SOME && k < left; k++) {
        const uint16_t *gate = c->between + (first + k) * 2 * width, *up = gate + width;
        vf by = vf_set(share ? share[first + k] : 1.0f);
        float *out = scratch + k * width;
        for (int64_t i = 0; i < width; i += W) {
            vf v = vf_silu(in_load(gate, BFLOAT16, i, width)) * in_load(up, BFLOAT16, i, width);
            padded_store(out, i, width, v * by);
        }
    }
    ready_some(to, first, (const char *)scratch, width * 4, FLOAT32);
}

// Whether the gate is applied where the first product ends, without its outputs being written.
INLINE int gates(const GatedMlp *mlp) {
    return mlp->gate_up.format == BFLOAT16 && mlp->down.format == BFLOAT16 && gates16(&mlp->gate_up);
}

static void mlp_many_body(Team *team, void *arg) {
    MlpMany *c = arg;
    const int64_t hidden = c->mlp->gate_up.inputs, outputs = c->mlp->down.outputs;
    void *scratch = scratch_of(&c->scratch, team);
    for (int64_t at = 0; at < c->rows; at += MLP_ROWS) {
        int64_t rows = c->rows - at < MLP_ROWS ? c->rows - at : MLP_ROWS;
        Ready normed = ready_for(&c->normed, rows), gated = ready_for(&c->gated, rows);
        TEAM_PARTS(team, part, (rows + SOME - 1) / SOME)
            ready_normed(&normed, part * SOME, c->x + (at + part * SOME) * hidden, hidden,
                         &c->mlp->norm, scratch);
        TEAM_MEET(team);
        const int64_t wide = c->mlp->gate_up.outputs;
        const float *share = c->share ? c->share + at : NULL;
        Out between = {c->between, wide, wide, BFLOAT16, 0};
        if (gates(c->mlp)) {
            Product16 p = product16_of(&c->mlp->gate_up, &normed.sixteen, &between);
            p.gated = (Gated16){gated.sixteen, share};
            product16(team, &p, scratch);
        } else {
            product(team, &normed, &between, scratch);
            TEAM_MEET(team);
            TEAM_PARTS(team, part, (rows + SOME - 1) / SOME)
                gated_some(c, &gated, part * SOME, share, scratch);
        }
        TEAM_MEET(team);
        Out out = {c->out + at * outputs, outputs, outputs, FLOAT32, 1};
        product(team, &gated, &out, scratch);
        TEAM_MEET(team);
    }
}

static void mlp_many_cut(void *call, Cut *memory, int threads) {
    MlpMany *c = call;
    const Matrix *gate_up = &c->mlp->gate_up, *down = &c->mlp->down;
    int64_t rows = c->rows < MLP_ROWS ? c->rows : MLP_ROWS;
    int64_t widest = gate_up->inputs > down->inputs ? gate_up->inputs : down->inputs;
    size_t first = product_scratch(gate_up), second = product_scratch(down);
    size_t wide = (size_t)widest * SOME * 4, most = first > second ? first : second;
    c->normed = ready_cut(memory, gate_up, rows);
    c->gated = ready_cut(memory, down, rows);
    c->between = gates(c->mlp) ? NULL : cut(memory, (size_t)rows * gate_up->outputs * 2);
    c->scratch = scratch_cut(memory, most > wide ? most : wide, threads);
}

// out += share * mlp(norm(x)); x may be out. The matrices are not float32.
static int mlp_many(const GatedMlp *mlp, int64_t rows, const float *x, float *out,
                    const float *share) {
    MlpMany c = {.mlp = mlp, .rows = rows, .x = x, .out = out, .share = share};
    return run_call(mlp_many_cut, mlp_many_body, &c, 0);
}
