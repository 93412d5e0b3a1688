// Memory for one call: kept between calls, so that no call waits for fresh pages.
#ifndef BIPLANE_WORKSPACE_H
#define BIPLANE_WORKSPACE_H

#include <stddef.h>

void *workspace_take(size_t bytes);  // aligned to 64 bytes; NULL without memory
void workspace_give(void *memory);

// Cut the next array of n elements off a workspace, or only count its bytes.
typedef struct {
    char *at;
    size_t used;
} Cut;

static inline void *cut(Cut *c, size_t bytes) {
    void *found = c->at ? c->at + c->used : NULL;
    c->used += (bytes + 127) & ~(size_t)63;
    return found;
}

#endif
