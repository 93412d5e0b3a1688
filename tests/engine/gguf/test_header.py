"""Headers of GGUF files: against the `gguf` package, damaged, hostile, large."""

from __future__ import annotations

import struct
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import pytest
from gguf import GGMLQuantizationType as Kind

from engine.errors import ModelError
from engine.gguf.file import model_name, part_paths, read_gguf
from engine.gguf.header import MOST_DEPTH, Texts, read_header
from kernels.blocks import BLOCK_TYPES
from tests.stopwatch import times_s

U8, F32, TEXT, ARRAY, U64 = 0, 6, 8, 9, 10
Write = Callable[..., Path]


def text(value: str | bytes) -> bytes:
    raw = value.encode() if isinstance(value, str) else value
    return struct.pack("<Q", len(raw)) + raw


def entry(key: str | bytes, kind: int, value: bytes) -> bytes:
    return text(key) + struct.pack("<I", kind) + value


def listed(kind: int, count: int, items: bytes = b"") -> bytes:
    return struct.pack("<IQ", kind, count) + items


def tensor(
    name: str | bytes, shape: tuple[int, ...] = (4,), kind: int = 0, offset: int = 0
) -> bytes:
    sizes = struct.pack(f"<I{len(shape)}Q", len(shape), *shape[::-1])
    return text(name) + sizes + struct.pack("<IQ", kind, offset)


@pytest.fixture
def made(tmp_path: Path) -> Write:
    """Writes a file by hand: entries and tensors as bytes, counts as claimed or as they are."""

    def write(
        entries: list[bytes] | None = None,
        tensors: list[bytes] | None = None,
        *,
        version: int = 3,
        claimed: tuple[int | None, int | None] = (None, None),
        data: int = 64,
        align: int = 32,
        magic: bytes = b"GGUF",
    ) -> Path:
        entries, tensors = entries or [], tensors or []
        count = len(tensors) if claimed[0] is None else claimed[0]
        keys = len(entries) if claimed[1] is None else claimed[1]
        head = magic + struct.pack("<IQQ", version, count, keys)
        head += b"".join((*entries, *tensors))
        path = tmp_path / "made.gguf"
        path.write_bytes(head + bytes(-len(head) % align) + bytes(data))
        return path

    return write


def refusal(path: Path) -> str:
    """The sentence that a file is refused with, little memory being taken for it."""
    tracemalloc.start()
    try:
        with pytest.raises(ModelError) as refused:
            read_header(path)
        assert tracemalloc.get_traced_memory()[1] < 2_000_000
    finally:
        tracemalloc.stop()
    said = str(refused.value)
    assert said.endswith(".")
    assert "\n" not in said
    return said


class TestAgainstThePackage:
    """What its writer writes, and how its reader reads it, is what ours finds."""

    FACTS: tuple[tuple[str, str, Any], ...] = (
        ("uint8", "a.u8", 200),
        ("int8", "a.i8", -100),
        ("uint16", "a.u16", 60_000),
        ("int16", "a.i16", -30_000),
        ("uint32", "a.u32", 4_000_000_000),
        ("int32", "a.i32", -2_000_000_000),
        ("uint64", "a.u64", 2**63),
        ("int64", "a.i64", -(2**62)),
        ("float32", "a.f32", 0.5),
        ("float64", "a.f64", 0.1),
        ("bool", "a.yes", True),
        ("bool", "a.no", False),
        ("string", "a.text", "été\n数"),
    )
    LISTS: tuple[tuple[str, list[Any]], ...] = (
        ("l.ints", [1, -2, 3]),
        ("l.floats", [0.5, -1.25]),
        ("l.flags", [True, False, True]),
        ("l.texts", ["", "a", "数字", "x" * 300]),
        ("l.lists", [[1, 2], [3]]),
    )

    @pytest.fixture(params=[32, 8, 4096], ids="align_{}".format)
    def path(self, request: pytest.FixtureRequest, tmp_path: Path) -> Path:
        path = tmp_path / "model.gguf"
        writer = gguf.GGUFWriter(path, "qwen35")
        writer.add_custom_alignment(request.param)
        for kind, key, value in self.FACTS:
            getattr(writer, f"add_{kind}")(key, value)
        for key, values in self.LISTS:
            writer.add_array(key, values)
        draw = np.random.default_rng(1)
        for at, kind in enumerate((Kind.F32, Kind.F16, Kind.BF16, Kind.Q8_0, Kind.Q4_0)):
            raw = gguf.quantize(draw.normal(size=(3, 2, 64)).astype(np.float32), kind)
            writer.add_tensor(f"t.{at}", raw, raw_dtype=kind)
        writer.add_tensor("vector", np.arange(5, dtype=np.float32))
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
        writer.close()
        return path

    def test_metadata(self, path: Path) -> None:
        found = read_header(path).metadata
        for kind, key, value in self.FACTS:
            assert found[key] == value, kind
            assert type(found[key]) is type(value), kind
        for key, values in self.LISTS:
            there = found[key]
            if isinstance(there, tuple):
                assert [list(part) for part in there] == values  # type: ignore[arg-type]
            else:
                assert list(there) == values  # type: ignore[arg-type]
        assert isinstance(found["l.texts"], Texts)
        assert len(found["l.texts"]) == 4

    def test_tensors(self, path: Path) -> None:
        found, data = read_header(path).tensors, path.read_bytes()
        expected = gguf.GGUFReader(path).tensors
        assert list(found) == [each.name for each in expected]
        for each in expected:
            place = found[each.name]
            assert place.shape == tuple(int(n) for n in each.shape[::-1])
            assert place.type == BLOCK_TYPES[each.tensor_type]
            assert data[place.start : place.start + place.nbytes] == each.data.tobytes()

    def test_version_2_differs_in_its_number_alone(self, path: Path) -> None:
        raw = bytearray(path.read_bytes())
        raw[4] = 2
        path.write_bytes(raw)
        assert read_header(path).version == 2


class TestParts:
    def write(self, folder: Path) -> list[Path]:
        writer = gguf.GGUFWriter(folder / "big.gguf", "qwen35", split_max_tensors=2)
        for at in range(5):
            writer.add_tensor(f"t.{at}", np.full(4, at, np.float32))
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
        writer.close()
        return sorted(folder.glob("*.gguf"))

    def test_any_part_opens_all(self, tmp_path: Path) -> None:
        paths = self.write(tmp_path)
        assert [path.name for path in paths] == [f"big-0000{n}-of-00003.gguf" for n in (1, 2, 3)]
        for path in paths:
            found = read_gguf(path)
            assert found.files == tuple(paths)
            assert found.path == paths[0]
            assert sorted(found.tensors) == [f"t.{at}" for at in range(5)]
            assert found.text("general.architecture") == "qwen35"
            assert found.nbytes == sum(path.stat().st_size for path in paths)
            assert model_name(path) == "big"

    def test_a_part_is_missing(self, tmp_path: Path) -> None:
        paths = self.write(tmp_path)
        paths[1].unlink()
        with pytest.raises(ModelError, match=r"big-00002-of-00003\.gguf is missing: .* 3 files"):
            read_gguf(paths[0])

    def test_parts_in_each_others_place(self, tmp_path: Path) -> None:
        paths = self.write(tmp_path)
        raw = paths[1].read_bytes()
        paths[1].write_bytes(paths[2].read_bytes())
        paths[2].write_bytes(raw)
        with pytest.raises(ModelError, match="says that it is part 3 of 3"):
            read_gguf(paths[0])

    def test_a_part_twice(self, tmp_path: Path) -> None:
        paths = self.write(tmp_path)
        raw = bytearray(paths[0].read_bytes())
        at = raw.index(b"split.no") + len(b"split.no") + 4
        raw[at : at + 2] = struct.pack("<H", 1)
        paths[1].write_bytes(raw)
        with pytest.raises(ModelError, match="parts of different models"):
            read_gguf(paths[0])

    def test_a_part_renamed_to_a_whole(self, tmp_path: Path) -> None:
        path = self.write(tmp_path)[0].rename(tmp_path / "whole.gguf")
        with pytest.raises(ModelError, match="says that it is part 1 of 3"):
            read_gguf(path)

    @pytest.mark.parametrize("name", ["a-00000-of-00002.gguf", "a-00003-of-00002.gguf", "a.gguf"])
    def test_names_of_no_part(self, name: str) -> None:
        assert part_paths(Path(name)) == [Path(name)]


class TestRefused:
    """One sentence, and no memory taken for what a header only claims."""

    @pytest.mark.parametrize("count", [2**63, 2**64 - 1, 2**32, 300_000, 7])
    @pytest.mark.parametrize("what", ["tensors", "metadata entries"])
    def test_claimed_counts(self, made: Write, count: int, what: str) -> None:
        claimed = (count, 0) if what == "tensors" else (0, count)
        assert f"{count} {what}" in refusal(made(claimed=claimed))

    @pytest.mark.parametrize("count", [2**63, 2**62 // 4, 10**6])
    @pytest.mark.parametrize("kind", [U8, F32, TEXT, ARRAY, U64])
    def test_claimed_lists(self, made: Write, kind: int, count: int) -> None:
        assert f"{count} " in refusal(made([entry("k", ARRAY, listed(kind, count))]))

    @pytest.mark.parametrize("length", [2**63, 2**64 - 1, 10**6])
    def test_long_texts(self, made: Write, length: int) -> None:
        raw = struct.pack("<Q", length)
        for bad in (entry("k", TEXT, raw), entry("k", ARRAY, listed(TEXT, 1, raw))):
            assert "does not fit" in refusal(made([bad], data=16))
        assert f"{length} bytes long" in refusal(made([raw + b"key1234"]))

    def test_lists_in_lists(self, made: Write) -> None:
        inner = listed(U8, 1, b"\x01")
        for _ in range(MOST_DEPTH):
            inner = listed(ARRAY, 1, inner)
        read_header(made([entry("k", ARRAY, inner)]))
        deeper = listed(ARRAY, 1, inner)
        assert "without end" in refusal(made([entry("k", ARRAY, deeper)]))

    def test_a_deep_nest_of_many(self, made: Write) -> None:
        nest = listed(ARRAY, 1) * 5000
        assert "without end" in refusal(made([entry("k", ARRAY, nest)]))

    @pytest.mark.parametrize("raw", [b"\xff\xfe", b"a\xed\xa0\x80", b"\xc3"])
    def test_texts_that_are_not_utf8(self, made: Write, raw: bytes) -> None:
        assert "not UTF-8" in refusal(made([entry(raw, U8, b"\0")]))
        assert "not UTF-8" in refusal(made([entry("k", TEXT, text(raw))]))
        assert "not UTF-8" in refusal(made(tensors=[tensor(raw)]))
        many = read_header(made([entry("k", ARRAY, listed(TEXT, 1, text(raw)))])).metadata["k"]
        assert isinstance(many, Texts)
        with pytest.raises(ModelError, match="not UTF-8"):
            list(many)

    def test_unknown_types(self, made: Write) -> None:
        assert "unknown type 13" in refusal(made([entry("k", 13, b"")]))
        assert "unknown type 99" in refusal(made([entry("k", ARRAY, listed(99, 1))]))
        assert "type 5, which" in refusal(made(tensors=[tensor("t", kind=5)]))

    def test_names_twice(self, made: Write) -> None:
        assert '"k" is there twice' in refusal(made([entry("k", U8, b"\0")] * 2))
        assert '"t" is there twice' in refusal(made(tensors=[tensor("t")] * 2))

    @pytest.mark.parametrize("shape", [(), (1, 1, 1, 1, 1), (0,), (4, 0)])
    def test_dimensions(self, made: Write, shape: tuple[int, ...]) -> None:
        assert '"t"' in refusal(made(tensors=[tensor("t", shape)]))

    def test_half_a_block(self, made: Write) -> None:
        assert "shape [2, 33] in Q8_0" in refusal(made(tensors=[tensor("t", (2, 33), 8)]))

    @pytest.mark.parametrize(
        ("shape", "offset"),
        [((17,), 0), ((4,), 64), ((2**63,), 0), ((2**62, 2**62, 2**62), 0), ((4,), 2**64 - 32)],
    )
    def test_outside_the_file(self, made: Write, shape: tuple[int, ...], offset: int) -> None:
        assert "is truncated" in refusal(made(tensors=[tensor("t", shape, 0, offset)]))

    def test_overlaps(self, made: Write) -> None:
        two = [tensor("a", (12,)), tensor("b", offset=32)]
        assert '"a" and "b" overlap' in refusal(made(tensors=two))

    def test_offsets_between_two_places(self, made: Write) -> None:
        assert "not aligned" in refusal(made(tensors=[tensor("t", offset=4)]))

    @pytest.mark.parametrize("value", [0, 3, 48, 2**31])
    def test_alignment(self, made: Write, value: int) -> None:
        stated = [entry("general.alignment", 4, struct.pack("<I", value))]
        assert "no power of two" in refusal(made(stated))

    def test_alignment_of_another_kind(self, made: Write) -> None:
        assert "no power of two" in refusal(made([entry("general.alignment", TEXT, text("32"))]))

    @pytest.mark.parametrize("version", [0, 1, 4, 2**31])
    def test_versions(self, made: Write, version: int) -> None:
        assert f"version {version}" in refusal(made(version=version))

    def test_big_endian(self, made: Write) -> None:
        assert "big-endian" in refusal(made(version=3 << 24))

    def test_another_format(self, made: Write) -> None:
        assert "does not begin with the letters GGUF" in refusal(made(magic=b"ggml"))

    @pytest.mark.parametrize("size", range(24))
    def test_hardly_begun(self, tmp_path: Path, size: int) -> None:
        path = tmp_path / "short.gguf"
        path.write_bytes((b"GGUF" + struct.pack("<IQQ", 3, 1, 0))[:size])
        refusal(path)

    def test_no_file(self, tmp_path: Path) -> None:
        assert "There is no file" in refusal(tmp_path / "gone.gguf")

    def test_unreadable(self, tmp_path: Path) -> None:
        assert "cannot be read" in refusal(tmp_path)


class TestLarge:
    def test_a_header_of_100_mb_in_a_fraction_of_a_second(self, made: Write) -> None:
        """Half a million texts, as in the vocabulary of Qwen3.5, and a hundred megabytes."""
        words = b"".join(text(f"token {at}") for at in range(250_000))
        path = made(
            [
                entry("tokens", ARRAY, listed(TEXT, 250_000, words)),
                entry("merges", ARRAY, listed(TEXT, 250_000, words)),
                entry("scores", ARRAY, listed(F32, 22_000_000, bytes(88_000_000))),
            ]
        )
        assert path.stat().st_size > 97_000_000
        assert times_s(lambda: read_header(path), 3)[0] < 0.3
