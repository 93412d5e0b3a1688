"""Caches of remote engines, rebuilt from the KV events that they publish."""
