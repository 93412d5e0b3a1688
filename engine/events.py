"""What the engine tells: frozen records with a sequence number and a time.

Events are the only thing that crosses from the engine's thread to the app. `time` is
`time.perf_counter()` seconds; `seq` grows by one per event of one engine.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.config import Sampling
from engine.reuse import ReusePlan, ReuseReport
from engine.snapshot import CacheSnapshot
from engine.verdict import Verdict

Channel = Literal["thinking", "answer"]
RECOMMENDED = Sampling()
StopReason = Literal["end", "length", "cancelled", "stop string"]


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """What was loaded; `sampling` is what its generation_config.json recommends.

    `weights` names the format of the weights ("bfloat16", "int8", "int4"); `notes` are sentences
    about what of the folder was left out or changed on the way.
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
    supports_thinking: bool
    sampling: Sampling = RECOMMENDED
    weights: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    seq: int = 0
    time: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadProgress(Event):
    """`stage` is a short sentence ("Reading weights"); `fraction` 0 to 1, None if not known."""

    stage: str
    fraction: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineReady(Event):
    model: ModelInfo


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineFailed(Event):
    """The model could not be opened, or the engine stopped; `sentence` says what to do."""

    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestQueued(Event):
    request: int
    ahead: int


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


@dataclass(frozen=True, slots=True, kw_only=True)
class TextDelta(Event):
    """New text of one channel; `tokens` generated so far in this request."""

    request: int
    text: str
    channel: Channel
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestFinished(Event):
    """The end of a request: its whole text and the ids that Message.token_ids wants back."""

    request: int
    stop: StopReason
    report: ReuseReport
    text: str
    thinking: str
    token_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestFailed(Event):
    request: int
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeAnswered(Event):
    """The read-only answer to a Probe command."""

    probe: int
    plan: ReusePlan


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheChanged(Event):
    """A whole, consistent snapshot; sent at most 8 times a second while watched."""

    snapshot: CacheSnapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeText(Event):
    """The decoded text of a node's span (shortened in the middle if long)."""

    node: int
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class InvariantsChecked(Event):
    """The answer to CheckInvariants: "" where all hold, else the one that broke."""

    broken: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeVerified(Event):
    """An audit of a node's checkpoint is over; None: it has none, or there was no memory for it.

    `background`: nobody asked for it.
    """

    node: int
    verdict: Verdict | None
    background: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyStopped(Event):
    """An audit that was asked for ended without a verdict; `sentence` says why."""

    node: int
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice(Event):
    """Something worth knowing that no request asked about: a damaged file, a full disk."""

    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordingBegan(Event):
    """A trace is being written from now on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordingEnded(Event):
    """No trace is being written any more, or none could be.

    `written`: one was, whole. Where it is not a Notice said why, unless there was none to end.
    """

    written: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ClosingProgress(Event):
    """The engine is ending: `written` of `total` bytes of checkpoints lie in files by now."""

    written: int
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineClosed(Event):
    pass
