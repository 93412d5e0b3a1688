"""A prompt prepared to run: its ids, its cuts, and the marks of its KV in exact mode."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from engine.cache.match import Match
from engine.commands import PLAIN, Prompt
from engine.config import EngineConfig
from engine.errors import PromptError, PromptTooLong
from engine.message import Message, PromptOptions
from engine.plan.cuts import CutPlan, plan_cuts, reasons, tags_for
from engine.plan.passes import branch_point, plan_passes
from engine.run.sequence import LiveSequence
from engine.run.turns import Pass, Work
from engine.stored_state import Why
from engine.text.prompt import Anchor, RenderedPrompt
from engine.text.text_model import TextModel

if TYPE_CHECKING:
    from torch import Tensor


# Before the first text there is only a header: its state costs memory and saves no time. The
# position where the next turn will diverge is worth a state however early it is.
SHORT_HEAD = 16
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Prepared:
    """A prompt ready to run.

    Attributes:
        ids: [n] int64.
        rendered: with anchors and message spans; both empty for a raw prompt.
        anchors: the positions that the cuts were planned with.
        plan: the canonical cuts, determined by the tokens and the conversation alone.
        tags: exact mode: [n] int64, the marks of this plan's KV.
        cut_hashes: exact mode: the hash at each cut.
        whys: why a state is stored at each position of the plan.
        messages: the conversation; empty for raw token ids.
        options: further options passed to the template.
    """

    ids: npt.NDArray[np.int64]
    rendered: RenderedPrompt
    anchors: tuple[int, ...]
    plan: CutPlan
    tags: npt.NDArray[np.int64] | None
    cut_hashes: Mapping[int, int]
    whys: Mapping[int, Why]
    messages: tuple[Message, ...] = ()
    options: PromptOptions = PLAIN

    def match_arguments(self) -> dict[str, Any]:
        """The arguments for the cache's match and probe, except the tokens."""
        if self.tags is None:
            return {}
        return {"cut_hash_at": self.cut_hashes.get, "tags": self.tags}


def prepare(
    text: TextModel,
    config: EngineConfig,
    prompt: Prompt,
    options: PromptOptions,
    *,
    vocab_size: int,
    context: int,
    mixture: bool,
) -> Prepared:
    """Render, check and plan a prompt; `mixture`: the model routes its tokens to experts.

    Raises:
        PromptError: empty, longer than the context, unknown ids, or refused by the template.
    """
    rendered = _render(text, prompt, options, context)
    ids = np.asarray(rendered.ids, np.int64)
    if not ids.size:
        raise PromptError("The prompt is empty: give at least one token.")
    if ids.size >= context:
        raise PromptTooLong(ids.size, context)
    if ids.min() < 0 or ids.max() >= vocab_size:
        raise PromptError("The prompt has a token id outside 0 to {last:,}.", last=vocab_size - 1)
    kept = [
        anchor
        for anchor in rendered.anchors
        if anchor.position >= SHORT_HEAD or anchor.kind == "next turn"
    ]
    anchors = [anchor.position for anchor in kept]
    plan = plan_cuts(len(ids), anchors, config.interval)
    exact = config.mode == "exact"
    hashed = ids if mixture else None
    return Prepared(
        ids=ids,
        rendered=rendered,
        anchors=tuple(anchors),
        plan=plan,
        tags=tags_for(plan, len(ids), hashed) if exact else None,
        cut_hashes=plan.cut_hashes(hashed) if exact else {},
        whys=reasons(
            plan, {one.position: _why(one, text, options) for one in kept}, config.interval
        ),
        messages=messages_of(prompt),
        options=options,
    )


def _why(anchor: Anchor, text: TextModel, options: PromptOptions) -> Why:
    """The displayed reason for a state at an anchor."""
    match anchor.kind:
        case "system":
            return "system end"
        case "user":
            return "user start"
        case "tool call":
            return "tool call"
        case "answer" | "next turn":
            # A later prompt that omits the thinking diverges there.
            drops = text.drops_thinking and not options.keeps_thinking
            return "before thinking" if drops else "answer start"


def messages_of(prompt: Prompt) -> tuple[Message, ...]:
    """The messages of a prompt; empty for raw token ids."""
    return tuple(message for message in prompt if isinstance(message, Message))


def _render(
    text: TextModel, prompt: Prompt, options: PromptOptions, context: int
) -> RenderedPrompt:
    messages = messages_of(prompt)
    if not messages and prompt and options.continues:
        raise PromptError(
            "A prompt of token ids is continued as it is: leave `continues` off, or give messages."
        )
    if messages:
        return text.render(messages, options, context)
    return RenderedPrompt(ids=tuple(int(token) for token in prompt))  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Prefilled:
    """The result of a prefill.

    Attributes:
        logits: float32 [vocab] after the prompt; None if it was cancelled.
        restore_ms: allocating slots and copying the checkpoint into the live slot.
        prefill_ms: replaying and computing.
        ran: tokens replayed and computed.
    """

    logits: Tensor | None
    restore_ms: float
    prefill_ms: float
    ran: int


def prefill(
    sequence: LiveSequence,
    prepared: Prepared,
    match: Match | None,
    config: EngineConfig,
    *,
    headroom: int,
    cancelled: Callable[[], bool],
    progress: Progress,
    shared: bool = False,
) -> Work[Prefilled]:
    """Run a prompt on a fresh sequence; it may be cancelled between two passes.

    shared: see plan_passes.

    Raises:
        PromptError: the KV plane cannot hold the prompt; nothing has been changed.
    """
    began = time.perf_counter()
    sequence.start(
        prepared.ids,
        match,
        headroom=headroom,
        tags=prepared.tags,
        cut_hashes=prepared.cut_hashes,
        whys=prepared.whys,
    )
    restored = time.perf_counter()
    total = len(prepared.ids)
    resume = sequence.position
    branch = None if match is None else branch_point(prepared.plan, match.matched)
    logits = sequence.last_logits() if resume == total else None
    for planned in plan_passes(prepared.plan, total, resume, branch, config.mode, shared=shared):
        yield Pass()
        if cancelled():
            logits = None
            break
        stores = planned.scan_splits + ((planned.end,) if planned.stores else ())
        logits = sequence.forward(planned.end, stores, branch)
        progress(planned.end - resume, total - resume)
    done = time.perf_counter()
    return Prefilled(
        logits=logits,
        restore_ms=1e3 * (restored - began),
        prefill_ms=1e3 * (done - restored),
        ran=sequence.position - resume,
    )
