"""Deliberate faults in the views: the timeline, what is saved from it, and the tree."""

from __future__ import annotations

from tests.mutation.fault import Drop, Fault, Put, Returns, Set, Without

APPLIED = "app/core/session/test_applied.py"
COLUMNS = "app/debugger/timeline/logic/test_columns.py"
CONCERNED = "app/debugger/timeline/logic/test_concerned.py"
FAST = "app/cache/test_fast_layout.py"
FOLDING = "app/cache/logic/test_folding.py"
HOVER = "app/debugger/test_row_hover.py"
LINKING = "app/debugger/test_linking_real.py"
PASSAGES = "app/core/session/test_passages.py"
SAVED = "engine/journal/test_saving.py"

APP_FAULTS = {
    "a trace saved without text holds the token ids": Fault(
        "journal/saving.py", "_lines", Without("not text"), SAVED
    ),
    "hashes are hashed again, and two copies of a trace can no longer be compared": Fault(
        "journal/saving.py",
        "_lines",
        Set("written", "replace(wanted, hashed=wanted.hashed)"),
        SAVED,
    ),
    "a saved trace counts its times from when the machine started": Fault(
        "journal/saving.py", "origin_of", Put("entry.time", "0.0"), SAVED
    ),
    "the upper part of a split node takes its bytes along twice": Fault(
        "../app/debugger/timeline/logic/levels.py",
        "TierLevels._split",
        Set("self._spans[what.upper]", "(start, end)"),
        COLUMNS,
    ),
    "the state of a removed leaf is still drawn": Fault(
        "../app/debugger/timeline/logic/levels.py",
        "TierLevels._remove",
        Drop("self._held.discard"),
        COLUMNS,
    ),
    "a cancelled prompt counts tokens that never ran": Fault(
        "../app/debugger/timeline/logic/columns.py",
        "ran_of",
        Set("replayed", "ran.replayed"),
        COLUMNS,
    ),
    "a long prefill is drawn as a pause while it runs": Fault(
        "../app/debugger/timeline/logic/viewport.py",
        "pauses_of",
        Put("starts < ...", "starts <= running.began"),
        "app/debugger/timeline/test_clock.py",
    ),
    "an interval counts requests that end after it": Fault(
        "../app/debugger/timeline/logic/cards.py",
        "stats_of",
        Set("last", "int(np.searchsorted(requests.began, end, side='right'))"),
        "app/debugger/timeline/test_interval.py",
    ),
    "requests are exported in milliseconds": Fault(
        "../app/debugger/export/logic/trace_events.py",
        "_requests",
        Put("1000000.0", "1000.0"),
        "app/debugger/export/logic/test_trace_events.py",
    ),
    "what was applied once goes before the command line": Fault(
        "../app/core/session/applied.py", "Applied.overruled", Returns("frozenset()"), APPLIED
    ),
    "Undo leaves what was applied in the file": Fault(
        "../app/core/session/applied.py",
        "Applied.undo",
        Put("self._known[folder] = ...", "former.pop()"),
        APPLIED,
    ),
    "a checkpoint is offered where one is, or in the node above": Fault(
        "../app/core/words/node_actions.py",
        "checkpoint_bounds",
        Returns("(node.start, node.end)"),
        "app/core/words/test_node_actions.py",
    ),
    "the queries of the recall table begin at 0": Fault(
        "../app/lab/logic/tables.py", "_recalls", Without("first"), "app/lab/logic/test_tables.py"
    ),
    "what a table's row lit stays lit when the pointer has left": Fault(
        "../app/ui/table.py", "Table.viewportEvent", Drop("self._at = None"), HOVER
    ),
    "the pointer on an entry whose node is gone lights nothing": Fault(
        "../app/debugger/state.py", "DebugState._placed", Put("replace(...)", "what"), HOVER
    ),
    "the upper half of a second split has no birth on the timeline": Fault(
        "../app/debugger/timeline/logic/concerned.py",
        "_birth",
        Put(
            "while origin in events.split_from: ...",
            "if origin in events.split_from: origin = events.split_from[origin]",
        ),
        CONCERNED,
    ),
    "a column is left out although all fit": Fault(
        "../app/ui/table.py", "left_out", Put("over > 0", "over >= 0"), "app/ui/test_table.py"
    ),
    "the ruler of a prompt shows new tokens as reused": Fault(
        "../app/debugger/why/ruler.py",
        "paint_ruler",
        Put("look.colour(kind)", "look.colour('reused')"),
        "app/debugger/test_golden.py",
    ),
    "a panel that was made smaller is large again at the next size of the window": Fault(
        "../app/debugger/desk.py",
        "DockShares._divide",
        Put("now != wanted", "now > wanted"),
        "app/debugger/test_desk.py",
    ),
    "a lane that ended to the left is blank": Fault(
        "../app/cache/logic/name_tags.py",
        "outside",
        Put("scale.right <= view.left", "scale.right <= 0"),
        "app/cache/test_following.py",
    ),
    "a new conversation stands below all others": Fault(
        "../app/cache/logic/layout.py",
        "aside_rows",
        Drop("if not used.any(): ..."),
        "app/cache/test_chat_folding.py",
    ),
    "nodes hang below what once stood where their parent is": Fault(
        "../app/cache/logic/columns.py",
        "ColumnReader._parents",
        Set("now[was[kept]]", "was[kept]"),
        FAST,
    ),
    "a node that grew is drawn over the next one of its lane": Fault(
        "../app/cache/logic/lanes.py",
        "_drop_collisions",
        Put("right[before]", "left[before]"),
        "app/cache/logic/test_layout.py",
    ),
    "a tidy tree is joined again over what the last join left": Fault(
        "../app/cache/logic/topology_arrangement.py",
        "TidyTree._change",
        Put("_downward(everything, self._above)", "_downward(everything, self._above)[1:]"),
        FAST,
    ),
    "a message goes on with what another speaker said": Fault(
        "../app/cache/logic/stretches.py", "_offsets", Without("kind == kind[before]"), FAST
    ),
    "boxes of the icicle overlap": Fault(
        "../app/cache/logic/icicle.py",
        "hang",
        Put("weights.whole[kids]", "weights.whole[kids] - 1"),
        "app/cache/logic/test_icicle.py",
    ),
    "branches of the tidy tree overlap": Fault(
        "../app/cache/logic/topology_arrangement.py",
        "Walk._separate",
        Put("overlap > 0", "overlap > 1"),
        "app/cache/test_tidy.py",
    ),
    "a selected node vanishes into a chip": Fault(
        "../app/cache/logic/folding.py",
        "_pieces",
        Put("not stays and ...", "len(piece) >= LEAST_CHAIN or stays"),
        FOLDING,
    ),
    "a chip ends before its nodes do": Fault(
        "../app/cache/logic/folding.py",
        "collapse",
        Put("np.maximum.at(made.end, ...)", "np.minimum.at(made.end, at, table.end[held])"),
        FOLDING,
    ),
    "a text of the node above is found below, too": Fault(
        "../app/cache/logic/search.py",
        "_says",
        Put("... if wanted in whole else ...", "wanted in whole"),
        "app/cache/logic/test_search.py",
    ),
    "the filter leaves what has only the last of several wanted marks": Fault(
        "../app/cache/logic/mark_table.py",
        "are_wanted",
        Put("found &= ...", "found = marks & group > 0"),
        "app/cache/logic/test_mark_table.py",
    ),
    "an answer whose header ends a node counts as two messages": Fault(
        "../app/core/session/passages.py",
        "_messages",
        Set("goes_on", "one.role == 'assistant' and before == 'thinking'"),
        PASSAGES,
    ),
    "a place on one branch lights the messages of another": Fault(
        "../app/core/session/passages.py", "Passages.turns_in", Without("shared"), PASSAGES
    ),
    "a message is lit with its neighbours in a node": Fault(
        "../app/cache/logic/lit.py",
        "_part",
        Put(
            "(scale.x(row, start), scale.x(row, end))",
            "(float(scale.left[row]), float(scale.right[row]))",
        ),
        "app/cache/logic/test_lit.py",
    ),
    "nobody finds where an evicted node was": Fault(
        "../app/debugger/logic/entry_place.py",
        "entry_place",
        Set("then", "index + 1"),
        "app/debugger/logic/test_entry_place.py",
    ),
    "a checkpoint lights no message": Fault(
        "../app/core/session/passages.py", "Passages.turns_in", Drop("start"), LINKING
    ),
    "a checkpoint has no ring": Fault(
        "../app/cache/logic/lit.py",
        "_part",
        Put("(mark, mark) if table.end[row] == place.end else None", "None"),
        LINKING,
    ),
    "a checkpoint is said to have been split": Fault(
        "../app/debugger/timeline/logic/concerned.py",
        "concerned",
        Drop("found = _of_states(...)"),
        CONCERNED,
    ),
    "what happened to a copy in host memory is not ringed": Fault(
        "journal/reel.py",
        "Reel.numbers",
        Set("owners", "zip(TIERS[:1], found.owners[:1], strict=True)"),
        CONCERNED,
    ),
}
