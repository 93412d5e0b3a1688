"""Counters as the servers document them, written by us: names and types, not a recording."""

from __future__ import annotations

VLLM = b"""\
# HELP vllm:num_requests_running Number of requests in model execution batches.
# TYPE vllm:num_requests_running gauge
vllm:num_requests_running{engine="0",model_name="m"} 2.0
vllm:num_requests_running{engine="1",model_name="m"} 1.0
# TYPE vllm:num_requests_waiting gauge
vllm:num_requests_waiting{engine="0",model_name="m"} 0.0
# TYPE vllm:kv_cache_usage_perc gauge
vllm:kv_cache_usage_perc{engine="0",model_name="a {strange} \\"name\\""} 0.25
vllm:kv_cache_usage_perc{engine="1",model_name="m"} 0.75
# TYPE vllm:prefix_cache_queries counter
vllm:prefix_cache_queries_total{engine="0",model_name="m"} 1000.0
vllm:prefix_cache_queries_created{engine="0",model_name="m"} 1.7e+09
# TYPE vllm:prefix_cache_hits counter
vllm:prefix_cache_hits_total{engine="0",model_name="m"} 600.0
# TYPE vllm:num_preemptions counter
vllm:num_preemptions_total{engine="0",model_name="m"} 4.0
# TYPE vllm:prompt_tokens counter
vllm:prompt_tokens_total{engine="0",model_name="m"} 1000.0
# TYPE vllm:generation_tokens counter
vllm:generation_tokens_total{engine="0",model_name="m"} 50.0
# TYPE vllm:cache_config_info gauge
vllm:cache_config_info{block_size="16",num_gpu_blocks="None"} 1.0
# TYPE vllm:time_to_first_token_seconds histogram
vllm:time_to_first_token_seconds_bucket{le="+Inf",model_name="m"} 3.0
"""

VLLM_LATER = (
    VLLM.replace(b"queries_total{engine", b"queries_total{e")
    .replace(b"} 1000.0", b"} 3000.0")
    .replace(b"} 600.0", b"} 2100.0")
    .replace(b"} 50.0", b"} 90.0")
)

SGLANG = b"""\
# HELP sglang:token_usage The token usage
# TYPE sglang:token_usage gauge
sglang:token_usage{model_name="m"} 0.5
sglang:full_token_usage{model_name="m"} 0.28
sglang:cache_hit_rate{model_name="m"} 0.75
sglang:num_running_reqs{model_name="m"} 3.0
sglang:num_queue_reqs{model_name="m"} 1.0
sglang:mamba_usage{model_name="m"} 0.9
sglang:mamba_used_tokens{model_name="m"} 58.0
sglang:mamba_available_tokens{model_name="m"} 6.0
sglang:mamba_evictable_tokens{model_name="m"} 40.0
sglang:kv_used_tokens{model_name="m"} 12000.0
sglang:kv_evictable_tokens{model_name="m"} 9000.0
sglang:swa_token_usage{model_name="m"} 0.0
sglang:hicache_host_used_tokens{model_name="m"} 4096.0
sglang:spec_accept_length{model_name="m"} 2.5
# TYPE sglang:cached_tokens_total counter
sglang:cached_tokens_total{model_name="m"} 8000.0
# TYPE sglang:prompt_tokens_total counter
sglang:prompt_tokens_total{model_name="m"} 9000.0
# TYPE sglang:generation_tokens_total counter
sglang:generation_tokens_total{model_name="m"} 100.0
"""

LLAMA = b"""\
# HELP llamacpp:prompt_tokens_total Number of prompt tokens processed.
# TYPE llamacpp:prompt_tokens_total counter
llamacpp:prompt_tokens_total 62
# TYPE llamacpp:tokens_predicted_total counter
llamacpp:tokens_predicted_total 24
# TYPE llamacpp:n_tokens_max counter
llamacpp:n_tokens_max 86
# TYPE llamacpp:prompt_tokens_seconds gauge
llamacpp:prompt_tokens_seconds 410.1
# TYPE llamacpp:requests_processing gauge
llamacpp:requests_processing 1
# TYPE llamacpp:requests_deferred gauge
llamacpp:requests_deferred 0
"""
