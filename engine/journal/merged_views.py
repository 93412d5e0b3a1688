"""The merged tree as snapshot records."""

from __future__ import annotations

from collections.abc import Mapping
from zlib import crc32

from engine.journal.disk_state import key_of
from engine.journal.merged import DISK, Merged, Piece
from engine.journal.piece_owners import PieceOwners
from engine.journal.spans import Span
from engine.journal.token_text import NOTHING, TokenText, Told
from engine.prefix_key import PrefixKey
from engine.snapshot import TIERS, CheckpointView, NodeView
from engine.speech import SILENT

# Ids of nodes that are not on the device start far above those that its tree assigns. They are
# hashes, so that a node keeps its id in the next snapshot.
LAYER_IDS = 1 << 40
CUT_IDS = 1 << 48
# Bytes of KV per token and of a state, by tier.
SlotBytes = Mapping[str, tuple[int, int]]


def layer_id(tier: str, key: str, start: int) -> int:
    """The id of the part from `start` on of a lower tier's node that no nearer tier has."""
    return LAYER_IDS + crc32(f"{tier} {key} {start}".encode())


def cut_id(origin: int, end: int) -> int:
    """The id of the part of a node up to `end`, where another tier's node ends or diverges."""
    return CUT_IDS + crc32(f"{origin} {end}".encode())


class MergedViews:
    """Rebuilds the views of pieces that changed, and caches the others.

    Attributes:
        lanes: labels of several engines, whose nodes are numbered from 1.
    """

    def __init__(self, merged: Merged, text: TokenText, owners: PieceOwners) -> None:
        self._merged = merged
        self._text = text
        self._owners = owners
        self._slots: SlotBytes = {}
        self._states_told = True
        self.lanes: tuple[str, ...] = ()

    def tell_states(self, told: bool) -> None:
        """Set whether a node without a checkpoint is known to have none."""
        if told is not self._states_told:
            self._states_told = told
            for piece in self._merged.pieces():
                piece.view = None

    def nodes(self, slots: SlotBytes) -> tuple[NodeView, ...]:
        """Every node, parents before children; empty without a device."""
        if self._merged.root.owners[0] is None:
            return ()
        self._slots = slots
        views: list[NodeView] = []
        stack, remade = [self._merged.root], set[Piece]()
        while stack:
            piece = stack.pop()
            if piece.below:
                stack.extend(piece.below.values())
            view = piece.view
            # Text and ids below depend on those above.
            if view is None or (remade and piece.above in remade):
                known, view = view, self._view(piece)
                if view is not known:
                    remade.add(piece)
            views.append(view)
        return tuple(views)

    def _view(self, piece: Piece) -> NodeView:
        """The view of a piece; a new one if it depends on a changed view above."""
        above, view = piece.above, piece.view
        told = piece.told
        before = SILENT if above is None else _told(above).voice
        if not isinstance(told, Told) or (told.before is not before and told.before != before):
            told = self._text.told(piece.tokens, piece.start, before)
            if told is NOTHING and before is not SILENT:
                told = Told("", (), before, before)
            piece.told, view = told, None
        parent = None if above is None or above.view is None else above.view.id
        if view is None or view.parent != parent:
            view = piece.view = self._made(piece, parent, told)
            piece.seen = view.id
        return view

    def _made(self, piece: Piece, parent: int | None, told: Told) -> NodeView:
        above, end, tier = piece.above, piece.end, piece.nearest
        start = 0 if above is None else above.end
        owner, name = piece.owners[tier], TIERS[tier]
        assert owner is not None, "a piece belongs to some tier"
        tokens_bytes = (end - start) * self._slots[name][0]
        point, whose = self._checkpoint(piece), self._whose(piece)
        key = self._key(piece) if self._text.real else ""
        lane = self.lanes[owner.id - 1] if self.lanes and _is_lane(piece) else ""
        # Positional arguments, for speed: one snapshot makes thousands of views.
        if tier == 0:
            whole = owner.end == end
            return NodeView(
                owner.id if whole else cut_id(owner.id, end), parent, start, end, owner.kv_lock,
                owner.state_lock if whole else 0, tokens_bytes, owner.created, owner.last_used,
                owner.hits, point, told.text, name, told.speech, whole and owner.pinned, whose, key,
                False, lane, self._states_told,
            )  # fmt: skip
        held = owner.held
        created, last_used = (0.0, 0.0) if held is None else (held.created, held.last_used)
        return NodeView(
            _id(piece, owner, tier), parent, start, end, 0, 0, tokens_bytes, created, last_used, 0,
            point, told.text, name, told.speech, False, whose, key, False, lane, self._states_told,
        )  # fmt: skip

    def _whose(self, piece: Piece) -> tuple[int, ...]:
        """The conversations of a piece; with several engines, the engine it belongs to."""
        if not self.lanes:
            return self._owners.owners(piece)
        above = piece.above
        if _is_lane(piece) and piece.owners[piece.nearest] is not None:
            return (piece.key[1],) if isinstance(piece.key, tuple) else ()
        return () if above is None or above.view is None else above.view.owners

    def _key(self, piece: Piece) -> str:
        """The key of the tokens down to its end; "" from the first unknown id on."""
        above = piece.above
        if piece.prefix is None and above is None:
            piece.prefix = PrefixKey()
        elif piece.prefix is None and above is not None and above.prefix is not None:
            piece.prefix = above.prefix.then_bytes(piece.tokens) if piece.tokens else None
        return "" if piece.prefix is None else piece.prefix.text

    def _checkpoint(self, piece: Piece) -> CheckpointView | None:
        """The checkpoint at the end of a piece, on the nearest tier that has one there."""
        for tier, owner in enumerate(piece.owners):
            if owner is not None and owner.held is not None and owner.end == piece.end:
                held, name = owner.held, TIERS[tier]
                return CheckpointView(
                    held.state if tier == 0 else held.state.on(name),
                    held.slot,
                    max(held.nbytes, 0) if tier == DISK else self._slots[name][1],
                    held.created,
                    held.last_used,
                    held.hits,
                )
        return None


def _is_lane(piece: Piece) -> bool:
    """Whether it stands for one of several engines."""
    return not piece.end and piece.above is not None


def _told(piece: Piece) -> Told:
    return piece.told if isinstance(piece.told, Told) else NOTHING


def _id(piece: Piece, owner: Span, tier: int) -> int:
    """The id of a piece that is not on the device."""
    whole = owner.end == piece.end
    top = piece
    while top.above is not None and top.above.owners[tier] is owner and top.above.nearest == tier:
        top = top.above
    key = key_of(owner.id) if tier == DISK else str(owner.id)
    origin = layer_id(TIERS[tier], key, top.start)
    return origin if whole else cut_id(origin, piece.end)
