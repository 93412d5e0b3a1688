"""What other engines are asked, and what they gave; reports hold these where no engine ran, too."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PeerAsk:
    """What a peer is asked to measure.

    Attributes:
        prompts: lengths to prefill.
        contexts: lengths after which `new` tokens are decoded.
        repeats: runs of each; medians are reported.
    """

    threads: int
    prompts: tuple[int, ...] = ()
    contexts: tuple[int, ...] = ()
    new: int = 32
    repeats: int = 3


@dataclass(frozen=True, slots=True)
class PeerPrefill:
    """Tokens per second of a prompt, in one pass and in chunks; None: the peer has no such way."""

    tokens: int
    one_pass_tok_s: float | None
    chunked_tok_s: float | None


@dataclass(frozen=True, slots=True)
class PeerDecode:
    context: int
    tok_s: float


@dataclass(frozen=True, slots=True)
class Peer:
    """What a peer gave, or why it gave nothing.

    Attributes:
        version: of the peer; None where it did not run.
        reason: why it did not run, in one sentence; "" where it did.
        model: what it ran, where that is not the benchmark's own files.
        peak_rss_bytes: of its process; None where nobody said.
    """

    name: str
    version: str | None
    reason: str
    model: str = ""
    prefill: tuple[PeerPrefill, ...] = ()
    decode: tuple[PeerDecode, ...] = ()
    peak_rss_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class GpuPeerAsk:
    """What a peer is asked to measure on a GPU.

    Attributes:
        tokens: of the prompt.
        context: tokens after which `new` ones are decoded.
        repeats: runs of each; medians are reported.
    """

    tokens: int
    context: int
    new: int
    repeats: int


@dataclass(frozen=True, slots=True)
class GpuPeer:
    """What transformers gave, or why it gave nothing.

    Attributes:
        reason: why it did not run, in one sentence; "" where it did.
        versions: of transformers and flash-linear-attention.
        prefill_tok_s: of a prompt in one pass; decode_tok_s: greedy tokens after a context.
    """

    reason: str
    versions: tuple[str, str] | None = None
    prefill_tok_s: float | None = None
    decode_tok_s: float | None = None
