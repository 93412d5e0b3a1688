"""The user's manual cache actions in a live engine: with bytes, a model and messages."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from engine.cache import by_hand as on_device
from engine.cache.journal.changes import ByUser
from engine.cache.node import Tokens
from engine.cache.tiers import by_hand
from engine.commands import Act, Action
from engine.errors import CacheError
from engine.journal.offers import disk_offers
from engine.plan.cuts import CutPlan, tags_for
from engine.plan.passes import asked_plan, recovered_cuts
from engine.run.mirror import CacheMirror
from engine.run.prepared import Prepared, prefill
from engine.run.store import Store
from engine.run.tuning import Tuning
from engine.run.turns import finish
from engine.sentence import say
from engine.text.prompt import RenderedPrompt

GONE = say("That node is no longer in the cache.")
# How many actions can be undone.
MOST_UNDOS = 64
# What undoing each action does.
UNDO_WORDS: dict[Action, str] = {
    "pin": say("Pin it again"),
    "unpin": say("Unpin it"),
    "drop state": say("Drop the state again"),
    "warm": say("Copy the state back to the device"),
    "checkpoint": say("Compute the state again"),
}


@dataclass(frozen=True, slots=True)
class Job:
    """An action with its target found: the tokens from the root to where it applies."""

    number: int
    action: Action
    node: int
    tokens: Tokens


@dataclass(frozen=True, slots=True)
class Done:
    """The result of a job; `undo` is the action that reverts it, None if there is none."""

    sentence: str
    undo: Action | None


class ByHand:
    """Performs the user's actions between two requests, and remembers how to undo them."""

    def __init__(self, store: Store, mirror: CacheMirror, tuning: Tuning) -> None:
        self._store, self._mirror, self._tuning = store, mirror, tuning
        self._undos: OrderedDict[int, Job] = OrderedDict()
        self._drops = 0

    def interrupt(self) -> None:
        """The cache was dropped: abandon what is being computed."""
        self._drops += 1

    def job(self, command: Act) -> Job:
        """Find the target. Raises CacheError if it no longer exists."""
        found = self._mirror.path_tokens(command.node)
        if found is None or not len(found[0]):
            raise CacheError(GONE)
        tokens, start = found
        if command.position:
            if not start < command.position <= len(tokens):
                raise CacheError(
                    "Token {position:,} is not inside this node.", position=command.position
                )
            tokens = tokens[: command.position]
        return Job(command.number, command.action, command.node, tokens)

    def undo_job(self, number: int, of: int) -> Job:
        """The job that undoes action `of`. Raises CacheError if it is unknown."""
        known = self._undos.pop(of, None)
        if known is None:
            raise CacheError("This can no longer be taken back.")
        return Job(number, known.action, known.node, known.tokens)

    def refuse_locked(self, job: Job) -> None:
        """Raises CacheError if the running request uses what the job would remove."""
        cache = self._store.cache
        if job.action in ("drop state", "move to host"):
            cache.by_hand(lambda parts: on_device.refuse_drop(parts, job.tokens))
        elif job.action == "evict":
            cache.by_hand(lambda parts: on_device.refuse_evict(parts, job.tokens))

    def run(
        self, job: Job, wanted: Callable[[], bool], progress: Callable[[int, int], None]
    ) -> Done | None:
        """Run the job; None if `wanted` reported between two passes that a request waits.

        Raises CacheError with a sentence if it cannot be done.
        """
        since = self._store.journal.seq
        if job.action == "checkpoint":
            return self._checkpoint(job, wanted, progress, since)
        try:
            done = self._do(job)
        finally:
            # Even a failed one may have restored something from a lower tier.
            offers = disk_offers(self._store.journal.entries(since))
            self._store.log_change(ByUser(job.action, tuple(job.tokens.tolist()), offers=offers))
        self._remember(job, done)
        return done

    def _remember(self, job: Job, done: Done) -> None:
        if done.undo is not None:
            self._undos[job.number] = Job(job.number, done.undo, job.node, job.tokens)
            if len(self._undos) > MOST_UNDOS:
                self._undos.popitem(last=False)

    def _do(self, job: Job) -> Done:
        tiers, tokens = self._store.tiers, job.tokens
        end = len(tokens)
        match job.action:
            case "pin":
                if not by_hand.pin(tiers, tokens):
                    return Done(say("It was pinned already."), None)
                return Done(
                    say(
                        "Pinned: {end:,} tokens and the state at token {end:,} stay in memory "
                        "until you unpin them.",
                        end=end,
                    ),
                    "unpin",
                )
            case "unpin":
                if not by_hand.unpin(tiers, tokens):
                    return Done(say("Nothing was pinned here."), None)
                return Done(say("Unpinned: it is kept or evicted like everything else."), "pin")
            case "drop state":
                by_hand.drop_state(tiers, tokens)
                return self._dropped(tokens)
            case "evict":
                held = tiers.held_bytes()
                by_hand.evict(tiers, tokens)
                freed = max(held - tiers.held_bytes(), 0)
                return Done(
                    say(
                        "Evicted from every tier: {freed} freed. A chat that needs it computes "
                        "it again.",
                        freed=_mib(freed),
                    ),
                    None,
                )
            case "warm":
                return self._warm(tokens)
            case "move to host":
                by_hand.move_to_host(tiers, tokens)
                return Done(
                    say(
                        "Moved: the state at token {end:,} is in host memory and no longer on the "
                        "device.",
                        end=end,
                    ),
                    "warm",
                )
            case "checkpoint":
                raise AssertionError("a checkpoint is computed, not done")

    def _dropped(self, tokens: Tokens) -> Done:
        end = len(tokens)
        left = by_hand.tier_of_state(self._store.tiers, tokens)
        if left is None:
            return Done(
                say(
                    "Dropped the state at token {end:,}. There is no copy: taking it back computes "
                    "it again.",
                    end=end,
                ),
                "checkpoint",
            )
        where = say("in host memory") if left == "host" else say("on disk")
        return Done(
            say(
                "Dropped the state at token {end:,} on the device; a copy is {where}.",
                end=end,
                where=where,
            ),
            "warm",
        )

    def _warm(self, tokens: Tokens) -> Done:
        came = by_hand.warm(self._store.tiers, tokens)
        if came == "device":
            return Done(say("It is on the device already, as far as any tier has it."), None)
        where = say("host memory") if came == "host" else say("disk")
        resume = self._store.cache.reader.probe(by_hand.one_more(tokens)).resume
        undo: Action | None = "drop state" if resume == len(tokens) else None
        return Done(
            say(
                "Copied the state at token {resume:,} from {where} to the device.",
                resume=resume,
                where=where,
            ),
            undo,
        )

    # ---- checkpoints

    def _checkpoint(
        self,
        job: Job,
        wanted: Callable[[], bool],
        progress: Callable[[int, int], None],
        since: int,
    ) -> Done | None:
        """Run the tokens missing after the nearest checkpoint below, and store the state.

        In exact mode only at a cut of a prompt, and with the same cuts: elsewhere a state would
        never be used.
        """
        store, end = self._store, len(job.tokens)
        if by_hand.tier_of_state(store.tiers, job.tokens) == "device":
            raise CacheError("There is a state at token {end:,} already.", end=end)
        prepared = self._prepared(job.tokens)
        drops = self._drops
        arguments = prepared.match_arguments()
        store.tiers.promote(prepared.ids, **arguments)
        match = store.cache.match(prepared.ids, **arguments)
        sequence = store.sequence()
        ran_to = 0
        try:
            filled = finish(
                prefill(
                    sequence,
                    prepared,
                    match,
                    self._tuning.config,
                    headroom=0,
                    cancelled=lambda: wanted() or self._drops != drops,
                    progress=progress,
                )
            )
            ran_to = sequence.position
        finally:
            sequence.release()
            # Whatever the result, a replay takes the same steps.
            self._log_checkpoint(job.tokens, prepared.plan, ran_to, since)
        if self._drops != drops:
            store.tiers.clear()
            raise CacheError("The cache was cleared meanwhile; no state was stored.")
        if filled.logits is None:
            return None
        if by_hand.tier_of_state(store.tiers, job.tokens) != "device":
            raise CacheError(
                "There is no room for another state: all of them are pinned or in use. Unpin "
                "something, or give the cache more memory."
            )
        done = Done(
            say(
                "Stored the state at token {end:,}: ran {ran:,} tokens from token {resume:,}.",
                end=end,
                ran=filled.ran,
                resume=match.resume,
            ),
            "drop state",
        )
        self._remember(job, done)
        return done

    def _prepared(self, tokens: Tokens) -> Prepared:
        plan, exact = self._plan(tokens), self._store.exact
        end = len(tokens)
        hashed = self._hashed(tokens)
        return Prepared(
            ids=tokens.astype(np.int64),
            rendered=RenderedPrompt(ids=tuple(tokens.tolist())),
            anchors=(),
            plan=plan,
            tags=tags_for(plan, end, hashed) if exact else None,
            cut_hashes=plan.cut_hashes(hashed) if exact else {},
            whys={end: "asked for"},
        )

    def _plan(self, tokens: Tokens) -> CutPlan:
        end = len(tokens)
        if not self._store.exact:
            return asked_plan((end,))
        reader = self._store.cache.reader
        walk = reader.probe(by_hand.one_more(tokens))
        found = None
        if walk.matched == end:
            held = reader.holding(walk.node if walk.tail is None else walk.tail)
            found = recovered_cuts(held.tags[:end], held.ends, self._hashed(tokens))
        if found is None:
            raise CacheError(
                "In exact mode a state is used only where a prompt is cut, and none was cut at "
                "token {end:,}: a state there would never be used.",
                end=end,
            )
        return asked_plan(*found)

    def _hashed(self, tokens: Tokens) -> Tokens | None:
        """The tokens whose hashes the exact marks are."""
        return tokens if self._store.mixture else None

    def _log_checkpoint(self, tokens: Tokens, plan: CutPlan, ran_to: int, since: int) -> None:
        offers = disk_offers(self._store.journal.entries(since))
        self._store.log_change(
            ByUser(
                "checkpoint",
                tuple(tokens.tolist()),
                plan.cuts,
                plan.scan_splits,
                ran_to,
                offers,
            )
        )


def _mib(size: int) -> str:
    return f"{size / 2**20:.1f} MiB"
