"""The training forward equals transformers, and its hand-written gradients equal autograd's."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from assets.demo.bundle import MODEL_FOLDER, load_network
from assets.demo.delta import delta_rule
from assets.demo.fused import CausalConvSilu, RmsScale, UnitScale
from assets.demo.generate import State, advance
from assets.demo.network import Network, initialise
from assets.demo.shape import Shape, config_json
from tests.mostly_slow import mostly_slow

SMALL = Shape(
    vocab=256,
    hidden=64,
    intermediate=96,
    layers=4,
    heads=2,
    kv_heads=1,
    head_dim=32,
    linear_key_heads=1,
    linear_value_heads=2,
    linear_key_dim=32,
    linear_value_dim=32,
)


def random_network(shape: Shape) -> Network:
    """A network whose every parameter, norms included, differs from its start value."""
    network = Network(shape)
    initialise(network, 1)
    torch.manual_seed(2)
    with torch.no_grad():
        for name, parameter in network.named_parameters():
            if "norm" in name:
                parameter.add_(torch.randn_like(parameter) * 0.1)
    return network


@pytest.mark.parametrize("tokens", mostly_slow([65, 1, 63, 64, 150]))
def test_forward_equals_transformers(tokens: int, monkeypatch: pytest.MonkeyPatch) -> None:
    # With fla importable, transformers would route to kernels that need a GPU.
    monkeypatch.setitem(sys.modules, "fla", None)
    from transformers.models.qwen3_5.configuration_qwen3_5 import Qwen3_5TextConfig
    from transformers.models.qwen3_5.modeling_qwen3_5 import Qwen3_5ForCausalLM

    network = random_network(SMALL)
    fields = {k: v for k, v in config_json(SMALL).items() if k != "architectures"}
    oracle = Qwen3_5ForCausalLM(Qwen3_5TextConfig(**(fields | {"dtype": "float32"}))).float().eval()
    missing = oracle.load_state_dict(network.state_dict(), strict=False)
    assert missing.missing_keys == ["lm_head.weight"]
    assert not missing.unexpected_keys
    oracle.tie_weights()
    ids = torch.randint(0, SMALL.vocab, (2, tokens))
    with torch.no_grad():
        expected = oracle(ids, use_cache=False).logits
        got = network.logits(network.hidden(ids, torch.float32))
    assert (got - expected).abs().max() <= 1e-4 * expected.abs().max()


@pytest.mark.slow
def test_generation_equals_the_forward() -> None:
    network = random_network(SMALL)
    ids = torch.randint(0, SMALL.vocab, (40,))
    state = State()
    advance(network, ids[:25].tolist(), state)
    for token in ids[25:].tolist():
        stepped = advance(network, [token], state)
    with torch.no_grad():
        whole = network.logits(network.hidden(ids[None], torch.float32)[0, -1])
    torch.testing.assert_close(stepped, whole, rtol=1e-4, atol=1e-4)


def plain_conv(x: Tensor, taps: Tensor) -> Tensor:
    return F.silu(F.conv1d(F.pad(x.mT, (3, 0)), taps[:, None], groups=taps.shape[0]).mT)


@pytest.mark.parametrize(
    ("ours", "plain", "shapes"),
    [
        (
            lambda x, w: RmsScale.apply(x, w, 1e-6),  # type: ignore[no-untyped-call]
            lambda x, w: x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-6) * w,
            [(2, 7, 8), (8,)],
        ),
        (
            lambda x: UnitScale.apply(x, 0.5),  # type: ignore[no-untyped-call]
            lambda x: x * torch.rsqrt(x.square().sum(-1, keepdim=True) + 1e-6) * 0.5,
            [(2, 7, 8)],
        ),
        (CausalConvSilu.apply, plain_conv, [(2, 7, 8), (8, 4)]),
    ],
    ids=["rms", "unit", "conv"],
)
def test_gradients_equal_autograd(
    ours: Callable[..., Tensor], plain: Callable[..., Tensor], shapes: list[tuple[int, ...]]
) -> None:
    torch.manual_seed(0)
    inputs = [torch.randn(shape, requires_grad=True) for shape in shapes]
    out, expected = ours(*inputs), plain(*inputs)
    torch.testing.assert_close(out, expected)
    grad = torch.randn_like(out)
    for a, b in zip(
        torch.autograd.grad(out, inputs, grad),
        torch.autograd.grad(expected, inputs, grad),
        strict=True,
    ):
        torch.testing.assert_close(a, b, rtol=1e-4, atol=1e-5)


def test_chunk_sizes_agree() -> None:
    torch.manual_seed(0)
    query, key = (F.normalize(torch.randn(1, 64, 1, 16), dim=-1) for _ in range(2))
    value, beta = torch.randn(1, 64, 2, 16), torch.rand(1, 64, 2)
    decay = -torch.rand(1, 64, 2)
    outs = [delta_rule(query, key, value, decay, beta, chunk) for chunk in (8, 16, 64)]
    torch.testing.assert_close(outs[0], outs[2], rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(outs[1], outs[2], rtol=1e-4, atol=1e-5)


def test_the_bundle_is_small_and_complete() -> None:
    files = {path.name: path.stat().st_size for path in MODEL_FOLDER.iterdir()}
    assert files.keys() >= {
        "config.json",
        "model.safetensors",
        "tokenizer.json",
        "tokenizer_config.json",
        "chat_template.jinja",
        "generation_config.json",
    }
    assert sum(files.values()) <= 16_000_000
    network = load_network(MODEL_FOLDER)
    assert all(bool(parameter.isfinite().all()) for parameter in network.parameters())
