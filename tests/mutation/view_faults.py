"""Deliberate faults in the views of the tree: their layouts, folding, search and filter."""

from __future__ import annotations

from tests.mutation.fault import Fault

ICICLE = "tests/app/cache/test_icicle.py"
FOLDING = "tests/app/cache/test_folding.py"

VIEW_FAULTS = (
    Fault(
        "../app/cache/icicle.py",
        "            at += widths[child]\n",
        "            at += widths[child] - 1\n",
        "boxes of the icicle overlap",
        ICICLE,
    ),
    Fault(
        "../app/cache/tidy.py",
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
        "        made.end[row] = table.end[held].max()\n",
        "        made.end[row] = table.end[held].min()\n",
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
)
