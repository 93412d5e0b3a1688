"""The two-plane prefix cache: plain data in, plain data out; independent of the model."""

from engine.cache.cache import CheckpointRef, InsertResult, Lock, Match, TwoPlaneCache

__all__ = ["CheckpointRef", "InsertResult", "Lock", "Match", "TwoPlaneCache"]
