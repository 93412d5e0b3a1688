"""What the app asks of the engine: frozen records put on the run loop's command queue."""

from __future__ import annotations

from dataclasses import dataclass

from engine.config import Sampling
from engine.message import Message, PromptOptions

Prompt = tuple[int, ...] | tuple[Message, ...]
PLAIN = PromptOptions()


@dataclass(frozen=True, slots=True)
class Submit:
    """Run a prompt; several may be queued, one runs. `request` is the caller's own number.

    With `reuse` false the cache is neither read nor fed.
    """

    request: int
    prompt: Prompt
    sampling: Sampling
    options: PromptOptions = PLAIN
    reuse: bool = True


@dataclass(frozen=True, slots=True)
class Cancel:
    """Stop a running or queued request; what it computed stays in the cache."""

    request: int


@dataclass(frozen=True, slots=True)
class Probe:
    """Ask, without changing anything, what a prompt would reuse."""

    probe: int
    prompt: Prompt
    options: PromptOptions = PLAIN


@dataclass(frozen=True, slots=True)
class WatchCache:
    """Turn CacheChanged events on or off."""

    on: bool


@dataclass(frozen=True, slots=True)
class DescribeNode:
    """Ask for NodeText."""

    node: int


@dataclass(frozen=True, slots=True)
class CheckInvariants:
    pass


@dataclass(frozen=True, slots=True)
class DropCache:
    """Evict everything that is not locked."""


@dataclass(frozen=True, slots=True)
class Record:
    """Write a trace file from the end of the running request on, real ids and text only if asked.

    Where it cannot be, a Notice says why.
    """

    path: str
    text: bool = False


@dataclass(frozen=True, slots=True)
class StopRecording:
    """End the trace file, if one is being written."""


@dataclass(frozen=True, slots=True)
class VerifyNode:
    """Audit the checkpoint of a node while no request runs or waits.

    It begins anew after a request that came meanwhile. Answered by NodeVerified or VerifyStopped.
    """

    node: int


@dataclass(frozen=True, slots=True)
class StopVerify:
    """Give up the audits that were asked for, the one that runs and those that wait."""


@dataclass(frozen=True, slots=True)
class AuditInBackground:
    """Turn audits of consumed checkpoints in idle moments on or off."""

    on: bool


@dataclass(frozen=True, slots=True)
class Close:
    pass


Command = (
    Submit
    | Cancel
    | Probe
    | WatchCache
    | DescribeNode
    | CheckInvariants
    | DropCache
    | Record
    | StopRecording
    | VerifyNode
    | StopVerify
    | AuditInBackground
    | Close
)
