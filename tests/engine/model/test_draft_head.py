"""The draft head against transformers' own layer, and where its files come from."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from gguf import GGMLQuantizationType as Kind
from safetensors.torch import load_file
from torch import Tensor

from engine.model.hybrid import HybridModel
from engine.model.inspect import inspect_model
from engine.model.random_checkpoint import random_checkpoint
from kernels.native.library import library
from kernels.step_ops import TORCH
from tests.engine.model.conftest import (
    Case,
    Load,
    NetworkOf,
    fuse_experts,
)
from tests.gguf_files import floats, quantised, write_checkpoint

pytestmark = pytest.mark.skipif(library() is None, reason="the kernels in C are not compiled")

# In three pieces, with the state kept inside the second.
CUTS = (1, 70, 130)
SCATTERED = ((300, 40), (20, 30), (400, 500))


def written(case: Case, folder: Path, dtype: torch.dtype = torch.float32) -> Path:
    random_checkpoint(
        folder, case.config(), 11, dtype, case.files, fused=case.fused, draft_head=True
    )
    return folder


class Read:
    """A sequence that the model has read in pieces, on planes of its own."""

    def __init__(self, model: HybridModel, ids: Tensor, cuts: tuple[int, ...] = CUTS) -> None:
        self.model, self.ids = model, ids
        self.kv, self.states = model.make_kv_plane(1000), model.make_state_plane(2)
        for part in self.kv.parts:
            part.fill_(float("nan"))
        self.rows = [torch.zeros(model.config.hidden_size, dtype=model.dtype)]
        for start, end in zip((0, *cuts), (*cuts, len(ids)), strict=True):
            model.forward(
                ids[start:end], start, self.kv, self.extents(end), self.states, 0, write_from=start
            )
            self.rows.append(self.states.hidden[0].clone())

    def extents(self, end: int) -> list[tuple[int, int]]:
        found = []
        for first, length in SCATTERED:
            found.append((first, min(length, end)))
            end -= found[-1][1]
            if not end:
                break
        return found

    def chain(self, token: int, count: int) -> list[tuple[int, float]]:
        """Tokens drafted after the whole sequence and `token`."""
        row, found = self.rows[-1], []
        for at in range(len(self.ids), len(self.ids) + count):
            where = self.extents(at + 1)
            run = self.model.head_run(at, 1, self.kv, where, self.states)
            assert self.model.draft_head is not None
            row, token, chance = self.model.draft_head.draft(
                torch.tensor([token]), row.unsqueeze(0), run
            )
            found.append((token, chance))
        return found


def expected(
    folder: Path, case: Case, network_of: NetworkOf, hidden: Tensor, ids: list[int], count: int
) -> list[tuple[int, float]]:
    """The same by transformers' own layer. hidden: final rows before each of ids[1:], [n, hidden].

    What it drafts goes on with its own rows.
    """
    text = {**case.config().get("text_config", case.config())}
    text |= {"num_hidden_layers": 1, "layer_types": ["full_attention"], "mlp_only_layers": []}
    text |= {"tie_word_embeddings": True, "decoder_sparse_step": 1}
    stored: dict[str, Tensor] = {}
    for file in folder.glob("*.safetensors"):
        stored.update(load_file(file))
    plain = {name.replace("model.language_model.", "model."): t for name, t in stored.items()}
    named = fuse_experts(plain)
    network: Any = network_of(text)
    own = {
        name.replace("mtp.", "model."): t
        for name, t in named.items()
        if name.startswith(("mtp.layers", "mtp.norm"))
    }
    own["model.embed_tokens.weight"] = named["model.embed_tokens.weight"]
    missing, unexpected = network.load_state_dict(own, strict=False)
    assert not unexpected
    assert set(missing) <= {"lm_head.weight"}
    network = network.float()
    head = named.get("lm_head.weight", named["model.embed_tokens.weight"]).float()

    def norm(x: Tensor, name: str) -> Tensor:
        scale = 1 + named[f"mtp.pre_fc_norm_{name}.weight"].float()
        mean = x.square().mean(-1, keepdim=True) + float(text["rms_norm_eps"])
        return x * mean.rsqrt() * scale

    rows, tokens, drafted = hidden.float(), list(ids), []
    for _ in range(count):
        embedded = named["model.embed_tokens.weight"].float()[torch.tensor(tokens[1:])]
        mixed = torch.cat((norm(embedded, "embedding"), norm(rows, "hidden")), 1)
        mixed = mixed @ named["mtp.fc.weight"].float().T
        with torch.inference_mode():
            after = network.model(inputs_embeds=mixed[None], use_cache=False).last_hidden_state[0]
        logits = after[-1] @ head.T
        drafted.append((int(logits.argmax()), float(logits.softmax(0).max())))
        rows = torch.cat((rows, after[-1:]))
        tokens.append(drafted[-1][0])
    return drafted


def same(found: list[tuple[int, float]], wanted: list[tuple[int, float]], apart: float) -> None:
    assert [token for token, _ in found] == [token for token, _ in wanted]
    assert [c for _, c in found] == pytest.approx([c for _, c in wanted], rel=apart)


def as_on_device(model: HybridModel, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the model run without the C kernels, by a device's operations in PyTorch."""
    model.step_ops = TORCH
    model._kernels = replace(model._kernels, fuses=False)
    monkeypatch.setattr("kernels.matmul.matrix.fields_of", lambda matrix: None)


@pytest.mark.parametrize("device", [False, True], ids=["cpu", "device"])
def test_every_family(
    case: Case,
    device: bool,
    network_of: NetworkOf,
    load: Load,
    ids: Tensor,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    model = load(written(case, tmp_path))
    if device:
        as_on_device(model, monkeypatch)
    if not model.runs_apart:
        return
    read = Read(model, ids)
    # The final row after every position, each by the same model alone.
    rows = torch.stack([Read(model, ids[:at], ()).rows[-1] for at in range(1, len(ids) + 1)])
    wanted = expected(tmp_path, case, network_of, rows, [*ids.tolist(), 17], 4)
    same(read.chain(17, 4), wanted, 1e-3)


def test_where_files_have_none(case: Case, load: Load, model_folder: Any) -> None:
    model = load(model_folder(case))
    assert model.draft_head is None
    assert len(model.make_kv_plane(1).k) == model.config.full_layers


BASE_CASE = Case("base", {})
UNTIED = Case("values_1x_untied", {"linear_num_value_heads": 2, "tie_word_embeddings": False})
WIDE_CASE = Case("wide", {"hidden_size": 128, "intermediate_size": 160, "head_dim": 64})


class TestFormats:
    @pytest.mark.parametrize("case", [BASE_CASE, UNTIED], ids=lambda case: case.name)
    def test_a_gguf_file_drafts_as_the_folder_does(
        self, case: Case, load: Load, ids: Tensor, tmp_path: Path
    ) -> None:
        folder, path = written(case, tmp_path / "folder"), tmp_path / "model.gguf"
        write_checkpoint(folder, path)
        assert Read(load(path), ids).chain(17, 4) == Read(load(folder), ids).chain(17, 4)

    @pytest.mark.parametrize("kind", [Kind.Q8_0, Kind.BF16], ids=lambda kind: kind.name)
    def test_in_blocks_it_drafts_nearly_the_same(
        self, kind: Kind, load: Load, ids: Tensor, tmp_path: Path
    ) -> None:
        folder, path = written(WIDE_CASE, tmp_path / "folder"), tmp_path / "model.gguf"
        write_checkpoint(folder, path, floats(kind) if kind == Kind.BF16 else quantised(kind))
        model = load(path)
        assert model.draft_head is not None
        near(Read(model, ids).chain(17, 1), Read(load(folder), ids).chain(17, 1))

    @pytest.mark.parametrize("weights", ["int8", "int4"])
    def test_rounded(self, weights: str, load: Load, ids: Tensor, tmp_path: Path) -> None:
        folder = written(WIDE_CASE, tmp_path / "folder")
        packed = tmp_path / "packed"
        first = load(folder, weights=weights, packed=packed)
        found = Read(first, ids).chain(17, 1)
        if weights == "int8":
            near(found, Read(load(folder), ids).chain(17, 1))
        again = load(folder, weights=weights, packed=packed)
        assert Read(again, ids).chain(17, 1) == found, "as saved"

    def test_it_is_part_of_what_a_model_takes(self, load: Load, tmp_path: Path) -> None:
        bare = tmp_path / "bare"
        random_checkpoint(bare, BASE_CASE.config(), 11, torch.float32)
        folder = written(BASE_CASE, tmp_path / "folder")
        without, with_ = load(bare), load(folder)
        assert with_.weight_bytes > without.weight_bytes
        assert with_.kv_slot_bytes() == 2 * without.kv_slot_bytes(), (
            "one full layer, and the head's"
        )
        assert with_.numerics != without.numerics
        assert not any("multi-token" in note for note in with_.notes)
        one, other = inspect_model(folder), inspect_model(bare)
        assert not one.unused
        assert one.formats[0].kv_token_bytes == with_.kv_slot_bytes()
        assert one.formats[0].weight_bytes - other.formats[0].weight_bytes > 0

    def test_a_head_of_another_kind_is_left(self, load: Load, tmp_path: Path) -> None:
        from safetensors.torch import save_file

        folder = written(BASE_CASE, tmp_path)
        file = folder / "model.safetensors"
        tensors = load_file(file)
        save_file(tensors | {"mtp.fc_hidden.weight": torch.ones(2, 2)}, file)
        model = load(folder)
        assert model.draft_head is None
        assert any("multi-token prediction" in note for note in model.notes)


class TestWhatIsRead:
    """The head's keys and values are the same whichever way a sequence was read."""

    def test_in_pieces(self, load: Load, ids: Tensor, tmp_path: Path) -> None:
        model = load(written(BASE_CASE, tmp_path))
        whole, pieces = Read(model, ids, ()), Read(model, ids)
        one, other = (entries(read, len(ids)) for read in (whole, pieces))
        assert torch.allclose(one, other, atol=1e-5)

    def test_where_a_checkpoint_was_kept_inside_a_pass(
        self, load: Load, ids: Tensor, tmp_path: Path
    ) -> None:
        model = load(written(BASE_CASE, tmp_path))
        whole, other = Read(model, ids, ()), Read(model, ids[:1], ())
        other.states.zero(0)
        where = other.extents(100)
        model.forward(
            ids[:100], 0, other.kv, where, other.states, 0, write_from=0, scan_splits=[(64, 1)]
        )
        other.states.copy(1, 0)
        where = other.extents(200)
        model.forward(ids[64:], 64, other.kv, where, other.states, 0, write_from=64)
        assert torch.allclose(entries(whole, 200), entries(other, 200), atol=1e-5)

    def test_decoded_tokens_afterwards(self, load: Load, ids: Tensor, tmp_path: Path) -> None:
        model = load(written(BASE_CASE, tmp_path))
        whole, decoded = Read(model, ids[:130], ()), Read(model, ids[:120], ())
        rows = decoded.rows[-1:]
        for at in range(120, 130):
            where = decoded.extents(at + 1)
            model.forward(
                ids[at : at + 1], at, decoded.kv, where, decoded.states, 0,
                write_from=at, enters=False,
            )  # fmt: skip
            rows.append(decoded.states.hidden[0].clone())
        where = decoded.extents(130)
        before = torch.stack(rows[:-1])
        run = model.head_run(120, 10, decoded.kv, where, decoded.states)
        assert model.draft_head is not None
        model.draft_head.enter(ids[120:130], before, run)
        assert torch.allclose(entries(whole, 130), entries(decoded, 130), atol=1e-5)


def entries(read: Read, count: int) -> Tensor:
    """The head's keys and values of positions from 1 on."""
    last = read.model.config.full_layers
    slots = torch.cat([torch.arange(f, f + n) for f, n in read.extents(count)])[1:]
    found = torch.stack((read.kv.k[last][:, slots], read.kv.v[last][:, slots]))
    assert found.isfinite().all()
    return found


def near(found: list[tuple[int, float]], wanted: list[tuple[int, float]]) -> None:
    for (_, one), (_, other) in zip(found, wanted, strict=True):
        assert one == pytest.approx(other, rel=0.3)


class TestVocabulary:
    @pytest.mark.parametrize("device", [False, True], ids=["cpu", "device"])
    @torch.inference_mode()
    def test_of_a_large_one_the_frequent_and_what_was_seen(
        self, device: bool, load: Load, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("engine.model.draft_head.FREQUENT", 128)
        monkeypatch.setattr("engine.model.draft_head.SEEN", 20)
        model = load(written(BASE_CASE, tmp_path))
        if device:
            as_on_device(model, monkeypatch)
        assert model.draft_head is not None
        words = model.draft_head._words
        row = torch.randn(64, generator=torch.Generator().manual_seed(4))
        table = model.embedding.rows(torch.arange(320))

        def best(ids: list[int]) -> int:
            return ids[int((table[ids] @ row).argmax())]

        assert words.likeliest(row)[0] == best(list(range(128)))
        seen = [int(at) for at in torch.randperm(192, generator=torch.Generator().manual_seed(1))]
        for first in range(0, 60, 7):
            words.saw([128 + at for at in seen[first : first + 7]] + [5, 128 + seen[first]])
        known = [128 + at for at in seen[:63]][-20:]
        assert words.likeliest(row)[0] == best([*range(128), *known])
        for token in known:
            assert words.likeliest(50 * table[token] / table[token].norm())[0] == token
