"""The hybrid language model: its configuration, weights, layers and forward pass."""
