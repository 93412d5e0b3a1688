"""Running a request: where to cut it, the live sequence, prefill, decode, and the core."""
