"""What other engines are asked to measure, and what they report (or why they did not run)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PeerAsk:
    """What a peer is asked to measure.

    Attributes:
        prompts: lengths to prefill.
        contexts: lengths after which `new` tokens are decoded.
        repeats: of each measurement; medians are reported.
    """

    threads: int
    prompts: tuple[int, ...] = ()
    contexts: tuple[int, ...] = ()
    new: int = 32
    repeats: int = 3


@dataclass(frozen=True, slots=True)
class PeerPrefill:
    """Tokens per second of a prompt, in one pass and in chunks; None if the peer cannot do it."""

    tokens: int
    one_pass_tok_s: float | None
    chunked_tok_s: float | None


@dataclass(frozen=True, slots=True)
class PeerDecode:
    context: int
    tok_s: float


@dataclass(frozen=True, slots=True)
class Peer:
    """A peer's results, or why there are none.

    Attributes:
        version: of the peer; None if it did not run.
        reason: why it did not run, in one sentence; "" if it did.
        model: what it ran, if not the benchmark's own files.
        peak_rss_bytes: of its process; None if unknown.
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
        repeats: of each measurement; medians are reported.
    """

    tokens: int
    context: int
    new: int
    repeats: int


@dataclass(frozen=True, slots=True)
class GpuPeer:
    """transformers' results, or why there are none.

    Attributes:
        reason: why it did not run, in one sentence; "" if it did.
        versions: of transformers and flash-linear-attention.
        prefill_tok_s: of a prompt in one pass; decode_tok_s: of greedy tokens after a context.
    """

    reason: str
    versions: tuple[str, str] | None = None
    prefill_tok_s: float | None = None
    decode_tok_s: float | None = None
