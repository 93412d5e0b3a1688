// Queries and keys normed and rotated, keys and values put into their slots, head by head.

#include "attend.h"
#include "matrix.h"
#include "simd.h"

static int64_t heads_parts(const Heads *h) {
    return (int64_t)h->rows * (h->heads + 2 * h->pool.kv_heads);
}

static void head_norm(float *x, const float *scale, int64_t dim, float eps) {
    vf squares = vf_set(0);
    for (int64_t d = 0; d < dim; d += W) squares = vf_fma(vf_load(x + d), vf_load(x + d), squares);
    float root = 1.0f / sqrtf(vf_sum(squares) / (float)dim + eps);
    for (int64_t d = 0; d < dim; d += W) vf_store(x + d, vf_load(x + d) * root * vf_load(scale + d));
}

static void head_rotate(float *x, const float *turn, int64_t rotary) {
    for (int64_t d = 0; d < rotary; d += 2) {
        float a = x[d], b = x[d + 1];
        x[d] = a * turn[d] - b * turn[d + 1];
        x[d + 1] = b * turn[d] + a * turn[d + 1];
    }
}

INLINE void head_take(float *x, const void *rows, int format, int64_t at, int64_t dim) {
    for (int64_t d = 0; d < dim; d += W)
        vf_store(x + d, format == FLOAT32 ? vf_load((const float *)rows + at + d)
                                          : bf16_load((const uint16_t *)rows + at + d));
}

INLINE void head_give(void *rows, int format, int64_t at, int64_t dim, const float *x) {
    for (int64_t d = 0; d < dim; d += W)
        if (format == FLOAT32)
            vf_store((float *)rows + at + d, vf_load(x + d));
        else
            bf16_store((uint16_t *)rows + at + d, vf_load(x + d));
}

static void head_put(const Heads *h, void *plane, int64_t row, int64_t head, const float *x) {
    const Pool *p = &h->pool;
    if (row < h->skip) return;
    int64_t slot;
    find_slots(h->extents, h->length - h->rows + row, 1, &slot);
    head_give(plane, p->format, head * p->head_stride + slot * p->dim, p->dim, x);
}

// One phase, heads_parts: [row][queries, keys, values].
static void heads_part(const Heads *h, int64_t part) {
    const int64_t dim = h->pool.dim, turned = h->heads + h->pool.kv_heads;
    const int64_t row = part / (turned + h->pool.kv_heads);
    const int64_t head = part % (turned + h->pool.kv_heads);
    _Alignas(64) float x[MOST_DIM];
    if (head >= turned) {
        head_take(x, h->v, h->format, row * h->v_stride + (head - turned) * dim, dim);
        head_put(h, h->pool.values, row, head - turned, x);
        return;
    }
    const int64_t at = row * h->qk_stride + head * dim;
    head_take(x, h->qk, h->format, at, dim);
    head_norm(x, h->scales + head * dim, dim, h->eps);
    head_rotate(x, h->rope + row * h->rotary, h->rotary);
    head_give(h->qk, h->format, at, dim, x);
    if (head >= h->heads) head_put(h, h->pool.keys, row, head - h->heads, x);
}

// ---- on its own

static void heads_body(Team *team, void *arg) {
    const Heads *h = arg;
    TEAM_PARTS(team, part, heads_parts(h)) heads_part(h, part);
    TEAM_MEET(team);
}

static void turn_heads(const Heads *h) {
    team_run(heads_body, (void *)h, team_threads_for(heads_parts(h) * h->pool.dim < 1 << 16));
}
