// The exported functions: each calls the chosen level's version.

#include <string.h>

#include "api.h"
#include "blocks.h"
#include "team.h"

#if defined(__x86_64__)
#include <cpuid.h>
#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif
#elif defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>
#endif

#if defined(_WIN32)
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

#define EACH_LEVEL_X86(do_) do_(avx2) do_(avxvnni) do_(avx512) do_(avx512bf16) do_(amx)
#define EACH_LEVEL_ARM(do_) do_(neon)

// Whoever compiles some of the levels only says which.
#if !defined(EACH_LEVEL) && defined(__x86_64__)
#define EACH_LEVEL EACH_LEVEL_X86
#elif !defined(EACH_LEVEL)
#define EACH_LEVEL EACH_LEVEL_ARM
#endif

#define DECLARE(level) extern const Level level_##level;
EACH_LEVEL(DECLARE)

static const Level *chosen;

#if defined(__x86_64__)
// The registers that the system keeps for a thread: 6 are SSE and AVX, 0xe0 AVX-512, 0x60000 tiles.
static unsigned kept_registers(void) {
    unsigned low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

static int has(unsigned reg, int bit) { return reg >> bit & 1; }

// Linux gives tiles only to a process that asks for them.
static int may_use_tiles(void) {
#if defined(__linux__)
    return syscall(SYS_arch_prctl, 0x1023, 18) == 0;
#else
    return 0;
#endif
}

static int can_run(const char *level) {
    unsigned a, b, c, d, b7, c7, d7, a71 = 0, unused;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !has(c, 27)) return 0;
    if (!__get_cpuid_count(7, 0, &a, &b7, &c7, &d7)) return 0;
    if (a >= 1) __get_cpuid_count(7, 1, &a71, &unused, &unused, &unused);
    unsigned kept = kept_registers();
    int avx2 = (kept & 6) == 6 && has(c, 12) && has(c, 29) && has(b7, 5);
    int avx512 = avx2 && (kept & 0xe6) == 0xe6 && has(b7, 16) && has(b7, 17) && has(b7, 30) &&
                 has(b7, 31) && has(c7, 11);
    int bf16 = avx512 && has(a71, 5);
    if (!strcmp(level, "avx2")) return avx2;
    if (!strcmp(level, "avxvnni")) return avx2 && has(a71, 4);
    if (!strcmp(level, "avx512")) return avx512;
    if (!strcmp(level, "avx512bf16")) return bf16;
    return bf16 && has(d7, 22) && has(d7, 24) && has(d7, 25) && (kept & 0x60000) == 0x60000 &&
           may_use_tiles();
}
#elif defined(__aarch64__)
static int can_run(const char *level) {
    (void)level;
#if defined(__linux__)
    return (getauxval(AT_HWCAP) >> 20 & 1) != 0;
#else
    return 1;
#endif
}
#endif

// Select a level by name. Returns 0 if there is no such level or the processor cannot run it.
EXPORT int biplane_use_level(const char *name) {
#define TRY(level) \
    if (!strcmp(name, #level) && can_run(#level)) { chosen = &level_##level; return 1; }
    EACH_LEVEL(TRY)
    return 0;
}

EXPORT const char *biplane_compiler(void) { return __VERSION__; }

EXPORT void biplane_limit_threads(int threads) { team_limit(threads); }

EXPORT int biplane_threads(void) { return team_threads(); }

EXPORT int biplane_project_rows(const Matrix *m, int64_t rows, const float *x, float *y,
                                int32_t alone) {
    return chosen->project_rows(m, rows, x, y, alone);
}

EXPORT int32_t biplane_read_all(const void *p, int64_t bytes) { return chosen->read_all(p, bytes); }

EXPORT int biplane_sweep(const Sweep *s) { return chosen->sweep(s); }

EXPORT int biplane_linear_rows(const LinearLayer *layer, int64_t rows, float *x, const Live *lives,
                               int64_t live_count, const State *splits, int64_t split_count,
                               int32_t alone) {
    return chosen->linear_rows(layer, rows, x, lives, live_count, splits, split_count, alone);
}

EXPORT void biplane_fold_states(const Fold *f) { chosen->fold_states(f); }

EXPORT int biplane_mlp_rows(const GatedMlp *mlp, int64_t rows, const float *x, float *out,
                            const float *share, int32_t alone) {
    return chosen->mlp_rows(mlp, rows, x, out, share, alone);
}

EXPORT int biplane_attend_rows(const Attention *a) { return chosen->attend_rows(a); }

EXPORT int biplane_attend_many(const Attention *a) { return chosen->attend_many(a); }

EXPORT void biplane_turn_heads(const Heads *h) { chosen->turn_heads(h); }

EXPORT int biplane_project_many(const Many *a) { return chosen->project_many(a); }

EXPORT int biplane_attention_rows(const AttentionLayer *layer, int64_t rows, float *x,
                                  const Seen *seen) {
    return chosen->attention_rows(layer, rows, x, seen);
}

EXPORT void biplane_norm_rows(const Norm *norm, int64_t rows, const float *x, void *y,
                              int32_t format) {
    chosen->norm_rows(norm, rows, x, y, format);
}

EXPORT void biplane_largest(const float *x, int64_t n, int64_t k, float *values, int64_t *ids) {
    chosen->largest(x, n, k, values, ids);
}

EXPORT void biplane_pack_blocks(const Packing *p) { pack_blocks(p); }
