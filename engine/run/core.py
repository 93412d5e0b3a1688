"""The core: a model, its text, its two planes and their tree, on the calling thread.

Only one thread at a time may use a core; the run loop owns one. A request runs in these steps:
match, resume, replay and compute, decode, release everything.
"""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch

from engine import events
from engine.cache.journal.changes import Cleared
from engine.cache.match import Match
from engine.cache.node import Tokens
from engine.cache.tiers.tiers import Tiers
from engine.cache.tree import as_tokens
from engine.commands import Prompt, Submit
from engine.config import DraftSources, EngineConfig, Sampling, StateFormat
from engine.errors import CacheError, InvariantError, ModelError
from engine.events import ModelInfo, StopReason
from engine.journal.offers import disk_offers
from engine.logits import LogitsResult
from engine.message import PromptOptions
from engine.model.config import read_config
from engine.model.hybrid import HybridModel
from engine.model.loader import LoadOptions, Progress, load_model
from engine.plan.draft_depth import Depth
from engine.plan.draft_index import LONGEST, MOST_LINES_TOKENS, DraftIndex
from engine.plan.drafter import Drafter
from engine.reuse import ReusePlan, ReuseReport
from engine.run.background import Background
from engine.run.by_hand import ByHand
from engine.run.decode import NOTHING, AnswerStream, Decoded, Limits, Piece, decode
from engine.run.describe import model_info, pick_device, threads_for
from engine.run.lower_tiers import Written, no_progress
from engine.run.mirror import CacheMirror, read_anew
from engine.run.notices import Notices
from engine.run.planner import Planner, Rates
from engine.run.prepared import Prefilled, Prepared, prefill, prepare
from engine.run.recording import Recordings
from engine.run.running import RequestNote, Running
from engine.run.sampler import Sampler, check_biases
from engine.run.sequence import GROWTH_TOKENS
from engine.run.store import Store
from engine.run.tuning import Tuning
from engine.run.turns import Work, finish
from engine.run.verify import Bound, Verifier, rounding_for
from engine.sentence import say
from engine.snapshot import CacheSnapshot, Checked
from engine.storage.fingerprint import fingerprint
from engine.text.grammar import Grammars
from engine.text.json_rule import is_schema
from engine.text.prompt import RenderedPrompt
from engine.text.text_model import TextModel
from engine.verdict import Verdict
from kernels.cpu import use_threads
from kernels.host_memory import keep_freed_memory

Emit = Callable[[events.Event], None]
log = logging.getLogger(__name__)


class RunLog:
    """Logs the model, each request and the evictions since the previous one, one line each."""

    def __init__(self, tiers: Tiers) -> None:
        self._tiers = tiers
        self._evicted = Counter(tiers.device.reader.evicted)
        self._requests = 0

    def opened(self, model: ModelInfo, torch: str, threads: int) -> None:
        """The model is ready. `torch`: its version."""
        log.info(
            "Opened %s (%s): %d parameters, %s in %s on %s, context %d; torch %s, %d threads, "
            "kernels: %s.",
            model.name,
            model.family,
            model.parameters,
            model.weights or model.dtype,
            model.dtype,
            model.device,
            model.context,
            torch,
            threads,
            model.kernels,
        )

    def finished(self, request: int, stop: StopReason, report: ReuseReport) -> None:
        """A request ended."""
        self._requests += 1
        plan = report.plan
        log.info(
            "Request %d: %d tokens, %d reused (%s), %d replayed, %d computed, %d generated, "
            "ended by %s; first token %s, total %.2f s, decode %s; reason: %s.",
            request,
            plan.total,
            plan.reused,
            "no tier" if plan.state is None else plan.state.tier,
            plan.replayed,
            plan.computed,
            report.generated,
            stop,
            "none" if report.first_token_s is None else f"{report.first_token_s:.2f} s",
            report.total_s,
            "none" if report.decode_tok_s is None else f"{report.decode_tok_s:.1f} tok/s",
            plan.reason.value,
        )
        self._evictions()

    def closed(self) -> None:
        """The core was closed."""
        log.info(
            "Closed. Requests: %d; evicted in all: %s.",
            self._requests,
            _counts(Counter(self._tiers.device.reader.evicted)),
        )

    def _evictions(self) -> None:
        """Evictions since the last request, by cause."""
        evicted = Counter(self._tiers.device.reader.evicted)
        new = evicted - self._evicted
        self._evicted = evicted
        if new:
            log.info("Evicted since the last request: %s.", _counts(new))


def _counts(counts: Counter[str]) -> str:
    return ", ".join(f"{cause} {n}" for cause, n in sorted(counts.items())) or "nothing"


class Audits:
    """Audits checkpoints between requests, on request or after they were resumed from.

    Attributes:
        verifier: compares the runs.
    """

    def __init__(
        self, store: Store, rounding: Callable[[StateFormat], Bound], notices: Notices
    ) -> None:
        """rounding: the error that rounding may explain, by the format of a stored state."""
        self.verifier = Verifier(store, rounding)
        self._store = store
        self._notices = notices
        self._drops = 0

    def interrupt(self) -> None:
        """The cache was dropped, and with it whatever is being audited."""
        self._drops += 1

    def verify(
        self, node: int, wanted: Callable[[], bool], *, brief: bool = False
    ) -> Verdict | None:
        """Audit the checkpoint of a node; see Verifier.verify. Raises CacheError if it is gone.

        A command handled by `wanted` may drop the cache; then nothing is left to audit.
        """
        reader, tiers = self._store.cache.reader, self._store.tiers
        if node not in {view.id for view in reader.nodes()}:
            raise CacheError("That node is no longer in memory.")
        at, before = len(reader.holding(node).tokens), tiers.quarantined
        drops = self._drops
        verdict = self.verifier.verify(node, lambda: wanted() or self._drops != drops, brief=brief)
        more = tiers.quarantined - before - 1
        if more >= 0:
            also = say(", nor are {more} before it", more=more) if more else ""
            self._notices.add(
                say(
                    "The checkpoint at token {at:,} gave a wrong answer and is no longer "
                    "used{also}.",
                    at=at,
                    also=also,
                )
            )
        return verdict

    def next(self, wanted: Callable[[], bool]) -> tuple[int, Verdict | None] | None:
        """Audit one checkpoint that was resumed from but never audited; None if there is none."""
        node = self.verifier.next_unverified()
        return None if node is None else (node, self.verify(node, wanted, brief=True))


def open_model(
    folder: Path, config: EngineConfig, progress: Progress
) -> tuple[HybridModel, TextModel]:
    """Load a model folder for this thread.

    Raises ModelError with a plain sentence, and whatever `progress` raises.
    """
    device = pick_device(config.device)
    # Checked first: for an unsupported architecture no other error matters.
    read_config(folder)
    progress(say("Reading the tokenizer"), None)
    text = TextModel(folder)
    options = LoadOptions(
        config.dtype, config.weights, config.expert_bytes, _packed_folder(folder, config)
    )
    model = load_model(folder, options, device, progress)
    if device.type == "cpu":
        # After loading, whose temporary buffers should go back to the system.
        keep_freed_memory()
    # The thread count is set for the calling thread, so this belongs here and not at import.
    use_threads(config.threads or threads_for(model))
    return model, text


def _packed_folder(folder: Path, config: EngineConfig) -> Path | None:
    """The folder for this model's quantised weights, None if they are not kept."""
    if config.weights == "stored" or config.cache_dir is None:
        return None
    try:
        name = fingerprint(folder, config.weights, config.dtype)
    except ModelError:
        # The loader reports what is wrong with the folder.
        return None
    return config.cache_dir / "weights" / f"{name}-{config.weights}"


class Answer:
    """The sampler and the text stream of an answer.

    Attributes:
        sampler: also counts the tokens of a continued answer as generated.
        stream: emits only new text; its own texts are those of the whole answer.
    """

    def __init__(
        self,
        text: TextModel,
        grammars: Grammars,
        prompt: RenderedPrompt,
        sampling: Sampling,
        device: torch.device,
    ) -> None:
        head, begun = prompt.head, prompt.begun
        constraint = None
        if sampling.grammar:
            # An answer by a schema goes on where it was cut; other grammars are of the rest alone.
            whole = begun is None or is_schema(sampling.grammar)
            thinking = whole and text.starts_thinking(head)
            constraint = grammars.constraint(sampling.grammar, thinking=thinking)
            if begun is not None and whole:
                constraint.resume(begun.ids)
        self._earlier = () if begun is None else begun.ids
        self._text = text
        self.sampler = Sampler(
            *(sampling, head, device, self._earlier, text.end_ids, text.piece, constraint),
            think_close=text.think_close_id
            if begun is None and text.starts_thinking(head)
            else None,
        )
        self.stream = AnswerStream(text.detokenizer(), text.starts_thinking(head), sampling.stop)
        if begun is not None:
            self.stream.resume(begun)

    def ids(self, new: tuple[int, ...], stop: StopReason) -> tuple[int, ...]:
        """The ids of the whole answer as displayed, for Message.token_ids."""
        ids = self._earlier + new
        return self._text.ids_showing(ids, self.stream.text) if stop == "stop string" else ids


class Core:
    """Everything one model needs to answer.

    Attributes:
        info: what was loaded.
        model, text: the model and its tokenizer and template.
        grammars: that answers may have to follow.
        store: the planes, their tree and the tiers below.
        cache, tiers: the store's.
        context: longest sequence in tokens.
        rounding: the error that rounding may explain, by the format in which a state was stored.
        notices: sentences for the user; the run loop takes them.
        background: idle work.
        by_hand: the user's manual cache actions.
        tuning: the current settings.
        recordings: of the journal.
        depth: what drafts gain and cost here.
    """

    def __init__(
        self, folder: Path, config: EngineConfig, model: HybridModel, text: TextModel
    ) -> None:
        """Use `Core.open`."""
        self.model = model
        self.text = text
        self.grammars = Grammars(text, model.config.vocab_size)
        self.notices = Notices()
        self.store = Store(folder, model, config, self.notices.add)
        self.cache, self.tiers = self.store.cache, self.store.tiers
        self.context = self.store.context
        self.info = model_info(folder, model, text, self.context)
        self._rates = Rates()
        self.rounding = rounding_for(model)
        self._audits = Audits(self.store, self.rounding, self.notices)
        self._planner = Planner(self.store, self._rates, text.decode)
        self._running = Running(self.store)
        self.depth = Depth()
        self.background = Background(self.store, text)
        self.tuning = Tuning(self.store, config)
        self.recordings = Recordings(
            self.store,
            self.tuning,
            self.info.name,
            text.piece,
            self.background.owners,
            self._running,
            self.notices.add,
        )
        self._mirror = CacheMirror(
            lambda: self.recordings.feed(history=False), text, self.background.owners
        )
        self.by_hand = ByHand(self.store, self._mirror, self.tuning)
        self._log = RunLog(self.tiers)
        self._log.opened(self.info, torch.__version__, torch.get_num_threads())

    @classmethod
    def open(cls, folder: Path, config: EngineConfig, progress: Progress) -> Core:
        """Load a model folder. Raises ModelError or CacheError with a plain sentence."""
        model, text = open_model(folder, config, progress)
        progress(say("Making room for the cache"), None)
        try:
            return cls(folder, config, model, text)
        except (MemoryError, RuntimeError) as error:
            # torch reports this only in the message, or with its own exception class.
            if isinstance(error, MemoryError | torch.OutOfMemoryError) or "alloc" in str(error):
                raise CacheError(
                    "There is not enough memory for a cache of that size: give it less "
                    "(--cache-mb, --host-mb)."
                ) from error
            raise

    def close(self, progress: Written = no_progress) -> None:
        """Abort the running request and finish writing. The planes are freed with the object.

        `progress(written, total)` is called with byte counts while files are written.
        """
        try:
            self.abandon()
            self.background.finish()
        finally:
            self.store.close(progress)
            self.recordings.stop()
            self._log.closed()

    # ---- requests

    def run(self, submit: Submit, emit: Emit, cancelled: Callable[[], bool]) -> None:
        """Run a request to its end event with nothing beside it. Raises as `answer` does."""
        finish(self.answer(submit, emit, cancelled), self.depth)

    def answer(self, submit: Submit, emit: Emit, cancelled: Callable[[], bool]) -> Work[None]:
        """Run a request to its end event. Raises PromptError before any work."""
        prepared = self.prepare(submit.prompt, submit.options)
        check_biases(submit.sampling, self.model.config.vocab_size)
        began, since = time.perf_counter(), self.store.journal.seq
        match: Match | None = None
        while submit.reuse:
            wait = self._running.beside(prepared)
            if wait is None:
                began, since = time.perf_counter(), self.store.journal.seq
                match = self.store.match(prepared, resize=not self._running)
                wait = self._running.lacks(prepared, match)
            if wait is None:
                break
            yield wait
            if cancelled():
                emit(events.never_started(submit.request))
                return
        total = len(prepared.ids)
        answer = Answer(
            self.text, self.grammars, prepared.rendered, submit.sampling, self.model.device
        )
        room = min(submit.sampling.max_tokens, self.context - total)
        owner = submit.owner if submit.reuse else 0
        self.background.owners.add(owner, prepared.ids, submit.request)
        plan = self._plan(prepared, match, submit.owner)
        looked_up = time.perf_counter()
        headroom = min(room, GROWTH_TOKENS)
        note = RequestNote(
            "generate",
            submit.request,
            prepared,
            plan,
            match,
            headroom=headroom,
            began=began,
            offers=disk_offers(self.store.journal.entries(since)),
            owner=submit.owner,
            one_shot=submit.one_shot,
        )
        shared = bool(self._running)
        sequence = self._running.begin(note, reuse=submit.reuse, slots=total + room)
        emit(events.RequestStarted(request=submit.request, plan=plan))
        try:
            filled = yield from prefill(
                sequence,
                prepared,
                match,
                self.tuning.config,
                headroom=headroom,
                cancelled=self._running.step(note, cancelled),
                progress=lambda done, of: emit(
                    events.PrefillProgress(request=submit.request, done=done, total=of)
                ),
                shared=shared,
            )
            self._rates.observe_prefill(filled.ran, filled.prefill_ms / 1e3)
            note.filled(filled.restore_ms, filled.prefill_ms)

            if filled.logits is None:
                decoded = NOTHING
                answer.stream.finish(cut=True)
                # The checkpoint it resumed from is already stored.
                if filled.ran:
                    sequence.donate("prefill", "stopped")
            else:
                decoded = yield from decode(
                    sequence,
                    filled.logits,
                    answer.sampler,
                    answer.stream,
                    submit.sampling,
                    Limits(self.text.end_ids, self.context, self.tuning.config.decode_interval),
                    cancelled=self._running.step(note, cancelled),
                    room=partial(self._running.room, note),
                    show=_shower(submit.request, emit, answer.sampler.scores),
                    drafts=self.drafts(
                        *(prepared.ids, self.tuning.config.drafts),
                        tree=submit.reuse,
                        prediction=submit.prediction,
                    ),
                )
                if decoded.decode_tok_s is not None:
                    self._rates.observe_decode(1, 1 / decoded.decode_tok_s)
                if sequence.position > total:
                    sequence.donate("decode", "end of answer")
            note.ended(decoded.stop, decoded.ids, answer.stream.text, decoded.first_at)
            note.drafts = decoded.drafts
            self.background.owners.add(
                owner, [*prepared.rendered.ids, *decoded.ids], submit.request
            )
        finally:
            self._running.release(note)
            if match is not None:
                self.store.finished(match, resize=not self._running)
        report = _report(plan, filled, decoded, began, looked_up, sequence.skipped)
        self._log.finished(submit.request, decoded.stop, report)
        emit(
            events.RequestFinished(
                request=submit.request,
                stop=decoded.stop,
                report=report,
                text=answer.stream.text,
                thinking=answer.stream.thinking,
                token_ids=answer.ids(decoded.ids, decoded.stop),
            )
        )

    def logits(self, prompt: Prompt, reuse: bool, options: PromptOptions) -> LogitsResult:
        """The logits after a prompt; see Engine.logits."""
        found = self.read(prompt, options, reuse=reuse)
        assert found is not None
        return found

    def read(
        self,
        prompt: Prompt,
        options: PromptOptions,
        *,
        reuse: bool = True,
        cancelled: Callable[[], bool] = lambda: False,
        progress: Callable[[int, int], None] = lambda done, of: None,
    ) -> LogitsResult | None:
        """The logits after a prompt; None if it was cancelled between two passes."""
        began, since = time.perf_counter(), self.store.journal.seq
        prepared = self.prepare(prompt, options)
        match = self.store.match(prepared) if reuse else None
        plan = self._plan(prepared, match)
        offers = disk_offers(self.store.journal.entries(since))
        note = RequestNote(
            *("logits", 0, prepared, plan, match), headroom=0, began=began, offers=offers
        )
        sequence = self._running.begin(note, reuse=reuse, slots=len(prepared.ids))
        try:
            filled = finish(
                prefill(
                    sequence,
                    prepared,
                    match,
                    self.tuning.config,
                    headroom=0,
                    cancelled=cancelled,
                    progress=progress,
                )
            )
            note.filled(filled.restore_ms, filled.prefill_ms)
            if filled.logits is None and filled.ran:
                sequence.donate("prefill", "stopped")
            note.ended("end" if filled.logits is not None else "cancelled")
        finally:
            self._running.release(note)
            if match is not None:
                self.store.finished(match)
        if filled.logits is None:
            return None
        return LogitsResult(filled.logits.clone(), plan.reused, plan.replayed, plan.computed, plan)

    def idle(self) -> bool:
        """One step of idle work; False if none is left."""
        return self.background.step()

    def settle(self) -> int:
        """Process what the file writer has finished; returns the number of segments pending."""
        pending = self.store.pending
        # In this order, so that what finishes meanwhile is checked again.
        self.tiers.settle()
        self.store.log_memory()
        self._mirror.rest()
        return pending

    def verify(
        self, node: int, wanted: Callable[[], bool], *, brief: bool = False
    ) -> Verdict | None:
        """Audit the checkpoint of a node; see Audits.verify."""
        return self._audits.verify(node, wanted, brief=brief)

    def audit(self, wanted: Callable[[], bool]) -> tuple[int, Verdict | None] | None:
        """Audit one checkpoint that was resumed from but never audited; None if there is none."""
        return self._audits.next(wanted)

    def abandon(self) -> None:
        """Release every slot and lock of running requests."""
        self._running.release_all()

    def drafts(
        self,
        prompt: npt.NDArray[np.int64],
        sources: DraftSources,
        *,
        tree: bool = True,
        prediction: str = "",
    ) -> Drafter | None:
        """What drafts an answer; None where nothing does. tree: whether it may read the cache."""
        if sources == "off" or not self.model.runs_apart:
            return None
        known = tree and sources == "auto"

        def index() -> DraftIndex:
            lines = self.tiers.lines(LONGEST, MOST_LINES_TOKENS) if known else {}
            return DraftIndex(lines, self._predicted(prediction), as_tokens(prompt))

        return Drafter(sources, self.depth, index)

    # ---- queries

    def probe(self, prompt: Prompt, options: PromptOptions, owner: int = 0) -> ReusePlan:
        """What a prompt of an owner would reuse. Changes nothing."""
        prepared = self.prepare(prompt, options)
        return self._planner.plan(prepared, self.store.probe(prepared), owner=owner)

    def prompt_ids(self, prompt: Prompt, options: PromptOptions) -> tuple[int, ...]:
        """The token ids of a prompt."""
        return self.prepare(prompt, options).rendered.ids

    def snapshot(self) -> CacheSnapshot:
        """The cache and the running request now, with the evictions since the last snapshot."""
        self.settle()
        self._running.log_progress()
        return self._mirror.snapshot()

    def read_anew(self) -> CacheSnapshot:
        """The cache read from its actual structures rather than the journal, for checks."""
        self.settle()
        return read_anew(self.store, self.recordings.feed(history=False))

    def node_text(self, node: int) -> events.NodeText | None:
        """The decoded text of a node; None if it no longer exists."""
        return self._mirror.node_text(node)

    def check_invariants(self) -> None:
        """Raises InvariantError naming the first broken invariant."""
        self.tiers.check()

    def check_each(self) -> tuple[Checked, ...]:
        """Every invariant of every tier, and whether it holds."""
        return self.tiers.check_each()

    def broken_invariant(self) -> str:
        """ "" if all invariants hold, else the violated one."""
        try:
            self.tiers.check()
        except InvariantError as error:
            return str(error)
        return ""

    def drop_cache(self) -> None:
        """Evict everything, on every tier, that the running request does not hold."""
        self._audits.interrupt()
        self.by_hand.interrupt()
        self.tiers.clear()
        self.store.log_change(Cleared(running=self._running.cache_dropped()))

    # ---- internals

    def prepare(self, prompt: Prompt, options: PromptOptions) -> Prepared:
        """A prompt ready to run; see engine.run.prepared.prepare."""
        return prepare(
            self.text,
            self.tuning.config,
            prompt,
            options,
            vocab_size=self.model.config.vocab_size,
            context=self.context,
            mixture=self.store.mixture,
        )

    def _predicted(self, text: str) -> list[Tokens]:
        """The tokens of a prediction; half a surrogate pair counts as a letter."""
        whole = text.encode("utf-8", "replace").decode()
        return [as_tokens(self.text.encode(whole))] if text else []

    def _plan(self, prepared: Prepared, match: Match | None, owner: int = 0) -> ReusePlan:
        """What the next request will reuse."""
        if match is None:
            return self._planner.cold(prepared)
        plan = self._planner.plan(prepared, match, owner=owner, damaged=self.store.damage())
        self._planner.remember(prepared, owner)
        return plan


def _shower(
    request: int, emit: Emit, scores: Sequence[events.TokenScore]
) -> Callable[[Piece, int], None]:
    shown = 0

    def show(piece: Piece, tokens: int) -> None:
        nonlocal shown
        channel, text = piece
        new, shown = tuple(scores[shown:tokens]), tokens
        emit(
            events.TextDelta(request=request, text=text, channel=channel, tokens=tokens, scores=new)
        )

    return show


def _report(
    plan: ReusePlan,
    filled: Prefilled,
    decoded: Decoded,
    began: float,
    looked_up: float,
    skipped: int,
) -> ReuseReport:
    """What a request did; `began` and `looked_up` are of `time.perf_counter()`."""
    done = plan.cut_at(plan.reused + filled.ran)
    replay_ms = filled.prefill_ms * done.replayed / max(filled.ran, 1)
    return ReuseReport(
        plan=done,
        generated=len(decoded.ids),
        first_token_s=None if decoded.first_at is None else decoded.first_at - began,
        total_s=time.perf_counter() - began,
        decode_tok_s=decoded.decode_tok_s,
        lookup_ms=1e3 * (looked_up - began),
        restore_ms=filled.restore_ms,
        replay_ms=replay_ms,
        prefill_ms=filled.prefill_ms - replay_ms,
        skipped_checkpoints=skipped,
        drafts=decoded.drafts,
    )
