"""Simulation without a model: workloads, the simulator, and the bound on an all-knowing policy."""
