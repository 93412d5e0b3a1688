// Reading memory and nothing else: the floor of every product with few rows.

#include <stdatomic.h>

#define READ_PART (1 << 20)

typedef struct {
    const char *p;
    int64_t bytes;
    _Atomic int32_t found;
} Reading;

static void read_body(Team *team, void *arg) {
    Reading *r = arg;
    TEAM_PARTS(team, part, (r->bytes + READ_PART - 1) / READ_PART) {
        int64_t at = part * READ_PART, end = at + READ_PART;
        if (end > r->bytes) end = r->bytes;
        vi sum[4] = {{0}};
        for (; at + 16 * W <= end; at += 16 * W) {
            for (int j = 0; j < 4; j++) {
                __builtin_prefetch(r->p + at + 4096 + 64 * (j % (W / 4)), 0, 3);
                sum[j] ^= vi_load(r->p + at + 4 * W * j);
            }
        }
        int32_t all[W];
        vi_store(all, sum[0] ^ sum[1] ^ sum[2] ^ sum[3]);
        for (int j = 1; j < W; j++) all[0] ^= all[j];
        atomic_fetch_xor(&r->found, all[0]);
    }
    TEAM_MEET(team);
}

// The exclusive or of all whole vectors, so that no compiler can leave a read out.
static int32_t read_all(const void *p, int64_t bytes) {
    Reading r = {p, bytes, 0};
    team_run(read_body, &r, team_threads());
    return r.found;
}
