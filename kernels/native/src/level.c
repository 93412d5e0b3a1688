// All operations of one level of instructions: compiled once per level, LEVEL being its name.

#include "api.h"
#include "simd.h"
#include "team.h"

#include "call.c"
#include "read.c"
#include "rows_rounded.c"
#include "rows.c"
#include "top.c"
#include "project.c"
#include "sweep.c"
#include "rows8.c"
#include "open4.c"
#include "product8.c"
#include "rows16.c"
#include "product16.c"
#include "norm_rows.c"
#include "ready.c"
#include "many.c"
#include "attend_rows.c"
#include "heads.c"
#include "attend_many.c"
#include "attend_tiles.c"
#include "few.c"
#include "mlp_many.c"
#include "mlp_rows.c"
#include "linear_rows.c"
#include "attention_rows.c"

#define GLUE(a, b) a##b
#define TABLE(level) GLUE(level_, level)
#define TEXT(level) #level
#define NAME(level) TEXT(level)

const Level TABLE(LEVEL) = {
    .name = NAME(LEVEL),
    .project_rows = project_rows,
    .project_many = project_many,
    .norm_rows = norm_rows,
    .read_all = read_all,
    .largest = largest,
    .sweep = sweep,
    .linear_rows = linear_rows,
    .fold_states = fold_states,
    .mlp_rows = mlp_rows,
    .attention_rows = attention_rows,
    .attend_rows = attend_rows,
    .attend_many = attend_many,
    .turn_heads = turn_heads,
};
