// Attention of 1 to 16 rows over all slots of a sequence: as fast as keys and values can be read.
//
// Each range of tokens is attended to on its own, by one part, and the ranges are merged by their
// sums. Ranges count tokens, not slots: where the slots lie does not change a bit, nor do threads.
//
// Source: Dao et al., "Flash-Decoding" (2023).

#include "attend.h"
#include "matrix.h"
#include "simd.h"

#define RANGE 256
// Tokens that are taken at a time, while they are in the first-level cache.
#define TOKENS 16
// Queries that share a load, and how many fours are taken through a range together.
#define FOUR 4
#define FOURS 8
// Keys whose products with four queries are summed at once: as many as there are registers for.
#define KEYS (W == 8 ? 2 : 4)
#define LANES (FOUR * KEYS)
// A score that no token has: its share is zero.
#define UNSEEN -1e30f
// After the sums of each query: the largest score, and the sum of shares.
#define MARGIN 16
#define MOST_DIM 256

// Where a range's keys and values are.
typedef struct {
    int64_t start;
    int32_t tokens;
    const char *key[RANGE + TOKENS], *value[RANGE + TOKENS];
} Range;

INLINE int64_t range_count(const Attention *a) { return (a->length + RANGE - 1) / RANGE; }

INLINE int64_t queries_of(const Attention *a) {
    return (int64_t)a->rows * (a->heads / a->pool.kv_heads);
}

INLINE int64_t padded_queries(const Attention *a) {
    return (queries_of(a) + FOUR - 1) / FOUR * FOUR;
}

// Numbers of workspace.
static int64_t attend_numbers(const Attention *a) {
    return a->pool.kv_heads * range_count(a) * padded_queries(a) * (a->pool.dim + MARGIN);
}

static int64_t attend_parts(const Attention *a) { return a->pool.kv_heads * range_count(a); }

INLINE float *partial_of(const Attention *a, int64_t head, int64_t range, int64_t query) {
    int64_t before = (head * range_count(a) + range) * padded_queries(a) + query;
    return a->partial + before * (a->pool.dim + MARGIN);
}

// The slots of `count` tokens from `start` on.
static void find_slots(const Extent *extents, int64_t start, int64_t count, int64_t *slots) {
    while (start >= extents->length) start -= extents++->length;
    for (int64_t i = 0; i < count; start = 0, extents++)
        for (; i < count && start < extents->length; start++)
            slots[i++] = extents->first + start;
}

static void range_find(const Attention *a, int64_t head, int64_t range, Range *r) {
    const Pool *p = &a->pool;
    const int64_t number = p->format == FLOAT32 ? 4 : 2;
    const char *keys = (const char *)p->keys + head * p->head_stride * number;
    const char *values = (const char *)p->values + head * p->head_stride * number;
    int64_t slots[RANGE], left = a->length - range * RANGE;
    r->start = range * RANGE;
    r->tokens = (int32_t)(left < RANGE ? left : RANGE);
    find_slots(a->extents, r->start, r->tokens, slots);
    // Past the end the last token stands in, and its score is not seen.
    for (int64_t t = 0; t < RANGE + TOKENS; t++) {
        int64_t slot = slots[t < r->tokens ? t : r->tokens - 1];
        r->key[t] = keys + slot * p->dim * number;
        r->value[t] = values + slot * p->dim * number;
    }
}

// What will be read after the token at this place: the values follow the keys.
INLINE const char *next_key(const Range *r, int64_t token) {
    return token + TOKENS < r->tokens ? r->key[token + TOKENS] : r->value[token % TOKENS];
}

INLINE void fetch(const char *p) { __builtin_prefetch(p, 0, 3); }

INLINE vf pool_load(const char *p, int64_t d, const int wide) {
    return wide ? vf_load((const float *)p + d) : bf16_load((const uint16_t *)p + d);
}

// ---- scores: [token / KEYS][query of four][token % KEYS]

INLINE void score_tile(const Range *r, int64_t token, const float *const *q, int64_t dim,
                       float *scores, const int wide, const int first) {
    vf sum[LANES];
    for (int i = 0; i < LANES; i++) sum[i] = vf_set(0);
    for (int64_t d = 0; d < dim; d += W) {
        vf key[KEYS];
        for (int j = 0; j < KEYS; j++) {
            key[j] = pool_load(r->key[token + j], d, wide);
            if (first && d % (wide ? 16 : 32) == 0)
                fetch(next_key(r, token + j) + d * (wide ? 4 : 2));
        }
        for (int i = 0; i < FOUR; i++) {
            vf row = vf_load(q[i] + d);
            for (int j = 0; j < KEYS; j++)
                sum[i * KEYS + j] = vf_fma(row, key[j], sum[i * KEYS + j]);
        }
    }
    for (int i = 0; i < LANES; i += W) vf_store(scores + i, vf_sums(sum + i));
}

static inline void range_scores(const Range *r, const float *const *q, int64_t fours, int64_t dim,
                                float *scores, const int wide) {
    for (int64_t block = 0; block < r->tokens; block += TOKENS)
        for (int64_t f = 0; f < fours; f++)
            for (int64_t t = block; t < block + TOKENS; t += KEYS) {
                float *to = scores + (f * RANGE + t) * FOUR;
                if (f == 0)
                    score_tile(r, t, q, dim, to, wide, 1);
                else
                    score_tile(r, t, q + f * FOUR, dim, to, wide, 0);
            }
}

// ---- shares: scores of one four made exponentials of their distance from the largest

INLINE void each_query(float *lanes, int largest) {
    for (int i = 0; i < FOUR; i++) {
        float *query = lanes + i * KEYS, result = query[0];
        for (int j = 1; j < KEYS; j++)
            result = !largest ? result + query[j] : query[j] > result ? query[j] : result;
        for (int j = 0; j < KEYS; j++) query[j] = result;
    }
}

// seen: of each query, the tokens of the range that it sees. Leaves the largest scores and sums.
static void range_shares(float *scores, int64_t tokens, const int64_t *seen, float scale,
                         float *most, float *sums) {
    enum { VECTORS = LANES / W };
    float limit[LANES], place[LANES];
    for (int i = 0; i < LANES; i++) {
        limit[i] = (float)seen[i / KEYS];
        place[i] = (float)(i % KEYS);
        most[i] = UNSEEN / 2;
        sums[i] = 0;
    }
    for (int v = 0; v < VECTORS; v++) {
        vf largest = vf_load(most + v * W);
        for (int64_t t = 0; t < tokens; t += KEYS) {
            float *at = scores + t * FOUR + v * W;
            vi inside = vf_load(place + v * W) + (float)t < vf_load(limit + v * W);
            vi score = (vi)(vf_load(at) * scale) & inside;
            vf_store(at, (vf)(score | ((vi)vf_set(UNSEEN) & ~inside)));
            largest = vf_max(vf_load(at), largest);
        }
        vf_store(most + v * W, largest);
    }
    each_query(most, 1);
    for (int v = 0; v < VECTORS; v++) {
        vf largest = vf_load(most + v * W), sum = vf_set(0);
        for (int64_t t = 0; t < tokens; t += KEYS) {
            float *at = scores + t * FOUR + v * W;
            vf share = vf_exp(vf_load(at) - largest);
            vf_store(at, share);
            sum += share;
        }
        vf_store(sums + v * W, sum);
    }
    each_query(sums, 0);
}

// ---- values: [query of four][dim], a few vectors of four queries at a time

INLINE void value_tile(const Range *r, int64_t token, int64_t end, const float *shares, int64_t d,
                       float *out, int64_t stride, const int wide, const int vectors,
                       const int first) {
    vf sum[FOUR][4];
    for (int i = 0; i < FOUR; i++)
        for (int v = 0; v < vectors; v++)
            sum[i][v] = token ? vf_load(out + i * stride + d + v * W) : vf_set(0);
    for (int64_t t = token; t < end; t++) {
        const float *share = shares + t / KEYS * LANES + t % KEYS;
        vf value[4];
        for (int v = 0; v < vectors; v++) {
            value[v] = pool_load(r->value[t], d + v * W, wide);
            if (first && v * W % (wide ? 16 : 32) == 0)
                fetch(r->value[t + TOKENS] + (d + v * W) * (wide ? 4 : 2));
        }
        for (int i = 0; i < FOUR; i++)
            for (int v = 0; v < vectors; v++)
                sum[i][v] = vf_fma(value[v], vf_set(share[i * KEYS]), sum[i][v]);
    }
    for (int i = 0; i < FOUR; i++)
        for (int v = 0; v < vectors; v++) vf_store(out + i * stride + d + v * W, sum[i][v]);
}

// Vectors of values per step: their sums fit the registers.
#define VALUES (W == 8 ? 2 : 4)

INLINE void value_rows(const Range *r, int64_t token, int64_t end, const float *shares, int64_t dim,
                       float *out, const int wide, const int first) {
    const int64_t stride = dim + MARGIN;
    int64_t d = 0;
    for (; d + VALUES * W <= dim; d += VALUES * W)
        value_tile(r, token, end, shares, d, out, stride, wide, VALUES, first);
    for (; d < dim; d += W) value_tile(r, token, end, shares, d, out, stride, wide, 1, first);
}

static inline void range_values(const Range *r, const float *shares, int64_t fours, int64_t dim,
                                float *out, const int wide) {
    for (int64_t block = 0; block < r->tokens; block += TOKENS) {
        int64_t end = block + TOKENS < r->tokens ? block + TOKENS : r->tokens;
        for (int64_t f = 0; f < fours; f++) {
            const float *mine = shares + f * RANGE * FOUR;
            float *to = out + f * FOUR * (dim + MARGIN);
            if (f == 0)
                value_rows(r, block, end, mine, dim, to, wide, 1);
            else
                value_rows(r, block, end, mine, dim, to, wide, 0);
        }
    }
}

// ---- phases

// Queries [from, from + 4 * fours) of a key head over one range.
static void range_queries(const Attention *a, const Range *r, int64_t head, int64_t from,
                          int64_t fours) {
    const int64_t dim = a->pool.dim, group = a->heads / a->pool.kv_heads, all = queries_of(a);
    const float *q[FOUR * FOURS];
    int64_t seen[FOUR * FOURS];
    float scores[FOURS * RANGE * FOUR], most[LANES], sums[LANES];
    float *out = partial_of(a, head, r->start / RANGE, from);
    for (int64_t i = 0; i < fours * FOUR; i++) {
        int64_t query = from + i < all ? from + i : all - 1;
        int64_t row = query / group;
        q[i] = a->q + row * a->q_stride + (head * group + query % group) * dim;
        seen[i] = a->length - a->rows + row + 1 - r->start;
    }
    if (a->pool.format == FLOAT32)
        range_scores(r, q, fours, dim, scores, 1);
    else
        range_scores(r, q, fours, dim, scores, 0);
    for (int64_t f = 0; f < fours; f++) {
        range_shares(scores + f * RANGE * FOUR, r->tokens, seen + f * FOUR, 1.0f / sqrtf(dim), most,
                     sums);
        for (int i = 0; i < FOUR; i++) {
            float *margin = out + (f * FOUR + i) * (dim + MARGIN) + dim;
            margin[0] = most[i * KEYS];
            margin[1] = sums[i * KEYS];
        }
    }
    if (a->pool.format == FLOAT32)
        range_values(r, scores, fours, dim, out, 1);
    else
        range_values(r, scores, fours, dim, out, 0);
}

#if defined(__AMX_TILE__)
static void range_by_tiles(const Attention *a, int64_t head, int64_t range);
#endif

// First phase, attend_parts: all queries of one key head over one range.
static void attend_range(const Attention *a, int64_t part) {
#if defined(__AMX_TILE__)
    if (a->rows >= TILE_LEAST_ROWS && !a->alone && a->pool.format == BFLOAT16 && a->pool.dim % 32 == 0) {
        range_by_tiles(a, part / range_count(a), part % range_count(a));
        return;
    }
#endif
    Range r;
    int64_t head = part / range_count(a), fours = padded_queries(a) / FOUR;
    range_find(a, head, part % range_count(a), &r);
    for (int64_t f = 0; f < fours; f += FOURS)
        range_queries(a, &r, head, f * FOUR, fours - f < FOURS ? fours - f : FOURS);
}

static int64_t attend_merges(const Attention *a) { return (int64_t)a->rows * a->heads; }

// Second phase, attend_merges: one head of one row, [row][head].
static void attend_merge(const Attention *a, int64_t part) {
    const int64_t dim = a->pool.dim, group = a->heads / a->pool.kv_heads;
    const int64_t row = part / a->heads, head = part % a->heads, ranges = range_count(a);
    const float *first = partial_of(a, head / group, 0, row * group + head % group);
    const int64_t stride = padded_queries(a) * (dim + MARGIN);
    float *out = a->out + row * a->out_stride + head * dim, most = UNSEEN, sum = 0;
    for (int64_t r = 0; r < ranges; r++) most = fmaxf(most, first[r * stride + dim]);
    memset(out, 0, (size_t)dim * 4);
    for (int64_t r = 0; r < ranges; r++) {
        const float *range = first + r * stride;
        vf share = vf_exp(vf_set(range[dim] - most));
        sum += share[0] * range[dim + 1];
        for (int64_t d = 0; d < dim; d += W)
            vf_store(out + d, vf_fma(vf_load(range + d), share, vf_load(out + d)));
    }
    for (int64_t d = 0; d < dim; d += W) vf_store(out + d, vf_load(out + d) / sum);
}

// ---- on its own

static void attend_body(Team *team, void *arg) {
    const Attention *a = arg;
    TEAM_PARTS(team, part, attend_parts(a)) attend_range(a, part);
    TEAM_MEET(team);
    TEAM_PARTS(team, part, attend_merges(a)) attend_merge(a, part);
    TEAM_MEET(team);
}

static void attend_cut(void *call, Cut *memory, int threads) {
    Attention *a = call;
    a->partial = cut(memory, (size_t)attend_numbers(a) * sizeof(float));
}

static int attend_rows(const Attention *given) {
    Attention a = *given;
    return run_call(attend_cut, attend_body, &a,
                    a.length * a.rows * a.heads * a.pool.dim < 1 << 16);
}
