"""The journal outside the cache: tape, mirror, and traces in files. Without a model."""
