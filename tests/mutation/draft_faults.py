"""Deliberate faults in what is drafted, and in what becomes of it."""

from __future__ import annotations

from tests.mutation.fault import Drop, Fault, Put, Returns, Text, Without

ANSWERS = "engine/run/test_drafts.py"
CONV = "kernels/causal_conv/test_triton.py"
DELTA = "kernels/gated_delta/test_triton.py"
DEPTH = "engine/plan/test_draft_depth.py"
GRAPH = "engine/model/test_decode_graph.py"
HEAD = "engine/model/test_draft_head.py"
HEADS_ANSWERS = "engine/run/test_head_drafts.py"
INDEX = "engine/plan/test_draft_index.py"
LAYERS = "kernels/native/test_layers.py"
LINES = "engine/cache/test_lines.py"
PRODUCTS = "kernels/matmul/test_triton.py"
RECORDED = "engine/run/test_recorded_drafts.py"
ROWS = "engine/model/test_drafted_rows.py"

DRAFT_FAULTS = {
    "rejected rows stay in the state": Fault(
        "run/sequence.py",
        "LiveSequence.settle",
        Put("rows.taken", "len(rows.tokens)"),
        ANSWERS,
    ),
    "the keys and values of rejected rows stay": Fault(
        "run/sequence.py",
        "LiveSequence.ran",
        Put("self.position += 1", "self.position += len(tokens)"),
        ANSWERS,
    ),
    "a state is stored between a draft and its acceptance": Fault(
        "run/sequence.py", "LiveSequence.donate", Drop("self.settle"), ANSWERS
    ),
    "a step runs on the state before the draft": Fault(
        "run/sequence.py", "LiveSequence.push", Drop("self.settle"), ANSWERS
    ),
    "a draft asks for slots that nothing gives back": Fault(
        "run/sequence.py",
        "LiveSequence.room",
        Put("self.lease.capacity", "self.lease.capacity + 16"),
        ANSWERS,
    ),
    "any token is taken for the drafted one": Fault(
        "run/sequence.py",
        "LiveSequence.expects",
        Without("rows.tokens[rows.taken] == token"),
        ANSWERS,
    ),
    "an end token inside a draft ends nothing": Fault(
        "run/decode.py",
        "decode",
        Put(
            "ends or token in sampling.stop_ids",
            "(ends or token in sampling.stop_ids) and not sequence.expects(token)",
        ),
        ANSWERS,
    ),
    "a stop string inside a draft ends nothing": Fault(
        "run/decode.py",
        "decode",
        Put("stream.stopped", "stream.stopped and not sequence.expects(token)"),
        ANSWERS,
    ),
    "the hidden row of a state is that of the last drafted row": Fault(
        "model/hybrid.py", "HybridModel.keep", Put("hidden[rows - 1]", "hidden[-1]"), ROWS
    ),
    "the window moves by all drafted rows": Fault(
        "../kernels/native/kept.py",
        "KeptRows.fold",
        Put("self._channels[:, max(rows - past, 0) : rows]", "self._channels[:, 16 - past :]"),
        ROWS,
    ),
    "rows beside others of a mixture's expert meet the share of the first": Fault(
        "model/sparse_mlp.py",
        "SparseMlp.apart",
        Put("torch.cat([weight for _, weight in users])", "users[0][1].expand(len(users))"),
        ROWS,
    ),
    "a state is folded with the decay of the first row": Fault(
        "../kernels/native/src/delta_rows.c",
        "",
        Text("by = vf_set(decay[r])", "by = vf_set(decay[0])"),
        LAYERS,
    ),
    "a row of a bfloat16 product depends on how many there are": Fault(
        "../kernels/native/src/rows.c",
        "",
        Text(
            "*to = vf_fma(pairs[s].odd, odd, *to);",
            "*to = R == 1 ? vf_fma(pairs[s].odd, odd, *to) : *to + pairs[s].odd * odd;",
        ),
        LAYERS,
    ),
    "the first ending that is found is taken for the longest": Fault(
        "plan/draft_index.py",
        "DraftIndex.find",
        Put("length > best.length", "False"),
        INDEX,
    ),
    "a draft goes on into another text": Fault(
        "plan/draft_index.py", "DraftIndex.after", Put("_GAP in found", "False"), INDEX
    ),
    "what followed a short ending counts for long ones": Fault(
        "plan/draft_depth.py",
        "Chances.saw",
        Put("self._class_of(value)", "-1"),
        DEPTH,
    ),
    "what a row costs is never learned": Fault(
        "plan/draft_depth.py", "Depth.took", Drop("self._passes[rows].append"), DEPTH
    ),
    "a single pass decides what rows cost": Fault(
        "plan/draft_depth.py", "Depth._known", Put("BELIEVED", "1"), DEPTH
    ),
    "all that was drafted is recorded as kept": Fault(
        "plan/drafter.py", "Drafter._close", Put("self._taken", "len(self._last)"), RECORDED
    ),
    "a draft is recorded a pass too late": Fault(
        "plan/drafter.py", "Drafter.ran",
        Put("self._steps + self._kept", "self._steps + self._kept + 1"), RECORDED
    ),
    "a drafted token is said to be of the last node of its path": Fault(
        "cache/lines.py", "Line.place", Put("self.nodes[part]", "self.nodes[-1]"), LINES
    ),
    "rejected tokens are written to a trace of hashes": Fault(
        "journal/recorder.py", "LineMaker._private",
        Put("ran.drafts.without_ids()", "ran.drafts"), RECORDED
    ),
    "a replay drafts beyond the next checkpoint": Fault(
        "journal/request.py", "_Run.decode", Put("min(ends)", "max(ends)"), RECORDED
    ),
    "a replay drafts from no cached path": Fault(
        "analysis/redrafting.py", "Redrafting.begin",
        Put("tiers.lines(LONGEST, MOST_LINES_TOKENS)", "{}"), RECORDED
    ),
    "a path is drafted from its least used branch": Fault(
        "cache/lines.py", "lines", Put("sorted(node.children.values(), key=_used)",
        "sorted(node.children.values(), key=_used, reverse=True)"), LINES
    ),
    "the draft head is given a token's embedding last": Fault(
        "model/draft_head.py", "DraftHead._mixed",
        Put("(embedded, self._normed(rows.float(), self._of_row))",
        "(self._normed(rows.float(), self._of_row), embedded)"), HEAD
    ),
    "the draft head goes on from its rows before their norm": Fault(
        "model/draft_head.py", "DraftHead.draft",
        Returns("x[0].to(self._dtype), *self._words.likeliest(after)"), HEAD
    ),
    "the draft head attends to a position that nothing came before": Fault(
        "model/draft_head.py", "DraftHead.draft",
        Put("crop(run.extents, 1, ...)", "run.extents"), HEAD
    ),
    "a rare token is drafted as the one that it displaced": Fault(
        "model/draft_head.py", "DraftWords.saw",
        Put("self._ids[place:place + 1] = [token]", "self._ids.append(token)"), HEAD
    ),
    "a checkpoint inside a pass has the row of another token": Fault(
        "model/hybrid.py", "HybridModel.forward",
        Put("normed[offset - 1]", "normed[offset - 2]"), f"{HEAD} {HEADS_ANSWERS}"
    ),
    "a head of another kind is taken for one of ours": Fault(
        "model/loader.py", "with_draft_head",
        Put("found == set(draft_shapes(config))", "True"), HEAD
    ),
    "what was decoded is stored without the draft head's keys": Fault(
        "run/sequence.py", "LiveSequence.donate", Drop("self._enter"), HEADS_ANSWERS
    ),
    "the draft head goes on from a state without its row": Fault(
        "run/sequence.py", "LiveSequence._entered",
        Put("self.states.hidden[self.live]", "0 * self.states.hidden[self.live]"), HEADS_ANSWERS
    ),
    "the draft head reads the row of a token that was not kept": Fault(
        "run/sequence.py", "LiveSequence._take",
        Put("rows.hidden[rows.taken - 1]", "rows.hidden[-1]"), HEADS_ANSWERS
    ),
    "on a device, a draft goes into the state at once": Fault(
        "model/decode_graph.py", "DecodeStep.__call__", Put("rows == 1", "True"), GRAPH
    ),
    "on a device, each row of a draft sees all of them": Fault(
        "model/decode_graph.py", "DecodeStep.__call__",
        Put("position + 1", "position[-1:] + 1"), GRAPH
    ),
    "on a device, the windows stay behind the state": Fault(
        "model/few_rows.py", "DeviceKeptRows.fold", Drop("self.shift"), GRAPH
    ),
    "on a device, the window moves by all drafted rows": Fault(
        "model/few_rows.py", "DeviceKeptRows.shift",
        Put("window_after(self._channels, window, rows)", "self._channels[:, -window.shape[1] :]"),
        GRAPH
    ),
    "beside other sequences on a device, a state that goes on keeps its old row": Fault(
        "model/few_rows.py", "DeviceRun.settle", Put("hidden[at.start]", "hidden[0]"),
        "kernels/test_decode_step.py"
    ),
    "on a device, states that go on together share what their rows do": Fault(
        "model/hybrid.py", "HybridModel._apart_on_device",
        Put("one.kept or next(scratch)", "one.kept or self._scratch[0]"),
        "kernels/test_decode_step.py"
    ),
    "on a device, a state is written though it was only to be read": Fault(
        "../kernels/gated_delta/triton.py", "_few", Put("keep != 0", "rows > 0"), DELTA
    ),
    "on a device, a row of several finds the window of the first": Fault(
        "../kernels/causal_conv/triton.py", "_few",
        Put("token + row - (KERNEL - 1)", "row - (KERNEL - 1)"), CONV
    ),
    "on a device, what rounding took from a weight is forgotten": Fault(
        "../kernels/matmul/triton.py", "_few",
        Put("GROUP > 0 and given.dtype != tl.float32", "False"), PRODUCTS
    ),
    "the draft head's frequent rows on a device are the whole table": Fault(
        "../kernels/matmul/matrix.py", "first_outputs",
        Put("matrix.tensors()[0][:count]", "matrix.tensors()[0]"), HEAD
    ),
}  # fmt: skip
