"""Boxes of bytes, hung with loops over all nodes: the reference for app.cache.logic.icicle."""

from __future__ import annotations

from tests.app.cache.naive.table import NaiveTable


def summed(parent: list[int], own: list[int]) -> list[int]:
    """The sum over each row's subtree."""
    total = list(own)
    for row in range(len(total) - 1, 0, -1):
        if parent[row] >= 0:
            total[parent[row]] += total[row]
    return total


def hang(
    table: NaiveTable, widths: list[int], ranks: list[int]
) -> tuple[list[int], list[int], list[int]]:
    """Left edge and level of each row, and the rows by level, in each from left to right."""
    size = len(table)
    left, depth = [0] * size, [0] * size
    order = [0] if size else []
    for row in order:
        at, level = left[row], depth[row] + 1
        for child in sorted(table.children[row], key=ranks.__getitem__):
            left[child], depth[child] = at, level
            at += widths[child]
            order.append(child)
    return left, depth, order
