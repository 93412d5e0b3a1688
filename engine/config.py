"""User settings: the engine's configuration and the sampling of one request."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Literal

from engine.errors import CacheError, PromptError
from engine.field_check import MOST, FieldCheck, is_whole

Mode = Literal["fast", "exact"]
DraftSources = Literal["auto", "text", "off"]
StateFormat = Literal["none", "bfloat16", "int8"]
WeightFormat = Literal["stored", "int8", "int4"]
DEVICES = ("auto", "cpu", "cuda")
DTYPE_NAMES = ("auto", "float32", "bfloat16", "float16")
MODES = ("fast", "exact")
POLICY_NAMES = ("coverage", "flops", "lru")
DRAFT_SOURCES = ("auto", "text", "off")
STATE_FORMATS = ("none", "bfloat16", "int8")
WEIGHT_FORMATS = ("stored", "int8", "int4")
INTERVAL_STEP = 64
# More threads would only wait for one another, and far too many crash the process.
MOST_THREADS = 1024
MOST_SCORES = 20
# With the person's own, as many rows as one pass may have.
MOST_PARALLEL = 15
_NO_GRAMMAR = "a string, and empty beside ignore_end or min_tokens"


@dataclass(frozen=True, slots=True)
class EngineConfig:
    """How an engine is opened; every field has a default and is checked on creation.

    Attributes:
        device: "auto", "cpu" or "cuda".
        dtype: "auto" (the checkpoint's own), "float32", "bfloat16" or "float16".
        weights: "stored" (as in the checkpoint), "int8" or "int4": made once at load and saved next
        to the cache files.
        expert_bytes: memory for the routed experts of a mixture; the rest are mapped from the files
        and read when needed. 0 keeps all of them.
        mode: "fast" resumes from every checkpoint; "exact" only where logits stay bit-equal.
        interval: most prompt tokens between two checkpoints, a multiple of 64; 0 takes none.
        decode_interval: decoded tokens between two checkpoints; 0 takes none.
        policy: the eviction policy, one of POLICY_NAMES.
        cache_bytes: budget of both planes on the device; 0 derives it from the available memory.
        state_share: share of the budget for the state plane, 0 to 1; 0 turns the plane off.
        rebalance: adjust that share to what requests lost for lack of either plane.
        context: longest sequence in tokens; 0 takes the model's own, limited by the KV plane.
        host_bytes: budget of the host tier, which keeps what the device evicts; 0 disables it.
        disk_bytes: budget of the disk tier, which survives a restart; 0 disables it.
        cache_dir: folder of the disk tier; None disables it.
        compression: format of the states on host and disk, "none", "bfloat16" or "int8"; KV and
            the live state are never compressed, and exact mode uses no compressed state.
        drafts: tokens that are checked together because they are likely to follow: "auto" takes
            them from the conversation and from everything cached, "text" from the conversation
            alone, "off" takes none. The text of an answer is the same with all three.
        parallel: requests that run at once, at most 15; one of the window's may run besides, unless
            it is 1. Each has a live state of its own, in a slot of the state plane.
        background_audit: while idle, run a resumed prompt cold and compare.
        threads: CPU threads, at most 1,024; 0 takes the physical cores.
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
    drafts: DraftSources = "auto"
    parallel: int = 4
    background_audit: bool = False
    threads: int = 0

    def __post_init__(self) -> None:
        """Raises CacheError naming the field, its value and what it must be."""
        check = FieldCheck(self, CacheError)
        for name, known in (
            ("device", DEVICES),
            ("dtype", DTYPE_NAMES),
            ("weights", WEIGHT_FORMATS),
            ("mode", MODES),
            ("policy", POLICY_NAMES),
            ("compression", STATE_FORMATS),
            ("drafts", DRAFT_SOURCES),
        ):
            check.choice(name, known)
        check.whole(
            "decode_interval", "expert_bytes", "cache_bytes", "host_bytes", "disk_bytes", "context"
        )
        check.that("interval", _is_interval, f"a multiple of {INTERVAL_STEP}, or 0")
        check.whole("threads", most=MOST_THREADS)
        check.whole("parallel", least=1, most=MOST_PARALLEL)
        check.number("state_share", least=0, most=1, below=True)
        check.flag("rebalance", "background_audit")
        check.that("cache_dir", _is_path, "a pathlib.Path, or None")


@dataclass(frozen=True, slots=True)
class Sampling:
    """How the next token is chosen; every field is checked on creation.

    Attributes:
        temperature: 0 is greedy; at most 100.
        top_k: keep the k likeliest tokens; 0 keeps all.
        top_p: keep the smallest set whose probability reaches p; 1 keeps all.
        min_p: drop tokens below this share of the likeliest one; 0 keeps all.
        repetition_penalty: divides positive and multiplies negative logits of seen tokens;
            0.01 to 100.
        presence_penalty: subtracted from the logit of each token already generated, -100
            to 100.
        max_tokens: longest answer in tokens, at least 1.
        seed: of this request's random numbers; None picks one.
        stop: strings that end the answer and are not part of it.
        stop_ids: tokens that end the answer, besides the model's own end tokens.
        ignore_end: continue past the model's own end tokens (for benchmarks).
        frequency_penalty: subtracted once for each time that it was generated, -100 to 100.
        logit_bias: pairs of a token id and what is added to its logit; -100 rules it out.
        min_tokens: the answer does not end before.
        thinking_tokens: longest thinking, after which it is ended; 0 sets no limit.
        grammar: what the answer has to follow, thinking excepted: a grammar (engine.text.grammar)
            or the text of a JSON schema; "" for nothing. It decides where the answer ends, so
            neither ignore_end nor min_tokens can.
        scores: report each token's probability, and of so many of the likeliest; None: no.
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
    frequency_penalty: float = 0.0
    logit_bias: tuple[tuple[int, float], ...] = ()
    min_tokens: int = 0
    thinking_tokens: int = 0
    scores: int | None = None
    grammar: str = ""

    def __post_init__(self) -> None:
        """Raises PromptError naming the field, its value and what it must be."""
        check = FieldCheck(self, PromptError)
        check.number("temperature", least=0, most=100)
        check.whole("top_k", "thinking_tokens")
        check.number("top_p", "min_p", least=0, most=1)
        check.number("repetition_penalty", least=0.01, most=100)
        check.number("presence_penalty", "frequency_penalty", least=-100, most=100)
        check.that("logit_bias", _are_biases, "a tuple of (token id, number from -100 to 100)")
        check.whole("max_tokens", least=1)
        check.whole("min_tokens", most=self.max_tokens)
        check.that("seed", lambda v: v is None or is_whole(v), "a whole number, or None")
        check.that("stop", _are_texts, "a tuple of non-empty strings")
        check.that("stop_ids", _are_ids, "a tuple of token ids")
        check.flag("ignore_end")
        ends = self.ignore_end or self.min_tokens
        check.that("grammar", lambda v: isinstance(v, str) and not (v and ends), _NO_GRAMMAR)
        most = f"None, or a whole number from 0 to {MOST_SCORES}"
        check.that("scores", lambda v: v is None or (is_whole(v) and 0 <= v <= MOST_SCORES), most)

    @classmethod
    def greedy(cls, max_tokens: int = 1024) -> Sampling:
        return cls(temperature=0.0, top_k=0, top_p=1.0, max_tokens=max_tokens)

    def merged(self, values: dict[str, object]) -> Sampling:
        """A copy updated with the known keys of `values`. Raises PromptError like the class."""
        known = {f.name for f in fields(self)}
        kept = {k: v for k, v in values.items() if k in known and v is not None}
        return type(self)(**{**{n: getattr(self, n) for n in known}, **kept})


def _is_interval(value: object) -> bool:
    return is_whole(value) and 0 <= value <= MOST and not value % INTERVAL_STEP


def _is_path(value: object) -> bool:
    return value is None or (isinstance(value, Path) and "\0" not in str(value))


def _are_texts(value: object) -> bool:
    return isinstance(value, tuple) and all(isinstance(text, str) and text for text in value)


def _are_biases(value: object) -> bool:
    return isinstance(value, tuple) and all(
        isinstance(one, tuple)
        and len(one) == 2
        and is_whole(one[0])
        and one[0] >= 0
        and (is_whole(one[1]) or isinstance(one[1], float))
        and -100 <= one[1] <= 100
        for one in value
    )


def _are_ids(value: object) -> bool:
    return isinstance(value, tuple) and all(is_whole(i) and i >= 0 for i in value)
