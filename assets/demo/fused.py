"""Operations with hand-written gradients, which touch memory less often than autograd's own."""

from __future__ import annotations

from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor


class RmsScale(torch.autograd.Function):
    """`x / rms(x) * scale` over the last dimension, in x's dtype; `scale` [dim] float32."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, scale: Tensor, eps: float) -> Tensor:
        size = x.shape[-1]
        length = torch.linalg.vector_norm(x, dim=-1, keepdim=True, dtype=torch.float32)
        inverse = torch.rsqrt(length.square() / size + eps).to(x.dtype)
        normed = x * inverse
        ctx.save_for_backward(normed, inverse, scale)
        return normed * scale.to(x.dtype)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, Tensor, None]:
        normed, inverse, scale = ctx.saved_tensors
        product = grad * normed
        flat = product.reshape(-1, product.shape[-1])
        # The column sum as a matrix product: float32 accumulation without a float32 copy.
        by_scale = (flat.new_ones(1, flat.shape[0]) @ flat).squeeze(0).float()
        scaled = scale.to(grad.dtype)
        along = (product @ scaled).unsqueeze(-1) / product.shape[-1]
        inner = (grad * scaled).addcmul_(normed, along, value=-1).mul_(inverse)
        return inner, by_scale, None


class UnitScale(torch.autograd.Function):
    """`x / |x| * factor` over the last dimension, in x's dtype."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, factor: float) -> Tensor:
        length = torch.linalg.vector_norm(x, dim=-1, keepdim=True, dtype=torch.float32)
        inverse = torch.rsqrt(length.square() + 1e-6).to(x.dtype)
        normed = x * inverse
        ctx.save_for_backward(normed, inverse)
        ctx.factor = factor
        return normed * factor if factor != 1.0 else normed

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None]:
        normed, inverse = ctx.saved_tensors
        along = (grad * normed).sum(-1, keepdim=True)
        return torch.addcmul(grad, normed, along, value=-1).mul_(inverse * ctx.factor), None


class CausalConvSilu(torch.autograd.Function):
    """silu of a depthwise causal convolution: x [batch, tokens, channels], taps [channels, k]."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, taps: Tensor) -> Tensor:
        tokens, kernel = x.shape[1], taps.shape[1]
        columns = taps.to(x.dtype).t().contiguous()
        mixed = x * columns[-1]
        for back in range(1, kernel):
            mixed[:, back:].addcmul_(x[:, : tokens - back], columns[kernel - 1 - back])
        ctx.save_for_backward(x, columns, mixed)
        return F.silu(mixed)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, Tensor]:
        x, columns, mixed = ctx.saved_tensors
        tokens, kernel = x.shape[1], columns.shape[0]
        slope = torch.ops.aten.silu_backward(grad.contiguous(), mixed)
        by_x = slope * columns[-1]
        by_taps = torch.empty(kernel, x.shape[2], dtype=torch.float32)
        for back in range(kernel):
            if back:
                by_x[:, : tokens - back].addcmul_(slope[:, back:], columns[kernel - 1 - back])
            product = slope[:, back:] * x[:, : tokens - back]
            flat = product.view(-1, x.shape[2])
            by_taps[kernel - 1 - back] = (flat.new_ones(1, flat.shape[0]) @ flat).squeeze(0)
        return by_x, by_taps.t()
