#include "team.h"

#include <stdatomic.h>
#include <stddef.h>

#if defined(_WIN32)
#include <windows.h>
#else
#include <pthread.h>
#include <sched.h>
#include <unistd.h>
#endif

#define MOST_HELPERS 63
#define LINE 128
// A helper looks for more work this often before it sleeps: about 50 microseconds.
#define IDLE_SPINS 1500
// After about 20 microseconds at a meeting the core is offered to whoever else wants it.
#define MEETING_SPINS 600

// Claims and completed parts only ever grow during a job: phase after phase continues the count.
typedef struct {
    void (*body)(Team *, void *);
    void *arg;
    _Alignas(LINE) _Atomic int64_t claimed;
    _Alignas(LINE) _Atomic int64_t done;
} Job;

enum { AWAY, WORKING, WAITING };

typedef struct {
    _Alignas(LINE) _Atomic int state;
} Helper;

struct Team {
    Job *job;
    Helper *helper;   // NULL in the caller's thread
    int64_t before;   // parts of all phases before this one
    int64_t parts;    // of this phase
    int held;         // whether a claimed part is not yet reported done
};

static Job shared;
static Helper helpers[MOST_HELPERS];
static _Alignas(LINE) _Atomic unsigned generation;
static _Atomic int open, wanted, asleep;
static _Atomic int limit;
static int started;

static void relax(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

#if defined(_WIN32)
static SRWLOCK bed = SRWLOCK_INIT, turn = SRWLOCK_INIT;
static CONDITION_VARIABLE morning = CONDITION_VARIABLE_INIT;
#define LOCK(l) AcquireSRWLockExclusive(&l)
#define TRY_LOCK(l) TryAcquireSRWLockExclusive(&l)
#define UNLOCK(l) ReleaseSRWLockExclusive(&l)
#define SLEEP() SleepConditionVariableSRW(&morning, &bed, INFINITE, 0)
#define WAKE_ALL() WakeAllConditionVariable(&morning)
#define OFFER_CORE() SwitchToThread()
#else
static pthread_mutex_t bed = PTHREAD_MUTEX_INITIALIZER, turn = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t morning = PTHREAD_COND_INITIALIZER;
#define LOCK(l) pthread_mutex_lock(&l)
#define TRY_LOCK(l) (pthread_mutex_trylock(&l) == 0)
#define UNLOCK(l) pthread_mutex_unlock(&l)
#define SLEEP() pthread_cond_wait(&morning, &bed)
#define WAKE_ALL() pthread_cond_broadcast(&morning)
#define OFFER_CORE() sched_yield()
#endif

// ---- phases

static void report(Team *team) {
    if (team->held) atomic_fetch_add_explicit(&team->job->done, 1, memory_order_release);
    team->held = 0;
}

int64_t team_next(Team *team, int64_t parts) {
    Job *job = team->job;
    report(team);
    team->parts = parts;
    int64_t at = atomic_load_explicit(&job->claimed, memory_order_relaxed);
    while (at < team->before + parts) {
        if (atomic_compare_exchange_weak_explicit(&job->claimed, &at, at + 1, memory_order_relaxed,
                                                  memory_order_relaxed)) {
            team->held = 1;
            return at - team->before;
        }
    }
    return -1;
}

int team_meet(Team *team) {
    Job *job = team->job;
    Helper *helper = team->helper;
    report(team);
    int64_t all = team->before += team->parts;
    team->parts = 0;
    if (atomic_load_explicit(&job->done, memory_order_acquire) >= all) return 1;
    // Whoever waits can be dismissed: a waiting helper that the system stops holds nobody up.
    if (helper) atomic_store(&helper->state, WAITING);
    for (int spins = 0; atomic_load_explicit(&job->done, memory_order_acquire) < all;) {
        if (helper && atomic_load_explicit(&helper->state, memory_order_relaxed) != WAITING)
            return 0;
        relax();
        if (++spins > MEETING_SPINS) OFFER_CORE();
    }
    int waiting = WAITING;
    return !helper || atomic_compare_exchange_strong(&helper->state, &waiting, WORKING);
}

int team_number(const Team *team) { return team->helper ? (int)(team->helper - helpers) + 1 : 0; }

static void work(Job *job, Helper *helper) {
    Team team = {.job = job, .helper = helper};
    job->body(&team, job->arg);
    report(&team);
}

// ---- helpers

static unsigned next_job(unsigned seen) {
    unsigned now = seen;
    for (int spins = 0; spins < IDLE_SPINS; spins++) {
        now = atomic_load(&generation);
        if (now != seen) return now;
        relax();
    }
    LOCK(bed);
    atomic_fetch_add(&asleep, 1);
    while ((now = atomic_load(&generation)) == seen) SLEEP();
    atomic_fetch_sub(&asleep, 1);
    UNLOCK(bed);
    return now;
}

static void help(int number) {
    Helper *self = &helpers[number];
    for (unsigned seen = 0;;) {
        seen = next_job(seen);
        atomic_store(&self->state, WORKING);
        // The caller closes the job first and looks at states then: one of both sees the other. What
        // is open stays so from there on, and may be a later job that wants fewer helpers.
        if (atomic_load(&open) && number < atomic_load(&wanted)) work(&shared, self);
        int working = WORKING;
        atomic_compare_exchange_strong(&self->state, &working, AWAY);
    }
}

#if defined(_WIN32)
static DWORD WINAPI begin(void *number) {
    help((int)(intptr_t)number);
    return 0;
}
static int start_helper(int number) {
    HANDLE thread = CreateThread(NULL, 0, begin, (void *)(intptr_t)number, 0, NULL);
    if (thread) CloseHandle(thread);
    return thread != NULL;
}
static int cores(void) {
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return (int)info.dwNumberOfProcessors;
}
#else
static void *begin(void *number) {
    help((int)(intptr_t)number);
    return NULL;
}
static int start_helper(int number) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, begin, (void *)(intptr_t)number)) return 0;
    pthread_detach(thread);
    return 1;
}
static int cores(void) {
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (int)online : 1;
}

// A forked process has none of the helpers, and what they or another caller held is held by nobody.
static void forget_helpers(void) {
    turn = bed = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    morning = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    for (int i = 0; i < MOST_HELPERS; i++) atomic_store(&helpers[i].state, AWAY);
    atomic_store(&open, 0);
    atomic_store(&asleep, 0);
    started = 0;
}
__attribute__((constructor)) static void watch_forks(void) {
    pthread_atfork(NULL, NULL, forget_helpers);
}
#endif

static void call_helpers(int count) {
    while (started < count && start_helper(started)) started++;
    atomic_store(&wanted, count);
    atomic_store(&open, 1);
    atomic_fetch_add(&generation, 1);
    if (atomic_load(&asleep)) {
        LOCK(bed);
        WAKE_ALL();
        UNLOCK(bed);
    }
}

static void dismiss_helpers(void) {
    atomic_store(&open, 0);
    for (int i = 0; i < started; i++) {
        for (int spins = 0;;) {
            int waiting = WAITING;
            if (atomic_load(&helpers[i].state) == AWAY) break;
            if (atomic_compare_exchange_strong(&helpers[i].state, &waiting, AWAY)) break;
            relax();
            if (++spins > MEETING_SPINS) OFFER_CORE();
        }
    }
}

// ---- for callers

void team_limit(int threads) { limit = threads; }

int team_threads(void) {
    static _Atomic int found;
    if (!found) found = cores();
    int most = limit;
    if (!most) most = found;
    return most <= MOST_HELPERS ? most : MOST_HELPERS + 1;
}

void team_run(void (*body)(Team *, void *), void *arg, int threads) {
    // While another caller has the helpers, this one works alone.
    if (threads == 1 || !TRY_LOCK(turn)) {
        Job own = {.body = body, .arg = arg};
        work(&own, NULL);
        return;
    }
    shared.body = body;
    shared.arg = arg;
    atomic_store(&shared.claimed, 0);
    atomic_store(&shared.done, 0);
    call_helpers(threads - 1);
    work(&shared, NULL);
    dismiss_helpers();
    UNLOCK(turn);
}
