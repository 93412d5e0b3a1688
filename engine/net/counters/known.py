"""The known counters, and the track each belongs to. Names as the servers document them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

# "now": the current value; "rate": a counter, displayed per second; "share": its growth relative to
# that of another.
How = Literal["now", "rate", "share"]
# "parts": 0 to 1 of a whole.
Unit = Literal["parts", "tokens", "tokens/s", "requests", "slots", "times/s"]


@dataclass(frozen=True, slots=True)
class Track:
    """One line over time.

    Attributes:
        key: its name; the text that users read is in `app/core/words/counter_words.py`.
        names: of the samples, the newest spelling first; the first that exists is used.
        over: for a share, the names of the whole.
        plane: the plane of a hybrid model that it is about; "" for neither.
    """

    key: str
    how: How
    unit: Unit
    names: tuple[str, ...]
    over: tuple[str, ...] = ()
    plane: Literal["", "kv", "state"] = ""


def _counter(name: str) -> tuple[str, ...]:
    """Prometheus client libraries add a suffix to counters, which documents omit."""
    return (f"{name}_total", name)


TRACKS: tuple[Track, ...] = (
    # vLLM
    Track(
        "kv in use",
        "now",
        "parts",
        ("vllm:kv_cache_usage_perc", "vllm:gpu_cache_usage_perc", "sglang:full_token_usage"),
        plane="kv",
    ),
    Track(
        "prefix hits",
        "share",
        "parts",
        _counter("vllm:prefix_cache_hits") + _counter("vllm:gpu_prefix_cache_hits"),
        _counter("vllm:prefix_cache_queries") + _counter("vllm:gpu_prefix_cache_queries"),
    ),
    Track(
        "outside hits",
        "share",
        "parts",
        _counter("vllm:external_prefix_cache_hits"),
        _counter("vllm:external_prefix_cache_queries"),
    ),
    Track(
        "preemptions",
        "rate",
        "times/s",
        _counter("vllm:num_preemptions"),
        plane="kv",
    ),
    # SGLang
    Track("tokens in use", "now", "parts", ("sglang:token_usage",), plane="kv"),
    Track("hit rate", "now", "parts", ("sglang:cache_hit_rate",)),
    Track(
        "cached tokens",
        "rate",
        "tokens/s",
        _counter("sglang:cached_tokens") + _counter("llamacpp:prompt_tokens_cached"),
    ),
    Track(
        "kv evictable",
        "now",
        "tokens",
        ("sglang:kv_evictable_tokens",),
        plane="kv",
    ),
    Track("kv used", "now", "tokens", ("sglang:kv_used_tokens",), plane="kv"),
    Track("mamba in use", "now", "parts", ("sglang:mamba_usage",), plane="state"),
    Track(
        "mamba used",
        "now",
        "slots",
        ("sglang:mamba_used_tokens",),
        plane="state",
    ),
    Track(
        "mamba evictable",
        "now",
        "slots",
        ("sglang:mamba_evictable_tokens",),
        plane="state",
    ),
    Track(
        "mamba free",
        "now",
        "slots",
        ("sglang:mamba_available_tokens",),
        plane="state",
    ),
    Track("swa in use", "now", "parts", ("sglang:swa_token_usage",)),
    Track("host", "now", "tokens", ("sglang:hicache_host_used_tokens",)),
    Track("accepted", "now", "tokens", ("sglang:spec_accept_length",)),
    # Reported by several of them
    Track(
        "prompt rate",
        "rate",
        "tokens/s",
        (
            *_counter("vllm:prompt_tokens"),
            *_counter("sglang:prompt_tokens"),
            *_counter("llamacpp:prompt_tokens"),
        ),
    ),
    Track(
        "answer rate",
        "rate",
        "tokens/s",
        (
            *_counter("vllm:generation_tokens"),
            *_counter("sglang:generation_tokens"),
            *_counter("llamacpp:tokens_predicted"),
        ),
    ),
    Track(
        "running",
        "now",
        "requests",
        ("vllm:num_requests_running", "sglang:num_running_reqs", "llamacpp:requests_processing"),
    ),
    Track(
        "waiting",
        "now",
        "requests",
        ("vllm:num_requests_waiting", "sglang:num_queue_reqs", "llamacpp:requests_deferred"),
    ),
    Track(
        "longest",
        "now",
        "tokens",
        ("llamacpp:n_tokens_max",),
    ),
    Track(
        "draft hits",
        "share",
        "parts",
        _counter("llamacpp:spec_decode_num_accepted_tokens"),
        _counter("llamacpp:spec_decode_num_draft_tokens"),
    ),
)
