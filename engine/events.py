"""The engine's events: frozen records with a sequence number and a time.

Events are the only data that crosses from the engine's thread to the app. `time` is in
`time.perf_counter()` seconds; `seq` grows by one per event of one engine.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.cache_shape import CacheShape
from engine.config import Sampling
from engine.readings import MemoryReading, RecallReading
from engine.reuse import Reason, ReusePlan, ReuseReport
from engine.sentence import say
from engine.snapshot import Checked
from engine.verdict import Verdict

Channel = Literal["thinking", "answer"]
RECOMMENDED = Sampling()
# "length" is the requested limit, "context" the capacity of model and cache.
StopReason = Literal["end", "length", "context", "cancelled", "stop string"]


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """The loaded model; `sampling` is what its generation_config.json recommends.

    `drops_thinking`: its chat template omits the thinking of earlier turns from the next prompt.
    `recommended` names the fields of `sampling` that the file states; the others are defaults.
    `weights` names the format of the weights ("bfloat16", "int8", "int4"); `notes` are sentences
    about what loading skipped or changed. `kernels` describes in a few words which kernels run it.
    `remote` names the program that serves it remotely ("vLLM"), "" for our own engine: then
    `folder` is the connection, `device` the server's host, and unknown numbers are 0.
    """

    name: str
    family: str
    folder: str
    parameters: int
    weight_bytes: int
    dtype: str
    device: str
    layers: int
    linear_layers: int
    full_layers: int
    vocab_size: int
    context: int
    kv_bytes_per_token: int
    checkpoint_bytes: int
    cache_shape: CacheShape
    supports_thinking: bool
    drops_thinking: bool = False
    sampling: Sampling = RECOMMENDED
    recommended: tuple[str, ...] = ()
    weights: str = ""
    notes: tuple[str, ...] = ()
    kernels: str = ""
    remote: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    seq: int = 0
    time: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadProgress(Event):
    """Progress of loading a model.

    Attributes:
        stage: a short phrase ("Reading weights").
        fraction: 0 to 1, None if unknown.
        total_bytes: what `fraction` refers to; 0 if it does not refer to bytes.
    """

    stage: str
    fraction: float | None = None
    total_bytes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineReady(Event):
    """`load_s`: seconds from the start of the engine until the model was open."""

    model: ModelInfo
    load_s: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineFailed(Event):
    """The model could not be opened, or the engine stopped; `sentence` says what to do."""

    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestQueued(Event):
    request: int
    ahead: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestWaits(Event):
    """A request that was let in waits for others, and for what."""

    request: int
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestStarted(Event):
    request: int
    plan: ReusePlan


@dataclass(frozen=True, slots=True, kw_only=True)
class PrefillProgress(Event):
    """`done` of `total` tokens to run (replayed and computed) have run."""

    request: int
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class TokenScore:
    """How likely the model found a token before any penalty or limit was applied.

    Attributes:
        text: its bytes, which may be half a character.
        logprob: the natural logarithm of its probability.
        top: the likeliest tokens in its place, likeliest first.
    """

    text: bytes
    logprob: float
    top: tuple[TokenScore, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TextDelta(Event):
    """New text of one channel; `tokens` generated so far in this request.

    For a continued answer, neither includes the earlier part. `scores`: of its tokens, if
    Sampling.scores asks for them.
    """

    request: int
    text: str
    channel: Channel
    tokens: int
    scores: tuple[TokenScore, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestFinished(Event):
    """The end of a request: its complete text and the ids for Message.token_ids.

    All three are those of the whole answer, even if this request only continued it; only
    `report.generated` counts just the new tokens. They replace what was displayed, since text
    across a cut (a stop string, a thinking tag) may have been displayed in part. An answer cut
    inside a character has the ids of its first bytes, but not the character.
    """

    request: int
    stop: StopReason
    report: ReuseReport
    text: str
    thinking: str
    token_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestFailed(Event):
    """`refused`: the prompt cannot run, so it was not started.

    `too_long`: the tokens of a prompt that does not fit, at least; None if that is not the reason.
    """

    request: int
    sentence: str
    refused: bool = False
    too_long: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeAnswered(Event):
    """The read-only answer to a Probe command."""

    probe: int
    plan: ReusePlan


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeRefused(Event):
    """The prompt of a Probe command could not run; `sentence` says why.

    `tokens` is its length if that is the reason, else None.
    """

    probe: int
    sentence: str
    tokens: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TokensCounted(Event):
    """The answer to a CountTokens command: tokens of each text, in order.

    A prompt also has its template's tokens, and the template may trim its texts.
    """

    number: int
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class NodeOwner:
    """A conversation that a cached node belongs to.

    Attributes:
        owner: as in Submit or Claim.
        tokens: how many tokens of its sequence come before the node's end.
        request: the one that ran the sequence, or the mark of the message with which a claimed one
            ends; 0 if there is none.
    """

    owner: int
    tokens: int
    request: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeText(Event):
    """The decoded text of a node's span (elided in the middle if long), and its owners.

    `owners`: most recently updated first.
    """

    node: int
    start: int
    end: int
    text: str
    owners: tuple[NodeOwner, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten(Event):
    """The answer to Forget: what was removed from all tiers; `sentence` says what could not be."""

    number: int
    bytes: int
    files: int
    sentence: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ActProgress(Event):
    """A manual action has run `done` of `total` tokens."""

    number: int
    done: int
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Acted(Event):
    """The answer to Act, UndoAct and WarmPrompt.

    Attributes:
        node: as requested; None for a prompt.
        done: whether it was done; if not, nothing has changed.
        sentence: what was done, or why not.
        undo: what UndoAct would do, "" if it cannot be undone.
    """

    number: int
    node: int | None
    done: bool
    sentence: str
    undo: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class InvariantsChecked(Event):
    """The answer to CheckInvariants: "" if all hold, else the first one that is violated.

    `checked` lists all of them, tier by tier.
    """

    broken: str
    number: int = 0
    checked: tuple[Checked, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeVerified(Event):
    """An audit of a node's checkpoint ended; None: no checkpoint, or not enough memory.

    `background`: it was not requested.
    """

    node: int
    verdict: Verdict | None
    background: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyStopped(Event):
    """A requested audit ended without a verdict; `sentence` says why."""

    node: int
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Tuned(Event):
    """The answer to Tune; `sentence` says why nothing was changed, "" on success."""

    number: int
    sentence: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class InspectProgress(Event):
    """`done` of `total` tokens have run for a query of the lab."""

    number: int
    done: int
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryInspected(Event):
    """The answer to InspectMemory."""

    number: int
    reading: MemoryReading


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallInspected(Event):
    """The answer to InspectRecall."""

    number: int
    reading: RecallReading


@dataclass(frozen=True, slots=True, kw_only=True)
class InspectRefused(Event):
    """A query of the lab cannot be answered; `sentence` says why."""

    number: int
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice(Event):
    """Something the user should know, independent of a request: a damaged file, a full disk."""

    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordingBegan(Event):
    """A trace is now being written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordingEnded(Event):
    """Recording a trace ended or failed.

    `written`: whether it is complete. If not, a Notice said why, unless there was none to end.
    """

    written: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ClosingProgress(Event):
    """The engine is closing: `written` of `total` bytes of checkpoints are in files."""

    written: int
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineClosed(Event):
    pass


def never_started(request: int) -> RequestFinished:
    """The end of a request that was cancelled while it was queued."""
    plan = ReusePlan(0, 0, 0, 0, Reason.NONE, say("The request was cancelled before it started."))
    return RequestFinished(
        request=request,
        stop="cancelled",
        report=ReuseReport(plan, 0, None, 0.0, None, 0.0, 0.0, 0.0),
        text="",
        thinking="",
        token_ids=(),
    )
