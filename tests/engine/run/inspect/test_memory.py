"""What is said of entries and states equals what a naive forward finds, and what is stored."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from torch import Tensor

from engine.run.inspect.jobs import LAGS, WINDOW_TOKENS, StateRecorder
from engine.run.inspect.private_run import LinearInputs
from tests.engine.run.inspect.conftest import Subject
from tests.mostly_slow import mostly_slow

# Relative, in float32: chunks of the rule round otherwise than its steps.
BOUND = 2e-4
FIRST = 150 - WINDOW_TOKENS


def cosine(one: Tensor, other: Tensor) -> float:
    return float((one * other).sum() / (one.norm() * other.norm()))


class TestEntries:
    def test_norms_of_keys_and_values(self, subject: Subject) -> None:
        for layer in subject.full_layers():
            found = subject.memory(layer, 0).entries
            rows = subject.naive.full(layer)
            assert found is not None
            assert found.layer == layer
            for series, expected in ((found.keys, rows.k), (found.values, rows.v)):
                norms = expected[FIRST:].norm(dim=-1).T
                assert torch.tensor(series).shape == norms.shape
                assert torch.tensor(series).allclose(norms, rtol=BOUND)


class TestStates:
    def test_norms_gates_and_changes(self, subject: Subject) -> None:
        for layer in subject.linear_layers():
            reading, rows = subject.memory(3, layer), subject.naive.linear(layer)
            assert reading.state is not None
            assert (reading.total, reading.start, reading.state.layer) == (150, FIRST, layer)
            states = rows.states()
            for number, head in enumerate(reading.state.heads):
                own = [state[number] for state in states]
                norms = torch.stack([state.norm() for state in own])
                assert torch.tensor(head.norms).allclose(norms[FIRST:], rtol=BOUND)
                decays = rows.log_decay[FIRST:, number].exp()
                assert torch.tensor(head.decays).allclose(decays, rtol=BOUND, atol=1e-6)
                assert torch.tensor(head.rates).allclose(rows.beta[FIRST:, number], rtol=BOUND)
                changes = [
                    (own[t] - own[t - 1]).norm() / max(own[t].norm(), own[t - 1].norm())
                    for t in range(FIRST, 150)
                ]
                assert head.changes == pytest.approx(torch.stack(changes).tolist(), abs=1e-3)

    def test_likeness_to_earlier_states(self, subject: Subject) -> None:
        layer = subject.linear_layers()[-1]
        found, states = subject.memory(3, layer).state, subject.naive.linear(layer).states()
        assert found is not None
        assert found.lags == LAGS
        for lag, column in zip(LAGS, found.heads[1].likeness, strict=True):
            assert column[:lag] == (None,) * lag
            expected = [cosine(states[t][1], states[t - lag][1]) for t in range(FIRST + lag, 150)]
            assert column[lag:] == pytest.approx(expected, abs=1e-4)

    def test_values_read_back_with_their_keys(self, subject: Subject) -> None:
        layer = subject.linear_layers()[1]
        found, rows = subject.memory(3, layer).state, subject.naive.linear(layer)
        assert found is not None
        keys, states = rows.unit(rows.k), rows.states()
        for number, head in enumerate(found.heads):
            for t in (0, 1, 50, WINDOW_TOKENS - 1):
                state = states[FIRST + t][number]
                expected = [
                    cosine(keys[j, number] @ state, rows.v[j, number])
                    for j in range(FIRST, FIRST + t + 1)
                ]
                assert head.readback[t] == pytest.approx(expected, abs=1e-3)

    def test_pictures_are_the_state(self, subject: Subject) -> None:
        layer = subject.linear_layers()[0]
        found, states = subject.memory(3, layer).state, subject.naive.linear(layer).states()
        assert found is not None
        head, state = found.heads[0], states[-1][0].abs()
        cells = state.unflatten(0, (found.rows, -1)).unflatten(2, (found.columns, -1)).mean((1, 3))
        shown = torch.tensor(list(head.pictures[-1])).view(found.rows, found.columns)
        assert (shown * head.largest / 255).allclose(cells, atol=head.largest / 255)
        assert max(max(picture) for picture in (*head.pictures, *head.written)) == 255

    def test_the_first_token_is_all_of_the_state(self, subject: Subject) -> None:
        """From a sequence's beginning: its value is read back exactly."""
        reading = subject.memory(3, subject.linear_layers()[0], subject.ids[:40])
        assert reading.state is not None
        assert reading.start == 0
        for head in reading.state.heads:
            assert head.changes[0] == pytest.approx(1.0)
            assert abs(head.readback[0][0]) == pytest.approx(1.0, abs=1e-3)

    def test_the_last_state_is_the_one_that_the_engine_stores(self, subject: Subject) -> None:
        subject.engine.drop_cache()
        subject.engine.logits(subject.ids)
        stored = subject.engine.on_core(
            lambda core: [
                core.store.states.delta[node.checkpoint.slot].clone()
                for node in core.cache.reader.nodes()
                if node.checkpoint is not None and node.checkpoint.state.position == 150
            ]
        )
        assert len(stored) == 1
        for number, layer in enumerate(subject.linear_layers()):
            found = subject.memory(3, layer).state
            assert found is not None
            norms = stored[0][number].norm(dim=(1, 2)).tolist()
            assert [head.norms[-1] for head in found.heads] == pytest.approx(norms, rel=BOUND)

    def test_it_is_the_same_from_the_cache_as_cold(self, subject: Subject) -> None:
        layer = subject.linear_layers()[-1]
        subject.engine.drop_cache()
        cold = subject.memory(3, layer)
        # A checkpoint before the window, in the very sequence.
        subject.engine.logits(subject.ids[:20])
        subject.engine.logits(subject.ids)
        probed = subject.engine.probe(subject.ids[:FIRST])
        assert probed.reused == 20
        warm = subject.memory(3, layer)
        assert cold.state is not None
        assert warm.state is not None
        for one, other in zip(cold.state.heads, warm.state.heads, strict=True):
            assert one.norms == pytest.approx(other.norms, rel=BOUND)
            assert one.readback[-1] == pytest.approx(other.readback[-1], abs=1e-3)


class TestPlanted:
    """Each comparison above notices a state that is not the model's."""

    @pytest.mark.parametrize("field", mostly_slow(["state", "beta", "log_decay", "window", "x"]))
    def test_a_wrong_input_changes_the_series(
        self, subject: Subject, field: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        layer = subject.linear_layers()[0]
        right = subject.memory(3, layer).state
        take = StateRecorder.take

        def spoilt(self: StateRecorder, given: LinearInputs) -> object:
            rows = getattr(given, field)
            return take(self, replace(given, **{field: rows * 0.9 - 0.05}))

        monkeypatch.setattr(StateRecorder, "take", spoilt)
        wrong = subject.memory(3, layer).state
        assert right is not None
        assert wrong is not None
        apart = max(
            abs(a / b - 1)
            for one, other in zip(right.heads, wrong.heads, strict=True)
            for a, b in zip(one.norms, other.norms, strict=True)
        )
        assert apart > 10 * BOUND
