"""Deliberate faults in what is drafted, and in what becomes of it."""

from __future__ import annotations

from tests.mutation.fault import Drop, Fault, Put, Text, Without

ANSWERS = "engine/run/test_drafts.py"
DEPTH = "engine/plan/test_draft_depth.py"
INDEX = "engine/plan/test_draft_index.py"
LAYERS = "kernels/native/test_layers.py"
LINES = "engine/cache/test_lines.py"
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
        Put("self.position += 1", "self.position += len(stretch.tokens)"),
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
        Text("by = vf_set(decay[r * f->value_heads])", "by = vf_set(decay[0])"),
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
        "Depth.saw",
        Put("bisect_right(self._starts, length) - 1", "-1"),
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
}  # fmt: skip
