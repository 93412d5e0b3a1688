"""The CUDA entry point of the delta rule against the same reference; needs a device and FLA."""

from __future__ import annotations

import pytest
import torch

from kernels.causal_conv.plain import causal_conv
from kernels.gated_delta import plain as reference
from tests.kernels.conftest import Draw

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device"),
]


class TestCuda:
    def test_many_tokens_and_one_follow_the_reference(
        self, draw: Draw, tokens: int, repeat: int
    ) -> None:
        from kernels.gated_delta.cuda import conv_delta, gated_delta_step

        heads = 2 * repeat
        channels = (4 + heads) * 64
        x, window, taps = draw(tokens, channels).bfloat16(), draw(3, channels), draw(4, channels)
        log_decay, beta = -0.1 * draw(tokens + 1, heads).abs(), draw(tokens + 1, heads).sigmoid()
        state = draw(heads, 64, 64)
        convolved, _ = causal_conv(x, window.bfloat16(), taps)
        q, k, v = convolved.split_with_sizes((128, 128, heads * 64), -1)
        q, k, v = q.view(tokens, 2, 64), k.view(tokens, 2, 64), v.view(tokens, heads, 64)
        row = draw(2, 2, 64), draw(heads, 64)
        expected, final = reference.gated_delta(
            torch.cat((q, row[0][:1])),
            torch.cat((k, row[0][1:])),
            torch.cat((v, row[1][None])),
            log_decay,
            beta,
            state,
        )
        moved = state.cuda()
        given = (x, window.bfloat16(), taps, log_decay[:tokens], beta[:tokens], moved)
        found = conv_delta(*(part.cuda() for part in given))
        last = gated_delta_step(
            row[0].cuda(),
            row[1].cuda(),
            log_decay[-1].exp().unsqueeze(1).cuda(),
            beta[-1].unsqueeze(1).cuda(),
            moved,
        )
        out = torch.cat((found.float(), last.unsqueeze(0))).cpu()
        assert (out - expected).norm() <= 2e-2 * expected.norm()
        assert (moved.cpu() - final).norm() <= 2e-2 * final.norm()
