"""The names of counters of engines elsewhere. Without Qt."""

from __future__ import annotations

from app.core.words.tr import tr

# By key of the track.
TITLES = {
    "kv in use": tr("KV cache in use"),
    "prefix hits": tr("Prompt tokens found in the cache"),
    "outside hits": tr("Found in a connected cache"),
    "preemptions": tr("Preemptions"),
    "tokens in use": tr("Token pool in use"),
    "hit rate": tr("Cache hit rate"),
    "cached tokens": tr("Tokens reused"),
    "kv evictable": tr("KV that may be evicted"),
    "kv used": tr("KV in use"),
    "mamba in use": tr("State slots in use"),
    "mamba used": tr("State slots used"),
    "mamba evictable": tr("States that may be evicted"),
    "mamba free": tr("State slots free"),
    "swa in use": tr("Sliding windows in use"),
    "host": tr("KV in host memory"),
    "accepted": tr("Accepted per draft"),
    "prompt rate": tr("Prompt tokens read"),
    "answer rate": tr("Tokens written"),
    "running": tr("Requests running"),
    "waiting": tr("Requests waiting"),
    "longest": tr("Longest sequence so far"),
    "draft hits": tr("Drafts accepted"),
}
