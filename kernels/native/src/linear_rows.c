// The Gated DeltaNet layer for few rows, in five phases.
//
// Source: Qwen3_5GatedDeltaNet in transformers' modeling_qwen3_5.py.

#include "delta_rows.c"

#define MOST_KERNEL 8
#define MOST_HEAD 256
#define UNIT_EPS 1e-6f

typedef struct {
    const LinearLayer *layer;
    int64_t rows;
    float *x;  // [rows][hidden], added to
    const Live *lives;
    int64_t live_count;
    const State *splits;
    int64_t split_count;
    int32_t alone;
    Scratch states;  // a head's state for each thread, where a live one must stay
    Factor normed, mixed;
    float *projected;  // [rows][inputs' outputs]
} LinearCall;

// The rows of one live state, from row `first` on.
typedef struct {
    const LinearCall *call;
    Live live;
    int64_t first;
} Stretch;

INLINE int64_t channels_of(const LinearLayer *l) {
    return 2 * (int64_t)l->key_heads * l->key_dim + (int64_t)l->value_heads * l->value_dim;
}

INLINE float *window_load(float *to, const LinearLayer *l, const void *window, int64_t at) {
    if (l->wide) {
        memcpy(to, (const float *)window + at, 4 * W);
    } else {
        vf_store(to, bf16_load((const uint16_t *)window + at));
    }
    return to;
}

INLINE void window_store(const LinearLayer *l, void *window, int64_t at, vf v) {
    if (l->wide)
        vf_store((float *)window + at, v);
    else
        bf16_store((uint16_t *)window + at, v);
}

// As the window will hold it: the convolution sees the same number now and later.
INLINE vf kept(const LinearLayer *l, vf v) { return l->wide ? v : widen(narrow(v)); }

static void window_after(const LinearLayer *l, void *window, int64_t rows, int64_t from,
                         int64_t width, const float *history) {
    const int64_t channels = channels_of(l), past = l->kernel - 1;
    for (int64_t j = 0; j < past; j++)
        for (int64_t i = 0; i < width; i += W)
            window_store(l, window, j * channels + from + i,
                         vf_load(history + (rows + j) * MOST_HEAD + i));
}

// Channels [from, from + width): convolved rows to out [rows][MOST_HEAD]; windows advanced.
static void convolve(const Stretch *s, int64_t from, int64_t width, float *out) {
    const LinearCall *c = s->call;
    const LinearLayer *l = c->layer;
    const Live *live = &s->live;
    const int64_t channels = channels_of(l), past = l->kernel - 1;
    float history[(MOST_KERNEL - 1 + MOST_ROWS) * MOST_HEAD];
    for (int64_t i = 0; i < width; i += W) {
        for (int64_t j = 0; j < past; j++)
            window_load(history + j * MOST_HEAD + i, l, live->window, j * channels + from + i);
        for (int64_t r = 0; r < live->rows; r++) {
            vf v = vf_load(c->projected + (s->first + r) * l->inputs.outputs + from + i);
            vf_store(history + (past + r) * MOST_HEAD + i, kept(l, v));
        }
        for (int64_t r = 0; r < live->rows; r++) {
            vf sum = vf_set(0);
            for (int64_t j = 0; j <= past; j++)
                sum = vf_fma(vf_load(history + (r + j) * MOST_HEAD + i),
                             vf_load(l->taps + j * channels + from + i), sum);
            vf_store(out + r * MOST_HEAD + i, vf_silu(sum));
        }
    }
    for (int64_t i = 0; i < c->split_count; i++)
        window_after(l, c->splits[i].window, c->splits[i].after, from, width, history);
    if (!live->kept) {
        window_after(l, live->window, live->rows, from, width, history);
        return;
    }
    for (int64_t r = 0; r < live->rows; r++)
        for (int64_t i = 0; i < width; i += W)
            window_store(l, live->kept->channels, r * channels + from + i,
                         vf_load(history + (past + r) * MOST_HEAD + i));
}

INLINE float dot_of(const float *a, const float *b, int64_t n) {
    vf sum = {0};
    for (int64_t i = 0; i < n; i += W) sum = vf_fma(vf_load(a + i), vf_load(b + i), sum);
    return vf_sum(sum);
}

static void unit_rows(float *x, int64_t rows, int64_t n, float length) {
    for (int64_t r = 0; r < rows; r++) {
        float *row = x + r * MOST_HEAD;
        vf factor = vf_set(length / sqrtf(dot_of(row, row, n) + UNIT_EPS));
        for (int64_t i = 0; i < n; i += W) vf_store(row + i, vf_load(row + i) * factor);
    }
}

INLINE float softplus(float x) { return x > 20.0f ? x : log1pf(expf(x)); }

// RMS norm of a head's output times SiLU(z).
static void gated_norm(const LinearLayer *l, float *out, const float *z) {
    const int64_t n = l->value_dim;
    vf root = vf_set(1.0f / sqrtf(dot_of(out, out, n) / (float)n + l->norm.eps));
    for (int64_t i = 0; i < n; i += W)
        vf_store(out + i,
                 vf_load(out + i) * root * vf_load(l->gate_norm + i) * vf_silu(vf_load(z + i)));
}

// All rows of one value head, in order, while its state is in a near cache.
static void value_head(const Stretch *s, int64_t head, const float *query, const float *key,
                       float *scratch) {
    const LinearCall *c = s->call;
    const LinearLayer *l = c->layer;
    const Live *live = &s->live;
    const int64_t channels = channels_of(l), size = (int64_t)l->key_dim * l->value_dim;
    const int64_t values = (int64_t)l->value_heads * l->value_dim;
    float value[MOST_ROWS * MOST_HEAD];
    convolve(s, 2 * (int64_t)l->key_heads * l->key_dim + head * l->value_dim, l->value_dim, value);
    DeltaHead h = {.state = live->delta + head * size, .key_dim = l->key_dim,
                   .value_dim = l->value_dim};
    if (live->kept) h.state = memcpy(scratch, h.state, (size_t)size * 4);
    int64_t split = 0;
    for (int64_t r = 0; r < live->rows; r++) {
        const float *rest = c->projected + (s->first + r) * l->inputs.outputs + channels;
        const float *z = rest + head * l->value_dim;
        float b = rest[values + head], a = rest[values + l->value_heads + head];
        h.beta = 1.0f / (1.0f + expf(-b));
        h.decay = expf(softplus(a + l->step_bias[head]) * l->speed[head]);
        h.query = query + r * MOST_HEAD;
        h.key = key + r * MOST_HEAD;
        h.dot = dot_of(h.query, h.key, l->key_dim);
        if (live->kept) {
            live->kept->decay[head * MOST_ROWS + r] = h.decay;
            h.change = live->kept->change + (head * MOST_ROWS + r) * l->value_dim;
        }
        float *out = c->mixed.x + (s->first + r) * values + head * l->value_dim;
        delta_row(&h, value + r * MOST_HEAD, out);
        gated_norm(l, out, z);
        for (; split < c->split_count && c->splits[split].after == r + 1; split++)
            memcpy(c->splits[split].delta + head * size, h.state, (size_t)size * 4);
    }
}

// A key head and the value heads that share it.
static void key_head(const Stretch *s, int64_t head, float *scratch) {
    const LinearLayer *l = s->call->layer;
    const Live *live = &s->live;
    const int64_t width = (int64_t)l->key_heads * l->key_dim;
    float query[MOST_ROWS * MOST_HEAD], key[MOST_ROWS * MOST_HEAD];
    convolve(s, head * l->key_dim, l->key_dim, query);
    convolve(s, width + head * l->key_dim, l->key_dim, key);
    unit_rows(query, live->rows, l->key_dim, 1.0f / sqrtf((float)l->key_dim));
    unit_rows(key, live->rows, l->key_dim, 1.0f);
    for (int64_t r = 0; live->kept && r < live->rows; r++)
        memcpy(live->kept->keys + (head * MOST_ROWS + r) * l->key_dim, key + r * MOST_HEAD,
               (size_t)l->key_dim * 4);
    int64_t shared = l->value_heads / l->key_heads;
    for (int64_t v = 0; v < shared; v++) value_head(s, head * shared + v, query, key, scratch);
}

// A key head of one of the live states.
static void linear_part(const LinearCall *c, int64_t part, float *scratch) {
    Stretch s = {.call = c};
    const Live *live = c->lives;
    for (; part >= c->layer->key_heads; part -= c->layer->key_heads) s.first += live++->rows;
    s.live = *live;
    key_head(&s, part, scratch);
}

INLINE int any_kept(const LinearCall *c) {
    for (int64_t i = 0; i < c->live_count; i++)
        if (c->lives[i].kept) return 1;
    return 0;
}

static void linear_body(Team *team, void *arg) {
    LinearCall *c = arg;
    const LinearLayer *l = c->layer;
    enter(team, &l->norm, c->x, &l->inputs, &c->normed);
    TEAM_MEET(team);
    Target between = {c->projected, l->inputs.outputs, 0};
    rows_project(team, &l->inputs, &c->normed.rows, &between);
    TEAM_MEET(team);
    float *scratch = any_kept(c) ? scratch_of(&c->states, team) : NULL;
    TEAM_PARTS(team, part, c->live_count * l->key_heads) linear_part(c, part, scratch);
    TEAM_MEET(team);
    leave(team, &l->output, &c->mixed, c->x);
}

static void linear_cut(void *call, Cut *memory, int threads) {
    LinearCall *c = call;
    const LinearLayer *l = c->layer;
    c->normed = factor(memory, &l->inputs, c->rows, c->alone);
    c->mixed = factor(memory, &l->output, c->rows, c->alone);
    c->projected = cut(memory, (size_t)c->rows * l->inputs.outputs * 4);
    if (any_kept(c)) c->states = scratch_cut(memory, (size_t)l->key_dim * l->value_dim * 4, threads);
}

// x += layer(norm(x)), rows of one live state after those of another. A live state is advanced, or
// with `kept` only read: what rows would do to it is kept. splits, ascending, get the state after so
// many rows, if there is one live state. alone: see Rows. Head dims: multiples of 16, at most 256.
static int linear_rows(const LinearLayer *layer, int64_t rows, float *x, const Live *lives,
                       int64_t live_count, const State *splits, int64_t split_count,
                       int32_t alone) {
    LinearCall c = {.layer = layer, .rows = rows, .x = x, .lives = lives, .live_count = live_count,
                    .splits = splits, .split_count = split_count, .alone = alone};
    return run_call(linear_cut, linear_body, &c, (int64_t)layer->inputs.outputs * layer->inputs.inputs < 1 << 15);
}
