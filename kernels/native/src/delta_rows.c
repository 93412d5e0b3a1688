// One token of the gated delta rule for one head: the state is read from memory once.
//
// Source: Yang et al., "Gated Delta Networks" (2024), the recurrent form.

// Columns whose sums are in registers while all rows of a state pass by.
#if W == 16
#define DELTA_VECTORS 8
#else
#define DELTA_VECTORS 4
#endif
// Of a state that goes on by several rows: so many products wait for one another in turn.
#define FOLD_VECTORS 8

typedef struct {
    float *state;  // [key_dim][value_dim]
    int64_t key_dim, value_dim;
    float decay, beta;
    const float *query, *key;  // of unit length, the query times key_dim ** -0.5
    float dot;                 // of the two
    float *change;             // NULL or [value_dim]: what the key adds to the state
} DeltaHead;

// Columns [first, first + n * W): out and the new state from values.
INLINE void delta_columns(const DeltaHead *h, const float *value, float *out, int64_t first,
                          const int n) {
    const int64_t stride = h->value_dim;
    float *state = h->state + first;
    vf by_key[DELTA_VECTORS], by_query[DELTA_VECTORS];
    for (int j = 0; j < n; j++) by_key[j] = by_query[j] = vf_set(0);
    for (int64_t d = 0; d < h->key_dim; d++) {
        vf key = vf_set(h->key[d]), query = vf_set(h->query[d]);
        for (int j = 0; j < n; j++) {
            vf s = vf_load(state + d * stride + j * W);
            __builtin_prefetch(state + (d + 4) * stride + j * W, 1, 3);
            by_key[j] = vf_fma(s, key, by_key[j]);
            by_query[j] = vf_fma(s, query, by_query[j]);
        }
    }
    vf change[DELTA_VECTORS];
    for (int j = 0; j < n; j++) {
        vf v = vf_load(value + first + j * W);
        change[j] = vf_set(h->beta) * (v - vf_set(h->decay) * by_key[j]);
        vf_store(out + first + j * W,
                 vf_fma(vf_set(h->dot), change[j], vf_set(h->decay) * by_query[j]));
        if (h->change) vf_store(h->change + first + j * W, change[j]);
    }
    for (int64_t d = 0; d < h->key_dim; d++) {
        vf key = vf_set(h->key[d]);
        for (int j = 0; j < n; j++) {
            float *at = state + d * stride + j * W;
            vf_store(at, vf_fma(key, change[j], vf_set(h->decay) * vf_load(at)));
        }
    }
}

// value_dim is a multiple of 16.
static void delta_row(const DeltaHead *h, const float *value, float *out) {
    int64_t first = 0;
    for (; first + DELTA_VECTORS * W <= h->value_dim; first += DELTA_VECTORS * W)
        delta_columns(h, value, out, first, DELTA_VECTORS);
    for (; first < h->value_dim; first += W) delta_columns(h, value, out, first, 1);
}

// Numbers [first, first + n * W) of one key's row of a state, after rows that were kept: the arithmetic
// of delta_columns on each, so that the state has the bits that these rows alone would have left.
INLINE void fold_columns(const Fold *f, float *at, const float *decay, const float *key,
                         const float *change, const int n) {
    vf s[FOLD_VECTORS];
    for (int j = 0; j < n; j++) s[j] = vf_load(at + j * W);
    for (int64_t r = 0; r < f->rows; r++) {
        const vf of_key = vf_set(key[r * f->key_dim]), by = vf_set(decay[r]);
        const float *row = change + r * f->value_dim;
        for (int j = 0; j < n; j++) s[j] = vf_fma(of_key, vf_load(row + j * W), by * s[j]);
    }
    for (int j = 0; j < n; j++) vf_store(at + j * W, s[j]);
}

static void fold_head(const Fold *f, int64_t part) {
    const int64_t of_key = part / (f->value_heads / f->key_heads), n = f->value_dim;
    float *state = f->delta + part * f->key_dim * n;
    const float *decay = f->decay + part * MOST_ROWS;
    const float *key = f->keys + of_key * MOST_ROWS * f->key_dim;
    const float *change = f->change + part * MOST_ROWS * n;
    for (int64_t d = 0; d < f->key_dim; d++, state += n) {
        int64_t i = 0;
        for (; i + FOLD_VECTORS * W <= n; i += FOLD_VECTORS * W)
            fold_columns(f, state + i, decay, key + d, change + i, FOLD_VECTORS);
        for (; i < n; i += W) fold_columns(f, state + i, decay, key + d, change + i, 1);
    }
}

static void fold_body(Team *team, void *arg) {
    const Fold *f = arg;
    TEAM_PARTS(team, part, f->layers * f->value_heads) fold_head(f, part);
    TEAM_MEET(team);
}

static void fold_states(const Fold *f) {
    const int64_t numbers = f->layers * f->value_heads * f->key_dim * f->value_dim;
    team_run(fold_body, (void *)f, team_threads_for(numbers < 1 << 15));
}
