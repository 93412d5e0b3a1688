// The full-attention layer for few rows, in seven phases.
//
// Source: Qwen3_5Attention in transformers' modeling_qwen3_5.py.

typedef struct {
    const AttentionLayer *layer;
    int64_t rows;
    float *x;  // [rows][hidden], added to
    Factor normed, mixed;
    float *projected;  // [rows][queries, keys, values, gates]
    int64_t count;  // sequences
    int32_t alone;
    Heads turned[MOST_ROWS];
    Attention seen[MOST_ROWS];
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

// A phase over the parts of all sequences.
static int64_t all_ranges(const AttentionCall *c) {
    int64_t parts = 0;
    for (int64_t i = 0; i < c->count; i++) parts += attend_parts(c->seen + i);
    return parts;
}

static void any_range(const AttentionCall *c, int64_t part) {
    const Attention *a = c->seen;
    for (; part >= attend_parts(a); a++) part -= attend_parts(a);
    attend_range(a, part);
}

static void any_heads(const AttentionCall *c, int64_t part) {
    const Heads *h = c->turned;
    for (; part >= heads_parts(h); h++) part -= heads_parts(h);
    heads_part(h, part);
}

static void any_merge(const AttentionCall *c, int64_t part) {
    const Attention *a = c->seen;
    for (; part >= attend_merges(a); a++) part -= attend_merges(a);
    attend_merge(a, part);
}

static void attention_body(Team *team, void *arg) {
    AttentionCall *c = arg;
    const AttentionLayer *l = c->layer;
    enter(team, &l->norm, c->x, &l->inputs, &c->normed);
    TEAM_MEET(team);
    Target between = {c->projected, l->inputs.outputs, 0};
    rows_project(team, &l->inputs, &c->normed.rows, &between);
    TEAM_MEET(team);
    // Heads and merges are as many for each row, ranges are not.
    TEAM_PARTS(team, part, c->rows * (l->heads + 2 * l->kv_heads)) any_heads(c, part);
    TEAM_MEET(team);
    TEAM_PARTS(team, part, all_ranges(c)) any_range(c, part);
    TEAM_MEET(team);
    TEAM_PARTS(team, part, c->rows * l->heads) {
        any_merge(c, part);
        open_gate(c, part);
    }
    TEAM_MEET(team);
    leave(team, &l->output, &c->mixed, c->x);
}

static void attention_cut(void *call, Cut *memory, int threads) {
    AttentionCall *c = call;
    const AttentionLayer *l = c->layer;
    const int64_t stride = l->inputs.outputs, wide = (int64_t)l->heads * l->dim;
    c->normed = factor(memory, &l->inputs, c->rows, c->alone);
    c->mixed = factor(memory, &l->output, c->rows, c->alone);
    c->projected = cut(memory, (size_t)c->rows * stride * 4);
    int64_t first = 0;
    for (int64_t i = 0; i < c->count; i++) {
        Attention *a = c->seen + i;
        a->partial = cut(memory, (size_t)attend_numbers(a) * 4);
        if (c->projected) {
            float *rows = c->projected + first * stride;
            a->out = c->mixed.x + first * wide;
            a->q = c->turned[i].qk = rows;
            c->turned[i].v = rows + values_at(l);
        }
        first += a->rows;
    }
}

// x += layer(norm(x)); keys and values from row `skip` on are put into their slots.
static int attention_rows(const AttentionLayer *l, int64_t rows, float *x, const Seen *seen) {
    const int64_t stride = l->inputs.outputs;
    AttentionCall c = {.layer = l, .rows = rows, .x = x, .count = seen->count, .alone = seen->alone};
    const float *rope = seen->rope;
    for (int64_t i = 0; i < seen->count; i++) {
        const Sequence *s = seen->sequences + i;
        c.turned[i] = (Heads){
            .pool = seen->pool, .extents = s->extents, .length = s->length,
            .rows = (int32_t)s->rows, .heads = l->heads, .skip = seen->skip, .rotary = l->rotary,
            .qk_stride = stride, .v_stride = stride, .scales = l->scales, .rope = rope,
            .eps = l->norm.eps};
        c.seen[i] = (Attention){
            .pool = seen->pool, .extents = s->extents, .length = s->length,
            .rows = (int32_t)s->rows, .heads = l->heads, .q_stride = stride,
            .out_stride = (int64_t)l->heads * l->dim, .alone = seen->alone};
        rope += s->rows * l->rotary;
    }
    const int64_t products = (int64_t)l->inputs.outputs * l->inputs.inputs;
    return run_call(attention_cut, attention_body, &c, products < 1 << 15);
}
