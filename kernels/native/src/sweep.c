// A Gated DeltaNet layer over many tokens: convolution, delta rule and gated norm, chunk by chunk, with
// everything that a head needs in the second-level cache. A part is one or more value heads.

#include "chunk.c"
#include "denormal.h"

#define PARTS_PER_THREAD 4
#define MOST_KEYS 4

typedef struct {
    const Sweep *s;
    int64_t each;  // value heads to a part: some of one key head's, or all of several
    int per;       // numbers to a unit, see small.c
    Scratch spaces;
} Sweeping;

// ---- workspace

INLINE int64_t served(const Sweep *s) { return s->value_heads / s->key_heads; }

static void space_over(ChunkSpace *p, Cut *memory, const Sweep *s, int64_t heads, const int per) {
    int64_t units = UP(s->key_dim, GRAIN(per)) / per, values = CHUNK * s->value_dim;
    int64_t widest = s->key_dim > s->value_dim ? s->key_dim : s->value_dim;
#define TAKE(name, floats) p->name = cut(memory, (size_t)(floats) * 4)
    p->key_units = units;
    TAKE(queries, CHUNK * s->key_dim);
    TAKE(keys, CHUNK * s->key_dim);
    TAKE(query_units, CHUNK * units);
    TAKE(key_units_at, CHUNK * units);
    TAKE(key_columns, CHUNK * units);
    TAKE(key_pairs, per == 2 ? CHUNK / 2 * s->key_dim : 0);
    TAKE(own, CHUNK * CHUNK);
    TAKE(seen, CHUNK * CHUNK);
    TAKE(x, values);
    TAKE(out, values);
    TAKE(lower, CHUNK * CHUNK / per);
    TAKE(inside, CHUNK * CHUNK / per);
    TAKE(diagonal, CHUNK * SOLVED);
    TAKE(decayed, CHUNK * units);
    TAKE(news, CHUNK / per * widest);
    TAKE(kept, values / per);
    TAKE(change, 32 * s->value_dim);
    TAKE(packed, per == 2 ? heads * units * s->value_dim : 0);
#undef TAKE
}

// ---- gated norm

INLINE void store_number(void *out, int64_t at, vf v, const int kind) {
    if (kind == BFLOAT16)
        bf16_store((uint16_t *)out + at, v);
    else
        vf_store((float *)out + at, v);
}

INLINE void sweep_norm(const Sweep *s, int64_t head, int64_t first, int64_t tokens, const float *x,
                       const int kind) {
    const int64_t dim = s->value_dim, wide = s->value_heads * dim, at = head * dim;
    const int64_t gates = 2 * (int64_t)s->key_heads * s->key_dim + wide + at;
    for (int64_t t = 0; t < tokens; t++, x += dim) {
        const char *row = row_at(s, first + t);
        row_ahead(s, first + CHUNK + t, gates, dim);
        vf squares = vf_set(0);
        for (int64_t j = 0; j < dim; j += W) {
            vf v = vf_load(x + j);
            squares = vf_fma(v, v, squares);
        }
        float factor = 1.0f / sqrtf(vf_sum(squares) / (float)dim + s->eps);
        for (int64_t j = 0; j < dim; j += W) {
            vf normed = vf_load(x + j) * factor * vf_load(s->norm + j);
            vf gate = vf_silu(number_load(row, gates + j, kind));
            store_number(s->out, (first + t) * wide + at + j, normed * gate, kind);
        }
    }
}

// ---- parts

// Value heads [from, to), through tokens [first, end).
INLINE void sweep_tokens(const Sweep *s, ChunkSpace *p, int64_t from, int64_t to, int64_t first,
                         int64_t end, const int per) {
    const int64_t size = (int64_t)s->key_dim * s->value_dim;
    for (; first < end; first += CHUNK) {
        int64_t tokens = end - first < CHUNK ? end - first : CHUNK;
        for (int64_t head = from; head < to; head++) {
            float *packed = p->packed + (head - from) * p->key_units * s->value_dim;
            if (head == from || head % served(s) == 0)
                chunk_keys(s, p, head / served(s), first, tokens, per);
            chunk_values(s, p, head, first, tokens, s->state + head * size, packed, per);
            if (s->kind == BFLOAT16)
                sweep_norm(s, head, first, tokens, p->out, BFLOAT16);
            else
                sweep_norm(s, head, first, tokens, p->out, FLOAT32);
        }
    }
}

INLINE void sweep_part(const Sweep *s, ChunkSpace *p, int64_t from, int64_t to, const int per) {
    const int64_t size = (int64_t)s->key_dim * s->value_dim, packed = p->key_units * s->value_dim;
    if (per == 2) memset(p->packed, 0, (size_t)((to - from) * packed) * 4);
    for (int64_t head = from; head < to; head++)
        pack_state(p->packed + (head - from) * packed, s->state + head * size, s->key_dim,
                   s->value_dim, per);
    int64_t first = 0;
    for (int64_t i = 0; i < s->splits; i++) {
        const SweepSplit *split = &s->split[i];
        sweep_tokens(s, p, from, to, first, split->after, per);
        first = split->after;
        if (split->delta)
            memcpy(split->delta + from * size, s->state + from * size,
                   (size_t)((to - from) * size) * 4);
    }
    sweep_tokens(s, p, from, to, first, s->tokens, per);
}

INLINE void sweep_parts(Team *team, const Sweeping *a, const int per) {
    const Sweep *s = a->s;
    ChunkSpace p;
    Cut memory = {scratch_of(&a->spaces, team), 0};
    space_over(&p, &memory, s, a->each, per);
    small_begin(per);
    TEAM_PARTS(team, part, (s->value_heads + a->each - 1) / a->each) {
        int64_t from = part * a->each, to = from + a->each;
        if (to > s->value_heads) to = s->value_heads;
        sweep_part(s, &p, from, to, per);
    }
    small_end(per);
}

static void sweep_floats(Team *team, const Sweeping *a) { sweep_parts(team, a, 1); }

#if PER_UNIT == 2
static void sweep_pairs(Team *team, const Sweeping *a) { sweep_parts(team, a, 2); }
#else
#define sweep_pairs sweep_floats
#endif

static void sweep_body(Team *team, void *arg) {
    const Sweeping *a = arg;
    uint64_t before = flush_begin();
    if (a->per == 2)
        sweep_pairs(team, a);
    else
        sweep_floats(team, a);
    flush_end(before);
}

// Key heads in one part share the pages of the rows. Value heads apart do the work of their key head
// twice: only where there are too few key heads to keep every thread busy.
static int64_t part_heads(const Sweep *s, int threads) {
    int64_t parts = PARTS_PER_THREAD * (int64_t)threads;
    if (s->key_heads < parts) return s->key_heads < threads ? 1 : served(s);
    int64_t keys = s->key_heads / parts;
    return served(s) * (keys < MOST_KEYS ? keys : MOST_KEYS);
}

static void sweep_cut(void *call, Cut *memory, int threads) {
    Sweeping *a = call;
    ChunkSpace none;
    Cut space = {0};
    a->each = part_heads(a->s, threads);
    space_over(&none, &space, a->s, a->each, a->per);
    a->spaces = scratch_cut(memory, space.used, threads);
}

// Without memory nothing is advanced.
static int sweep(const Sweep *s) {
    Sweeping a = {.s = s, .per = s->kind == BFLOAT16 ? PER_UNIT : 1};
    if (!run_call(sweep_cut, sweep_body, &a, 0)) return 0;
    for (int64_t i = 0; i < s->splits; i++)
        if (s->split[i].conv) sweep_window(s, s->split[i].after, s->split[i].conv);
    sweep_window(s, s->tokens, s->window);
    return 1;
}
