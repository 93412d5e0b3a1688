// Products of many rows with matrices of blocks, and with stacks of them.

// Outputs of a matrix from `first` on, as if they were all there are.
INLINE Out out_from(const Out *out, int64_t first, int64_t outputs) {
    const int64_t bytes = out->format == FLOAT32 ? 4 : 2;
    return (Out){(char *)out->y + first * bytes, out->stride, outputs, out->format, out->add};
}

// A float32 matrix of a stack: 16 outputs, AT_ONCE rows at a time.
static void float_block(const Matrix *m, const Ready *r, const Out *out, int64_t block, int64_t row,
                        int64_t rows) {
    const int64_t first = block * BLOCK, left = m->outputs - first, n = m->inputs;
    const Matrix some = {.outputs = (int32_t)(left < BLOCK ? left : BLOCK), .inputs = m->inputs,
                         .codes = (const float *)m->codes + first * n};
    const Rows given = {.rows = (int32_t)rows, .inputs = m->inputs, .x = r->wide + row * n};
    float y[AT_ONCE][BLOCK] = {{0}};
    const Target here = {y[0], BLOCK, 0};
    some_rows(&some, &given, &here, 0, 1, 0, rows);
    for (int64_t k = 0; k < rows; k++)
        for (int v = 0; v < BLOCK; v += W) out_vector(out, row + k, first + v, vf_load(y[k] + v));
}

static void float_blocks(const Matrix *m, const Ready *r, const Out *out, int64_t from, int64_t to,
                         int64_t first, int64_t last) {
    for (int64_t block = from; block < to; block++)
        for (int64_t row = first; row < last; row += AT_ONCE)
            float_block(m, r, out, block, row, last - row < AT_ONCE ? last - row : AT_ONCE);
}

// Blocks of outputs that one thread does at a time, and how often that is all.
INLINE int64_t whole_each(const Matrix *m) {
    const int64_t each = blocks_of(m) / PARTS;
    return each < 1 ? 1 : each;
}

INLINE int64_t whole_across(const Matrix *m) {
    return (blocks_of(m) + whole_each(m) - 1) / whole_each(m);
}

INLINE int64_t whole_parts(const Matrix *m, int64_t rows) {
    return whole_across(m) * ((rows + OPEN_ROWS - 1) / OPEN_ROWS);
}

static void whole_part(const Ready *r, const Matrix *m, const Out *out, int64_t part) {
    const int64_t rows = r->grouped.rows, blocks = blocks_of(m), each = whole_each(m);
    const int64_t first = part / whole_across(m) * OPEN_ROWS, last = first + OPEN_ROWS;
    const int64_t from = part % whole_across(m) * each, to = from + each;
    const int64_t end = to < blocks ? to : blocks, stop = last < rows ? last : rows;
    if (m->format == FLOAT32)
        float_blocks(m, r, out, from, end, first, stop);
    else
        some_blocks(m, &r->grouped, out, from, end, first, stop);
}

// One phase: every thread of the team takes part. The rows are rounded already.
static void product_blocks(Team *team, const Ready *r, const Out *out) {
    const int64_t rows = r->grouped.rows, count = r->m->format == STACK ? r->m->parts : 1;
    const Matrix *all = r->m->format == STACK ? r->m->codes : r->m;
    int64_t parts = 0;
    for (int64_t i = 0; i < count; i++) parts += whole_parts(all + i, rows);
    TEAM_PARTS(team, part, parts) {
        const Matrix *m = all;
        int64_t left = part, first = 0;
        for (int64_t some; left >= (some = whole_parts(m, rows)); left -= some) first += m++->outputs;
        const Out there = out_from(out, first, m->outputs);
        whole_part(r, m, &there, left);
    }
}
