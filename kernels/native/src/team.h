// Several threads on one piece of work, phase by phase.
//
// The caller works, and helpers join when they come: nobody waits for a helper that the system is
// not running, only for parts that one has begun. Parts of a phase are claimed in any order and each
// writes only its own results, so results depend neither on the number of threads nor on who ran what.
#ifndef BIPLANE_TEAM_H
#define BIPLANE_TEAM_H

#include <stdint.h>

typedef struct Team Team;

// Run body(team, arg) in the caller's thread and in helpers, at most `threads` in all; returns when
// all parts are done. Every thread must see the same phases with the same numbers of parts.
void team_run(void (*body)(Team *, void *), void *arg, int threads);

// Which of the `threads` this is: the caller's is 0, and no two that work on a job are the same.
int team_number(const Team *team);

// The next part of the current phase that nobody has claimed; -1 when there is none.
int64_t team_next(Team *team, int64_t parts);

// Wait until every part of this phase is done. 0: the work is over without this thread.
int team_meet(Team *team);

// One phase: a loop over parts, then a meeting.
#define TEAM_PARTS(team, part, parts) for (int64_t part; (part = team_next(team, parts)) >= 0;)
#define TEAM_MEET(team)              \
    do {                             \
        if (!team_meet(team)) return; \
    } while (0)

// The number of threads that work at most, the caller's included; 0: one per core.
void team_limit(int threads);
int team_threads(void);

// The same for one job: 1 if it is `small`, as waking another thread would take longer. Another call
// may set another limit meanwhile, so a job asks once.
static inline int team_threads_for(int small) { return small ? 1 : team_threads(); }

#endif
