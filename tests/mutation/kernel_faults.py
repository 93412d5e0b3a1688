"""Deliberate faults in the kernels, and in what is measured and said of their speed.

For a fault in C the library is compiled anew. Those below a name of instructions are in code for
processors with them, and only those find them.
"""

from __future__ import annotations

from tests.mutation.fault import Drop, Fault, Put, Returns, Set, Text, Without

SRC = "../kernels/native/src"
ATTENTION = "kernels/attention/test_native.py"
BLOCKS = "kernels/blocks/test_packed.py"
LAYERS = "kernels/native/test_layers.py"
MANY = "kernels/matmul/test_many.py"
MLP_MANY = "kernels/matmul/test_mlp_many.py"
NOT_A_NUMBER = "kernels/native/test_not_a_number.py"
QUICK = "engine/bench/test_quick.py"
ROWS = "kernels/native/test_rows.py"
SWEEP = "kernels/gated_delta/test_sweep.py"
TEAM = "kernels/native/test_team.py"
WORKSPACE = "kernels/native/test_workspace.py"

KERNEL_FAULTS = {
    "8-bit weights past the end of a row are multiplied": Fault(
        f"{SRC}/rows.c",
        "",
        Text("EXACT_INPUTS < m->padded ? start + EXACT_INPUTS : m->padded", "EXACT_INPUTS"),
        ROWS,
    ),
    "sums of 16-bit products overflow": Fault(
        f"{SRC}/dots.h", "", Text("(WIDE_BYTES ? 65536 : 256)", "65536"), ROWS
    ),
    # VNNI
    "low bytes are taken for 128 more than they are": Fault(
        f"{SRC}/dots.h", "", Text("code_sums[1]", "code_sums[0]"), ROWS
    ),
    "4-bit codes are taken for one more than they are": Fault(
        f"{SRC}/rows_rounded.c", "", Text("8 * total;", "7 * total;"), ROWS
    ),
    "a single input after the last whole vector is left out": Fault(
        f"{SRC}/rows.c", "", Text("i < n; i += 2", "i + 1 < n; i += 2"), ROWS
    ),
    "rows meet the weights of other inputs": Fault(
        f"{SRC}/rows_rounded.c", "", Text("j % 2 * W + j / 2", "j"), ROWS
    ),
    # AVX-512
    "a fifth row has no results": Fault(
        f"{SRC}/rows.c", "", Text("R > ROWS(R)", "R > ROWS(R) + 1"), ROWS
    ),
    "the last part, a smaller one, is left out": Fault(
        f"{SRC}/rows.c", "", Text("(blocks_of(m) + each - 1) / each", "blocks_of(m) / each"), ROWS
    ),
    "rounding hides what is not a number": Fault(
        f"{SRC}/rows_rounded.c",
        "",
        Text("(largest < 1e-30f ? 1e-30f : largest)", "fmaxf(largest, 1e-30f)"),
        ROWS,
    ),
    "parts of a second phase are lost": Fault(
        f"{SRC}/team.c", "", Text("team->before + parts", "parts"), ROWS
    ),
    "two callers share one job": Fault(
        f"{SRC}/team.c", "", Text("1 || !TRY_LOCK(turn)", "1"), TEAM
    ),
    "helpers without work never sleep": Fault(
        f"{SRC}/team.c", "", Text("int spins = 0; spins < IDLE_SPINS; spins++", ";;"), TEAM
    ),
    "every job starts helpers of its own": Fault(
        f"{SRC}/team.c",
        "",
        Text(
            "while (started < count && start_helper(started)) started++",
            "for (int i = 0; i < count; i++) start_helper(i)",
        ),
        TEAM,
    ),
    "a forked process waits for helpers that it does not have": Fault(
        f"{SRC}/team.c", "", Text("pthread_atfork(NULL, NULL, forget_helpers);", ""), TEAM
    ),
    "more threads work than a job has memory for": Fault(
        f"{SRC}/team.c", "", Text(" && number < atomic_load(&wanted)", ""), WORKSPACE
    ),
    "threads that are allowed during a call take memory that it does not have": Fault(
        f"{SRC}/call.c", "", Text("call, threads", "call, team_threads_for(small)"), WORKSPACE
    ),
    "a call without memory writes where there is none": Fault(
        f"{SRC}/call.c", "", Text("if (!memory.at) return 0;", ""), WORKSPACE
    ),
    "many rows in 8 bits forget what is not a number unless it comes last": Fault(
        f"{SRC}/rows8.c", "", Text("vf_larger", "vf_max"), NOT_A_NUMBER
    ),
    "a row of many that is not a number gets the smallest step": Fault(
        f"{SRC}/rows8.c",
        "",
        Text("(largest < 1e-30f ? 1e-30f : largest)", "fmaxf(largest, 1e-30f)"),
        NOT_A_NUMBER,
    ),
    "4-bit weights that are not numbers become numbers when they are opened": Fault(
        f"{SRC}/open4.c",
        "",
        Text(
            "vf_larger(most, vf_abs(vf_fma(scale, vf_set(7.0f), offset)))",
            "vf_max(most, vf_abs(vf_fma(scale, vf_set(7.0f), offset)))",
        ),
        NOT_A_NUMBER,
    ),
    "a library that is damaged, or of other sources, is loaded": Fault(
        "../kernels/native/compile.py",
        "is_current",
        Put("record_of(library).read_text() == ...", "record_of(library).exists()"),
        "kernels/native/test_library.py",
    ),
    "the kernels in C take all cores whatever was asked": Fault(
        "../kernels/cpu.py",
        "use_threads",
        Drop("native.call.biplane_limit_threads"),
        "engine/run/test_opening.py",
    ),
    "a row sees the token after it": Fault(
        f"{SRC}/attend_rows.c", "", Text("1 - r->start", "2 - r->start"), ATTENTION
    ),
    "ranges are merged without regard to their largest scores": Fault(
        f"{SRC}/attend_rows.c", "", Text("share[0] *", ""), ATTENTION
    ),
    "slots past the end of the sequence are read": Fault(
        f"{SRC}/attend_rows.c",
        "",
        Text("(int32_t)(left < RANGE ? left : RANGE)", "RANGE"),
        ATTENTION,
    ),
    "a row of many sees the token after it": Fault(
        f"{SRC}/attend_many.c", "", Text("seen = limit", "seen = limit + 1"), ATTENTION
    ),
    "sums are not scaled when a larger score comes": Fault(
        f"{SRC}/attend_many.c",
        "",
        Text("if (faded && block) fade_sums(sums, panels, fade);", ""),
        ATTENTION,
    ),
    "keys of several extents are read as if they were one": Fault(
        f"{SRC}/attend_many.c", "", Text("slots[t] == slots[0] + t", "1"), ATTENTION
    ),
    # AMX
    "tiles multiply what is left of the queries after rounding by nothing": Fault(
        f"{SRC}/attend_tiles.c",
        "",
        Text(
            "small_product(2, keys, TILE_QUERIES, dim / 2, key, rest, scores, TILE_QUERIES, 1);", ""
        ),
        ATTENTION,
    ),
    "keys and values that are in their slots already are written again": Fault(
        f"{SRC}/heads.c", "", Text("if (row < h->skip) return;", ""), ATTENTION
    ),
    "the second of a pair is rotated by the first's new value": Fault(
        f"{SRC}/heads.c", "", Text("a * turn[d +", "x[d] * turn[d +"), ATTENTION
    ),
    # VNNI without AMX
    "what unsigned weights add to a sum is not all taken off again": Fault(
        f"{SRC}/product8.c", "", Text("128 * of_row", "127 * of_row"), MANY
    ),
    # AMX
    "the second tile of rows is the first again": Fault(
        f"{SRC}/product8.c",
        "",
        Text("< to ? rows8_at(&p->rows, row + 16", "<= to ? rows8_at(&p->rows, row"),
        MANY,
    ),
    "4-bit weights are rounded down to 8 bits": Fault(
        f"{SRC}/open4.c", "", Text("fine) + 128", "fine)"), MANY
    ),
    # AMX
    "rows get the results of others in the same square": Fault(
        f"{SRC}/product16.c",
        "",
        Text(
            "square16_put(p, first, w->square, w->row + 16 * half, half)",
            "square16_put(p, first, w->square, w->row + 16 * half, 0)",
        ),
        MANY,
    ),
    "the second vector of rows is the first again": Fault(
        f"{SRC}/product16.c", "", Text("in[v], w + o", "in[0], w + o"), MANY
    ),
    "the sums of a long row's first inputs are forgotten": Fault(
        f"{SRC}/product16.c", "", Text("panel->from ? vf_load(sums + (o * 2 + v) * W) :", ""), MANY
    ),
    "a gate lets everything through": Fault(
        f"{SRC}/many.c", "", Text("* vf_sigmoid(g)", "+ 0 * g"), MANY
    ),
    "results are written beyond the last output": Fault(
        f"{SRC}/out.h",
        "",
        Text("if (n > out->outputs - output) n = out->outputs - output;", ""),
        MANY,
    ),
    "the first row of a pass is taken from the window before it": Fault(
        f"{SRC}/sweep_conv.c", "", Text("position >= 0", "position > 0"), SWEEP
    ),
    "a state decays for tokens behind the last": Fault(
        f"{SRC}/chunk_rates.c", "", Text("t < tokens ? r->decay[t] : 0", "r->decay[t]"), SWEEP
    ),
    "a token does not read what it wrote itself": Fault(
        f"{SRC}/chunk.c", "", Text("<= (int32_t)", "< (int32_t)"), SWEEP
    ),
    "tokens of a chunk's second block do not see the first block": Fault(
        f"{SRC}/chunk.c", "", Text("if (i)", "if (i > SOLVED)"), SWEEP
    ),
    # AVX-512
    "the last columns of a small product are not computed": Fault(
        f"{SRC}/small.c", "", Text("for (; j <", "for (; j + BLOCK <"), SWEEP
    ),
    # AVX-512
    "keys are transposed wrongly": Fault(
        f"{SRC}/transpose.h", "", Text("odd2, 0x88", "odd2, 0xdd"), SWEEP
    ),
    "tokens after a split are left out": Fault(
        f"{SRC}/sweep.c", "", Text("split->after;", "s->tokens;"), SWEEP
    ),
    "every row of a pass is convolved as the first one is": Fault(
        f"{SRC}/linear_rows.c", "", Text("(r + j) *", "j *"), LAYERS
    ),
    "a checkpoint gets the state of one row later": Fault(
        f"{SRC}/linear_rows.c", "", Text("after == r + 1", "after == r"), LAYERS
    ),
    "only the first row's query gets unit length": Fault(
        f"{SRC}/linear_rows.c", "", Text("query, live->rows", "query, 1"), LAYERS
    ),
    "rows of several answers run on the first one's state": Fault(
        f"{SRC}/linear_rows.c", "", Text("s.live = *live", "s.live = *c->lives"), LAYERS
    ),
    "rows of several answers attend to the first one's tokens": Fault(
        f"{SRC}/attention_rows.c",
        "",
        Text("s = seen->sequences + i", "s = seen->sequences"),
        LAYERS,
    ),
    "states do not decay": Fault(
        f"{SRC}/delta_rows.c", "", Text("vf_set(h->decay) * vf_load", "vf_load"), LAYERS
    ),
    "keys that are in the pool already are written again": Fault(
        f"{SRC}/attention_rows.c", "", Text(".skip = seen->skip", ".skip = 0"), LAYERS
    ),
    "every row gets the first row's share of an expert": Fault(
        f"{SRC}/mlp_rows.c", "", Text("c->share[row]", "c->share[0]"), LAYERS
    ),
    "the norm before a layer divides by one too many": Fault(
        f"{SRC}/norm_rows.c", "", Text("(float)n + norm->eps", "(float)(n + 1) + norm->eps"), LAYERS
    ),
    "the likeliest tokens are looked for among the first ones only": Fault(
        f"{SRC}/top.c",
        "",
        Text("!vi_any(v > vf_set(least.value))", "i"),
        "kernels/sampling/test_largest.py",
    ),
    "rows after the first hundreds are added to the first": Fault(
        f"{SRC}/mlp_many.c", "", Text("out + at * outputs", "out"), MLP_MANY
    ),
    "rows are weighted by the shares of others": Fault(
        f"{SRC}/mlp_many.c", "", Text("share[first + k]", "share[k]"), MLP_MANY
    ),
    "panels of outputs share the sums of inputs that went before": Fault(
        f"{SRC}/product16.c", "", Text("squares + (i - first) * squares_bytes", "squares"), MANY
    ),
    "every row is normed from the first of its group": Fault(
        f"{SRC}/ready.c", "", Text("x + k * stride", "x"), MANY
    ),
    "values are taken from where queries would be": Fault(
        f"{SRC}/heads.c", "", Text("h->v_stride", "h->qk_stride"), ATTENTION
    ),
    # AMX
    "a gate lets its neighbour's numbers through": Fault(
        f"{SRC}/product16.c", "", Text("sums[17 + o]", "sums[16 + o]"), MLP_MANY
    ),
    # AMX
    "gates stand before outputs of other columns": Fault(
        f"{SRC}/product16.c", "", Text("panel.first;", "i;"), MLP_MANY
    ),
    "a model is generated for which the disk has no room": Fault(
        "bench/quick.py", "choose_shape", Put("room.disk", "10 * room.disk"), QUICK
    ),
    "a slow machine measures for longer than there is time": Fault(
        "bench/quick.py", "choose_shape", Put("room.seconds", "10 * room.seconds"), QUICK
    ),
    "a speed that is infinite is taken from a foreign file": Fault(
        "machine_speed.py", "Rate", Without("le"), "engine/test_machine_speed.py"
    ),
    "a pass of a few rows is compared with two rows": Fault(
        "bench/decode.py",
        "rows_after",
        Put("medians[1]", "medians[2]"),
        "engine/bench/test_speed.py",
    ),
    "the stored weights are kept although 4 bits answer far faster": Fault(
        "../app/core/words/model_words.py",
        "advice",
        Put("max(eight, four)", "min(eight, four)"),
        "app/core/words/test_machine_words.py",
    ),
    "weights in 8 bits are compared with a rival's in 16": Fault(
        "../app/cli/speed_tables.py",
        "beside_lines",
        Set("matching", "rivals"),
        "app/cli/test_beside.py",
    ),
    "the button of the model does not say which kernels run": Fault(
        "../app/models/logic/open_model.py",
        "kernels_text",
        Returns("''"),
        "app/models/logic/test_open_model.py",
    ),
    "sums of six-bit codes overflow": Fault(
        f"{SRC}/blocks.c", "", Text("bits == 6 ? 2 :", "bits == 6 ? 4 :"), BLOCKS
    ),
    "sums of the inputs before are lost when the next are opened": Fault(
        f"{SRC}/blocks.c",
        "",
        Text("from ? vf_load(sums[k] + v * W) : vf_set(0)", "vf_set(0)"),
        BLOCKS,
    ),
    "high bits are those of other inputs": Fault(
        f"{SRC}/blocks.c", "", Text("64 * (step / 4)", "64 * (step % 2)"), BLOCKS
    ),
    "offsets of a group are added": Fault(
        f"{SRC}/blocks.c", "", Text("return -(h->low *", "return (h->low *"), BLOCKS
    ),
    "more rows use another group's sums": Fault(
        f"{SRC}/blocks.c", "", Text("k * groups + i / s.group", "k * groups + i / SLICE"), BLOCKS
    ),
    "blocks meet the inputs in the order of the row": Fault(
        f"{SRC}/rows.c", "", Text("FLOAT32, m->order", "FLOAT32, NULL"), BLOCKS
    ),
    "every part of a stack begins at the first output": Fault(
        f"{SRC}/rows.c", "", Text("there.y += one++->outputs", "one++"), BLOCKS
    ),
    "both planes of six-bit codes are packed into one": Fault(
        f"{SRC}/pack_blocks.c", "", Text("256 + 64 * plane", "256"), BLOCKS
    ),
}
