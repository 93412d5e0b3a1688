// Attention of 3 to 16 rows by AMX tiles: more rows than the vectors take at the speed of memory.
//
// Queries and shares keep their precision: two bfloat16 parts, one product each.

#if defined(__AMX_TILE__)

#define HALF (RANGE / 2)
_Static_assert(KEYS_AT_ONCE == RANGE && W == 16, "a range is one block of keys");

// What is left of n numbers when they are rounded to the bfloat16 in `units`.
INLINE void rest_of(float *out, const float *x, const float *units, int64_t n) {
    for (int64_t d = 0; d < n; d += W)
        vf_store(out + d, vf_load(x + d) - bf16_load((const uint16_t *)units + d));
}

// 32 queries [units of dim][32], and what their rounding left.
static void split_queries(const Attention *a, int64_t head, int64_t from, float *high, float *low,
                          float *stage) {
    const int64_t dim = a->pool.dim, group = a->heads / a->pool.kv_heads, units = dim / 2;
    float rest[MOST_DIM], *stage_low = stage + TILE_QUERIES * units;
    for (int64_t i = 0; i < TILE_QUERIES; i++) {
        int64_t query = from + i < queries_of(a) ? from + i : queries_of(a) - 1;
        const float *q = a->q + query / group * a->q_stride + (head * group + query % group) * dim;
        units_along(stage + i * units, q, 1.0f, dim, 2);
        rest_of(rest, q, stage + i * units, dim);
        units_along(stage_low + i * units, rest, 1.0f, dim, 2);
    }
    transpose(stage, units, TILE_QUERIES, units, high, TILE_QUERIES);
    transpose(stage_low, units, TILE_QUERIES, units, low, TILE_QUERIES);
}

// scores [keys][32] become [32][units of keys], and what their rounding left.
static void split_shares(float *scores, int64_t keys, float *high, float *low) {
    float rest[HALF * TILE_QUERIES];
    for (int64_t k = 0; k < keys; k += 2)
        for (int64_t i = 0; i < TILE_QUERIES; i += W) {
            const float *at = scores + k * TILE_QUERIES + i;
            vf first = vf_load(at), second = vf_load(at + TILE_QUERIES);
            vf both = units_of(first, second);
            vf first_rest = first - (vf)((vu)both << 16);
            vf second_rest = second - (vf)((vu)both & 0xffff0000u);
            vf_store(rest + k / 2 * TILE_QUERIES + i, units_of(first_rest, second_rest));
            vf_store(scores + k / 2 * TILE_QUERIES + i, both);
        }
    transpose(scores, TILE_QUERIES, keys / 2, TILE_QUERIES, high, HALF);
    transpose(rest, TILE_QUERIES, keys / 2, TILE_QUERIES, low, HALF);
}

// One tile's sums and margins to where the ranges are merged.
static void put_partial(const Attention *a, int64_t head, int64_t range, int64_t from,
                        const float *sums, const float *most, const float *weight) {
    const int64_t dim = a->pool.dim;
    for (int64_t i = 0; i < TILE_QUERIES && from + i < queries_of(a); i++) {
        float *out = partial_of(a, head, range, from + i);
        for (int64_t d = 0; d < dim; d += W)
            vf_store(out + d, vf_load(sums + (d / PANEL * TILE_QUERIES + i) * PANEL + d % PANEL));
        out[dim] = most[i] / LOG2_E;
        out[dim + 1] = weight[i];
    }
}

static void tile_of_range(const Attention *a, int64_t head, int64_t range, int64_t from, Operand key,
                          const float *values, int64_t keys) {
    const int64_t dim = a->pool.dim, group = a->heads / a->pool.kv_heads;
    const int64_t first = a->length - a->rows - range * RANGE;
    _Alignas(64) float scores[RANGE * TILE_QUERIES], sums[MOST_DIM * TILE_QUERIES];
    _Alignas(64) float high[HALF * TILE_QUERIES], low[HALF * TILE_QUERIES];
    float most[TILE_QUERIES], weight[TILE_QUERIES], fade[TILE_QUERIES];
    split_queries(a, head, from, high, low, scores);
    Operand q = {high, TILE_QUERIES}, rest = {low, TILE_QUERIES};
    small_product(2, keys, TILE_QUERIES, dim / 2, key, q, scores, TILE_QUERIES, 0);
    small_product(2, keys, TILE_QUERIES, dim / 2, key, rest, scores, TILE_QUERIES, 1);
    int64_t seen_by_all = first + from / group + 1;
    seen_by_all = seen_by_all < 0 ? 0 : seen_by_all < keys ? seen_by_all : keys;
    for (int64_t i = 0; i < TILE_QUERIES; i += W) {
        int32_t limit[W];
        for (int j = 0; j < W; j++) {
            int64_t row = (from + i + j) / group;
            limit[j] = (int32_t)(first + (row < a->rows ? row : a->rows - 1));
        }
        vf_store(most + i, vf_set(UNSEEN));
        vf_store(weight + i, vf_set(0));
        shares_of(scores + i, keys, vi_load(limit), seen_by_all, LOG2_E / sqrtf((float)dim),
                  most + i, weight + i, fade + i, 1);
    }
    split_shares(scores, keys, high, low);
    Operand share = {high, HALF}, share_rest = {low, HALF};
    for (int64_t p = 0; p < panels_of(dim); p++) {
        Operand value = {values + p * HALF * PANEL, PANEL};
        float *to = sums + p * TILE_QUERIES * PANEL;
        small_product(2, TILE_QUERIES, PANEL, keys / 2, share, value, to, PANEL, 0);
        small_product(2, TILE_QUERIES, PANEL, keys / 2, share_rest, value, to, PANEL, 1);
    }
    put_partial(a, head, range, from, sums, most, weight);
}

static void range_by_tiles(const Attention *a, int64_t head, int64_t range) {
    const Pool *p = &a->pool;
    const int64_t left = a->length - range * RANGE, tokens = left < RANGE ? left : RANGE;
    _Alignas(64) float copy[HALF * MOST_DIM], values[HALF * MOST_DIM];
    int64_t slots[RANGE];
    find_slots(a->extents, range * RANGE, tokens, slots);
    const char *keys = (const char *)p->keys + head * p->head_stride * 2;
    Operand key = ready_keys(p, keys, slots, tokens, copy, 2);
    ready_values(p, (const char *)p->values + head * p->head_stride * 2, slots, tokens, values, 2);
    small_begin(2);
    for (int64_t from = 0; from < queries_of(a); from += TILE_QUERIES)
        tile_of_range(a, head, range, from, key, values, (tokens + 31) / 32 * 32);
    small_end(2);
}

#endif
