"""The two-plane prefix cache: plain data in, plain data out; knows nothing of the model."""

from engine.cache.cache import CheckpointRef, InsertResult, Lock, Match, TwoPlaneCache
from engine.cache.cuts import CutPlan, chain_hashes, plan_cuts, tags_for

__all__ = [
    "CheckpointRef",
    "CutPlan",
    "InsertResult",
    "Lock",
    "Match",
    "TwoPlaneCache",
    "chain_hashes",
    "plan_cuts",
    "tags_for",
]
