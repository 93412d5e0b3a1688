// The RMS norm of many rows on its own: in front of a mixer.

#define NORM_ROWS 16

// One over the root mean square of a row.
INLINE vf norm_root(const float *x, const Norm *norm) {
    const int64_t n = norm->width;
    vf squares = {0};
    for (int64_t i = 0; i < n; i += W) {
        vf v = padded_load(x, i, n);
        squares = vf_fma(v, v, squares);
    }
    return vf_set(1.0f / sqrtf(vf_sum(squares) / (float)n + norm->eps));
}

static void rms_norm_row(float *out, const float *x, const Norm *norm) {
    const int64_t n = norm->width;
    vf root = norm_root(x, norm);
    for (int64_t i = 0; i < n; i += W)
        padded_store(out, i, n, padded_load(x, i, n) * root * padded_load(norm->scale, i, n));
}

typedef struct {
    const Norm *norm;
    int64_t rows;
    const float *x;   // [rows][width]
    Out out;
} NormCall;

INLINE void norm_row(const NormCall *c, int64_t row) {
    const int64_t n = c->norm->width;
    const float *x = c->x + row * n, *scale = c->norm->scale;
    vf root = norm_root(x, c->norm);
    for (int64_t i = 0; i < n; i += W)
        out_vector(&c->out, row, i, padded_load(x, i, n) * root * padded_load(scale, i, n));
}

static void norm_body(Team *team, void *arg) {
    NormCall *c = arg;
    TEAM_PARTS(team, part, (c->rows + NORM_ROWS - 1) / NORM_ROWS) {
        int64_t row = part * NORM_ROWS, end = row + NORM_ROWS;
        for (; row < end && row < c->rows; row++) norm_row(c, row);
    }
    TEAM_MEET(team);
}

// y [rows][width] in `format`.
static void norm_rows(const Norm *norm, int64_t rows, const float *x, void *y, int32_t format) {
    NormCall c = {norm, rows, x, {y, norm->width, norm->width, format, 0}};
    team_run(norm_body, &c, team_threads_for(rows * norm->width < 1 << 15));
}
