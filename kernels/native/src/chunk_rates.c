// Decay and learning rate of the delta rule, per token of a chunk.

#include "matrix.h"
#include "simd.h"
#include "sweep.h"

#define CHUNK 64
// Smaller decays are dropped: they are far below float32's resolution of what they are added to.
#define NEGLIGIBLE 1e-13f

// Tokens behind the chunk's last have no rate and no decay.
typedef struct {
    float decay[CHUNK];   // logarithm, from the chunk's start up to and with the token
    float rate[CHUNK];
    float since[CHUNK];   // the factor from the chunk's start
    float to_end[CHUNK];  // the factor from the token to the chunk's end
    float whole;
} ChunkRates;

// log(1 + exp(x)), within a few units in the last place.
INLINE vf vf_softplus(vf x) {
    vf u = vf_exp(-vf_abs(x));
    // log(1 + u) = 2 atanh(u / (2 + u)), and the argument is at most a third.
    vf s = u / (2.0f + u), s2 = s * s;
    vf p = vf_set(1.0f / 15);
    for (int odd = 13; odd >= 1; odd -= 2) p = vf_fma(p, s2, vf_set(1.0f / (float)odd));
    return vf_max(x, vf_set(0)) + 2.0f * s * p;
}

INLINE vf decay_factor(vf log_decay) {
    vf factor = vf_exp(vf_min(vf_set(0), log_decay));
    vi dropped = factor < vf_set(NEGLIGIBLE);
    return (vf)((vi)factor & ~dropped);
}

INLINE float number_at(const void *p, int64_t at, int32_t kind) {
    if (kind != BFLOAT16) return ((const float *)p)[at];
    uint32_t bits = (uint32_t)((const uint16_t *)p)[at] << 16;
    float x;
    memcpy(&x, &bits, 4);
    return x;
}

static void rates_of(const Sweep *s, int64_t head, int64_t first, int64_t tokens, ChunkRates *r) {
    int64_t values = (int64_t)s->value_heads * s->value_dim;
    int64_t b = 2 * (int64_t)s->key_heads * s->key_dim + 2 * values + head, a = b + s->value_heads;
    for (int64_t t = 0; t < CHUNK; t++) {
        int64_t row = (first + t) * s->stride;
        r->rate[t] = t < tokens ? number_at(s->rows, row + b, s->kind) : 0;
        r->decay[t] = t < tokens ? number_at(s->rows, row + a, s->kind) : 0;
    }
    for (int t = 0; t < CHUNK; t += W) {
        vf_store(r->rate + t, vf_sigmoid(vf_load(r->rate + t)));
        vf_store(r->decay + t, vf_softplus(vf_load(r->decay + t) + s->bias[head]) * s->speed[head]);
    }
    float sum = 0;
    for (int64_t t = 0; t < CHUNK; t++) {
        if (t >= tokens) r->rate[t] = 0;
        sum += t < tokens ? r->decay[t] : 0;
        r->decay[t] = sum;
    }
    for (int t = 0; t < CHUNK; t += W) {
        vf_store(r->since + t, decay_factor(vf_load(r->decay + t)));
        vf_store(r->to_end + t, decay_factor(sum - vf_load(r->decay + t)));
    }
    r->whole = r->since[CHUNK - 1];
}
