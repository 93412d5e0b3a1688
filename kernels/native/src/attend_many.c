// Attention of many rows over the slots of a sequence: products of blocks that stay in the caches.
//
// A block of keys is multiplied by 32 queries at a time, and what the scores' exponentials give is
// multiplied by the values. Blocks count tokens from the sequence's start and every query has its own
// running maximum, so a row's result depends neither on the rows beside it nor on slots or threads.
//
// Source: Dao, "FlashAttention-2" (2023).

#include "attend.h"
#include "matrix.h"
#include "simd.h"
#include "transpose.h"
#include "workspace.h"

// Queries of a tile, keys of a block, and the dims that values and sums are kept in panels of: as many
// as give the products' registers enough to do, while scores stay in the first-level cache.
#if W == 16 && !defined(__AMX_TILE__)
#define TILE_QUERIES 64
#define KEYS_AT_ONCE 128
#define PANEL 64
#else
#define TILE_QUERIES 32
#define KEYS_AT_ONCE 256
#define PANEL 32
#endif
// Queries of one part at most: a block of keys and values is made ready once for all of them.
#define PART_TILES (512 / TILE_QUERIES)
#define PART_QUERIES (PART_TILES * TILE_QUERIES)
// A query's maximum follows its scores only when they are 2^8 above it, so sums seldom need scaling.
#define TOLERANCE 8.0f
#define LOG2_E 1.44269504f

typedef struct {
    const Attention *a;
    int per;          // numbers to a unit, see small.c
    int64_t group;    // query heads of a key head
    int64_t queries;  // of a key head
    int64_t each;     // of a part
    Scratch desks;
} ManyRows;

// A thread's memory. Units are 32 bits; 32 stands for TILE_QUERIES.
typedef struct {
    float *queries;   // [tiles][units of dim][32]
    float *sums;      // [tiles][panels][32][PANEL]
    float *keys;      // [keys][units of dim], when they cannot be read in place
    float *values;    // [panels][units of keys][PANEL]
    float *scores;    // [keys][32], then the same as units
    float *shares;    // [32][units of keys]
    float *most, *weight;  // [tiles][32]
    Operand key;
    const char *next[2 * KEYS_AT_ONCE];  // rows of the next block of keys and values
    int64_t rows;                        // how many
} Desk;

INLINE int64_t panels_of(int64_t dim) { return (dim + PANEL - 1) / PANEL; }

static void desk_over(Desk *d, Cut *memory, int64_t dim) {
    const size_t wide = (size_t)panels_of(dim) * PANEL * sizeof(float), tall = dim * sizeof(float);
    d->queries = cut(memory, PART_QUERIES * tall);
    d->sums = cut(memory, PART_QUERIES * wide);
    d->keys = cut(memory, KEYS_AT_ONCE * tall);
    d->values = cut(memory, KEYS_AT_ONCE * wide);
    d->scores = cut(memory, KEYS_AT_ONCE * TILE_QUERIES * sizeof(float));
    d->shares = cut(memory, KEYS_AT_ONCE * TILE_QUERIES * sizeof(float));
    d->most = cut(memory, PART_QUERIES * sizeof(float));
    d->weight = cut(memory, PART_QUERIES * sizeof(float));
}

// ---- numbers

// 2^t for t below 127: to four digits, or to seven if `fine`.
INLINE vf power_of_two(vf t, const int fine) {
#if W == 16
    vf rest = (vf)_mm512_reduce_ps((__m512)t, 1);
#else
    vf clipped = vf_max(vf_set(-126.0f), t);
    vi whole = vi_round(clipped - 0.5f);
    vf rest = clipped - vf_of(whole);
#endif
    vf p;
    if (fine) {
        p = vf_fma(rest, vf_set(2.1702269787e-4f), vf_set(1.2439689797e-3f));
        p = vf_fma(rest, p, vf_set(9.6788399729e-3f));
        p = vf_fma(rest, p, vf_set(5.5483343027e-2f));
        p = vf_fma(rest, p, vf_set(2.4022983586e-1f));
        p = vf_fma(rest, p, vf_set(6.9314698390e-1f));
        p = vf_fma(rest, p, vf_set(1.0f));
    } else {
        p = vf_fma(rest, vf_set(7.8024056770e-2f), vf_set(2.2606791749e-1f));
        p = vf_fma(rest, p, vf_set(6.9583319384e-1f));
        p = vf_fma(rest, p, vf_set(9.9992525795e-1f));
    }
#if W == 16
    return (vf)_mm512_scalef_ps((__m512)p, (__m512)t);
#else
    vi tiny = t < vf_set(-126.0f);
    return (vf)((vi)(p * (vf)((whole + 127) << 23)) & ~tiny);
#endif
}

// ---- making ready

INLINE void widen_row(float *out, const void *row, int64_t from, int64_t n, int format) {
    for (int64_t d = 0; d < n; d += W)
        vf_store(out + d, format == FLOAT32 ? vf_load((const float *)row + from + d)
                                            : bf16_load((const uint16_t *)row + from + d));
}

// One row's numbers as units along the row.
INLINE void row_units(float *out, const void *row, int64_t n, int format, const int per) {
    if (per == 1)
        widen_row(out, row, 0, n, format);
    else if (format == BFLOAT16)
        memcpy(out, row, (size_t)n * 2);
    else
        units_along(out, row, 1.0f, n, per);
}

// The tile's 32 queries, transposed.
INLINE void ready_queries(const ManyRows *m, int64_t head, int64_t from, int64_t count, float *stage,
                          float *out, const int per) {
    const Attention *a = m->a;
    const int64_t dim = a->pool.dim, number = a->q_format == FLOAT32 ? 4 : 2, units = dim / per;
    for (int64_t i = 0; i < TILE_QUERIES; i++) {
        int64_t row = (from + i) / m->group, one = head * m->group + (from + i) % m->group;
        const char *q = (const char *)a->q + (row * a->q_stride + one * dim) * number;
        if (i < count)
            row_units(stage + i * units, q, dim, a->q_format, per);
        else
            memset(stage + i * units, 0, (size_t)units * 4);
    }
    transpose(stage, units, TILE_QUERIES, units, out, TILE_QUERIES);
}

#if PER_UNIT == 2
// 32 numbers of two rows, each pair a unit.
INLINE void pair_values(float *out, const uint16_t *first, const uint16_t *second) {
    const __m512i order = _mm512_set_epi64(7, 3, 6, 2, 5, 1, 4, 0);
    __m512i a = first ? _mm512_loadu_si512(first) : _mm512_setzero_si512();
    __m512i b = second ? _mm512_loadu_si512(second) : _mm512_setzero_si512();
    a = _mm512_permutexvar_epi64(order, a);
    b = _mm512_permutexvar_epi64(order, b);
    _mm512_storeu_si512(out, _mm512_unpacklo_epi16(a, b));
    _mm512_storeu_si512(out + 16, _mm512_unpackhi_epi16(a, b));
}
#endif

// One or two rows' numbers from d on, at most 32, as units of a panel; NULL: zeros.
INLINE void value_units(float *out, const char *row, const char *next, int64_t d, int64_t n,
                        int format, const int per) {
#if PER_UNIT == 2
    if (per == 2) {
        pair_values(out, row ? (const uint16_t *)row + d : NULL, next ? (const uint16_t *)next + d : NULL);
        return;
    }
#endif
    (void)next;
    if (row)
        widen_row(out, row, d, n, format);
    else
        memset(out, 0, (size_t)n * 4);
}

// slots of `tokens` tokens; the rest of the block is zero.
INLINE void ready_values(const Pool *p, const char *plane, const int64_t *slots, int64_t tokens,
                         float *out, const int per) {
    const int64_t dim = p->dim, number = p->format == FLOAT32 ? 4 : 2;
    // 32 rows at a time are in the first-level cache.
    for (int64_t some = 0; some < KEYS_AT_ONCE; some += 32)
        for (int64_t d = 0; d < dim; d += 32)
            for (int64_t t = some; t < some + 32; t += per) {
                const char *row = t < tokens ? plane + slots[t] * dim * number : NULL;
                const char *next = t + 1 < tokens ? plane + slots[t + 1] * dim * number : NULL;
                float *at = out + (d / PANEL * (KEYS_AT_ONCE / per) + t / per) * PANEL + d % PANEL;
                value_units(at, row, next, d, dim - d < 32 ? dim - d : 32, p->format, per);
            }
}

// Keys are read in place where a block's slots follow each other.
INLINE Operand ready_keys(const Pool *p, const char *plane, const int64_t *slots, int64_t tokens,
                          float *copy, const int per) {
    const int64_t dim = p->dim, number = p->format == FLOAT32 ? 4 : 2, units = dim / per;
    int in_place = tokens == KEYS_AT_ONCE && (p->format == FLOAT32 || per == 2);
    for (int64_t t = 1; t < tokens && in_place; t++) in_place = slots[t] == slots[0] + t;
    if (in_place) return (Operand){(const float *)(plane + slots[0] * dim * number), units};
    for (int64_t t = 0; t < tokens; t++)
        row_units(copy + t * units, plane + slots[t] * dim * number, dim, p->format, per);
    memset(copy + tokens * units, 0, (size_t)((KEYS_AT_ONCE - tokens) * units) * 4);
    return (Operand){copy, units};
}

// ---- scores to shares

// Of W queries: their largest scores and weights brought up to date, scores made shares. Returns
// whether any query's sums must be multiplied by `fade` first. limit: the last key that each sees.
INLINE int shares_of(float *scores, int64_t keys, vi limit, int64_t seen_by_all, float scale,
                     float *most, float *weight, float *fade, const int fine) {
    vf top = vf_set(UNSEEN), before = vf_load(most);
    for (int64_t k = 0; k < seen_by_all; k++)
        top = vf_max(vf_load(scores + k * TILE_QUERIES), top);
    for (int64_t k = seen_by_all; k < keys; k++) {
        float *at = scores + k * TILE_QUERIES;
        vi seen = limit >= vi_set((int32_t)k);
        vf score = (vf)(((vi)vf_load(at) & seen) | ((vi)vf_set(UNSEEN) & ~seen));
        vf_store(at, score);
        top = vf_max(score, top);
    }
    top = vf_max(top, vf_set(UNSEEN / 2)) * scale;
    vi higher = top > before + TOLERANCE;
    vf now = (vf)(((vi)top & higher) | ((vi)before & ~higher));
    vf faded = power_of_two(before - now, 1), sum = vf_load(weight) * faded;
    vf_store(most, now);
    vf_store(fade, faded);
    for (int64_t k = 0; k < keys; k++) {
        float *at = scores + k * TILE_QUERIES;
        vf share = power_of_two(vf_fma(vf_load(at), vf_set(scale), -now), fine);
        sum += share;
        vf_store(at, share);
    }
    vf_store(weight, sum);
    return vf_largest((vf)((vu)vf_of(higher) & 0x7fffffff)) > 0;
}

INLINE void fade_sums(float *sums, int64_t panels, const float *fade) {
    for (int64_t p = 0; p < panels; p++)
        for (int64_t i = 0; i < TILE_QUERIES; i++) {
            if (fade[i] == 1.0f) continue;
            float *at = sums + (p * TILE_QUERIES + i) * PANEL;
            for (int64_t d = 0; d < PANEL; d += W) vf_store(at + d, vf_load(at + d) * fade[i]);
        }
}

// One of `all` shares of the next block's rows into the second-level cache.
INLINE void fetch_next(const Desk *d, int64_t share, int64_t all, int64_t bytes) {
    for (int64_t r = d->rows * share / all; r < d->rows * (share + 1) / all; r++)
        for (int64_t b = 0; b < bytes; b += 64) __builtin_prefetch(d->next[r] + b, 0, 2);
}

// ---- one block of keys by one tile of queries

// first: the last of a query's position in the block; queries see one key more every `group`.
INLINE void tile_block(const ManyRows *m, Desk *d, int64_t tile, int64_t tiles, int64_t query,
                       int64_t block, const int per) {
    const Attention *a = m->a;
    const int64_t dim = a->pool.dim, panels = panels_of(dim), start = a->length - a->rows - block;
    const int64_t last = start + (query + TILE_QUERIES - 1) / m->group;
    int64_t keys = (last + 1 + 31) / 32 * 32;
    if (keys <= 0) return;
    if (keys > KEYS_AT_ONCE) keys = KEYS_AT_ONCE;
    int64_t seen_by_all = start + query / m->group + 1;
    seen_by_all = seen_by_all < 0 ? 0 : seen_by_all < keys ? seen_by_all : keys;
    Operand q = {d->queries + tile * TILE_QUERIES * (dim / per), TILE_QUERIES};
    small_product(per, keys, TILE_QUERIES, dim / per, d->key, q, d->scores, TILE_QUERIES, 0);

    float fade[TILE_QUERIES], *most = d->most + tile * TILE_QUERIES;
    float *weight = d->weight + tile * TILE_QUERIES;
    int faded = 0;
    for (int64_t i = 0; i < TILE_QUERIES; i += W) {
        int32_t limit[W];
        for (int j = 0; j < W; j++) limit[j] = (int32_t)(start + (query + i + j) / m->group);
        faded |= shares_of(d->scores + i, keys, vi_load(limit), seen_by_all,
                           LOG2_E / sqrtf((float)dim), most + i, weight + i, fade + i, per == 1);
    }
    float *sums = d->sums + tile * TILE_QUERIES * panels * PANEL;
    if (faded && block) fade_sums(sums, panels, fade);
#if PER_UNIT == 2
    // In place: a pair of rows becomes one row of units.
    if (per == 2)
        for (int64_t k = 0; k < keys; k += 2)
            for (int64_t i = 0; i < TILE_QUERIES; i += W) {
                const float *at = d->scores + k * TILE_QUERIES + i;
                vf_store(d->scores + k / 2 * TILE_QUERIES + i,
                         units_of(vf_load(at), vf_load(at + TILE_QUERIES)));
            }
#endif
    transpose(d->scores, TILE_QUERIES, keys / per, TILE_QUERIES, d->shares, KEYS_AT_ONCE / per);
    Operand share = {d->shares, KEYS_AT_ONCE / per};
    for (int64_t p = 0; p < panels; p++) {
        fetch_next(d, tile * panels + p, tiles * panels, dim * (a->pool.format == FLOAT32 ? 4 : 2));
        Operand value = {d->values + p * (KEYS_AT_ONCE / per) * PANEL, PANEL};
        int64_t columns = dim - p * PANEL < PANEL ? dim - p * PANEL : PANEL;
        small_product(per, TILE_QUERIES, columns, keys / per, share, value,
                      sums + p * TILE_QUERIES * PANEL, PANEL, block > 0);
    }
}

// ---- parts

// The rows of one tile, divided by their weights.
static void tile_out(const ManyRows *m, const Desk *d, int64_t head, int64_t tile, int64_t query) {
    const Attention *a = m->a;
    const int64_t dim = a->pool.dim, panels = panels_of(dim);
    for (int64_t i = 0; i < TILE_QUERIES && query + i < m->queries; i++) {
        int64_t row = (query + i) / m->group, one = head * m->group + (query + i) % m->group;
        const float *sums = d->sums + (tile * panels * TILE_QUERIES + i) * PANEL;
        int64_t at = row * a->out_stride + one * dim;
        float part = 1.0f / d->weight[tile * TILE_QUERIES + i];
        for (int64_t c = 0; c < dim; c += W) {
            vf v = vf_load(sums + c / PANEL * TILE_QUERIES * PANEL + c % PANEL) * part;
            if (a->q_format == FLOAT32)
                vf_store((float *)a->out + at + c, v);
            else
                bf16_store((uint16_t *)a->out + at + c, v);
        }
    }
}

INLINE void many_part(const ManyRows *m, Desk *d, int64_t head, int64_t from, int64_t to,
                      const int per) {
    const Attention *a = m->a;
    const Pool *p = &a->pool;
    const int64_t number = p->format == FLOAT32 ? 4 : 2;
    const int64_t tiles = (to - from + TILE_QUERIES - 1) / TILE_QUERIES;
    const char *keys = (const char *)p->keys + head * p->head_stride * number;
    const char *values = (const char *)p->values + head * p->head_stride * number;
    const int64_t end = a->length - a->rows + (to - 1) / m->group + 1;
    for (int64_t t = 0; t < tiles; t++) {
        int64_t at = from + t * TILE_QUERIES;
        ready_queries(m, head, at, to - at, d->scores, d->queries + t * TILE_QUERIES * (p->dim / per),
                      per);
        for (int i = 0; i < TILE_QUERIES; i++) {
            d->most[t * TILE_QUERIES + i] = UNSEEN;
            d->weight[t * TILE_QUERIES + i] = 0;
        }
    }
    for (int64_t block = 0; block < end; block += KEYS_AT_ONCE) {
        int64_t slots[KEYS_AT_ONCE], left = a->length - block;
        if (left > KEYS_AT_ONCE) left = KEYS_AT_ONCE;
        find_slots(a->extents, block, left, slots);
        d->key = ready_keys(p, keys, slots, left, d->keys, per);
        ready_values(p, values, slots, left, d->values, per);
        d->rows = 0;
        if (block + KEYS_AT_ONCE < end) {
            int64_t more = a->length - block - KEYS_AT_ONCE;
            if (more > KEYS_AT_ONCE) more = KEYS_AT_ONCE;
            find_slots(a->extents, block + KEYS_AT_ONCE, more, slots);
            for (int64_t t = 0; t < more; t++) {
                d->next[d->rows++] = keys + slots[t] * p->dim * number;
                d->next[d->rows++] = values + slots[t] * p->dim * number;
            }
        }
        for (int64_t t = 0; t < tiles; t++)
            tile_block(m, d, t, tiles, from + t * TILE_QUERIES, block, per);
    }
    for (int64_t t = 0; t < tiles; t++) tile_out(m, d, head, t, from + t * TILE_QUERIES);
}

static void many_body(Team *team, void *arg) {
    ManyRows *m = arg;
    const int64_t heads = m->a->pool.kv_heads, parts = (m->queries + m->each - 1) / m->each;
    Desk d;
    Cut memory = {scratch_of(&m->desks, team), 0};
    desk_over(&d, &memory, m->a->pool.dim);
    small_begin(m->per);
    TEAM_PARTS(team, part, parts * heads) {
        // The longest first, so that no long one starts last.
        int64_t from = (parts - 1 - part / heads) * m->each, to = from + m->each;
        if (to > m->queries) to = m->queries;
        if (m->per == 1)
            many_part(m, &d, part % heads, from, to, 1);
        else
            many_part(m, &d, part % heads, from, to, PER_UNIT);
    }
    small_end(m->per);
    TEAM_MEET(team);
}

static void many_cut(void *call, Cut *memory, int threads) {
    ManyRows *m = call;
    // Two parts per thread: each makes all keys and values ready anew. Never more queries than a thread
    // has room for.
    int64_t each = m->queries * m->a->pool.kv_heads / (2 * threads);
    each = (each + TILE_QUERIES - 1) / TILE_QUERIES * TILE_QUERIES;
    if (each < TILE_QUERIES) each = TILE_QUERIES;
    m->each = each < PART_QUERIES ? each : PART_QUERIES;
    Desk none;
    Cut desk = {0};
    desk_over(&none, &desk, m->a->pool.dim);
    m->desks = scratch_cut(memory, desk.used, threads);
}

static int attend_many(const Attention *a) {
    const int64_t group = a->heads / a->pool.kv_heads;
    ManyRows m = {.a = a, .per = 1, .group = group, .queries = a->rows * group};
    if (a->pool.format == BFLOAT16 && a->pool.dim % 32 == 0) m.per = PER_UNIT;
    return run_call(many_cut, many_body, &m, 0);
}
