// One call of the library: its memory is counted, taken and cut, then all threads work.

#include "team.h"
#include "workspace.h"

// What is made ready for a call: with no memory the arrays are only counted.
typedef void (*Cutter)(void *call, Cut *memory);

// Returns 0 without memory.
static int run_call(Cutter cutter, void (*body)(Team *, void *), void *call, int small) {
    Cut memory = {0};
    cutter(call, &memory);
    memory = (Cut){workspace_take(memory.used), 0};
    if (!memory.at) return 0;
    cutter(call, &memory);
    team_run(body, call, small);
    workspace_give(memory.at);
    return 1;
}
