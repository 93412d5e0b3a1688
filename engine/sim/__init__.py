"""Runs without a model: workloads, the simulator, and what an all-knowing policy would do."""
