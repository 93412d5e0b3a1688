"""How much of what is read comes from a needle: against naive attention and a removed value."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor

from engine.errors import PromptError
from engine.run.inspect import jobs
from engine.run.inspect.jobs import (
    MOST_NEEDLE,
    MOST_QUERIES,
    QUERIES_AFTER,
    NeedleInState,
    attention_mass,
)
from tests.engine.run.inspect.conftest import MakeSubject, Subject
from tests.engine.run.inspect.naive import LinearRows

# Of attention weights, which may be tiny.
CLOSE: dict[str, Any] = {"rel": 1e-3, "abs": 1e-7}
NEEDLES = [(0, 1), (3, 6), (70, 71), (147, 149)]


def naive_mass(subject: Subject, layer: int, needle: tuple[int, int], at: int) -> Tensor:
    """The attention mass on the needle by head, one product at a time."""
    rows = subject.naive.full(layer)
    _, heads, dim = rows.q.shape
    shared = heads // rows.k.shape[1]
    found = []
    for head in range(heads):
        scores = torch.stack(
            [rows.q[at, head] @ rows.k[j, head // shared] / dim**0.5 for j in range(at + 1)]
        )
        found.append(scores.softmax(0)[needle[0] : needle[1]].sum())
    return torch.stack(found)


def removed(rows: LinearRows, needle: tuple[int, int], at: int) -> tuple[Tensor, Tensor]:
    """The read-out, and what it lacks if the needle's values are zero: [heads, value_dim] each.

    The rule is linear in the values, so the difference is the needle's part to the last digit.
    """
    without = rows.v.clone()
    without[needle[0] : needle[1]] = 0
    query = rows.unit(rows.q)[at]
    whole, rest = (
        torch.einsum("hk,hkv->hv", query, states[at])
        for states in (rows.states(), rows.states(without))
    )
    return whole, whole - rest


class TestFullAttention:
    @pytest.mark.parametrize("needle", NEEDLES)
    def test_the_mass_on_the_needle(self, subject: Subject, needle: tuple[int, int]) -> None:
        reading = subject.recall(needle)
        assert reading.needle == needle
        for layer in subject.full_layers():
            found = reading.layers[layer]
            assert (found.layer, found.kind) == (layer, "full")
            for query in (0, reading.queries - 1):
                mass = naive_mass(subject, layer, needle, reading.first_query + query)
                shares = [head[query] for head in found.head_shares]
                assert shares == pytest.approx(mass.tolist(), **CLOSE)
                assert found.shares[query] == pytest.approx(float(mass.mean()), **CLOSE)

    def test_over_all_tokens_it_is_1(self, subject: Subject) -> None:
        reading = subject.recall((0, 16), 15, ids=subject.ids[:16])
        for layer in subject.full_layers():
            last = [head[-1] for head in reading.layers[layer].head_shares]
            assert last == pytest.approx([1.0] * len(last), abs=1e-5)


class TestLinearAttention:
    @pytest.mark.parametrize("needle", NEEDLES)
    def test_the_needles_part_of_the_read_out(
        self, subject: Subject, needle: tuple[int, int]
    ) -> None:
        reading = subject.recall(needle)
        for layer in subject.linear_layers():
            found, rows = reading.layers[layer], subject.naive.linear(layer)
            assert found.kind == "linear"
            at = reading.first_query + reading.queries - 1
            whole, part = removed(rows, needle, at)
            of_head = (part * whole).sum(-1) / whole.square().sum(-1)
            shares = [head[-1] for head in found.head_shares]
            assert shares == pytest.approx(of_head.tolist(), abs=2e-3, rel=2e-3)
            of_layer = float((part * whole).sum() / whole.square().sum())
            assert found.shares[-1] == pytest.approx(of_layer, abs=1e-3)

    def test_over_all_tokens_it_is_1(self, subject: Subject) -> None:
        reading = subject.recall((0, 16), 15, ids=subject.ids[:16])
        for layer in subject.linear_layers():
            last = [head[-1] for head in reading.layers[layer].head_shares]
            assert last == pytest.approx([1.0] * len(last), abs=1e-3)

    def test_the_answer_to_its_key(self, subject: Subject) -> None:
        needle = (70, 72)
        reading = subject.recall(needle, query=149)
        for layer in subject.linear_layers():
            rows = subject.naive.linear(layer)
            state, keys = rows.states()[-1], rows.unit(rows.k)
            read = torch.einsum("nhk,hkv->nhv", keys[70:72], state)
            expected = torch.cosine_similarity(read, rows.v[70:72], dim=-1).mean(0)
            answers = [head[-1] for head in reading.layers[layer].head_answers]
            assert answers == pytest.approx(expected.tolist(), abs=1e-3)
            assert reading.layers[layer].answers[-1] == pytest.approx(
                float(expected.mean()), abs=1e-3
            )


class TestMoments:
    @pytest.mark.parametrize("needle", [*NEEDLES, (146, 149), (147, 148)])
    def test_what_full_attention_reads_at_every_later_position(
        self, subject: Subject, needle: tuple[int, int]
    ) -> None:
        reading = subject.recall(needle)
        layers = subject.full_layers()
        expected = [
            float(torch.stack([naive_mass(subject, layer, needle, at) for layer in layers]).mean())
            for at in range(needle[1], len(subject.ids))
        ]
        assert reading.moments == pytest.approx(expected, **CLOSE)
        best = needle[1] + expected.index(max(expected))
        last = reading.first_query + reading.queries - 1
        assert last == min(best + QUERIES_AFTER, len(subject.ids) - 1)
        assert reading.first_query == max(needle[0], last + 1 - MOST_QUERIES)

    def test_after_the_last_token_there_are_none(self, subject: Subject) -> None:
        reading = subject.recall((149, 150))
        assert (reading.moments, reading.first_query, reading.queries) == ((), 149, 1)

    def test_one_who_asks_for_a_query_gets_that_one_alone(self, subject: Subject) -> None:
        assert subject.recall((3, 6), query=100).moments == ()


class TestQueries:
    def test_they_are_the_last_ones_up_to_the_one_asked_for(self, subject: Subject) -> None:
        reading = subject.recall((20, 21), query=100)
        assert (reading.first_query, reading.queries) == (100 - MOST_QUERIES + 1, MOST_QUERIES)
        layer = subject.full_layers()[0]
        mass = naive_mass(subject, layer, (20, 21), 100)
        assert reading.layers[layer].shares[-1] == pytest.approx(float(mass.mean()), **CLOSE)

    def test_the_needle_itself_is_the_first_one(self, subject: Subject) -> None:
        reading = subject.recall((140, 141), query=149)
        assert (reading.first_query, reading.queries) == (140, 10)
        again = subject.recall((140, 141), query=140)
        assert again.queries == 1
        for one, other in zip(reading.layers, again.layers, strict=True):
            assert one.shares[0] == pytest.approx(other.shares[0], abs=1e-3)

    def test_tokens_alone(self, subject: Subject) -> None:
        reading = subject.recall(None)
        assert (len(reading.texts), reading.total, reading.start) == (150, 150, 0)
        assert (reading.layers, reading.queries) == ((), 0)

    def test_a_needle_deep_in_the_cache(self, make_subject: MakeSubject) -> None:
        """From a checkpoint before it, as from the beginning."""
        subject = make_subject("tiny", 400)
        subject.engine.drop_cache()
        cold = subject.recall((350, 352), query=399)
        subject.engine.logits(subject.ids[:300])
        subject.engine.logits(subject.ids)
        warm = subject.recall((350, 352), query=399)
        for one, other in zip(cold.layers, warm.layers, strict=True):
            assert one.shares == pytest.approx(other.shares, abs=1e-3)

    @pytest.mark.parametrize(
        ("needle", "query", "why"),
        [
            ((150, 151), None, "no longer part"),
            ((5, 5), None, "no longer part"),
            ((-1, 3), None, "no longer part"),
            ((3, 4), 150, "no longer part"),
            ((3, 4 + MOST_NEEDLE), None, "at most"),
            ((50, 52), 50, "comes before the needle"),
        ],
    )
    def test_what_makes_no_sense_is_refused(
        self, subject: Subject, needle: tuple[int, int], query: int | None, why: str
    ) -> None:
        with pytest.raises(PromptError, match=why):
            subject.recall(needle, query)


class TestPlanted:
    def test_a_needle_that_nothing_erases_is_noticed(
        self, subject: Subject, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Without the erasing factor the parts no longer sum to 1."""
        whole = NeedleInState._pass

        def kept(self: NeedleInState, *rest: object) -> None:
            before = list(self._left)
            whole(self, *rest)  # type: ignore[arg-type]
            self._left[: len(before)] = before

        monkeypatch.setattr(NeedleInState, "_pass", kept)
        reading = subject.recall((0, 16), 15, ids=subject.ids[:16])
        worst = max(
            abs(head[-1] - 1.0)
            for layer in subject.linear_layers()
            for head in reading.layers[layer].head_shares
        )
        assert worst > 0.05

    def test_attention_that_sees_the_future_is_noticed(
        self, subject: Subject, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        # Some tokens hardly look at themselves: each layer notices it at one of these at least.
        queries = (20, 35, 50, 65, 80)
        right = [subject.recall((3, 6), query=query) for query in queries]
        monkeypatch.setattr(
            jobs,
            "attention_mass",
            lambda q, kv, at, first, needle: attention_mass(q, kv, at, first - 1, needle),
        )
        wrong = [subject.recall((3, 6), query=query) for query in queries]
        for layer in subject.full_layers():
            noticed = []
            for query, good, bad in zip(queries, right, wrong, strict=True):
                mass = naive_mass(subject, layer, (3, 6), query).tolist()
                shares = [[head[-1] for head in r.layers[layer].head_shares] for r in (good, bad)]
                assert shares[0] == pytest.approx(mass, **CLOSE)
                noticed.append(shares[1] != pytest.approx(mass, **CLOSE))
            assert any(noticed)
