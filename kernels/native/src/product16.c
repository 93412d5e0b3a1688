// Products of many rows with bfloat16 matrices as they are stored, row after row.
//
// Weights of a few outputs stay in the first-level cache while rows pass by, 32 at a time; what
// comes out is outputs by rows and turned as it is written. Sums run over the inputs in one order.

#include "tile.h"

// What becomes of the outputs of a gate and of what it lets through: the product of both, times
// the row's share, as rows of the next product.
typedef struct {
    Rows16 rows;         // of m->outputs / 2 inputs; NULL x: outputs are kept as they are
    const float *share;  // per row, NULL: 1
} Gated16;

typedef struct {
    const Matrix *m;
    Rows16 rows;
    Out out;
    Gated16 gated;
    int64_t panel_rows;
    int64_t each;       // panels of outputs per part
    int64_t deep;       // inputs at a time
} Product16;

// A few outputs, and the inputs [from, to) of them.
typedef struct {
    const uint16_t *w;     // tiles of 16 outputs by 32 inputs, or rows
    int64_t first, second; // outputs: where it begins, and the second half of it
    int64_t from, to;
    int64_t stride;        // of rows of weights
    Ahead next[2];         // what will be read after it
} Panel16;

#if defined(__AMX_BF16__)

#define OUTPUTS16 32
#define STEPS16 16
#define ROWS16_BYTES (1 << 20)

// Rows too long for the second-level cache pass by some inputs at a time, and the sums of a few
// panels wait in it: else weights would be read again for every few rows.
#define DEEP_ROWS 512
#define DEEP_PANELS 8
#define DEEP_EACH(each) DEEP_PANELS
#define DEEP_INPUTS 512
#define W_TILE 512

typedef struct {
    float sums[32][32];    // outputs by rows
} Square16;

INLINE void square16_load(const Square16 *s) {
    _tile_loadd(0, &s->sums[0][0], 128);
    _tile_loadd(1, &s->sums[0][16], 128);
    _tile_loadd(2, &s->sums[16][0], 128);
    _tile_loadd(3, &s->sums[16][16], 128);
}

INLINE void square16_store(Square16 *s) {
    _tile_stored(0, &s->sums[0][0], 128);
    _tile_stored(1, &s->sums[0][16], 128);
    _tile_stored(2, &s->sums[16][0], 128);
    _tile_stored(3, &s->sums[16][16], 128);
}

// 16 rows of a square: 16 outputs of the gate, and 16 that it lets through.
INLINE void square16_gate(const Product16 *p, int64_t first, const Square16 *s, int64_t row,
                          int half) {
    const __m512i pairs = _mm512_set_epi16(31, 15, 30, 14, 29, 13, 28, 12, 27, 11, 26, 10, 25, 9,
                                           24, 8, 23, 7, 22, 6, 21, 5, 20, 4, 19, 3, 18, 2, 17, 1,
                                           16, 0);
    const float *share = p->gated.share;
    int64_t left = p->rows.rows - row;
    vf by = vf_set(1);
    if (share) by = left < 16 ? vf_load_part(share + row, left) : vf_load(share + row);
    Side *to = rows16_at(&p->gated.rows, row, first);
    for (int o = 0; o < 16; o += 2, to += 32) {
        vf low = vf_silu(vf_load(&s->sums[o][16 * half])) * vf_load(&s->sums[16 + o][16 * half]);
        vf high = vf_silu(vf_load(&s->sums[o + 1][16 * half])) *
                  vf_load(&s->sums[17 + o][16 * half]);
        __m512bh both = _mm512_cvtne2ps_pbh((__m512)(high * by), (__m512)(low * by));
        _mm512_storeu_si512(to, _mm512_permutexvar_epi16(pairs, (__m512i)both));
    }
}

// 16 rows of a square, 32 outputs each.
INLINE void square16_put(const Product16 *p, int64_t first, const Square16 *s, int64_t row,
                         int half) {
    _Alignas(64) float turned[16][32];
    transpose_block(&s->sums[0][16 * half], 32, &turned[0][0], 32);
    transpose_block(&s->sums[16][16 * half], 32, &turned[0][16], 32);
    int64_t rows = p->rows.rows - row < 16 ? p->rows.rows - row : 16;
    if (p->out.format == BFLOAT16 && !p->out.add && first + 32 <= p->out.outputs) {
        uint16_t *y = (uint16_t *)p->out.y + row * p->out.stride + first;
        for (int64_t r = 0; r < rows; r++, y += p->out.stride)
            _mm512_storeu_si512(y, (__m512i)_mm512_cvtne2ps_pbh(_mm512_load_ps(&turned[r][16]),
                                                                _mm512_load_ps(turned[r])));
        return;
    }
    for (int64_t r = 0; r < rows; r++) {
        out_vector(&p->out, row + r, first, vf_load(turned[r]));
        out_vector(&p->out, row + r, first + 16, vf_load(turned[r] + 16));
    }
}

// A square whose sums are complete and that is written while the next one's are made.
typedef struct {
    const Square16 *square;
    int64_t row;
    int left;              // halves
} Waiting16;

INLINE void waiting16_step(const Product16 *p, int64_t first, Waiting16 *w) {
    if (!w->left) return;
    int half = 2 - w->left--;
    if (w->row + 16 * half >= p->rows.rows) return;
    if (p->gated.rows.x)
        square16_gate(p, first, w->square, w->row + 16 * half, half);
    else
        square16_put(p, first, w->square, w->row + 16 * half, half);
}

INLINE void square16_steps(const Product16 *p, Panel16 *panel, const uint16_t *a,
                           const uint16_t *b, const uint16_t *c, int64_t d, int64_t steps,
                           Waiting16 *waiting) {
    for (int64_t k = 0; k < steps; k++) {
        _tile_loadd(4, c + k * W_TILE, 64);
        _tile_stream_loadd(6, a + k * W_TILE, 64);
        _tile_dpbf16ps(0, 4, 6);
        _tile_stream_loadd(7, b + k * W_TILE, 64);
        _tile_dpbf16ps(1, 4, 7);
        _tile_loadd(5, c + d + k * W_TILE, 64);
        _tile_dpbf16ps(2, 5, 6);
        _tile_dpbf16ps(3, 5, 7);
        ahead_step(&panel->next[k & 1]);
        if ((k & 3) == 1) waiting16_step(p, panel->first, waiting);
    }
}

// `squares`: sums of the inputs before these, where there are any.
static void panel16_rows(const Product16 *p, Panel16 *panel, int64_t from, int64_t to,
                         void *squares) {
    const int64_t count = (to - from + 31) / 32, all = (panel->to - panel->from) / 32;
    const int64_t chunks = (all + STEPS16 - 1) / STEPS16, most = (all + chunks - 1) / chunks;
    const int whole = panel->from == 0 && panel->to == p->rows.padded;
    Waiting16 waiting = {0};
    panel->next[0].lines = panel->next[1].lines = 32 / count + (count < 32);
    for (int64_t step = 0; step < all; step += most) {
        int64_t steps = all - step < most ? all - step : most, input = panel->from + step * 32;
        for (int64_t i = 0; i < count; i++) {
            int64_t row = from + i * 32;
            Square16 *square = (Square16 *)squares + (whole && chunks == 1 ? i & 1 : i);
            if (input) {
                square16_load(square);
            } else {
                _tile_zero(0);
                _tile_zero(1);
                _tile_zero(2);
                _tile_zero(3);
            }
            int last = input + steps * 32 == p->rows.padded;
            square16_steps(p, panel, rows16_at(&p->rows, row, input),
                           rows16_at(&p->rows, row + 16, input), panel->w + step * W_TILE,
                           all * W_TILE, steps, &waiting);
            square16_store(square);
            if (!last) continue;
            while (waiting.left) waiting16_step(p, panel->first, &waiting);
            waiting = (Waiting16){square, row, 2};
        }
    }
    while (waiting.left) waiting16_step(p, panel->first, &waiting);
}

// The panel's weights tile by tile.
static void panel16_open(const Matrix *m, Panel16 *panel, uint16_t *tiles) {
    const int64_t n = m->inputs, wide = panel->to - panel->from;
    for (int64_t o = 0; o < 32; o += 16, tiles += 16 * wide) {
        const uint16_t *w[16];
        for (int k = 0; k < 16; k++) {
            int64_t output = (o ? panel->second : panel->first) + k;
            if (output >= m->outputs) output = m->outputs - 1;
            w[k] = (const uint16_t *)m->codes + output * n;
        }
        uint16_t *to = tiles;
        for (int64_t i = panel->from; i < panel->to; i += 32, to += W_TILE) {
            __mmask32 inside = n - i >= 32 ? ~0u : (1u << (n - i)) - 1;
            for (int k = 0; k < 16; k++)
                _mm512_store_si512(to + 32 * k, _mm512_maskz_loadu_epi16(inside, w[k] + i));
        }
    }
    tiles -= 32 * wide;
    panel->w = tiles;
}

#define SQUARES16 (DEEP_PANELS * DEEP_ROWS / 32)
#define SCRATCH16_BYTES(padded) (64 * (padded) + SQUARES16 * (int64_t)sizeof(Square16))
#define OPENED16(padded) (64 * (padded))
#define GATES16 1
#define SQUARE16_BYTES (int64_t)sizeof(Square16)

#else

// ---- a few outputs and a few vectors of rows in registers

#if W == 8
#define OUTPUTS16 6
#elif W == 16
#define OUTPUTS16 12
#else
#define OUTPUTS16 8
#endif
#define ROWS16_BYTES (1 << 19)

#if PAIRS

typedef uint16_t Weight;

INLINE vf dot_pair(vf sum, vf x, const uint16_t *w) {
    int32_t pair;
    memcpy(&pair, w, 4);
    return (vf)_mm512_dpbf16_ps((__m512)sum, (__m512bh)(vi)x, (__m512bh)vi_set(pair));
}

#define STEP_INPUTS 2

#else

typedef float Weight;

INLINE vf dot_pair(vf sum, vf x, const float *w) { return vf_fma(x, vf_set(*w), sum); }

#define STEP_INPUTS 1

#endif

// One or two times W rows from `row` on; sums: of the inputs before the panel's, where there are any.
INLINE void few16(const Product16 *p, Panel16 *panel, int64_t row, float *sums,
                  const int vectors) {
    const float *x[2];
    for (int v = 0; v < vectors; v++) {
        int64_t at = row + v * W;
        x[v] = (const float *)(rows16_at(&p->rows, at, panel->from) + at % SIDE);
    }
    const Weight *w = (const Weight *)panel->w;
    vf sum[OUTPUTS16][2];
    for (int o = 0; o < OUTPUTS16; o++)
        for (int v = 0; v < vectors; v++)
            sum[o][v] = panel->from ? vf_load(sums + (o * 2 + v) * W) : vf_set(0);
    for (int64_t i = 0; i < panel->to - panel->from; i += SIDE_INPUTS) {
        for (int j = 0; j < SIDE_INPUTS; j += STEP_INPUTS) {
            vf in[2];
            for (int v = 0; v < vectors; v++, x[v - 1] += SIDE) in[v] = vf_load(x[v]);
            for (int o = 0; o < OUTPUTS16; o++)
                for (int v = 0; v < vectors; v++)
                    sum[o][v] = dot_pair(sum[o][v], in[v], w + o * panel->stride + i + j);
        }
        ahead_step(&panel->next[i / SIDE_INPUTS & 1]);
    }
    if (panel->to < p->rows.padded) {
        for (int o = 0; o < OUTPUTS16; o++)
            for (int v = 0; v < vectors; v++) vf_store(sums + (o * 2 + v) * W, sum[o][v]);
        return;
    }
    int64_t rows = p->rows.rows - row < vectors * W ? p->rows.rows - row : vectors * W;
    float turned[2 * W][W];
    for (int o = 0; o < OUTPUTS16; o += W) {
        float some[W][2 * W];
        memset(some, 0, sizeof some);
        for (int k = 0; k < W && o + k < OUTPUTS16; k++)
            for (int v = 0; v < vectors; v++) vf_store(some[k] + v * W, sum[o + k][v]);
        transpose(some[0], 2 * W, W, vectors * W, turned[0], W);
        int64_t count = OUTPUTS16 - o < W ? OUTPUTS16 - o : W;
        for (int64_t r = 0; r < rows; r++)
            out_some(&p->out, row + r, panel->first + o, vf_load(turned[r]), count);
    }
}

static void panel16_rows(const Product16 *p, Panel16 *panel, int64_t from, int64_t to,
                         void *squares) {
    float *sums = squares;
    panel->next[0].lines = panel->next[1].lines = OUTPUTS16 / ((to - from + 2 * W - 1) / (2 * W)) + 1;
    for (int64_t row = from; row < to; row += 2 * W, sums += OUTPUTS16 * 2 * W) {
        if (to - row > W)
            few16(p, panel, row, sums, 2);
        else
            few16(p, panel, row, sums, 1);
    }
}

// Rows of weights as far apart as a page would all have the same place in the first-level cache.
#define PAGE_INPUTS 2048
#define APART (64 / (int)sizeof(Weight))

// The panel's weights as they lie, else copied in the width of the products, padded with zeros.
static void panel16_open(const Matrix *m, Panel16 *panel, uint16_t *scratch) {
    const int64_t n = m->inputs, wide = panel->to - panel->from;
#if PAIRS
    if (panel->to <= n && panel->first + OUTPUTS16 <= m->outputs && n % PAGE_INPUTS) {
        panel->w = (const uint16_t *)m->codes + panel->first * n + panel->from;
        panel->stride = n;
        return;
    }
#endif
    Weight *to = (Weight *)scratch;
    panel->w = scratch;
    panel->stride = wide + APART;
    for (int64_t o = 0; o < OUTPUTS16; o++, to += panel->stride) {
        int64_t output = panel->first + o < m->outputs ? panel->first + o : m->outputs - 1;
        const uint16_t *w = (const uint16_t *)m->codes + output * n;
#if PAIRS
        int64_t there = n < panel->to ? n - panel->from : wide;
        memcpy(to, w + panel->from, (size_t)there * 2);
        memset(to + there, 0, (size_t)(wide - there) * 2);
#else
        for (int64_t i = 0; i < wide; i += W) vf_store(to + i, in_load(w, BFLOAT16, panel->from + i, n));
#endif
    }
}

// Rows too long for the second-level cache pass by some inputs at a time, as with tiles.
#define DEEP_ROWS 256
#define DEEP_PANELS 8
#define DEEP_EACH(each) ((each) < DEEP_PANELS ? (each) : DEEP_PANELS)
#define DEEP_INPUTS (2048 / (int)sizeof(Side))
#define SQUARE16_BYTES (OUTPUTS16 * 32 * 4)
#define OPENED16(padded) (OUTPUTS16 * ((padded) + APART) * (int64_t)sizeof(Weight))
#define SCRATCH16_BYTES(padded) (OPENED16(padded) + DEEP_PANELS * DEEP_ROWS / 32 * SQUARE16_BYTES)
#define GATES16 0

#endif

// ---- panels and parts

// A number of panels is that of 32 outputs each, or of 16 and what these let through.
INLINE Panel16 panel16_of(const Product16 *p, int64_t i, int64_t from, int64_t to) {
    Panel16 panel = {.first = i * OUTPUTS16, .from = from, .to = to};
    panel.second = panel.first + OUTPUTS16 / 2;
    if (p->gated.rows.x) {
        panel.first = i * (OUTPUTS16 / 2);
        panel.second = p->m->outputs / 2 + panel.first;
    }
    return panel;
}

// Half a panel's weights, row by row.
INLINE Ahead half16_ahead(const Product16 *p, const Panel16 *panel, int64_t first) {
    const Matrix *m = p->m;
    int64_t rows = m->outputs - first < OUTPUTS16 / 2 ? m->outputs - first : OUTPUTS16 / 2;
    int64_t inputs = (panel->to < m->inputs ? panel->to : m->inputs) - panel->from;
    const char *at = (const char *)m->codes + (first * m->inputs + panel->from) * 2;
    return (Ahead){.at = at, .end = at + inputs * 2, .rows = rows, .wide = inputs * 2,
                   .stride = m->inputs * 2};
}

static void product16_part(const Product16 *p, int64_t part, char *scratch) {
    const int64_t outputs = p->m->outputs, padded = p->rows.padded;
    const int64_t panels = (outputs + OUTPUTS16 - 1) / OUTPUTS16;
    const int64_t across = (panels + p->each - 1) / p->each;
    int64_t row = part / across * p->panel_rows, end = row + p->panel_rows;
    if (end > p->rows.rows) end = p->rows.rows;
    int64_t first = part % across * p->each, last = first + p->each;
    if (last > panels) last = panels;
    char *squares = scratch + OPENED16(padded);
    const int64_t squares_bytes = p->deep < padded ? (end - row + 31) / 32 * SQUARE16_BYTES : 0;
    for (int64_t from = 0; from < padded; from += p->deep) {
        int64_t to = from + p->deep < padded ? from + p->deep : padded;
        for (int64_t i = first; i < last; i++) {
            Panel16 panel = panel16_of(p, i, from, to);
            if (i + 1 < panels) {
                Panel16 next = panel16_of(p, i + 1, from, to);
                panel.next[0] = half16_ahead(p, &next, next.first);
                panel.next[1] = half16_ahead(p, &next, next.second);
            }
            panel16_open(p->m, &panel, (uint16_t *)scratch);
            tiles_see_stores();
            panel16_rows(p, &panel, row, end, squares + (i - first) * squares_bytes);
        }
    }
}

// One phase: every thread of the team takes part. The rows are packed already.
static void product16(Team *team, const Product16 *p, void *scratch) {
    const int64_t panels = (p->m->outputs + OUTPUTS16 - 1) / OUTPUTS16;
    const int64_t across = (panels + p->each - 1) / p->each;
    const int64_t down = (p->rows.rows + p->panel_rows - 1) / p->panel_rows;
#if defined(__AMX_BF16__)
    tiles_begin_whole();
#endif
    TEAM_PARTS(team, part, down * across) product16_part(p, part, scratch);
#if defined(__AMX_BF16__)
    tiles_end();
#endif
}

static Product16 product16_of(const Matrix *m, const Rows16 *rows, const Out *out) {
    int64_t most = ROWS16_BYTES / ((int64_t)sizeof(Side) * rows->padded) / 32 * 32;
    if (most < 32) most = 32;
    if (most > MOST_PANEL_ROWS) most = MOST_PANEL_ROWS;
    int64_t panels = (m->outputs + OUTPUTS16 - 1) / OUTPUTS16, each = panels / PARTS;
    if (each < 1) each = 1;
    if (most < DEEP_ROWS && rows->rows > most)
        return (Product16){m, *rows, *out, {{0}, NULL}, DEEP_ROWS, DEEP_EACH(each), DEEP_INPUTS};
    return (Product16){m, *rows, *out, {{0}, NULL}, most, each, rows->padded};
}

// Whether `m`, a gate and what it lets through, can end in rows of the next product.
INLINE int gates16(const Matrix *m) { return GATES16 && m->outputs % 64 == 0; }
