"""Every cached token in readable order: the paths of the tree, each told once."""

from __future__ import annotations

import numpy as np

from engine.cache.node import Node, Tokens
from engine.cache.tree import Tree, as_tokens


def lines(tree: Tree, overlap: int, limit: int) -> tuple[Tokens, ...]:
    """The paths of the tree as runs of tokens, least recently used first. Changes nothing.

    A run follows the most recently used children to a leaf. It begins where it leaves another run,
    and before that with up to `overlap` tokens of its path, so that it can be found by what comes
    before it. Of more than `limit` tokens the most recently used are told.
    """
    begins: list[tuple[Node, Tokens]] = [
        (child, as_tokens([])) for child in tree.root.children.values()
    ]
    found: list[tuple[int, Tokens]] = []
    while begins:
        node, before = begins.pop()
        used, run = node.used.serial, [before]
        while True:
            run.append(node.tokens)
            if not node.children:
                break
            children = sorted(node.children.values(), key=_used)
            if len(children) > 1:
                tail = _tail(run, overlap)
                begins += [(child, tail) for child in children[:-1]]
            node = children[-1]
        found.append((used, np.concatenate(run)))
    found.sort(key=_first, reverse=True)
    kept: list[Tokens] = []
    room = limit
    for _, whole in found:
        if room <= 0:
            break
        kept.append(whole[-room:])
        room -= len(whole)
    return tuple(reversed(kept))


def _used(node: Node) -> int:
    return node.used.serial


def _first(run: tuple[int, Tokens]) -> int:
    return run[0]


def _tail(run: list[Tokens], overlap: int) -> Tokens:
    """The last tokens of a run in pieces."""
    kept: list[Tokens] = []
    for part in reversed(run):
        if overlap <= 0:
            break
        kept.append(part[-overlap:])
        overlap -= len(part)
    return np.concatenate(kept[::-1]) if kept else as_tokens([])
