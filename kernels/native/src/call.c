// One call of the library: its memory is counted, taken and cut, then all threads work.

#include "simd.h"
#include "team.h"
#include "workspace.h"

// What is made ready for a call on which so many threads work: with no memory the arrays are only
// counted, and have no addresses that could be reckoned with.
typedef void (*Cutter)(void *call, Cut *memory, int threads);

// Returns 0 without memory.
static int run_call(Cutter cutter, void (*body)(Team *, void *), void *call, int small) {
    const int threads = team_threads_for(small);
    Cut memory = {0};
    cutter(call, &memory, threads);
    memory = (Cut){workspace_take(memory.used), 0};
    if (!memory.at) return 0;
    cutter(call, &memory, threads);
    team_run(body, call, threads);
    workspace_give(memory.at);
    return 1;
}

// Memory of each thread of a team for itself.
typedef struct {
    char *memory;
    size_t each;
} Scratch;

static Scratch scratch_cut(Cut *c, size_t bytes, int threads) {
    const size_t each = (bytes + 127) & ~(size_t)63;
    return (Scratch){cut(c, each * (size_t)threads), each};
}

INLINE void *scratch_of(const Scratch *s, const Team *team) {
    return s->memory + (size_t)team_number(team) * s->each;
}
