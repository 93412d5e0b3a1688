// The gated delta rule on chunks of up to 64 tokens, in the buffers of one thread.
//
// Source: Yang et al., "Gated Delta Networks" (2024), the chunked (WY) form, without the inverse:
// what a chunk writes, N, solves (I + L) N = rate (V - decay K S), 16 tokens after 16 tokens. Diagonal
// blocks are solved in float32; everything else is products of small matrices.

#include "sweep_conv.c"
#include "chunk_rates.c"
#include "small.c"
#include "transpose.h"

#define SOLVED 16
#define KEY_EPS 1e-6f

// Tokens are padded with zeros to a multiple of `grain`: what a tile sums over.
#define GRAIN(per) (16 * (per))
#define UP(n, to) (((n) + (to)-1) / (to) * (to))

// What a key head's value heads share for one chunk, and what one value head needs.
typedef struct {
    int64_t key_units;   // per row of keys, padded
    float *queries;      // [64][key_dim], of unit length times key_dim ** -0.5
    float *keys;         // [64][key_dim]
    float *query_units, *key_units_at;  // [64][key_units]
    float *key_columns;  // [key_units][64]: columns of a product with keys
    float *key_pairs;    // [key_dim][64 / per]: transposed, units along the tokens
    float *own, *seen;   // [64][64]: keys by keys, queries by keys; below the diagonal
    float *x;            // [64][value_dim]: values, then what is written
    float *out;          // [64][value_dim]
    float *lower;        // [64][64 / per]: -L without the diagonal blocks
    float *inside;       // [64][64 / per]: what each query reads of its own chunk
    float *diagonal;     // [64][16]: -L within the diagonal blocks
    float *decayed;      // [64][key_units]: queries times the decay since the chunk's start
    float *news, *kept;  // [64 / per][value_dim]: what is written, and how it is left at the end
    float *change;       // [32][value_dim]
    float *packed;       // [heads][key_units][value_dim]: the states' units, unless per is 1
    ChunkRates rates;
} ChunkSpace;

static const float ONES[CHUNK] = {[0 ... CHUNK - 1] = 1.0f};

// ---- once per key head

// Scale rows to length `unit`; rows behind the last token are zero.
static void chunk_unit(float *x, int64_t tokens, int64_t rows, int64_t dim, float unit) {
    for (int64_t t = 0; t < tokens; t++) {
        float *row = x + t * dim;
        vf squares = vf_set(0);
        for (int64_t i = 0; i < dim; i += W) {
            vf v = vf_load(row + i);
            squares = vf_fma(v, v, squares);
        }
        float factor = unit / sqrtf(vf_sum(squares) + KEY_EPS);
        for (int64_t i = 0; i < dim; i += W) vf_store(row + i, vf_load(row + i) * factor);
    }
    memset(x + tokens * dim, 0, (size_t)((rows - tokens) * dim) * 4);
}

INLINE void unit_operand(float *units, int64_t stride, const float *x, int64_t rows, int64_t dim,
                         const float *factor, const int per) {
    for (int64_t t = 0; t < rows; t++)
        units_along(units + t * stride, x + t * dim, factor[t], dim, per);
}

// Convolved rows [first, first + SOLVED) of a chunk of `tokens`, of length `unit`, and their units.
INLINE void key_rows(const Sweep *s, int64_t channel, int64_t first, int64_t at, int64_t tokens,
                     float unit, float *x, float *operand, int64_t units, const int per) {
    const int64_t dim = s->key_dim;
    int64_t some = tokens - at < SOLVED ? tokens - at : SOLVED;
    if (some < 0) some = 0;
    if (some) sweep_convolve(s, first + at, some, channel, dim, x + at * dim);
    chunk_unit(x + at * dim, some, SOLVED, dim, unit);
    unit_operand(operand + at * units, units, x + at * dim, SOLVED, dim, ONES, per);
}

INLINE void chunk_keys(const Sweep *s, ChunkSpace *p, int64_t head, int64_t first, int64_t tokens,
                       const int per) {
    const int64_t dim = s->key_dim, units = p->key_units, rows = UP(tokens, GRAIN(per));
    const int64_t queries = head * dim, keys = ((int64_t)s->key_heads + head) * dim;
    const float root = 1.0f / sqrtf((float)dim);
    // A few rows at a time, so that they are in the first-level cache from step to step.
    for (int64_t t = 0; t < rows; t += SOLVED) {
        key_rows(s, queries, first, t, tokens, root, p->queries, p->query_units, units, per);
        key_rows(s, keys, first, t, tokens, 1.0f, p->keys, p->key_units_at, units, per);
    }
    transpose(p->key_units_at, units, rows, units, p->key_columns, CHUNK);
    if (per == 2) {
        for (int64_t t = 0; t < rows; t += per)
            units_across(p->news + t / per * dim, p->keys + t * dim, dim, ONES, dim, per);
        transpose(p->news, dim, rows / per, dim, p->key_pairs, CHUNK / per);
    }
    for (int64_t i = 0; i < rows; i += GRAIN(per)) {
        Operand reads = {p->query_units + i * units, units}, columns = {p->key_columns, CHUNK};
        Operand some = {p->key_units_at + i * units, units};
        int64_t wide = i + GRAIN(per);
        small_product(per, GRAIN(per), wide, units, reads, columns, p->seen + i * CHUNK, CHUNK, 0);
        small_product(per, GRAIN(per), wide, units, some, columns, p->own + i * CHUNK, CHUNK, 0);
    }
}

// ---- once per value head

// The coefficients between the tokens of a chunk.
INLINE void pair_rows(const Sweep *s, ChunkSpace *p, int64_t head, int64_t first, int64_t rows,
                      const int per) {
    const int64_t keys = (int64_t)s->key_heads * s->key_dim;
    const int64_t query = head / (s->value_heads / s->key_heads) * s->key_dim;
    const ChunkRates *r = &p->rates;
    float inside[CHUNK], lower[CHUNK];
    vi lane;
    for (int j = 0; j < W; j++) lane[j] = j;
    for (int64_t t = 0; t < rows; t++) {
        int64_t block = t / SOLVED * SOLVED, wide = UP(t + 1, GRAIN(per));
        for (int64_t j = 0; j < wide; j += W) {
            vi at = lane + (int32_t)j;
            vf factor = decay_factor(r->decay[t] - vf_load(r->decay + j));
            vf read = factor * vf_load(p->seen + t * CHUNK + j);
            vf erased = factor * vf_load(p->own + t * CHUNK + j) * -r->rate[t];
            vf_store(inside + j, (vf)((vi)read & (at <= (int32_t)t)));
            vf_store(lower + j, (vf)((vi)erased & (at < (int32_t)t)));
        }
        memcpy(p->diagonal + t * SOLVED, lower + block, SOLVED * 4);
        memset(lower + block, 0, (size_t)(wide - block) * 4);
        units_along(p->inside + t * (CHUNK / per), inside, 1.0f, wide, per);
        units_along(p->lower + t * (CHUNK / per), lower, 1.0f, wide, per);
        row_ahead(s, first + CHUNK + t, query, s->key_dim);
        row_ahead(s, first + CHUNK + t, query + keys, s->key_dim);
    }
}

// x := (I + L)^-1 x for one diagonal block of 16 rows.
INLINE void chunk_substitute(float *x, int64_t dim, const float *diagonal) {
    for (int64_t j = 0; j < dim; j += W) {
        vf row[SOLVED];
        for (int t = 0; t < SOLVED; t++) row[t] = vf_load(x + t * dim + j);
        for (int from = 0; from < SOLVED; from++)
            for (int t = from + 1; t < SOLVED; t++)
                row[t] = vf_fma(vf_set(diagonal[t * SOLVED + from]), row[from], row[t]);
        for (int t = 1; t < SOLVED; t++) vf_store(x + t * dim + j, row[t]);
    }
}

// What the chunk writes: x becomes N, and its units are laid out for the products with it.
INLINE void chunk_solve(ChunkSpace *p, int64_t rows, int64_t dim, const int per) {
    // Of a tile's tokens some are not solved yet when it is first read.
    if (per == 2) memset(p->news, 0, (size_t)(rows / per * dim) * 4);
    for (int64_t i = 0; i < rows; i += SOLVED) {
        float *x = p->x + i * dim;
        Operand lower = {p->lower + i * (CHUNK / per), CHUNK / per}, news = {p->news, dim};
        if (i) small_product(per, SOLVED, dim, UP(i, GRAIN(per)) / per, lower, news, x, dim, 1);
        chunk_substitute(x, dim, p->diagonal + i * SOLVED);
        for (int64_t t = i; t < i + SOLVED; t += per) {
            const float *row = p->x + t * dim;
            units_across(p->news + t / per * dim, row, dim, ONES, dim, per);
            units_across(p->kept + t / per * dim, row, dim, p->rates.to_end + t, dim, per);
        }
    }
}

// The state's units, as the products with queries and keys read them.
INLINE void pack_state(float *packed, const float *state, int64_t rows, int64_t dim,
                       const int per) {
    for (int64_t i = 0; per == 2 && i < rows; i += per)
        units_across(packed + i / per * dim, state + i * dim, dim, ONES, dim, per);
}

// state := whole state + keys^T N, a strip of key dimensions at a time.
INLINE void write_state(const Sweep *s, ChunkSpace *p, float *state, float *packed, int64_t rows,
                        const int per) {
    const int64_t dim = s->value_dim;
    const float *keys = per == 2 ? p->key_pairs : p->key_columns;
    vf whole = vf_set(p->rates.whole);
    for (int64_t i = 0; i < s->key_dim; i += 32) {
        int64_t some = s->key_dim - i < 32 ? s->key_dim - i : 32;
        Operand strip = {keys + i * (CHUNK / per), CHUNK / per}, kept = {p->kept, dim};
        small_product(per, some, dim, rows / per, strip, kept, p->change, dim, 0);
        float *at = state + i * dim;
        for (int64_t j = 0; j < some * dim; j += W)
            vf_store(at + j, vf_fma(vf_load(at + j), whole, vf_load(p->change + j)));
        pack_state(packed + i / per * dim, at, some, dim, per);
    }
}

// What the tokens would write if they did not see each other: rate (V - decay K S) in p->x.
INLINE void surprise_rows(const Sweep *s, ChunkSpace *p, int64_t channel, int64_t first,
                          int64_t tokens, int64_t rows) {
    const int64_t dim = s->value_dim;
    const ChunkRates *r = &p->rates;
    for (int64_t at = 0; at < tokens; at += SOLVED) {
        int64_t end = at + SOLVED < tokens ? at + SOLVED : tokens;
        sweep_convolve(s, first + at, end - at, channel, dim, p->x + at * dim);
        for (int64_t t = at; t < end; t++) {
            row_ahead(s, first + CHUNK + t, channel, dim);
            for (int64_t j = t * dim; j < (t + 1) * dim; j += W) {
                vf predicted = vf_load(p->out + j) * r->since[t];
                vf_store(p->x + j, (vf_load(p->x + j) - predicted) * r->rate[t]);
            }
        }
    }
    memset(p->x + tokens * dim, 0, (size_t)((rows - tokens) * dim) * 4);
}

// One chunk of one value head: p->out [tokens][value_dim], and the state after it.
INLINE void chunk_values(const Sweep *s, ChunkSpace *p, int64_t head, int64_t first, int64_t tokens,
                         float *state, float *packed, const int per) {
    const int64_t dim = s->value_dim, units = p->key_units, rows = UP(tokens, GRAIN(per));
    const int64_t values = 2 * (int64_t)s->key_heads * s->key_dim;
    const ChunkRates *r = &p->rates;
    rates_of(s, head, first, tokens, &p->rates);
    pair_rows(s, p, head, first, rows, per);
    unit_operand(p->decayed, units, p->queries, rows, s->key_dim, r->since, per);
    Operand keys = {p->key_units_at, units}, columns = {per == 2 ? packed : state, dim};
    small_product(per, rows, dim, units, keys, columns, p->out, dim, 0);
    surprise_rows(s, p, values + head * dim, first, tokens, rows);
    chunk_solve(p, rows, dim, per);

    Operand decayed = {p->decayed, units}, news = {p->news, dim};
    small_product(per, rows, dim, units, decayed, columns, p->out, dim, 0);
    for (int64_t i = 0; i < rows; i += GRAIN(per)) {
        Operand inside = {p->inside + i * (CHUNK / per), CHUNK / per};
        small_product(per, GRAIN(per), dim, i / per + 16, inside, news, p->out + i * dim, dim, 1);
    }
    write_state(s, p, state, packed, rows, per);
}
