"""Every cached token in readable order: the paths of the tree, each told once."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from engine.cache.node import Node, Tokens
from engine.cache.tree import Tree, as_tokens

# A node, and the last of its tokens.
_Part = tuple[Node, Tokens]


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """Tokens along a path.

    Attributes:
        tokens: of one node after another.
        ends: where each node's tokens end.
        nodes: the numbers of the nodes, and the positions of their ends in the path.
    """

    tokens: Tokens
    ends: tuple[int, ...] = ()
    nodes: tuple[tuple[int, int], ...] = ()

    def place(self, at: int) -> tuple[int, int]:
        """The node of a token, and the token's position in the path."""
        part = bisect_right(self.ends, at)
        node, end = self.nodes[part]
        return node, end - self.ends[part] + at


def lines(tree: Tree, overlap: int, limit: int) -> tuple[Line, ...]:
    """The paths of the tree, least recently used first. Changes nothing.

    A line follows the most recently used children to a leaf. It begins where it leaves another one,
    and before that with up to `overlap` tokens of its path, so that it can be found by what comes
    before it. Of more than `limit` tokens the most recently used are told.
    """
    begins: list[tuple[Node, list[_Part]]] = [(child, []) for child in tree.root.children.values()]
    found: list[tuple[int, list[_Part]]] = []
    while begins:
        node, before = begins.pop()
        used, parts = node.used.serial, before.copy()
        while True:
            parts.append((node, node.tokens))
            if not node.children:
                break
            children = sorted(node.children.values(), key=_used)
            if len(children) > 1:
                tail = _tail(parts, overlap)
                begins += [(child, tail) for child in children[:-1]]
            node = children[-1]
        found.append((used, parts))
    found.sort(key=_first, reverse=True)
    kept: list[Line] = []
    room = limit
    for _, parts in found:
        if room <= 0:
            break
        kept.append(_line(_tail(parts, room)))
        room -= len(kept[-1].tokens)
    return tuple(reversed(kept))


def _used(node: Node) -> int:
    return node.used.serial


def _first(found: tuple[int, list[_Part]]) -> int:
    return found[0]


def _tail(parts: Sequence[_Part], most: int) -> list[_Part]:
    """The last tokens of some parts."""
    kept: list[_Part] = []
    for node, tokens in reversed(parts):
        if most <= 0:
            break
        kept.append((node, tokens[-most:]))
        most -= len(kept[-1][1])
    return kept[::-1]


def _line(parts: Sequence[_Part]) -> Line:
    tokens = [as_tokens([]), *(part for _, part in parts)]
    ends = tuple(accumulate(len(part) for _, part in parts))
    return Line(np.concatenate(tokens), ends, tuple((node.id, node.end) for node, _ in parts))
