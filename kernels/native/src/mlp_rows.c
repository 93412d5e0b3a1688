// The gated feed-forward layer for few rows, in four phases.

typedef struct {
    const GatedMlp *mlp;
    int64_t rows;
    const float *x;      // [rows][inputs]
    float *out;          // [rows][outputs], added to
    const float *share;  // per row, NULL: 1
    Factor normed, gated;
    float *gate_up;
    int alone;
} MlpCall;

static void swiglu_row(float *out, const float *gate_up, int64_t width) {
    for (int64_t i = 0; i < width; i += W) {
        vf gate = padded_load(gate_up, i, width), up = padded_load(gate_up + width, i, width);
        padded_store(out, i, width, vf_silu(gate) * up);
    }
}

static void mlp_body(Team *team, void *arg) {
    MlpCall *c = arg;
    const Matrix *gate_up = &c->mlp->gate_up, *down = &c->mlp->down;
    enter(team, &c->mlp->norm, c->x, gate_up, &c->normed);
    TEAM_MEET(team);
    Target between = {c->gate_up, gate_up->outputs, 0};
    rows_project(team, gate_up, &c->normed.rows, &between);
    TEAM_MEET(team);
    TEAM_PARTS(team, row, c->rows) {
        float *to = c->gated.x + row * down->inputs;
        swiglu_row(to, c->gate_up + row * gate_up->outputs, down->inputs);
        if (c->share)
            for (int64_t i = 0; i < down->inputs; i++) to[i] *= c->share[row];
        rows_round(down, &c->gated.rows, row);
    }
    TEAM_MEET(team);
    Target out = {c->out, down->outputs, 1};
    rows_project(team, down, &c->gated.rows, &out);
    TEAM_MEET(team);
}

static void mlp_cut(void *call, Cut *memory, int threads) {
    MlpCall *c = call;
    c->normed = factor(memory, &c->mlp->gate_up, c->rows, c->alone);
    c->gated = factor(memory, &c->mlp->down, c->rows, c->alone);
    c->gate_up = cut(memory, (size_t)c->rows * c->mlp->gate_up.outputs * 4);
}

// out += share * mlp(norm(x)); x may be out; alone: see Rows.
static int mlp_rows(const GatedMlp *mlp, int64_t rows, const float *x, float *out,
                    const float *share, int32_t alone) {
    if (rows > MOST_ROWS) return mlp_many(mlp, rows, x, out, share);
    MlpCall c = {.mlp = mlp, .rows = rows, .x = x, .out = out, .share = share, .alone = alone};
    const int64_t products = (int64_t)mlp->down.outputs * mlp->down.inputs * rows;
    return run_call(mlp_cut, mlp_body, &c, products < 1 << 15);
}
