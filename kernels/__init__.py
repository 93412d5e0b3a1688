"""The operations of a hybrid model, one module each; `dispatch` chooses a version by device.

Tensors are token-major and without a batch dimension: `[tokens, heads, dim]`.
"""
