"""Damaged GGUF files of whole models: a sentence each, no crash, no growth.

Three hundred drawn ones beside those made by hand in tests/engine/gguf/test_header.py.
"""

from __future__ import annotations

import random
import struct
import tracemalloc
from collections import Counter
from pathlib import Path

import pytest

from engine.bench.random_model import TEMPLATE
from engine.errors import ModelError
from engine.gguf.file import read_gguf
from engine.gguf.header import read_header
from engine.model.config import read_config
from engine.model.gguf_store import GgufStore
from engine.model.loader import body_shapes
from engine.text.model_files import read_text_files
from tests.engine.model.conftest import CaseNamed, ModelFolder
from tests.gguf_files import converted, metadata, tokenizer_facts, write

SEED, CASES = 20, 300
EXTREMES = (0, 1, 2**31 - 1, 2**32 - 1, 2**32, 2**62, 2**63 - 1, 2**63, 2**64 - 1)


def opened(path: Path) -> None:
    """Everything that is read of a file before its weights."""
    config = read_config(path)
    GgufStore(read_gguf(path), config).check(body_shapes(config))
    read_text_files(path)


def damaged(raw: bytes, data: int, draw: random.Random) -> tuple[str, bytes]:
    """What was done to a file, and the file. data: where its tensors' numbers begin."""
    made = bytearray(raw)
    at = draw.randrange(data)
    kind = draw.choice(("bit", "bytes", "number", "cut", "hole", "doubled", "swapped"))
    match kind:
        case "bit":
            for _ in range(draw.randint(1, 8)):
                made[draw.randrange(data)] ^= 1 << draw.randrange(8)
        case "bytes":
            made[at : at + draw.randint(1, 64)] = draw.randbytes(draw.randint(1, 64))
        case "number":
            made[at : at + 8] = struct.pack("<Q", draw.choice(EXTREMES))
        case "cut":
            del made[draw.choice((at, draw.randrange(len(made)))) :]
        case "hole":
            del made[at : at + draw.randint(1, 1000)]
        case "doubled":
            made[at:at] = made[at : at + draw.randint(1, 1000)]
        case "swapped":
            other, size = draw.randrange(data), draw.randint(1, 100)
            made[at : at + size], made[other : other + size] = (
                made[other : other + size],
                made[at : at + size],
            )
    return kind, bytes(made)


@pytest.fixture
def whole(case_named: CaseNamed, model_folder: ModelFolder, tmp_path: Path) -> Path:
    """A sound file with a tokenizer."""
    case = case_named("base")
    path = tmp_path / "whole.gguf"
    folder = model_folder(case)
    facts = metadata(case.config()) | gpt2_facts()
    write(path, converted(folder, case.config()), facts)
    return path


def gpt2_facts() -> dict[str, object]:
    from tokenizers import AddedToken, Tokenizer, models, pre_tokenizers

    tokens = [*sorted(pre_tokenizers.ByteLevel.alphabet()), "ab"]
    vocabulary = {token: at for at, token in enumerate(tokens)}
    tokenizer = Tokenizer(models.BPE(vocabulary, [("a", "b")]))
    tokenizer.add_special_tokens([AddedToken("<|im_end|>", normalized=False)])
    return tokenizer_facts(tokenizer, 320, TEMPLATE)


def test_three_hundred_damaged_files(whole: Path, tmp_path: Path) -> None:
    opened(whole)
    raw, draw = whole.read_bytes(), random.Random(SEED)
    data = min(place.start for place in read_header(whole).tensors.values())
    ends: Counter[str] = Counter()
    path = tmp_path / "damaged.gguf"
    tracemalloc.start()
    for number in range(CASES):
        kind, made = damaged(raw, data, draw)
        path.write_bytes(made)
        tracemalloc.reset_peak()
        try:
            opened(path)
        except ModelError as error:
            said = str(error)
            assert said.endswith("."), f"case {number}: {said}"
            assert "\n" not in said, f"case {number}: {said}"
            assert len(said) < 1000, f"case {number}: {said}"
            ends[f"{kind} refused"] += 1
        else:
            ends[f"{kind} harmless"] += 1
        assert tracemalloc.get_traced_memory()[1] < 20_000_000, f"case {number}"
    tracemalloc.stop()
    refused = sum(count for end, count in ends.items() if end.endswith("refused"))
    # What is changed in a name or in a token's text harms nothing.
    assert refused > CASES * 2 // 3, ends
