"""Deliberate faults in what a tape shows of a past moment, and in what it is told."""

from __future__ import annotations

from tests.mutation.fault import Fault

TAPE = "tests/engine/trace/test_tape.py"
FEED = "tests/engine/run/test_journal_feed.py"
SPANS = "tests/engine/trace/test_span_tokens.py"
MOMENTS = "tests/engine/run/test_owned_moments.py"

PARSING = "tests/engine/trace/test_parsing.py"
PACKED = "tests/engine/trace/test_packed_entries.py"

FORGOTTEN = "tests/app/debug/test_forgotten.py"
COLUMNS = "tests/app/debug/timeline/test_columns.py"

TAPE_FAULTS = (
    Fault(
        "trace/ledger.py",
        "self._missed = before - len(self.evictions)",
        "self._missed = 0",
        "evictions of a tape that forgot its beginning are taken for others",
        FORGOTTEN,
    ),
    Fault(
        "trace/parsing.py",
        "            if values[at] is None:\n",
        "            if False:\n",
        "null in a line of an older trace stands in place of the default",
        PARSING,
    ),
    Fault(
        "trace/reel.py",
        "tier.opened._replace(kv_slots=kv_slots, state_slots=state_slots)",
        "tier.opened._replace(kv_slots=0, state_slots=state_slots)",
        "the budgets of a tape that forgot its beginning are not known",
        COLUMNS,
    ),
    Fault(
        "../app/debug/timeline/cards.py",
        "    start = max(start, series.start)\n",
        "",
        "an interval counts requests from before a tape's beginning",
        COLUMNS,
    ),
    Fault(
        "../app/debug/state.py",
        "at = min(max(index, tape.first), len(tape))",
        "at = min(max(index, 0), len(tape))",
        "a moment that is forgotten is said to be on screen",
        FORGOTTEN,
    ),
    Fault(
        "trace/tier_state.py",
        "        self.undo.note(self._lock_path, node, below, -more)\n",
        "",
        "a lock that is taken back stays",
        TAPE,
    ),
    Fault(
        "trace/merged.py",
        "elif child.tokens != tokens or child.owners",
        "elif child.owners",
        "a restored node is drawn in the place of another that begins like it",
        TAPE,
    ),
    Fault(
        "trace/merged_views.py",
        "if view is None or (remade and piece.above in remade):",
        "if view is None:",
        "a node keeps the parent that it had before a split",
        TAPE,
    ),
    Fault(
        "trace/fields.py",
        "Token = Annotated[int, Meta(ge=0,",
        "Token = Annotated[int, Meta(ge=-1,",
        "a line with a token below zero is read",
        PARSING,
    ),
    Fault(
        "trace/fields.py",
        'self.why or "",',
        '"",',
        "a state that is read does not say why it was stored",
        PARSING,
    ),
    Fault(
        "trace/parsing.py",
        "_LINES = msgspec.json.Decoder(reduce(or_, _READERS))",
        "_LINES = msgspec.json.Decoder(reduce(or_, _READERS), strict=False)",
        "a line with text in place of a number is read",
        PARSING,
    ),
    Fault(
        "trace/reel.py",
        "        state.has_hidden,\n        state.stored,",
        "        False,\n        state.stored,",
        "a packed state loses its hidden row",
        PACKED,
    ),
    Fault(
        "trace/reel.py",
        "<= _TAKEN:",
        "<= _TAKEN or True:",
        "a number of numpy's becomes bytes",
        PACKED,
    ),
    Fault(
        "trace/keyframe.py",
        "tier.sizes, tier.live_slots = packed",
        "tier.live_slots, tier.sizes = packed",
        "a keyframe mistakes live slots for the pools",
        TAPE,
    ),
    Fault(
        "trace/spans.py",
        "        return partial(self._restore, fields)",
        "        return partial(self._restore, (*fields[:1], 0, *fields[2:]))",
        "a step taken back loses the hits",
        TAPE,
    ),
    Fault(
        "trace/merged.py",
        "if len(piece.below) > 1 or any(",
        "if True or any(",
        "a piece stays cut after the node that ended there is gone",
        TAPE,
    ),
    Fault(
        "trace/merged_views.py",
        "for tier, owner in enumerate(piece.owners):",
        "for tier, owner in enumerate(piece.owners[:1]):",
        "a checkpoint that only the host has is not shown",
        TAPE,
    ),
    Fault(
        "trace/merged.py",
        "return segment.end, segment.id",
        "return -segment.end, segment.id",
        "of two segments with the same tokens the longer one names them",
        TAPE,
    ),
    Fault(
        "trace/merged.py",
        "            self.owners[tier], *more = self.more\n",
        "            self.owners[tier], *more = None, *self.more\n",
        "what two segments have is gone with the first one",
        TAPE,
    ),
    Fault(
        "trace/disk_state.py",
        "if not change.key or change.cause == REPLACED:",
        "if not change.key:",
        "a replaced segment goes before those that continue it",
        TAPE,
    ),
    Fault(
        "trace/disk_state.py",
        "        self.undo.note(self._insert, span)\n",
        "",
        "a step taken back does not bring a removed segment back",
        TAPE,
    ),
    Fault(
        "trace/keyframe.py",
        "spans, set(packed.waiting)",
        "spans, set()",
        "a keyframe takes every file for written",
        TAPE,
    ),
    Fault(
        "trace/disk_state.py",
        "if change is None or (self.budget is None and type(what) is not DiskOpened):",
        "if change is None:",
        "a trace that does not know the disk has bytes on it",
        TAPE,
    ),
    Fault(
        "storage/disk_store.py",
        "                self._watch.written(entry)\n",
        "",
        "the journal does not learn that a file was written",
        "tests/engine/run/test_taped_engine.py",
    ),
    Fault(
        "run/lower_tiers.py",
        "            meta.key,\n        )\n        self._log_change",
        '            "",\n        )\n        self._log_change',
        "past moments keep the files that went",
        "tests/engine/run/test_taped_engine.py tests/app/test_soak.py",
    ),
    Fault(
        "storage/disk_store.py",
        "            self._watch.used(older)\n",
        "            pass\n",
        "the journal does not learn that a file was used",
        "tests/engine/run/test_taped_engine.py",
    ),
    Fault(
        "trace/recorder.py",
        "return change._replace(keys=tuple(map(self._hasher.name, change.keys)))",
        "return change",
        "a trace without texts has the names of files, which are hashes of prompts",
        "tests/engine/trace/test_disk_tape.py",
    ),
    Fault(
        "trace/reel.py",
        "self.first = self._starts[0]",
        "self.first = self._starts[0] - 1",
        "a moment that is forgotten is shown as another one",
        TAPE,
    ),
    Fault(
        "trace/recorder.py",
        "upper = tokens[: len(tokens) - (end - split.position) * TOKEN_BYTES]",
        "upper = tokens",
        "what continues the upper part of a split node has other hashes than its request",
        SPANS,
    ),
    Fault(
        "trace/recorder.py",
        'before = b"" if above is None else above[1][-(WINDOW - 1) * TOKEN_BYTES :]',
        'before = b""',
        "what continues a node has other hashes than its request",
        SPANS,
    ),
    Fault(
        "trace/lines.py",
        '{"origin": what.state.tier} | head | own)',
        '{"origin": what.state.tier} | head | own | {"tier": what.state.tier})',
        "a state on the host is written as one on the device",
        SPANS,
    ),
    Fault(
        "run/running.py",
        "            owner=self._owner,",
        "            owner=0,",
        "nobody knows whose a request was",
        FEED,
    ),
    Fault(
        "trace/piece_owners.py",
        "            for number in gone:\n                self._pass(number, stays=number in come)",
        "            for number in gone:\n                self._pass(number, stays=True)",
        "a past moment names a conversation that was deleted since",
        MOMENTS,
    ),
    Fault(
        "trace/piece_owners.py",
        "at = bisect_left(past.indices, moment) - 1",
        "at = len(past.indices) - 1",
        "a past moment names conversations as they are now",
        MOMENTS,
    ),
    Fault(
        "trace/recorder.py",
        "what = what._replace(owner=self._sessions.of(what.owner) + 1)",
        "what = what._replace(owner=self._sessions.of(what.owner))",
        "a claimed conversation has another's number in a file",
        MOMENTS,
    ),
)
