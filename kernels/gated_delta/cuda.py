"""Convolution and gated delta rule on CUDA, the rule by flash-linear-attention's Triton kernels.

Same signatures as those on a CPU. The library is imported on first use: it takes seconds, and
without a CUDA driver its chunk kernel cannot run.
"""

from __future__ import annotations

from collections.abc import Sequence

from torch import Tensor

from kernels.gated_delta.rule import Rule, ScanSplit
from kernels.gated_delta.unfused import sweep as unfused_sweep


def sweep(
    rows: Tensor, rule: Rule, window: Tensor, state: Tensor, splits: Sequence[ScanSplit] = ()
) -> Tensor:
    """As `kernels.gated_delta.unfused.sweep`."""
    return unfused_sweep(conv_delta, rows, rule, window, state, splits)


def conv_delta(
    x: Tensor, window: Tensor, taps: Tensor, log_decay: Tensor, beta: Tensor, state: Tensor
) -> Tensor:
    """As `kernels.gated_delta.fused.conv_delta`; float16 and bfloat16 run fastest."""
    from fla.ops.gated_delta_rule import chunk_gated_delta_rule

    from kernels.causal_conv.triton import causal_conv

    heads, key_dim, value_dim = state.shape
    key_width = (x.shape[1] - heads * value_dim) // 2
    parts = causal_conv(x, window, taps).split_with_sizes(
        (key_width, key_width, heads * value_dim), dim=-1
    )
    q, k = (part.reshape(1, x.shape[0], -1, key_dim) for part in parts[:2])
    out, final = chunk_gated_delta_rule(
        q,
        k,
        parts[2].reshape(1, x.shape[0], heads, value_dim),
        g=log_decay.unsqueeze(0),
        beta=beta.unsqueeze(0),
        scale=key_dim**-0.5,
        initial_state=state.unsqueeze(0),
        output_final_state=True,
        use_qk_l2norm_in_kernel=True,
    )
    state.copy_(final[0])
    return out[0]  # type: ignore[no-any-return]


def gated_delta_step(qk: Tensor, v: Tensor, decay: Tensor, beta: Tensor, state: Tensor) -> Tensor:
    """As `kernels.gated_delta.fast.gated_delta_step`."""
    from fla.ops.gated_delta_rule import fused_recurrent_gated_delta_rule

    out, final = fused_recurrent_gated_delta_rule(
        qk[0].unsqueeze(0).unsqueeze(0),
        qk[1].unsqueeze(0).unsqueeze(0),
        v.unsqueeze(0).unsqueeze(0),
        g=decay.log().view(1, 1, -1),
        beta=beta.view(1, 1, -1),
        scale=qk.shape[-1] ** -0.5,
        initial_state=state.unsqueeze(0),
        output_final_state=True,
        use_qk_l2norm_in_kernel=True,
    )
    state.copy_(final[0])
    return out[0, 0].float()  # type: ignore[no-any-return]
