"""A thousand damaged or foreign files: nothing raises, no wrong byte, every one is named.

Ours are removed. What does not begin as ours may be somebody's own, and stays.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.private_files import OwnFolder
from engine.storage.segment_file import SUFFIX, write_segment
from tests.engine.storage.samples import begins_as_a_segment
from tests.engine.storage.small_segments import NAMESPACE, Opened, assert_same, file_of, segment

SEED, FILES = 20260, 1000
OTHER = "f" * 32
Damage = Callable[[random.Random, bytearray], bytes]


def header_end(raw: bytes | bytearray) -> int:
    return 8 + int.from_bytes(raw[:8], "little")


def flip(low: int, high: int, dice: random.Random, raw: bytearray) -> bytes:
    raw[dice.randrange(low, high)] ^= 1 << dice.randrange(8)
    return bytes(raw)


def with_header(header: bytes, raw: bytearray) -> bytes:
    return len(header).to_bytes(8, "little") + header + raw[header_end(raw) :]


DAMAGES: dict[str, Damage] = {
    "bit of the length": lambda dice, raw: flip(0, 8, dice, raw),
    "bit of the header": lambda dice, raw: flip(8, header_end(raw), dice, raw),
    "bit of the data": lambda dice, raw: flip(header_end(raw), len(raw), dice, raw),
    "cut": lambda dice, raw: bytes(raw[: dice.randrange(len(raw))]),
    "longer": lambda dice, raw: bytes(raw) + dice.randbytes(dice.randrange(1, 99)),
    "empty": lambda dice, raw: b"",
    "random": lambda dice, raw: dice.randbytes(dice.randrange(1, 4000)),
    "huge header": lambda dice, raw: dice.randrange(1 << 62, 1 << 64).to_bytes(8, "little") + raw,
    "deep json": lambda dice, raw: with_header(b"[" * dice.randrange(9_000, 99_000), raw),
    "long number": lambda dice, raw: with_header(b'{"k":' + b"9" * 9_000 + b"}", raw),
    "no object": lambda dice, raw: with_header(dice.choice([b"[]", b"1", b"null", b'"x"']), raw),
    "no metadata": lambda dice, raw: with_header(b'{"__metadata__":{"biplane":"1"}}', raw),
}
KINDS = (*DAMAGES, "another segment", "another model", "another name")


def spoil(folder: Path, kind: str, dice: random.Random) -> str:
    """Put one bad file there, made from a real one; returns its name."""
    part, other = segment(20), segment(21)
    path = file_of(folder, part)
    if kind == "another model":
        write_segment(OwnFolder(path.parent), part, OTHER)
    elif kind == "another segment":
        write_segment(OwnFolder(path.parent), other, NAMESPACE)
        (path.parent / other.meta.file_name).replace(path)
    else:
        write_segment(OwnFolder(path.parent), part, NAMESPACE)
        if kind == "another name":
            path = path.replace(path.with_name(f"{dice.randbytes(16).hex()}{SUFFIX}"))
        else:
            path.write_bytes(DAMAGES[kind](dice, bytearray(path.read_bytes())))
    return path.name


@pytest.mark.parametrize("kind", KINDS)
def test_every_bad_file_is_named_and_ours_are_removed_and_none_is_believed(
    tmp_path: Path, kind: str
) -> None:
    share = -(-FILES // len(KINDS))
    good = segment(30, tag=3)
    (tmp_path / NAMESPACE).mkdir()
    write_segment(OwnFolder(tmp_path / NAMESPACE), good, NAMESPACE)
    for number in range(share):
        seed = f"{SEED} {kind} {number}"
        name = spoil(tmp_path, kind, random.Random(seed))
        path = tmp_path / NAMESPACE / name
        ours, before = begins_as_a_segment(path), path.read_bytes()
        opened = Opened(tmp_path)
        # Damage to the tensors shows when they are read, and no sooner.
        key = name.removesuffix(SUFFIX)
        read = (opened.store.kv(key), opened.store.state(key))
        assert None in read, seed
        assert [name in said for said in opened.told] == [True], seed
        assert path.exists() != ours, seed
        if not ours:
            assert path.read_bytes() == before, seed
            path.unlink()
        assert_same(opened.store, good)
        assert opened.store.files == 1, seed


@pytest.mark.parametrize("place", ["open", "before"])
def test_damage_before_and_after_opening_is_found(tmp_path: Path, place: str) -> None:
    dice = random.Random(SEED)
    part = segment(20)
    (tmp_path / NAMESPACE).mkdir()
    write_segment(OwnFolder(tmp_path / NAMESPACE), part, NAMESPACE)
    opened = Opened(tmp_path) if place == "open" else None
    path = file_of(tmp_path, part)
    path.write_bytes(flip(9, 200, dice, bytearray(path.read_bytes())))
    opened = opened or Opened(tmp_path)
    assert opened.store.kv(part.meta.key) is None
    assert len(opened.told) == 1
