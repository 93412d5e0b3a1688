// Depthwise causal convolution of four taps with SiLU, for the rows of a sweep.

#include "matrix.h"
#include "simd.h"
#include "sweep.h"

#define TAPS 4
#define KEPT (TAPS - 1)
#define CONV_VECTORS (W == 16 ? 2 : 1)

INLINE int64_t sweep_channels(const Sweep *s) {
    return 2 * (int64_t)s->key_heads * s->key_dim + (int64_t)s->value_heads * s->value_dim;
}

INLINE int64_t number_bytes(const Sweep *s) { return s->kind == BFLOAT16 ? 2 : 4; }

// The row at that position; those before the first are the window's.
INLINE const char *row_at(const Sweep *s, int64_t position) {
    int64_t size = number_bytes(s);
    if (position >= 0) return (const char *)s->rows + position * s->stride * size;
    return (const char *)s->window + (KEPT + position) * sweep_channels(s) * size;
}

// Ask for `dim` numbers of a row that will be needed soon; nothing if there is no such row.
INLINE void row_ahead(const Sweep *s, int64_t position, int64_t at, int64_t dim) {
    if (position >= s->tokens) return;
    const char *row = row_at(s, position) + at * number_bytes(s);
    for (int64_t i = 0; i < dim * number_bytes(s); i += 64) __builtin_prefetch(row + i, 0, 2);
}

INLINE vf number_load(const char *row, int64_t at, const int kind) {
    if (kind == BFLOAT16) return bf16_load((const uint16_t *)row + at);
    return vf_load((const float *)row + at);
}

INLINE void convolve_some(const Sweep *s, int64_t first, int64_t tokens, int64_t channel,
                          float *out, int64_t dim, const int V, const int kind) {
    const int64_t channels = sweep_channels(s), row = s->stride * number_bytes(s);
    vf tap[TAPS][CONV_VECTORS], seen[TAPS][CONV_VECTORS];
    for (int v = 0; v < V; v++) {
        for (int j = 0; j < TAPS; j++)
            tap[j][v] = vf_load(s->taps + j * channels + channel + v * W);
        for (int j = 0; j < KEPT; j++)
            seen[j][v] = number_load(row_at(s, first - KEPT + j), channel + v * W, kind);
    }
    const char *at = row_at(s, first);
    for (int64_t t = 0; t < tokens; t++, at += row) {
        for (int v = 0; v < V; v++) {
            seen[KEPT][v] = number_load(at, channel + v * W, kind);
            vf sum = seen[0][v] * tap[0][v];
            for (int j = 1; j < TAPS; j++) sum = vf_fma(seen[j][v], tap[j][v], sum);
            vf_store(out + t * dim + v * W, vf_silu(sum));
            for (int j = 0; j < KEPT; j++) seen[j][v] = seen[j + 1][v];
        }
    }
}

INLINE void convolve_kind(const Sweep *s, int64_t first, int64_t tokens, int64_t channel,
                          int64_t dim, float *out, const int kind) {
    const int64_t wide = CONV_VECTORS * W;
    int64_t c = 0;
    for (; c + wide <= dim; c += wide)
        convolve_some(s, first, tokens, channel + c, out + c, dim, CONV_VECTORS, kind);
    for (; c < dim; c += W) convolve_some(s, first, tokens, channel + c, out + c, dim, 1, kind);
}

// Channels [channel, channel + dim) of tokens [first, first + tokens) as [tokens][dim].
static void sweep_convolve(const Sweep *s, int64_t first, int64_t tokens, int64_t channel,
                           int64_t dim, float *out) {
    if (s->kind == BFLOAT16)
        convolve_kind(s, first, tokens, channel, dim, out, BFLOAT16);
    else
        convolve_kind(s, first, tokens, channel, dim, out, FLOAT32);
}

// The rows before position `tokens`, into a window that may be the sweep's own.
static void sweep_window(const Sweep *s, int64_t tokens, void *window) {
    size_t bytes = (size_t)(sweep_channels(s) * number_bytes(s));
    for (int j = 0; j < KEPT; j++)
        memmove((char *)window + (size_t)j * bytes, row_at(s, tokens - KEPT + j), bytes);
}
