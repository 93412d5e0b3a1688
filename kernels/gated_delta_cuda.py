"""The gated delta rule on CUDA, by flash-linear-attention's Triton kernels.

Same signatures as `kernels.gated_delta`. The library is imported on first use: it takes seconds,
and without a CUDA driver its chunk kernel cannot run.
"""

from __future__ import annotations

from torch import Tensor


def gated_delta_scan(
    q: Tensor, k: Tensor, v: Tensor, log_decay: Tensor, beta: Tensor, state: Tensor
) -> Tensor:
    """As `kernels.gated_delta.gated_delta_scan`; q, k, v float16 or bfloat16 run fastest."""
    from fla.ops.gated_delta_rule import chunk_gated_delta_rule

    out, final = chunk_gated_delta_rule(
        q.unsqueeze(0),
        k.unsqueeze(0),
        v.unsqueeze(0),
        g=log_decay.unsqueeze(0),
        beta=beta.unsqueeze(0),
        scale=q.shape[-1] ** -0.5,
        initial_state=state.unsqueeze(0),
        output_final_state=True,
        use_qk_l2norm_in_kernel=True,
    )
    state.copy_(final[0])
    return out[0].float()  # type: ignore[no-any-return]


def gated_delta_step(qk: Tensor, v: Tensor, decay: Tensor, beta: Tensor, state: Tensor) -> Tensor:
    """As `kernels.gated_delta.gated_delta_step`."""
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
