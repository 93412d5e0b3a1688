// The full-attention layer for few rows, in seven phases.
//
// Source: Qwen3_5Attention in transformers' modeling_qwen3_5.py.

typedef struct {
    const AttentionLayer *layer;
    int64_t rows;
    float *x;  // [rows][hidden], added to
    Factor normed, mixed;
    float *projected;  // [rows][queries, keys, values, gates]
    Heads turned;
    Attention seen;
} AttentionCall;

INLINE int64_t values_at(const AttentionLayer *l) {
    return (int64_t)(l->heads + l->kv_heads) * l->dim;
}

INLINE int64_t gates_at(const AttentionLayer *l) {
    return values_at(l) + (int64_t)l->kv_heads * l->dim;
}

// One head of one row, times the sigmoid of its gate.
static void open_gate(const AttentionCall *c, int64_t part) {
    const AttentionLayer *l = c->layer;
    const int64_t row = part / l->heads, head = part % l->heads;
    float *out = c->mixed.x + (row * l->heads + head) * l->dim;
    const float *gate = c->projected + row * l->inputs.outputs + gates_at(l) + head * l->dim;
    for (int64_t d = 0; d < l->dim; d += W)
        vf_store(out + d, vf_load(out + d) * vf_sigmoid(vf_load(gate + d)));
}

static void attention_body(Team *team, void *arg) {
    AttentionCall *c = arg;
    const AttentionLayer *l = c->layer;
    enter(team, &l->norm, c->x, &l->inputs, &c->normed);
    TEAM_MEET(team);
    Target between = {c->projected, l->inputs.outputs, 0};
    rows_project(team, &l->inputs, &c->normed.rows, &between);
    TEAM_MEET(team);
    TEAM_PARTS(team, part, heads_parts(&c->turned)) heads_part(&c->turned, part);
    TEAM_MEET(team);
    TEAM_PARTS(team, part, attend_parts(&c->seen)) attend_range(&c->seen, part);
    TEAM_MEET(team);
    TEAM_PARTS(team, part, attend_merges(&c->seen)) {
        attend_merge(&c->seen, part);
        open_gate(c, part);
    }
    TEAM_MEET(team);
    leave(team, &l->output, &c->mixed, c->x);
}

static void attention_cut(void *call, Cut *memory, int threads) {
    AttentionCall *c = call;
    c->normed = factor(memory, &c->layer->inputs, c->rows, c->seen.alone);
    c->mixed = factor(memory, &c->layer->output, c->rows, c->seen.alone);
    c->projected = cut(memory, (size_t)c->rows * c->layer->inputs.outputs * 4);
    c->seen.partial = cut(memory, (size_t)attend_numbers(&c->seen) * 4);
    c->seen.out = c->mixed.x;
    c->seen.q = c->projected;
    c->turned.qk = c->projected;
    if (c->projected) c->turned.v = c->projected + values_at(c->layer);
}

// x += layer(norm(x)); keys and values from row `skip` on are put into their slots.
static int attention_rows(const AttentionLayer *l, int64_t rows, float *x, const Sequence *s) {
    const int64_t stride = l->inputs.outputs;
    AttentionCall c = {
        .layer = l, .rows = rows, .x = x,
        .turned = {.pool = s->pool, .extents = s->extents, .length = s->length,
                   .rows = (int32_t)rows, .heads = l->heads, .skip = s->skip, .rotary = l->rotary,
                   .qk_stride = stride, .v_stride = stride, .scales = l->scales, .rope = s->rope,
                   .eps = l->norm.eps},
        .seen = {.pool = s->pool, .extents = s->extents, .length = s->length,
                 .rows = (int32_t)rows, .heads = l->heads, .q_stride = stride,
                 .out_stride = (int64_t)l->heads * l->dim, .alone = s->alone},
    };
    const int64_t products = (int64_t)l->inputs.outputs * l->inputs.inputs;
    return run_call(attention_cut, attention_body, &c, products < 1 << 15);
}
