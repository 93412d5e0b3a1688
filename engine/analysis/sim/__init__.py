"""Simulation without a model: workloads, the simulator, and an upper bound for any policy."""
