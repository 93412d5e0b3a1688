"""The app's commands to the engine: frozen records on the run loop's command queue."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.config import DraftSources, Sampling
from engine.message import Message, PromptOptions

Prompt = tuple[int, ...] | tuple[Message, ...]
PLAIN = PromptOptions()
# Smaller owners are conversations. From FIRST_CLIENT on they are programs, each with all its
# requests; from FIRST_ONE_SHOT on the same programs, for their requests without history.
FIRST_CLIENT, FIRST_ONE_SHOT = 1 << 40, 1 << 44
Action = Literal["pin", "unpin", "checkpoint", "drop state", "evict", "warm", "move to host"]


@dataclass(frozen=True, slots=True)
class Submit:
    """Run a prompt; several run at once, others wait. `request` is the caller's number.

    With `reuse` false the cache is neither read nor written. `owner` is the conversation of the
    prompt; 0: none. `one_shot`: not expected to be continued, so it is the first to be evicted
    when the cache needs room. `prediction`: a text that the answer will probably repeat in parts;
    it makes the answer faster where it does, and never changes it.
    """

    request: int
    prompt: Prompt
    sampling: Sampling
    options: PromptOptions = PLAIN
    reuse: bool = True
    owner: int = 0
    one_shot: bool = False
    prediction: str = ""


@dataclass(frozen=True, slots=True)
class Claim:
    """Assign a prompt to its owner without running it: the cache may hold it from an earlier run.

    Processed when idle; not answered. `marks` are the caller's numbers, one per message: NodeOwner
    has that of the message with which a sequence ends.
    """

    owner: int
    prompt: Prompt
    options: PromptOptions = PLAIN
    marks: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Forget:
    """Remove what only these prompts used from every tier, files included; see Forgotten.

    Done while no request runs, in small steps.

    Attributes:
        gone: the prompts of the deleted conversation, one per leaf of its tree of messages.
        kept: prompts of remaining conversations, at least those that share a prefix with `gone`.
        owner: the deleted conversation, whose ownership records are removed, too. 0: none.
    """

    number: int
    gone: tuple[Prompt, ...]
    kept: tuple[Prompt, ...] = ()
    options: PromptOptions = PLAIN
    owner: int = 0


@dataclass(frozen=True, slots=True)
class Cancel:
    """Stop a running or queued request; what it computed stays in the cache."""

    request: int


@dataclass(frozen=True, slots=True)
class Probe:
    """Ask what a prompt would reuse, without changing anything.

    Answered by ProbeAnswered, or by ProbeRefused if the prompt cannot run. `owner`: see Submit.
    """

    probe: int
    prompt: Prompt
    options: PromptOptions = PLAIN
    owner: int = 0


@dataclass(frozen=True, slots=True)
class CountTokens:
    """Ask how many tokens each of some texts has; also answered while a request runs.

    Answered once by TokensCounted, unless another command with the same number replaces it first.
    Long texts are counted in parts, which do not hold up a running answer; one of more than
    8 million characters is counted as if it ended there.
    """

    number: int
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WatchJournal:
    """Turn JournalFed events on or off, from the end of the running request on."""

    on: bool


@dataclass(frozen=True, slots=True)
class DescribeNode:
    """Ask for NodeText."""

    node: int


@dataclass(frozen=True, slots=True)
class Act:
    """Run a manual action on a cached node, between two requests; answered by Acted.

    Attributes:
        node: of the latest snapshot.
        position: "checkpoint": inside the node, where to store a state; 0: at its end.
    """

    number: int
    action: Action
    node: int
    position: int = 0


@dataclass(frozen=True, slots=True)
class UndoAct:
    """Undo the action with the number `of`; answered by Acted with its own number."""

    number: int
    of: int


@dataclass(frozen=True, slots=True)
class WarmPrompt:
    """Promote the states of a prompt to the device and compute what is missing; see Act."""

    number: int
    prompt: Prompt
    options: PromptOptions = PLAIN


@dataclass(frozen=True, slots=True)
class StopActs:
    """Stop the running manual action and drop the queued ones."""


@dataclass(frozen=True, slots=True)
class CheckInvariants:
    """Answered by InvariantsChecked with this number; 0 is the user's own query."""

    number: int = 0


@dataclass(frozen=True, slots=True)
class DropCache:
    """Evict everything that is not locked."""


@dataclass(frozen=True, slots=True)
class Record:
    """Record a trace file from the end of the running request on; real ids and text only on demand.

    If that fails, a Notice says why.
    """

    path: str
    text: bool = False


@dataclass(frozen=True, slots=True)
class StopRecording:
    """End the trace file, if one is being written."""


@dataclass(frozen=True, slots=True)
class VerifyNode:
    """Audit the checkpoint of a node while no request runs or waits.

    It starts over after a request that arrives meanwhile. Answered by NodeVerified or
    VerifyStopped.
    """

    node: int


@dataclass(frozen=True, slots=True)
class StopVerify:
    """Cancel the requested audits, running and waiting."""


@dataclass(frozen=True, slots=True)
class AuditInBackground:
    """Turn audits of consumed checkpoints while idle on or off."""

    on: bool


@dataclass(frozen=True, slots=True)
class Tune:
    """Change the settings of future requests; see EngineConfig. Answered by Tuned.

    Attributes:
        number: the caller's.
        interval, decode_interval, cache_bytes, state_share, drafts: None leaves it unchanged.
    """

    number: int = 0
    interval: int | None = None
    decode_interval: int | None = None
    cache_bytes: int | None = None
    state_share: float | None = None
    drafts: DraftSources | None = None


@dataclass(frozen=True, slots=True)
class InspectMemory:
    """Read how the layers took up the last tokens of a sequence, in a run outside the cache.

    Done while no request runs, in small steps, unless another query follows. Answered by
    InspectProgress and finally MemoryInspected or InspectRefused.

    Attributes:
        text: replaces the prompt if it is not "".
        full, linear: the layers to read, one of each kind; the first of its kind if missing.
    """

    number: int
    prompt: Prompt
    options: PromptOptions = PLAIN
    text: str = ""
    full: int | None = None
    linear: int | None = None


@dataclass(frozen=True, slots=True)
class InspectRecall:
    """Read how much of what the layers read comes from a needle; likewise, with RecallInspected.

    Attributes:
        needle: [first, end) in tokens; None requests the tokens alone.
        query: the last position that reads; None for those around the position at which the
            full-attention layers read the needle most.
    """

    number: int
    prompt: Prompt
    options: PromptOptions = PLAIN
    text: str = ""
    needle: tuple[int, int] | None = None
    query: int | None = None


@dataclass(frozen=True, slots=True)
class StopInspecting:
    """Drop all queries made with InspectMemory or InspectRecall."""


@dataclass(frozen=True, slots=True)
class Close:
    pass


Command = (
    Submit
    | Claim
    | Forget
    | Cancel
    | Probe
    | CountTokens
    | WatchJournal
    | DescribeNode
    | Act
    | UndoAct
    | WarmPrompt
    | StopActs
    | CheckInvariants
    | DropCache
    | Record
    | StopRecording
    | VerifyNode
    | StopVerify
    | AuditInBackground
    | Tune
    | InspectMemory
    | InspectRecall
    | StopInspecting
    | Close
)
