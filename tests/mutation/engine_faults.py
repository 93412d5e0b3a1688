"""Deliberate faults in what the engine reports, refuses, records and replays."""

from __future__ import annotations

from tests.mutation.fault import Drop, Fault, Put, Returns, Set, Without

BEGUN = "engine/text/test_begun.py"
BY_NAME = "app/cli/test_by_name.py"
COLUMNS = "app/debugger/timeline/logic/test_columns.py"
CONTINUE = "engine/test_continue.py"
CONTROL = "engine/text/test_control_tokens.py engine/text/test_neutral.py"
COUNTER = "engine/run/test_token_counter.py"
DISKS = "engine/journal/test_disks.py"
FORGOTTEN = "app/debugger/test_forgotten.py"
GGUF = "engine/model/test_gguf.py"
GGUF_HEADER = "engine/gguf/test_header.py"
GGUF_TEXT = "engine/text/test_gguf_text.py"
GRAMMAR = "engine/text/test_grammar.py"
KEPT_WHY = "engine/run/test_why.py engine/plan engine/test_stored_state.py"
LINE = "engine/run/inspect/test_inspections.py"
LIVE = "engine/run/test_by_hand.py"
LOOP = "engine/test_loop.py"
MEMORY = "engine/run/inspect/test_memory.py"
MOMENTS = "engine/run/test_owned_moments.py"
NEUTRAL = "engine/text/test_neutral.py"
OWNED = "engine/journal/test_owned_nodes.py"
PACKED = "engine/journal/test_packed_entries.py"
PARSING = "engine/journal/test_parsing.py"
RANDOM = "engine/cache/test_random_operations.py"
RECALL = "engine/run/inspect/test_recall.py"
REPORT = "engine/journal/test_evictions.py"
SANDBOX = "engine/text/test_template.py engine/text/sandbox"
SPANS = "engine/journal/test_span_tokens.py"
SPEECH = "engine/text/test_speech.py"
STREAM = "engine/run/test_stream.py"
TAPE = "engine/journal/test_tape.py"
TAPED = "engine/run/test_taped_engine.py"
TOGETHER = "engine/run/test_together.py"
TURNS = "engine/text/test_turn_by_turn.py"
WHY = "engine/analysis/why"

ENGINE_FAULTS = {
    "a format holds for the thinking, too": Fault(
        "text/grammar.py", "Grammars.constraint", Set("after", "None"), GRAMMAR
    ),
    "a control token may be part of a text": Fault(
        "text/grammar.py", "_Vocabulary.__init__", Set("special", "frozenset()"), GRAMMAR
    ),
    "an answer uses up the compiled grammar": Fault(
        "text/grammar.py", "Grammars.constraint", Put("matcher.deep_copy()", "matcher"), GRAMMAR
    ),
    "tokens that were forced before are forced again": Fault(
        "text/grammar.py", "Constraint.take", Put("self._forced.popleft()", "token"), GRAMMAR
    ),
    "a turn with its thinking is that of any chat as long": Fault(
        "text/turn_by_turn.py",
        "TurnByTurn.render",
        Put("hash((keys[end], start, last))", "hash((end, start, last))"),
        TURNS,
    ),
    "the dummies that find anchors leave out what the prompt keeps": Fault(
        "text/anchors.py", "prefix_keys", Without("options.keeps_thinking"), TURNS
    ),
    "a model is closed while it answers, for another one": Fault(
        "net/server/hub.py", "Hub._opened", Put("self._open", "None"), BY_NAME
    ),
    "a leaf evicted with its state is reported without it": Fault(
        "journal/keyframe.py",
        "CacheState.about_to_go",
        Set("plane", "'state' if stays else 'kv'"),
        REPORT,
    ),
    "an evicted tombstone is reported with a state": Fault(
        "journal/keyframe.py", "CacheState.about_to_go", Set("state_bytes", "state_bytes"), REPORT
    ),
    "an eviction is reported again in each snapshot": Fault(
        "journal/tape.py",
        "Follower.snapshot",
        Put("unlisted, self._listed = ...", "unlisted = first - self._listed"),
        REPORT,
    ),
    "evictions that did not fit are not counted": Fault(
        "journal/tape.py",
        "Follower.snapshot",
        Returns("replace(found, time=time, evictions=placed)"),
        REPORT,
    ),
    "a sequence that diverges inside a node is taken for that node": Fault(
        "journal/merged.py", "Merged.walk", Put("_shared(...)", "len(child.tokens)"), REPORT
    ),
    "another position's state counts as a copy": Fault(
        "journal/mirror.py", "Mirror.copied", Without("end == piece.end"), REPORT
    ),
    "what was split before it left is not found where it was shown": Fault(
        "journal/merged.py",
        "Merged._cut",
        Put(
            "upper.owners, upper.more, upper.seen = ...",
            "upper.owners, upper.more = (piece.owners.copy(), piece.more)",
        ),
        REPORT,
    ),
    "an evicted node is not located": Fault(
        "journal/mirror.py", "Mirror.placed", Set("node_before", "None"), REPORT
    ),
    "a conversation of an earlier start is named only once the cache changes": Fault(
        "journal/piece_owners.py", "PieceOwners.owners", Drop("self._asked"), OWNED
    ),
    "whose a node is stays as it was until the tree changes": Fault(
        "journal/mirror.py", "Mirror.snapshot", Without("self._held is not held"), OWNED
    ),
    "an eviction counts as needed a request later than it was": Fault(
        "analysis/needs.py",
        "Needs._begins",
        Set("after", "self._began - lost.began + 1"),
        "engine/analysis/test_ledger.py",
    ),
    "a replay overlooks that the budget was changed": Fault(
        "analysis/replay.py",
        "Replay._tune",
        Drop("self._tiers.device.resize"),
        "engine/journal/test_what_if.py",
    ),
    "a demoted leaf is reported as lost": Fault(
        "cache/eviction/evictor.py", "Evictor._remove", Without("copy"), REPORT
    ),
    "a demoted state is reported as lost": Fault(
        "cache/eviction/evictor.py",
        "Evictor.drop_checkpoint",
        Put("CheckpointDropped(...)", "CheckpointDropped(node.id, node.end, cause)"),
        REPORT,
    ),
    "a copy is claimed that the disk did not take": Fault(
        "cache/tiers/tiers.py",
        "Tiers._disk_if_stored",
        Without("self.disk.holds(holding.tokens)"),
        REPORT,
    ),
    "a thinking tag in anybody's text counts": Fault(
        "speech.py", "_Scan._read_tag", Put("name == 'think' and ...", "name == 'think'"), SPEECH
    ),
    "a tool's result in the user's turn is the user's": Fault(
        "speech.py", "_Scan._read_tag", Without("voice.role == 'user' and voice.blank"), SPEECH
    ),
    "a state at an anchor does not say what the anchor is": Fault(
        "plan/cuts.py",
        "reasons",
        Put("... if at in kinds else ...", "_grid(at, plan.cuts[-1], interval)"),
        KEPT_WHY,
    ),
    "a state at a branch does not say so": Fault(
        "cache/lease.py", "Lease.store", Set("why", "why or self._whys.get(position, '')"), KEPT_WHY
    ),
    "a state forgets in its file why it is kept": Fault(
        "storage/segment_file.py", "meta_of", Without("why"), KEPT_WHY
    ),
    "a simulated disk begins with a file whose tokens are not known": Fault(
        "analysis/replay.py",
        "MadeUpDisk.begin_with",
        Put("above is None or ...", "above is None"),
        DISKS,
    ),
    "a prediction begins with files that were written later": Fault(
        "analysis/predictions.py", "_was_there", Without("what.found"), DISKS
    ),
    "a template's own control tokens become text": Fault(
        "text/sandbox/environment.py", "TemplateSandbox._own", Returns("text"), CONTROL
    ),
    "a template can write the stand-in for a sealed token": Fault(
        "text/sandbox/environment.py",
        "TemplateSandbox._own",
        Put("is_encodable(text)", "text"),
        CONTROL,
    ),
    "pasted tokens are refused under every template": Fault(
        "text/text_model.py", "TextModel._writer.write", Set("pieces", "True"), NEUTRAL
    ),
    "pasted text forges a turn under a template that puts tokens together": Fault(
        "text/text_model.py", "TextModel._writer.write", Put("... != found", "not found"), NEUTRAL
    ),
    "a name in a schema becomes a control token": Fault(
        "text/neutral.py", "_neutral", Put("_neutral(name, kept)", "name"), NEUTRAL
    ),
    "a template that is slow with dummies blocks the engine for minutes": Fault(
        "text/probes.py", "Probes.render", Set("self._slow", "0"), "engine/text/test_probes.py"
    ),
    "a power blocks the interpreter": Fault(
        "text/sandbox/operators.py",
        "power",
        Put("MAX_NUMBER_BITS", "MAX_NUMBER_BITS << 24"),
        SANDBOX,
    ),
    "one call creates a text of gigabytes": Fault(
        "text/sandbox/meter.py", "Meter.allow", Put("self.largest", "self.largest << 6"), SANDBOX
    ),
    "True passes for a number of tokens": Fault(
        "field_check.py", "is_whole", Returns("isinstance(value, int)"), "engine/test_config.py"
    ),
    "a small file fills the memory": Fault(
        "model/safetensors_file.py",
        "_read_header",
        Drop("_refuse_overlaps"),
        "engine/model/test_loader.py",
    ),
    "a tensor of a GGUF file may lie in another": Fault(
        "gguf/header.py", "_Parser._placed", Drop("self._refuse_overlaps"), GGUF_HEADER
    ),
    "memory is taken for texts that a header only claims": Fault(
        "gguf/header.py",
        "_Parser._array",
        Put("self._check_count(count, MOST_TEXTS, ...)", "0"),
        GGUF_HEADER,
    ),
    "lists in lists are followed without end": Fault(
        "gguf/header.py", "_Parser._array", Put("depth == MOST_DEPTH", "False"), GGUF_HEADER
    ),
    "a tensor may end behind its file": Fault(
        "gguf/header.py",
        "_Parser._place",
        Put("data + offset + nbytes > self._size", "False"),
        GGUF_HEADER,
    ),
    "a text may end behind the header": Fault(
        "gguf/header.py", "_Parser._skip_texts", Drop("self._reach"), GGUF_HEADER
    ),
    "parts of different models are taken for one": Fault(
        "gguf/file.py", "_read", Drop("_check_numbers"), GGUF_HEADER
    ),
    "value heads stay in the order of the file": Fault(
        "model/gguf_store.py", "_Layout._heads", Put("served == 1", "True"), GGUF
    ),
    "the scale of a norm gets one more": Fault(
        "model/layer.py", "LayerSource.norm", Put("0.0 if self.applied else 1.0", "1.0"), GGUF
    ),
    "a decay is applied twice": Fault(
        "model/layer.py",
        "LayerSource.speed",
        Returns("-stored.exp()"),
        GGUF,
    ),
    "a tensor that nothing asks for is left out of a layer": Fault(
        "model/gguf_store.py", "GgufStore.check", Drop("self._refuse_foreign"), GGUF
    ),
    "a changed byte of a file is not seen": Fault(
        "storage/fingerprint.py",
        "_tensors",
        Put("_sums(name, place)", "b''"),
        "engine/storage/test_fingerprint.py",
    ),
    "the end of a file that was cut short is not noticed": Fault(
        "model/file_bytes.py",
        "_fill",
        Put("filled < len(view)", "not filled"),
        "engine/model/test_cut_short.py",
    ),
    "only the token that a file names ends an answer": Fault(
        "text/gguf_text.py",
        "read_gguf_text",
        Put("{control[text] for text in _ENDS if text in control}", "set()"),
        GGUF_TEXT,
    ),
    "a failing query ends the engine": Fault(
        "run/answers.py",
        "Answers.answer",
        Put("self._failures.attempt(...)", "self._ask(command, core)"),
        LOOP,
    ),
    "a caller waits forever for an engine that has ended": Fault(
        "loop.py", "RunLoop._main", Drop("self._fail_pending"), LOOP
    ),
    "an audit does not yield": Fault(
        "run/verify_line.py", "VerifyLine.run_next", Put("wanted() or ...", "False"), LOOP
    ),
    "a closed iterator leaves its request running": Fault(
        "api.py", "RequestEvents.close", Drop("self._cancel"), "engine/test_api.py"
    ),
    "what a cut answer held back is shown twice": Fault(
        "run/decode.py", "AnswerStream._add", Set("known", "len(self._text[channel])"), STREAM
    ),
    "a stop string across the cut is missed": Fault(
        "run/decode.py",
        "AnswerStream.resume",
        Set("self._text['answer']", "self._splitter.answer"),
        STREAM,
    ),
    "an answer that goes on repeats itself unpunished": Fault(
        "run/core.py", "Answer.__init__", Without("self._earlier"), CONTINUE
    ),
    "an answer that went on forgets the ids of its first part": Fault(
        "run/core.py", "Answer.ids", Set("ids", "new"), CONTINUE
    ),
    "an answer goes on from the text that it had before it was edited": Fault(
        "text/text_model.py", "BegunAnswers.take_up", Put("_says(...)", "True"), BEGUN
    ),
    "an answer that goes on loses its thinking where the model opens it itself": Fault(
        "text/text_model.py", "BegunAnswers._written", Without("not (thinks and thinking)"), BEGUN
    ),
    "an answer that was cut inside a character cannot be put back": Fault(
        "text/text_model.py",
        "_read",
        Drop("complete += [complete[-1]] * (len(data) + 1 - len(complete))"),
        "engine/text/test_begun.py engine/text/test_faithful.py",
    ),
    "a count that takes the place of another comes before what was asked meanwhile": Fault(
        "run/token_counter.py", "TokenCounter.ask", Drop("self._orders.pop"), COUNTER
    ),
    "two requests share one live state": Fault(
        "run/running.py", "Running._live_slot", Returns("LIVE_SLOT"), TOGETHER
    ),
    "a request that lacks room beside others is refused": Fault(
        "run/running.py", "Running.lacks", Put("len(prepared.ids) > kv", "False"), TOGETHER
    ),
    "prompts that begin alike each run the beginning": Fault(
        "run/running.py",
        "Running.beside",
        Set("state", "0"),
        TOGETHER,
    ),
    "who waits for room never hears of it": Fault(
        "run/running.py", "Running.release", Drop("self._released"), TOGETHER
    ),
    "agents go first": Fault("run/rota.py", "Rota._rank", Put("not first", "first"), TOGETHER),
    "agents read while the person's answer is written": Fault(
        "run/rota.py", "Rota.go_on", Put("turn.client == 0 or turn.cancelled", "True"), TOGETHER
    ),
    "programs take the person's place": Fault(
        "run/rota.py", "Rota.next_of", Set("places", "self.most + 1"), TOGETHER
    ),
    "tokens are not counted while a request runs": Fault(
        "loop.py", "RunLoop._go_on", Drop("self._answers.go_on"), COUNTER
    ),
    "a cancelled request reports what never ran": Fault(
        "run/core.py", "_report", Set("done", "plan"), "engine/run/test_reasons.py"
    ),
    "the lab shows a gate that forgets less than the model's": Fault(
        "run/inspect/jobs.py", "rule_rows", Set("decay", "given.log_decay.exp().sqrt()"), MEMORY
    ),
    "the lab convolves with the kernel the wrong way round": Fault(
        "run/inspect/jobs.py",
        "rule_rows",
        Put("given.taps[tap]", "given.taps[kept - 1 - tap]"),
        MEMORY,
    ),
    "a change is compared with the new state alone": Fault(
        "run/inspect/jobs.py", "StateRecorder.take", Set("larger", "norm.clamp_min(1e-30)"), MEMORY
    ),
    "every lag compares with the state one token ago": Fault(
        "run/inspect/jobs.py", "StateRecorder._like", Put("-lag", "-1"), MEMORY
    ),
    "later tokens erase nothing of the needle": Fault(
        "run/inspect/jobs.py", "NeedleInState._pass", Put("left - ...", "left"), RECALL
    ),
    "a query attends to the token after it": Fault(
        "run/inspect/jobs.py", "attention_mass", Put("first + 1", "first + 2"), RECALL
    ),
    "of a needle of several tokens only the last one counts": Fault(
        "run/inspect/jobs.py",
        "NeedleInState._read",
        Put("part += ...", "part = weight * (value * out).sum(-1)"),
        RECALL,
    ),
    "a watched pass of one token takes the path of a decode and is not seen": Fault(
        "run/inspect/private_run.py", "watched_ends", Drop("ends[-2]"), LINE
    ),
    "a new question gets the answer to the one before it": Fault(
        "run/inspect/inspections.py",
        "Inspections.ask",
        Put("self._asked, self._steps = ...", "self._asked = command"),
        LINE,
    ),
    "a chat that pushes out another one is not blamed": Fault(
        "analysis/why/obstacles.py", "_left", Set("foreign", "False"), WHY
    ),
    "the last checkpoint to go is said to be needed, however little it would have saved": Fault(
        "analysis/why/obstacles.py", "last_chance", Without("at >= enough"), WHY
    ),
    "a checkpoint on the host stands for the prefix of whoever pushed it out": Fault(
        "analysis/why/lives.py", "Lives._arrived", Set("place.request", "self._request"), WHY
    ),
    "a verdict is overlooked": Fault(
        "analysis/why/lives.py", "Lives._stamped", Drop("life.wrong"), WHY
    ),
    "a small eviction is blamed for what was never stored": Fault(
        "analysis/why/evidence.py",
        "Investigator._weighed",
        Put("known - lost_to <= ...", "found is not None"),
        WHY,
    ),
    "an edit is blamed on the cache": Fault(
        "analysis/why/evidence.py", "Investigator._cause", Set("state", "True"), WHY
    ),
    "the first change that helps a little is suggested": Fault(
        "analysis/why/suggestion.py", "suggest", Put("MOST_OF_IT * best", "0"), WHY
    ),
    "what was set on the way takes back what is predicted from the start": Fault(
        "analysis/why/suggestion.py",
        "_Trials._replayed",
        Put("False", "True"),
        "app/debugger/test_advice.py",
    ),
    "a file gives the states of the host tier to the device": Fault(
        "journal/lines.py",
        "entry_line",
        Put(
            "state_fields(...) | ... | head | own",
            "head | own | state_fields(what.state) | {'origin': what.state.tier}",
        ),
        "engine/run/test_trace.py",
    ),
    "a pinned state is evicted for another one": Fault(
        "cache/eviction/evictor.py", "Evictor._holder_entry", Without("node.pinned"), RANDOM
    ),
    "pinned KV counts as room for others": Fault(
        "cache/eviction/evictor.py",
        "Evictor.evictable_kv",
        Without("self.pins.unlocked_tokens()"),
        "engine/cache/test_pins.py",
    ),
    "what was once pinned is never evicted": Fault(
        "cache/eviction/evictor.py", "Evictor.unpin", Drop("self.note"), RANDOM
    ),
    "KV that is locked and pinned is held back twice": Fault(
        "cache/pins.py", "Pins.unlocked_tokens", Without("not node.kv_lock"), RANDOM
    ),
    "pins may take all of the KV plane": Fault(
        "cache/by_hand.py", "pin", Put("held > room", "held > parts.kv.total"), RANDOM
    ),
    "a leaf that a request reads is dropped with its state": Fault(
        "cache/by_hand.py", "refuse_drop", Without("node.is_leaf and node.kv_lock"), RANDOM
    ),
    "a pin below does not keep a node from being evicted by hand": Fault(
        "cache/by_hand.py", "refuse_evict", Drop("below.extend"), LIVE
    ),
    "a state that is moved stays where it was": Fault(
        "cache/tiers/by_hand.py", "move_to_host", Drop("drop_state"), LIVE
    ),
    "what is evicted by hand comes back from its file": Fault(
        "cache/tiers/by_hand.py",
        "evict",
        Drop("tiers.disk.forget"),
        "engine/run/test_by_hand.py engine/cache/tiers",
    ),
    "a state asked for in exact mode is computed under other cuts than its KV": Fault(
        "run/by_hand.py", "ByHand._plan", Put("*found", "(end,)"), LIVE
    ),
    "a replay forgets the states that were asked for": Fault(
        "journal/deeds.py", "_checkpoint", Put("if planned.end > done.ran_to: break", "break"), LIVE
    ),
    "a recording that starts late does not know what was done by hand": Fault(
        "analysis/history.py", "History.on_entry", Put("isinstance(what, ByUser)", "False"), LIVE
    ),
    "a trace keeps a pin that was taken back": Fault(
        "journal/tier_state.py", "TierState._unpin", Drop("self._put_pin"), LIVE
    ),
    "evictions of a tape that forgot its beginning are taken for others": Fault(
        "analysis/ledger.py", "Ledger._begin_again", Set("self._missed", "0"), FORGOTTEN
    ),
    "null in a line of an older trace stands in place of the default": Fault(
        "journal/parsing.py", "_Shape.made", Put("values[at] is None", "False"), PARSING
    ),
    "the budgets of a tape that forgot its beginning are not known": Fault(
        "journal/reel.py", "_found", Set("kv_slots", "0"), COLUMNS
    ),
    "an interval counts requests from before a tape's beginning": Fault(
        "../app/debugger/timeline/logic/cards.py", "stats_of", Drop("start"), COLUMNS
    ),
    "a moment that is forgotten is said to be on screen": Fault(
        "../app/debugger/state.py",
        "DebugState.seek",
        Set("at", "min(max(index, 0), len(tape))"),
        FORGOTTEN,
    ),
    "a lock that is taken back stays": Fault(
        "journal/tier_state.py", "TierState._lock_path", Drop("self.undo.note"), TAPE
    ),
    "a restored node is drawn in the place of another that begins like it": Fault(
        "journal/merged.py", "Merged.restore", Without("child.tokens != tokens"), TAPE
    ),
    "a node keeps the parent that it had before a split": Fault(
        "journal/merged_views.py",
        "MergedViews.nodes",
        Without("remade and piece.above in remade"),
        TAPE,
    ),
    "a line with a token below zero is read": Fault(
        "journal/fields.py", "Token", Set("ge", "-1"), PARSING
    ),
    "a state that is read does not say why it was stored": Fault(
        "journal/fields.py", "StateSaid.state", Without("self.why"), PARSING
    ),
    "a line with text in place of a number is read": Fault(
        "journal/parsing.py",
        "",
        Set("_LINES", "msgspec.json.Decoder(reduce(or_, _READERS), strict=False)"),
        PARSING,
    ),
    "a packed state loses its hidden row": Fault(
        "journal/reel.py", "_holder", Put("state.has_hidden", "False"), PACKED
    ),
    "a number of numpy's becomes bytes": Fault(
        "journal/reel.py", "packed", Put("... <= _TAKEN", "True"), PACKED
    ),
    "a keyframe mistakes live slots for the pools": Fault(
        "journal/keyframe.py",
        "_unpack",
        Put("(tier.sizes, tier.live_slots)", "(tier.live_slots, tier.sizes)"),
        TAPE,
    ),
    "a step taken back loses the hits": Fault(
        "journal/spans.py",
        "Span.restorer",
        Returns("partial(self._restore, (*fields[:1], 0, *fields[2:]))"),
        TAPE,
    ),
    "a piece stays cut after the node that ended there is gone": Fault(
        "journal/merged.py", "Merged._tidy", Put("len(piece.below) > 1", "True"), TAPE
    ),
    "a checkpoint that only the host has is not shown": Fault(
        "journal/merged_views.py",
        "MergedViews._checkpoint",
        Put("piece.owners", "piece.owners[:1]"),
        TAPE,
    ),
    "of two segments with the same tokens the longer one names them": Fault(
        "journal/merged.py", "_rank", Put("segment.end", "-segment.end"), TAPE
    ),
    "what two segments have is gone with the first one": Fault(
        "journal/merged.py",
        "Piece.leave",
        Set("(self.owners[tier], *more)", "(None, *self.more)"),
        TAPE,
    ),
    "a replaced segment goes before those that continue it": Fault(
        "journal/disk_state.py", "DiskState._remove", Without("change.cause == REPLACED"), TAPE
    ),
    "a step taken back does not bring a removed segment back": Fault(
        "journal/disk_state.py", "DiskState._undone_take_out", Drop("self.undo.note"), TAPE
    ),
    "a keyframe takes every file for written": Fault(
        "journal/keyframe.py", "_unpack_disk", Without("packed.waiting"), TAPE
    ),
    "a trace that does not know the disk has bytes on it": Fault(
        "journal/disk_state.py",
        "FileBytes.follow",
        Put("change is None or ...", "change is None"),
        TAPE,
    ),
    "the journal does not learn that a file was written": Fault(
        "storage/disk_store.py", "DiskStore.settle", Drop("self._watch.written"), TAPED
    ),
    "past moments keep the files that went": Fault(
        "run/lower_tiers.py",
        "SegmentLog.removed",
        Put("meta.key", "''"),
        "engine/run/test_taped_engine.py app/test_soak.py",
    ),
    "the journal does not learn that a file was used": Fault(
        "storage/disk_store.py", "DiskStore.touch", Drop("self._watch.used"), TAPED
    ),
    "a trace without texts has the names of files, which are hashes of prompts": Fault(
        "journal/recorder.py",
        "TreeHasher._segment",
        Put("structs.replace(change, keys=...)", "change"),
        "engine/journal/test_disk_tape.py",
    ),
    "a moment that is forgotten is shown as another one": Fault(
        "journal/reel.py", "Reel._shorten", Set("self.first", "self._starts[0] - 1"), TAPE
    ),
    "what continues the upper part of a split node has other hashes than its request": Fault(
        "journal/recorder.py", "TreeHasher._split", Set("upper", "tokens"), SPANS
    ),
    "what continues a node has other hashes than its request": Fault(
        "journal/recorder.py", "TreeHasher._linked", Set("before", "b''"), SPANS
    ),
    "a state on the host is written as one on the device": Fault(
        "journal/lines.py",
        "entry_line",
        Put(
            "state_fields(...) | ... | head | own",
            "state_fields(what.state) | {'origin': what.state.tier} | head | own"
            " | {'tier': what.state.tier}",
        ),
        SPANS,
    ),
    "nobody knows whose a request was": Fault(
        "run/running.py",
        "RequestNote.log_end",
        Set("owner", "0"),
        "engine/run/test_journal_feed.py",
    ),
    "a past moment names a conversation that was deleted since": Fault(
        "journal/piece_owners.py", "PieceOwners.hold", Put("number in come", "True"), MOMENTS
    ),
    "a past moment names conversations as they are now": Fault(
        "journal/piece_owners.py", "OwnedBook.at", Set("at", "len(past.indices) - 1"), MOMENTS
    ),
    "a claimed conversation has another's number in a file": Fault(
        "journal/recorder.py", "LineMaker._named", Without("1"), MOMENTS
    ),
}
