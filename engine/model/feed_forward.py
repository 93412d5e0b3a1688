"""The feed-forward layers in config.json: which of them route, and to which experts."""

from __future__ import annotations

from dataclasses import dataclass

from engine.errors import ModelError
from engine.model.config_fields import ConfigFields

DENSE, SPARSE = "dense", "sparse"


@dataclass(frozen=True, slots=True)
class Experts:
    """The routed experts of a sparse feed-forward layer.

    Attributes:
        count: experts per layer; `per_token` of them run for a token.
        width: inner width of one; `shared_width`: of the expert that every token runs.
        normalised: the chosen experts' weights are scaled to sum to one.
        fused: the file holds one tensor for all experts of a layer.
    """

    count: int
    per_token: int
    width: int
    shared_width: int
    normalised: bool
    fused: bool


@dataclass(frozen=True, slots=True)
class FeedForward:
    """ "dense" or "sparse" for each layer, and the routed experts, if there are any."""

    types: tuple[str, ...]
    experts: Experts | None


def all_dense(fields: ConfigFields, layers: int) -> FeedForward:
    """No layer routes."""
    return FeedForward((DENSE,) * layers, None)


def all_sparse(fields: ConfigFields, layers: int) -> FeedForward:
    """Every layer routes, and the file holds one tensor for all experts of a layer."""
    return FeedForward((SPARSE,) * layers, _experts(fields, normalised=True, fused=True))


def some_sparse(fields: ConfigFields, layers: int) -> FeedForward:
    """Every n-th layer routes, except those listed; each expert has its own tensors."""
    experts = _experts(fields, normalised=fields.flag("norm_topk_prob"), fused=False)
    every = fields.size("decoder_sparse_step")
    kept = fields.values.get("mlp_only_layers") or []
    if not isinstance(kept, list) or not all(isinstance(i, int) for i in kept):
        raise ModelError(f'config.json: "mlp_only_layers" is {kept!r}; it must list layers.')
    dense = set(kept)
    types = tuple(DENSE if i in dense or (i + 1) % every else SPARSE for i in range(layers))
    return FeedForward(types, experts)


def _experts(fields: ConfigFields, *, normalised: bool, fused: bool) -> Experts:
    experts = Experts(
        count=fields.size("num_experts"),
        per_token=fields.size("num_experts_per_tok"),
        width=fields.size("moe_intermediate_size"),
        shared_width=fields.size("shared_expert_intermediate_size"),
        normalised=normalised,
        fused=fused,
    )
    if experts.per_token > experts.count:
        raise ModelError(
            f'config.json: "num_experts_per_tok" is {experts.per_token}, but there are only '
            f'{experts.count} ("num_experts").'
        )
    return experts
