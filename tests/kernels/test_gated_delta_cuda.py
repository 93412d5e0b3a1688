"""The CUDA entry of the delta rule against the same reference; needs a device and FLA."""

from __future__ import annotations

import pytest
import torch

from kernels import reference

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device"),
]


class TestCuda:
    def test_scan_and_step_follow_the_reference(self, draw, tokens, repeat):
        from kernels.gated_delta_cuda import gated_delta_scan, gated_delta_step

        heads = 2 * repeat
        q, k = draw(tokens + 1, 2, 64).bfloat16(), draw(tokens + 1, 2, 64).bfloat16()
        v = draw(tokens + 1, heads, 64).bfloat16()
        log_decay, beta = -0.1 * draw(tokens + 1, heads).abs(), draw(tokens + 1, heads).sigmoid()
        state = draw(heads, 64, 64)
        expected, final = reference.gated_delta(q, k, v, log_decay, beta, state)
        moved = state.cuda()
        given = [x.cuda() for x in (q, k, v, log_decay, beta)]
        found = gated_delta_scan(*(x[:tokens] for x in given), moved)
        row = gated_delta_step(
            torch.stack((q[-1], k[-1])).float().cuda(),
            v[-1].float().cuda(),
            log_decay[-1].exp().unsqueeze(1).cuda(),
            beta[-1].unsqueeze(1).cuda(),
            moved,
        )
        out = torch.cat((found, row.unsqueeze(0))).cpu()
        assert (out - expected).norm() <= 1e-2 * expected.norm()
        assert (moved.cpu() - final).norm() <= 1e-2 * final.norm()
