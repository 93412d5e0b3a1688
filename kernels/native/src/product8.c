// Products of many rows in 8 bits with matrices of 8 bits, and of 4 bits that are opened to 8.
//
// A panel of 32 outputs stays in the first-level cache while a panel of rows passes by from the
// second-level cache; sums are of integers, so a row's results depend on no other row.

#include "out.h"
#include "tile.h"

#define PANEL8 32
#define CODE_TILE (CODE_ROWS * CODE_INPUTS)
// Inputs of a panel at a time in steps of 64, and bytes of rows at a time: the sizes of two caches.
#define PANEL8_STEPS 16
#if defined(__AMX_INT8__)
#define ROWS_BYTES (1 << 20)
#else
#define ROWS_BYTES (1 << 19)
#endif

typedef struct {
    const Matrix *m;
    Rows8 rows;
    Out out;
    int64_t panel_rows;
    int64_t each;     // panels of outputs per part
} Product8;

// One panel of outputs: two blocks of codes, and 32 scales.
typedef struct {
    const int8_t *block[2];
    const float *scale;
    const char *next;      // what will be read after it
    int64_t next_bytes;
    int64_t first;         // output
} Panel8;

// W sums of one row to the place of their results.
INLINE void put_sums(const Product8 *p, const Panel8 *panel, int64_t row, int column, vi sums) {
    vf scaled = vf_of(sums) * (vf_load(panel->scale + column) * p->rows.scale[row]);
    out_vector(&p->out, row, panel->first + column, scaled);
}

#if defined(__AMX_INT8__)

INLINE void put_pair(const Product8 *p, const Panel8 *panel, int64_t row, vi first, vi second) {
    vf step = vf_set(p->rows.scale[row]);
    vf low = vf_of(first) * (vf_load(panel->scale) * step);
    vf high = vf_of(second) * (vf_load(panel->scale + W) * step);
    if (p->out.format == BFLOAT16 && !p->out.add && panel->first + PANEL8 <= p->out.outputs) {
        uint16_t *y = (uint16_t *)p->out.y + row * p->out.stride + panel->first;
        _mm512_storeu_si512(y, (__m512i)_mm512_cvtne2ps_pbh((__m512)high, (__m512)low));
        return;
    }
    out_vector(&p->out, row, panel->first, low);
    out_vector(&p->out, row, panel->first + W, high);
}

// ---- 32 rows and 32 outputs: four tiles of sums

typedef struct {
    int32_t sums[PANEL8][PANEL8];
} Square;

INLINE void square_load(const Square *s) {
    _tile_loadd(0, &s->sums[0][0], PANEL8 * 4);
    _tile_loadd(1, &s->sums[0][16], PANEL8 * 4);
    _tile_loadd(2, &s->sums[16][0], PANEL8 * 4);
    _tile_loadd(3, &s->sums[16][16], PANEL8 * 4);
}

INLINE void square_store(Square *s) {
    _tile_stored(0, &s->sums[0][0], PANEL8 * 4);
    _tile_stored(1, &s->sums[0][16], PANEL8 * 4);
    _tile_stored(2, &s->sums[16][0], PANEL8 * 4);
    _tile_stored(3, &s->sums[16][16], PANEL8 * 4);
}

INLINE void square_clear(void) {
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
}

// Squares whose sums are complete and wait to be written, a few rows with every step of the next.
typedef struct {
    const Square *square;
    int64_t row, rows, done;
    int64_t at_once;
} Waiting;

INLINE void waiting_step(const Product8 *p, const Panel8 *panel, Waiting *w) {
    int64_t end = w->done + w->at_once < w->rows ? w->done + w->at_once : w->rows;
    for (; w->done < end; w->done++) {
        const int32_t *sums = w->square->sums[w->done];
        put_pair(p, panel, w->row + w->done, vi_load(sums), vi_load(sums + W));
    }
}

INLINE void square_steps(const Product8 *p, const Panel8 *panel, const Code *a, const Code *b,
                         int64_t first, int64_t steps, Ahead *ahead, Waiting *waiting) {
    const int8_t *c = panel->block[0] + first * BLOCK, *d = panel->block[1] + first * BLOCK;
    for (int64_t k = 0; k < steps; k++) {
        _tile_stream_loadd(4, a + k * CODE_TILE, 64);
        _tile_loadd(6, c + k * CODE_TILE, 64);
        _tile_dpbssd(0, 4, 6);
        _tile_loadd(7, d + k * CODE_TILE, 64);
        _tile_dpbssd(1, 4, 7);
        _tile_stream_loadd(5, b + k * CODE_TILE, 64);
        _tile_dpbssd(2, 5, 6);
        _tile_dpbssd(3, 5, 7);
        ahead_step(ahead);
        waiting_step(p, panel, waiting);
    }
}

// Rows [from, to) by one panel; squares: scratch, one per 32 rows.
static void panel_rows(const Product8 *p, const Panel8 *panel, int64_t from, int64_t to,
                       Square *squares) {
    const int64_t count = (to - from + PANEL8 - 1) / PANEL8, all = p->rows.padded / CODE_INPUTS;
    const int64_t chunks = (all + PANEL8_STEPS - 1) / PANEL8_STEPS, most = (all + chunks - 1) / chunks;
    Ahead ahead = {panel->next, panel->next + panel->next_bytes, 32 / count + (count < 32), 1};
    Waiting waiting = {0};
    for (int64_t step = 0; step < all; step += most) {
        int64_t steps = all - step < most ? all - step : most;
        for (int64_t i = 0; i < count; i++) {
            int64_t row = from + i * PANEL8, first = step * CODE_INPUTS;
            Square *square = &squares[chunks > 1 ? i : i & 1];
            const Code *a = rows8_at(&p->rows, row, first);
            const Code *b = row + 16 < to ? rows8_at(&p->rows, row + 16, first) : a;
            if (step)
                square_load(square);
            else
                square_clear();
            if (step + steps == all) place_ahead(&p->out, panel->first, row, to);
            square_steps(p, panel, a, b, first, steps, &ahead, &waiting);
            square_store(square);
            if (step + steps < all) continue;
            int64_t rows = to - row < PANEL8 ? to - row : PANEL8;
            waiting.at_once = PANEL8;
            waiting_step(p, panel, &waiting);
            waiting = (Waiting){square, row, rows, 0, (PANEL8 + most - 1) / most};
        }
    }
    waiting.at_once = PANEL8;
    waiting_step(p, panel, &waiting);
}

#define SCRATCH_BYTES (MOST_PANEL_ROWS / PANEL8 * (int64_t)sizeof(Square))

#else

// ---- a few rows and 16 or 32 outputs in registers

#if W == 16
#define AT_ROWS 8
#define AT_VECTORS 2
#else
#define AT_ROWS 4
#define AT_VECTORS BLOCK_VECTORS
#endif

#if PAIRED

INLINE vi dot_four(vi sum, Wide w, const Code *x) {
    int32_t first, second;
    memcpy(&first, x, 4);
    memcpy(&second, x + 2, 4);
    sum += (vi)_mm256_madd_epi16((__m256i)w.a, (__m256i)vi_set(first));
    return sum + (vi)_mm256_madd_epi16((__m256i)w.b, (__m256i)vi_set(second));
}
INLINE Wide weights_of(vi bytes) { return wide_of(bytes); }
INLINE vi sums_of(vi sum, int32_t of_row) { return sum; }

#elif defined(__aarch64__)

INLINE vi dot_four(vi sum, vi w, const Code *x) { return dot_codes(sum, w, x); }
INLINE vi weights_of(vi bytes) { return bytes; }
INLINE vi sums_of(vi sum, int32_t of_row) { return sum; }

#else

// Weights plus 128 as unsigned bytes: 128 times the sum of the row's codes too much.
INLINE vi dot_four(vi sum, vi w, const Code *x) { return dot_codes(sum, w, x); }
INLINE vi weights_of(vi bytes) { return bytes ^ (int32_t)0x80808080; }
INLINE vi sums_of(vi sum, int32_t of_row) { return sum - 128 * of_row; }

#endif

typedef __typeof__(weights_of((vi){0})) Weights;

INLINE void few_rows(const Product8 *p, const Panel8 *panel, int64_t row, int column,
                     Ahead *ahead) {
    const Code *x = rows8_at(&p->rows, row, 0);
    vi sum[AT_ROWS][AT_VECTORS];
    for (int r = 0; r < AT_ROWS; r++)
        for (int v = 0; v < AT_VECTORS; v++) sum[r][v] = vi_set(0);
    const int8_t *w = panel->block[column / BLOCK];
    const int8_t *block[AT_VECTORS];
    for (int v = 0; v < AT_VECTORS; v++)
        block[v] = W == BLOCK ? panel->block[v] : w + v * 4 * W;
    for (int64_t i = 0; i < p->rows.padded; i += CODE_INPUTS, x += CODE_ROWS * CODE_INPUTS) {
        for (int j = 0; j < CODE_INPUTS; j += 4) {
            Weights four[AT_VECTORS];
            for (int v = 0; v < AT_VECTORS; v++)
                four[v] = weights_of(vi_load(block[v] + (i + j) * BLOCK));
            for (int r = 0; r < AT_ROWS; r++)
                for (int v = 0; v < AT_VECTORS; v++)
                    sum[r][v] = dot_four(sum[r][v], four[v], x + r * CODE_INPUTS + j);
        }
        ahead_step(ahead);
    }
    for (int r = 0; r < AT_ROWS && row + r < p->rows.rows; r++)
        for (int v = 0; v < AT_VECTORS; v++)
            put_sums(p, panel, row + r, column + v * W,
                     sums_of(sum[r][v], p->rows.sum[row + r]));
}

static void panel_rows(const Product8 *p, const Panel8 *panel, int64_t from, int64_t to,
                       void *scratch) {
    int64_t count = (to - from + AT_ROWS - 1) / AT_ROWS;
    Ahead ahead = {panel->next, panel->next + panel->next_bytes, 32 / count + 1, 1};
    for (int64_t row = from; row < to; row += AT_ROWS)
        for (int column = 0; column < PANEL8; column += AT_VECTORS * W)
            few_rows(p, panel, row, column, &ahead);
}

#define SCRATCH_BYTES 64

#endif

// ---- panels and parts

typedef struct {
    int8_t *opened;   // a panel's codes, when the matrix has 4 bits
    float *scale;
    void *squares;
} Scratch8;

static size_t scratch8_bytes(int64_t padded) {
    return (size_t)(PANEL8 * padded + PANEL8 * 4 + SCRATCH_BYTES);
}

INLINE Scratch8 scratch8_over(void *memory, int64_t padded) {
    char *at = memory;
    return (Scratch8){(int8_t *)at, (float *)(at + PANEL8 * padded),
                      at + PANEL8 * padded + PANEL8 * 4};
}

// Panel number i; a block beyond the last repeats the last, and its results are put nowhere.
INLINE Panel8 panel_of(const Matrix *m, int64_t i, const Scratch8 *scratch) {
    const int64_t blocks = (m->outputs + BLOCK - 1) / BLOCK, whole = BLOCK * (int64_t)m->padded;
    const int64_t first = 2 * i, second = first + 1 < blocks ? first + 1 : first;
    Panel8 panel = {.first = first * BLOCK};
    int64_t block_bytes = m->format == INT4 ? whole / 2 : whole, left = blocks - second - 1;
    panel.next = (const char *)m->codes + (second + 1) * block_bytes;
    panel.next_bytes = (left < 2 ? left : 2) * block_bytes;
    if (m->format == INT8) {
        const int8_t *codes = m->codes;
        const float *scale = (const float *)m->scales + first * BLOCK;
        memcpy(scratch->scale, scale, BLOCK * 4);
        memcpy(scratch->scale + BLOCK, scale + (second - first) * BLOCK, BLOCK * 4);
        panel.block[0] = codes + first * whole;
        panel.block[1] = codes + second * whole;
    } else {
        open_block(m, first, scratch->opened, scratch->scale);
        open_block(m, second, scratch->opened + whole, scratch->scale + BLOCK);
        panel.block[0] = scratch->opened;
        panel.block[1] = scratch->opened + whole;
    }
    panel.scale = scratch->scale;
    return panel;
}

static void product8_part(const Product8 *p, int64_t part, const Scratch8 *scratch) {
    const int64_t panels = (p->m->outputs + PANEL8 - 1) / PANEL8;
    const int64_t across = (panels + p->each - 1) / p->each;
    int64_t from = part / across * p->panel_rows, to = from + p->panel_rows;
    if (to > p->rows.rows) to = p->rows.rows;
    int64_t first = part % across * p->each, last = first + p->each;
    for (int64_t i = first; i < last && i < panels; i++) {
        Panel8 panel = panel_of(p->m, i, scratch);
        tiles_see_stores();
        panel_rows(p, &panel, from, to, scratch->squares);
    }
}

// One phase: every thread of the team takes part. The rows are rounded already.
static void product8(Team *team, const Product8 *p, void *memory) {
    const int64_t panels = (p->m->outputs + PANEL8 - 1) / PANEL8;
    const int64_t across = (panels + p->each - 1) / p->each;
    const int64_t down = (p->rows.rows + p->panel_rows - 1) / p->panel_rows;
    Scratch8 scratch = scratch8_over(memory, p->rows.padded);
#if defined(__AMX_INT8__)
    tiles_begin_whole();
#endif
    TEAM_PARTS(team, part, down * across) product8_part(p, part, &scratch);
#if defined(__AMX_INT8__)
    tiles_end();
#endif
}

static Product8 product8_of(const Matrix *m, const Rows8 *rows, const Out *out) {
    int64_t most = ROWS_BYTES / ((int64_t)sizeof(Code) * m->padded) / PANEL8 * PANEL8;
    if (most < PANEL8) most = PANEL8;
    if (most > MOST_PANEL_ROWS) most = MOST_PANEL_ROWS;
    int64_t panels = (m->outputs + PANEL8 - 1) / PANEL8, each = panels / PARTS;
    return (Product8){m, *rows, *out, most, each > 1 ? each : 1};
}
