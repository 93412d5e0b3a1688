"""What the user may set: the engine's configuration and the sampling of one request."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Literal

from engine.errors import CacheError

Mode = Literal["fast", "exact"]
StateFormat = Literal["none", "bfloat16", "int8"]
WeightFormat = Literal["stored", "int8", "int4"]
POLICY_NAMES = ("coverage", "flops", "lru")
STATE_FORMATS = ("none", "bfloat16", "int8")
WEIGHT_FORMATS = ("stored", "int8", "int4")
INTERVAL_STEP = 64


@dataclass(frozen=True, slots=True)
class EngineConfig:
    """How an engine is opened; every field has a default.

    Attributes:
        device: "auto", "cpu" or "cuda".
        dtype: "auto" (the checkpoint's own), "float32", "bfloat16" or "float16".
        weights: "stored" (as the checkpoint has them), "int8" or "int4": made once at load and kept
            beside the cache's files.
        expert_bytes: memory for the routed experts of a mixture; the rest is mapped from the files
            and read when it is needed. 0 keeps all of them.
        mode: "fast" resumes from every checkpoint; "exact" only where logits stay bit-equal.
        interval: a checkpoint at least every so many prompt tokens, a multiple of 64; 0 takes none.
        decode_interval: a checkpoint every so many decoded tokens; 0 takes none.
        policy: the eviction policy, one of POLICY_NAMES.
        cache_bytes: budget of both planes on the device; 0 chooses from the memory at hand.
        state_share: part of the budget given to the state plane, 0 to 1; 0 turns the plane off.
        rebalance: let that part follow what requests lost for want of either plane.
        context: longest sequence in tokens; 0 takes the model's own, bounded by the KV plane.
        host_bytes: budget of the host tier, which shadows what the device evicts; 0 has none.
        disk_bytes: budget of the disk tier, which survives a restart; 0 has none.
        cache_dir: folder of the disk tier; None has no disk tier.
        compression: format of the states on host and disk, "none", "bfloat16" or "int8"; KV and
            the live state are never compressed, and exact mode uses no compressed state.
        background_audit: in idle moments, run a resumed prompt cold and compare.
        threads: CPU threads; 0 takes the physical cores.
    """

    device: str = "auto"
    dtype: str = "auto"
    weights: WeightFormat = "stored"
    expert_bytes: int = 0
    mode: Mode = "fast"
    interval: int = 1024
    decode_interval: int = 256
    policy: str = "coverage"
    cache_bytes: int = 0
    state_share: float = 0.5
    rebalance: bool = True
    context: int = 0
    host_bytes: int = 0
    disk_bytes: int = 0
    cache_dir: Path | None = None
    compression: StateFormat = "none"
    background_audit: bool = False
    threads: int = 0

    def __post_init__(self) -> None:
        if self.mode not in ("fast", "exact"):
            raise CacheError(f'mode is "{self.mode}"; it must be "fast" or "exact".')
        if self.interval < 0 or self.interval % INTERVAL_STEP:
            raise CacheError(f"interval is {self.interval}; it must be a multiple of 64, or 0.")
        if not 0 <= self.state_share < 1:
            raise CacheError(f"state_share is {self.state_share}; it must be in [0, 1).")
        if self.compression not in STATE_FORMATS:
            known = ", ".join(STATE_FORMATS)
            raise CacheError(f'compression is "{self.compression}"; it must be one of {known}.')
        if self.weights not in WEIGHT_FORMATS:
            known = ", ".join(WEIGHT_FORMATS)
            raise CacheError(f'weights is "{self.weights}"; it must be one of {known}.')
        for name in (
            "decode_interval",
            "expert_bytes",
            "cache_bytes",
            "host_bytes",
            "disk_bytes",
            "context",
            "threads",
        ):
            if getattr(self, name) < 0:
                raise CacheError(f"{name} is {getattr(self, name)}; it must not be negative.")


@dataclass(frozen=True, slots=True)
class Sampling:
    """How the next token is chosen.

    Attributes:
        temperature: 0 is greedy.
        top_k: keep the k likeliest tokens; 0 keeps all.
        top_p: keep the smallest set whose probability reaches p; 1 keeps all.
        min_p: drop tokens below this share of the likeliest one; 0 keeps all.
        repetition_penalty: divides positive and multiplies negative logits of seen tokens.
        presence_penalty: subtracted from the logit of each token already generated.
        max_tokens: longest answer in tokens.
        seed: of this request's random numbers; None draws one.
        stop: strings that end the answer and are not part of it.
        stop_ids: tokens that end the answer, besides the model's own end tokens.
        ignore_end: go on past the model's own end tokens (for benchmarks).
    """

    temperature: float = 0.7
    top_k: int = 20
    top_p: float = 0.95
    min_p: float = 0.0
    repetition_penalty: float = 1.0
    presence_penalty: float = 0.0
    max_tokens: int = 1024
    seed: int | None = None
    stop: tuple[str, ...] = ()
    stop_ids: tuple[int, ...] = ()
    ignore_end: bool = False

    @classmethod
    def greedy(cls, max_tokens: int = 1024) -> Sampling:
        return cls(temperature=0.0, top_k=0, top_p=1.0, max_tokens=max_tokens)

    def merged(self, values: dict[str, object]) -> Sampling:
        """A copy with the known keys of `values` (as in generation_config.json) put in."""
        known = {f.name for f in fields(self)}
        kept = {k: v for k, v in values.items() if k in known and v is not None}
        return type(self)(**{**{n: getattr(self, n) for n in known}, **kept})
