// All operations of one level of instructions: compiled once per level, LEVEL being its name.

#include <stdlib.h>

#include "api.h"
#include "simd.h"
#include "team.h"

#include "read.c"
#include "rows.c"
#include "project.c"
#include "attend_rows.c"
#include "heads.c"
#include "small.c"
#include "attend_many.c"

#define GLUE(a, b) a##b
#define TABLE(level) GLUE(level_, level)
#define TEXT(level) #level
#define NAME(level) TEXT(level)

const Level TABLE(LEVEL) = {
    .name = NAME(LEVEL),
    .project_rows = project_rows,
    .read_all = read_all,
    .attend_rows = attend_rows,
    .attend_many = attend_many,
    .turn_heads = turn_heads,
};
