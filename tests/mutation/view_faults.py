"""Deliberate faults in the views of the tree: their layouts, folding, search and filter."""

from __future__ import annotations

from tests.mutation.fault import Fault

ICICLE = "tests/app/cache/test_icicle.py"
FOLDING = "tests/app/cache/test_folding.py"
FAST = "tests/app/cache/test_fast_layout.py"

VIEW_FAULTS = (
    Fault(
        "../app/table.py",
        "            self._at = None\n",
        "            pass\n",
        "what a table's row lit stays lit when the pointer has left",
        "tests/app/debug/test_row_hover.py",
    ),
    Fault(
        "../app/debug/state.py",
        "        return replace(what, node=found, span=None)\n",
        "        return what\n",
        "the pointer on an entry whose node is gone lights nothing",
        "tests/app/debug/test_row_hover.py",
    ),
    Fault(
        "../app/debug/timeline/concerned.py",
        "    while origin in events.split_from:\n",
        "    if origin in events.split_from:\n",
        "the upper half of a second split has no birth on the timeline",
        "tests/app/debug/timeline/test_concerned.py",
    ),
    Fault(
        "../app/table.py",
        "    while gone < len(spare) and over > 0:\n",
        "    while gone < len(spare) and over >= 0:\n",
        "a column is left out although all fit",
        "tests/app/test_table.py",
    ),
    Fault(
        "../app/debug/why/ruler.py",
        "        painter.fillRect(area, look.colour(kind))\n",
        '        painter.fillRect(area, look.colour("reused"))\n',
        "the ruler of a prompt shows new tokens as reused",
        "tests/app/debug/test_golden.py",
    ),
    Fault(
        "../app/debug/desk.py",
        "            if learns and now != wanted:\n",
        "            if learns and now > wanted:\n",
        "a panel that was made smaller is large again at the next size of the window",
        "tests/app/debug/test_desk.py",
    ),
    Fault(
        "../app/cache/name_tags.py",
        "    gone = np.flatnonzero(near & (scale.right <= view.left))\n",
        "    gone = np.flatnonzero(near & (scale.right <= 0))\n",
        "a lane that ended to the left is blank",
        "tests/app/cache/test_following.py",
    ),
    Fault(
        "../app/cache/layout.py",
        "    if not used.any():\n        used = _used_by_all(table)\n",
        "",
        "a new conversation stands below all others",
        "tests/app/cache/test_chat_folding.py",
    ),
    Fault(
        "../app/cache/columns.py",
        "            now[was[kept]] = kept\n",
        "            now[was[kept]] = was[kept]\n",
        "nodes hang below what once stood where their parent is",
        FAST,
    ),
    Fault(
        "../app/cache/lanes.py",
        "    overlaps = (lanes[before] == lanes[after]) & (left[after] < right[before])\n",
        "    overlaps = (lanes[before] == lanes[after]) & (left[after] < left[before])\n",
        "a node that grew is drawn over the next one of its lane",
        "tests/app/cache/test_layout.py",
    ),
    Fault(
        "../app/cache/topology_arrangement.py",
        "        for at in _downward(everything, self._above):\n",
        "        for at in _downward(everything, self._above)[1:]:\n",
        "a tidy tree is joined again over what the last join left",
        FAST,
    ),
    Fault(
        "../app/cache/stretches.py",
        "    goes_on = ~opens & (before >= 0) & (kind == kind[before])\n",
        "    goes_on = ~opens & (before >= 0)\n",
        "a message goes on with what another speaker said",
        FAST,
    ),
    Fault(
        "../app/cache/icicle.py",
        "    aside[kids] = before(table.parent[kids], weights.whole[kids])\n",
        "    aside[kids] = before(table.parent[kids], weights.whole[kids] - 1)\n",
        "boxes of the icicle overlap",
        ICICLE,
    ),
    Fault(
        "../app/cache/topology_arrangement.py",
        "            if overlap > 0:\n",
        "            if overlap > 1:\n",
        "branches of the tidy tree overlap",
        "tests/app/cache/test_tidy.py",
    ),
    Fault(
        "../app/cache/folding.py",
        "        if not stays and len(piece) >= LEAST_CHAIN:\n",
        "        if len(piece) >= LEAST_CHAIN or stays:\n",
        "a selected node vanishes into a chip",
        FOLDING,
    ),
    Fault(
        "../app/cache/folding.py",
        "    np.maximum.at(made.end, at, table.end[held])\n",
        "    np.minimum.at(made.end, at, table.end[held])\n",
        "a chip ends before its nodes do",
        FOLDING,
    ),
    Fault(
        "../app/cache/search.py",
        "    return whole.rfind(wanted) + len(wanted) > early if wanted in whole else False\n",
        "    return wanted in whole\n",
        "a text of the node above is found below, too",
        "tests/app/cache/test_search.py",
    ),
    Fault(
        "../app/cache/mark_table.py",
        "        found &= marks & group > 0\n",
        "        found = marks & group > 0\n",
        "the filter leaves what has only the last of several wanted marks",
        "tests/app/cache/test_mark_table.py",
    ),
    Fault(
        "../app/session/passages.py",
        "goes_on = one.role in _ANSWERS and before in _ANSWERS",
        'goes_on = one.role == "assistant" and before == "thinking"',
        "an answer whose header ends a node counts as two messages",
        "tests/app/session/test_passages.py",
    ),
    Fault(
        "../app/session/passages.py",
        "until = min(end, shared, path.end)",
        "until = min(end, path.end)",
        "a place on one branch lights the messages of another",
        "tests/app/session/test_passages.py",
    ),
    Fault(
        "../app/cache/lit.py",
        "return scale.x(row, start), scale.x(row, end)",
        "return float(scale.left[row]), float(scale.right[row])",
        "a message is lit with its neighbours in a node",
        "tests/app/cache/test_lit.py",
    ),
    Fault(
        "../app/debug/entry_place.py",
        "then = index + 1 if isinstance(entry.what, _MAKES) else index",
        "then = index + 1",
        "nobody finds where an evicted node was",
        "tests/app/debug/test_entry_place.py",
    ),
    Fault(
        "../app/session/passages.py",
        "        start = min(start, end - 1)\n",
        "",
        "a checkpoint lights no message",
        "tests/app/shell/test_linking_real.py",
    ),
    Fault(
        "../app/cache/lit.py",
        "return (mark, mark) if table.end[row] == place.end else None",
        "return None",
        "a checkpoint has no ring",
        "tests/app/shell/test_linking_real.py",
    ),
    Fault(
        "../app/debug/timeline/concerned.py",
        "found = _of_states(series.events, found)",
        "pass",
        "a checkpoint is said to have been split",
        "tests/app/debug/timeline/test_concerned.py",
    ),
    Fault(
        "trace/reel.py",
        "owners = zip(TIERS[:2], found.owners[:2], strict=True)",
        "owners = zip(TIERS[:1], found.owners[:1], strict=True)",
        "what happened to a copy in host memory is not ringed",
        "tests/app/debug/timeline/test_concerned.py",
    ),
)
