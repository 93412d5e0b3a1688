"""Quantised weights on disk: found again as they were, or not at all; never an exception."""

from __future__ import annotations

import json
import os
import shutil
import struct
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from safetensors.torch import save_file
from torch import Tensor

from engine.model.packed_files import SPARE_BYTES, VERSION, PackedFiles
from tests.mostly_slow import mostly_slow

UNIT = "layer-0000"


@pytest.fixture
def told() -> list[str]:
    return []


@pytest.fixture
def tensors() -> dict[str, Tensor]:
    draw = torch.Generator().manual_seed(4)
    return {
        "a:codes8": torch.randint(-127, 128, (6, 5), generator=draw).to(torch.int8),
        "a:scale": torch.rand(6, generator=draw),
        "b:codes4": torch.randint(0, 256, (5, 6), generator=draw).to(torch.uint8),
        "b:offset": torch.rand(5, 1, generator=draw).bfloat16(),
    }


def opened(folder: Path, told: list[str], unit: str = UNIT) -> PackedFiles:
    files = PackedFiles(folder, told.append)
    files.begin(unit)
    return files


def written(folder: Path, told: list[str], tensors: dict[str, Tensor]) -> Path:
    """The path of the file that keeps `tensors`."""
    files = opened(folder, told)
    for name, tensor in tensors.items():
        files.put(name, tensor)
    files.end()
    return folder / f"{UNIT}.safetensors"


def same(found: Tensor | None, expected: Tensor) -> bool:
    return found is not None and found.dtype == expected.dtype and torch.equal(found, expected)


class TestKeeping:
    def test_what_was_put_is_found_at_the_next_start(
        self, tmp_path: Path, told: list[str], tensors: dict[str, Tensor]
    ) -> None:
        path = written(tmp_path / "weights", told, tensors)
        assert path.is_file()
        files = opened(path.parent, told)
        assert all(same(files.find(name), tensor) for name, tensor in tensors.items())
        assert files.bytes_written == 0
        assert told == []

    def test_what_was_put_is_found_before_and_after_it_is_written(
        self, tmp_path: Path, told: list[str], tensors: dict[str, Tensor]
    ) -> None:
        files = opened(tmp_path, told)
        assert files.find("a:scale") is None
        files.put("a:scale", tensors["a:scale"])
        assert same(files.find("a:scale"), tensors["a:scale"])
        assert files.bytes_written == 0
        files.end()
        assert same(files.find("a:scale"), tensors["a:scale"])
        assert files.bytes_written == tensors["a:scale"].nbytes

    def test_parts_have_files_of_their_own(
        self, tmp_path: Path, told: list[str], tensors: dict[str, Tensor]
    ) -> None:
        written(tmp_path, told, tensors)
        files = opened(tmp_path, told, "layer-0001")
        assert files.find("a:scale") is None
        # Experts of every layer are read after the loading, so what was begun stays open.
        files.begin(UNIT)
        files.begin("layer-0002")
        assert same(files.find("a:scale"), tensors["a:scale"])

    def test_nothing_put_writes_nothing(self, tmp_path: Path, told: list[str]) -> None:
        folder = tmp_path / "weights"
        opened(folder, told).end()
        assert not folder.exists()

    def test_a_new_file_takes_over_what_the_old_one_held(
        self, tmp_path: Path, told: list[str], tensors: dict[str, Tensor]
    ) -> None:
        written(tmp_path, told, tensors)
        files = opened(tmp_path, told)
        files.put("c:scale", torch.ones(3))
        files.put("a:scale", tensors["a:scale"] + 1)
        files.end()
        again = opened(tmp_path, told)
        assert same(again.find("c:scale"), torch.ones(3))
        assert same(again.find("a:scale"), tensors["a:scale"] + 1)
        assert same(again.find("b:codes4"), tensors["b:codes4"])

    def test_no_draft_is_left(
        self, tmp_path: Path, told: list[str], tensors: dict[str, Tensor]
    ) -> None:
        path = written(tmp_path, told, tensors)
        assert list(tmp_path.iterdir()) == [path]

    def test_a_tensor_that_is_a_view_is_kept_as_it_looks(
        self, tmp_path: Path, told: list[str]
    ) -> None:
        turned = torch.arange(12.0).view(3, 4).T
        written(tmp_path, told, {"a": turned})
        assert same(opened(tmp_path, told).find("a"), turned)

    def test_lacking_is_what_can_be_kept_and_is_not(
        self, tmp_path: Path, told: list[str], tensors: dict[str, Tensor]
    ) -> None:
        files = opened(tmp_path, told)
        assert files.lacks("a:scale")
        files.put("a:scale", tensors["a:scale"])
        assert not files.lacks("a:scale")
        files.end()
        assert not files.lacks("a:scale")
        assert files.lacks("b:offset")
        files.close()
        assert not files.lacks("b:offset")

    def test_after_the_loading_nothing_is_held_in_memory(
        self, tmp_path: Path, told: list[str], tensors: dict[str, Tensor]
    ) -> None:
        written(tmp_path, told, {"a:scale": tensors["a:scale"]})
        files = opened(tmp_path, told)
        files.put("b:offset", tensors["b:offset"])
        files.close()
        files.put("a:codes8", tensors["a:codes8"])
        assert files.find("b:offset") is None
        assert files.find("a:codes8") is None
        assert same(files.find("a:scale"), tensors["a:scale"])


class TestRows:
    def test_it_is_the_tensor_in_the_file(
        self, tmp_path: Path, told: list[str], tensors: dict[str, Tensor]
    ) -> None:
        path = written(tmp_path, told, tensors)
        files = opened(tmp_path, told)
        found = files.rows("a:codes8")
        assert found is not None
        assert same(found[:], tensors["a:codes8"])
        # The file replaced: the one that was opened stays.
        path.unlink()
        assert same(found[:], tensors["a:codes8"])

    def test_what_is_not_in_a_file_is_not_found(
        self, tmp_path: Path, told: list[str], tensors: dict[str, Tensor]
    ) -> None:
        files = opened(tmp_path, told)
        files.put("a:codes8", tensors["a:codes8"])
        assert files.rows("a:codes8") is None
        files.end()
        found = files.rows("a:codes8")
        assert found is not None
        assert same(found[:], tensors["a:codes8"])

    def test_what_was_found_damaged_is_not_read_where_no_other_can_be_written(
        self,
        tmp_path: Path,
        told: list[str],
        tensors: dict[str, Tensor],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        path = written(tmp_path, told, {"a:codes8": tensors["a:codes8"]})
        flip(path, path.stat().st_size - 1)
        monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=0))
        files = opened(tmp_path, told)
        assert files.find("a:codes8") is None
        files.put("a:codes8", tensors["a:codes8"])
        files.end()
        assert len(told) == 1
        assert files.rows("a:codes8") is None


def flip(path: Path, at: int, mask: int = 0x14) -> None:
    raw = bytearray(path.read_bytes())
    raw[at] ^= mask
    path.write_bytes(bytes(raw))


def header_of(path: Path) -> dict[str, Any]:
    raw = path.read_bytes()
    (length,) = struct.unpack("<Q", raw[:8])
    found: dict[str, Any] = json.loads(raw[8 : 8 + length])
    return found


def with_header(path: Path, header: object) -> None:
    raw = path.read_bytes()
    (length,) = struct.unpack("<Q", raw[:8])
    text = (header if isinstance(header, str) else json.dumps(header)).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + raw[8 + length :])


class TestDamage:
    @pytest.mark.parametrize("mask", mostly_slow([0x14, 0x01, 0xFF]))
    def test_no_damaged_byte_gives_another_tensor(
        self, tmp_path: Path, told: list[str], tensors: dict[str, Tensor], mask: int
    ) -> None:
        path = written(tmp_path, told, tensors)
        raw = path.read_bytes()
        lost = 0
        for at in range(len(raw)):
            path.write_bytes(raw)
            flip(path, at, mask)
            files = opened(tmp_path, told)
            for name, tensor in tensors.items():
                found = files.find(name)
                lost += found is None
                assert found is None or same(found, tensor), (at, name)
        assert lost > len(raw) / 8
        assert told == []

    def test_no_cut_file_gives_another_tensor(
        self, tmp_path: Path, told: list[str], tensors: dict[str, Tensor]
    ) -> None:
        path = written(tmp_path, told, tensors)
        raw = path.read_bytes()
        for kept in range(0, len(raw), 7):
            path.write_bytes(raw[:kept])
            files = opened(tmp_path, told)
            assert all(files.find(name) is None for name in tensors)
        assert told == []

    def test_a_file_cut_while_it_is_open(
        self, tmp_path: Path, told: list[str], tensors: dict[str, Tensor]
    ) -> None:
        path = written(tmp_path, told, tensors)
        files = opened(tmp_path, told)
        os.truncate(path, path.stat().st_size - 200)
        assert any(files.find(name) is None for name in tensors)

    def test_types_that_were_swapped_in_the_header(
        self, tmp_path: Path, told: list[str], tensors: dict[str, Tensor]
    ) -> None:
        path = written(tmp_path, told, tensors)
        header = header_of(path)
        header["a:codes8"]["dtype"] = "U8"
        header["b:codes4"]["shape"] = [6, 5]
        with_header(path, header)
        files = opened(tmp_path, told)
        assert files.find("a:codes8") is None
        assert files.find("b:codes4") is None
        assert same(files.find("a:scale"), tensors["a:scale"])

    @pytest.mark.parametrize(
        "facts",
        [
            None,
            [],
            "text",
            {},
            {"version": "1"},
            {"version": "1", "sums": "{"},
            {"version": "1", "sums": "[]"},
            {"version": "1", "sums": '{"a:scale": null}'},
            {"version": "1", "sums": '{"a:scale": 1e999}'},
            {"version": "1", "sums": "[" * 100_000},
            {"version": "2", "sums": '{"a:scale": 0}'},
        ],
        ids=lambda facts: str(facts)[:40],
    )
    def test_other_versions_and_foreign_facts(
        self, tmp_path: Path, told: list[str], tensors: dict[str, Tensor], facts: object
    ) -> None:
        path = written(tmp_path, told, tensors)
        with_header(path, header_of(path) | {"__metadata__": facts})
        files = opened(tmp_path, told)
        assert all(files.find(name) is None for name in tensors)
        assert told == []

    def test_another_version_is_not_read(
        self, tmp_path: Path, told: list[str], tensors: dict[str, Tensor]
    ) -> None:
        path = written(tmp_path, told, tensors)
        header = header_of(path)
        assert header["__metadata__"]["version"] == str(VERSION)
        header["__metadata__"]["version"] = "0"
        with_header(path, header)
        files = opened(tmp_path, told)
        assert all(files.find(name) is None for name in tensors)

    def test_a_foreign_file(
        self, tmp_path: Path, told: list[str], tensors: dict[str, Tensor]
    ) -> None:
        path = tmp_path / f"{UNIT}.safetensors"
        save_file(tensors, path)
        before = path.read_bytes()
        files = opened(tmp_path, told)
        assert all(files.find(name) is None for name in tensors)
        files.put("a:scale", tensors["a:scale"])
        files.end()
        (said,) = told
        assert said.endswith(f"{path.name} is not a Biplane file.")
        assert path.read_bytes() == before

    def test_an_empty_file_as_a_power_failure_leaves_is_made_again(
        self, tmp_path: Path, told: list[str], tensors: dict[str, Tensor]
    ) -> None:
        (tmp_path / f"{UNIT}.safetensors").touch()
        written(tmp_path, told, tensors)
        assert same(opened(tmp_path, told).find("a:scale"), tensors["a:scale"])
        assert told == []

    def test_a_draft_that_a_process_of_the_same_number_left_is_replaced(
        self, tmp_path: Path, told: list[str], tensors: dict[str, Tensor]
    ) -> None:
        path = written(tmp_path, told, tensors)
        path.rename(tmp_path / f"{UNIT}.{os.getpid()}.part")
        written(tmp_path, told, tensors)
        assert list(tmp_path.iterdir()) == [path]
        assert told == []

    @pytest.mark.parametrize("level", ["weights", "weights/model"])
    def test_a_link_in_place_of_a_folder_is_not_followed(
        self, tmp_path: Path, told: list[str], tensors: dict[str, Tensor], level: str
    ) -> None:
        elsewhere = tmp_path / "elsewhere"
        path = written(elsewhere / "weights" / "model", told, tensors)
        before = path.read_bytes()
        link = tmp_path / "cache" / level
        link.parent.mkdir(parents=True)
        link.symlink_to(elsewhere / level)
        files = opened(tmp_path / "cache" / "weights" / "model", told)
        assert files.find("a:scale") is None
        files.put("a:scale", tensors["a:scale"] + 1)
        files.end()
        (said,) = told
        assert said.endswith(f"{link.name} is a link, or not a folder.")
        assert path.read_bytes() == before
        assert list(path.parent.iterdir()) == [path]

    def test_a_link_in_place_of_a_file_or_draft_is_not_followed(
        self, tmp_path: Path, told: list[str], tensors: dict[str, Tensor]
    ) -> None:
        (tmp_path / "notes").write_text("the only copy")
        (tmp_path / "weights" / "model").mkdir(parents=True)
        for name in (f"{UNIT}.safetensors", f"layer-0001.{os.getpid()}.part"):
            (tmp_path / "weights" / "model" / name).symlink_to(tmp_path / "notes")
        for unit in (UNIT, "layer-0001"):
            files = opened(tmp_path / "weights" / "model", told, unit)
            files.put("a:scale", tensors["a:scale"])
            files.end()
        assert [said.rpartition(": ")[2] for said in told] == [
            f"{UNIT}.safetensors is a link.",
            f"layer-0001.{os.getpid()}.part is a link.",
        ]
        assert (tmp_path / "notes").read_text() == "the only copy"

    def test_a_folder_in_its_place(
        self, tmp_path: Path, told: list[str], tensors: dict[str, Tensor]
    ) -> None:
        (tmp_path / f"{UNIT}.safetensors").mkdir()
        files = opened(tmp_path, told)
        files.put("a:scale", tensors["a:scale"])
        files.end()
        assert len(told) == 1
        assert files.find("a:scale") is None

    def test_a_damaged_file_is_made_again(
        self, tmp_path: Path, told: list[str], tensors: dict[str, Tensor]
    ) -> None:
        path = written(tmp_path, told, tensors)
        whole = path.read_bytes()
        flip(path, len(whole) - 1)
        files = opened(tmp_path, told)
        lost = [name for name in tensors if files.find(name) is None]
        assert len(lost) == 1
        files.put(lost[0], tensors[lost[0]])
        files.end()
        again = opened(tmp_path, told)
        assert all(same(again.find(name), tensor) for name, tensor in tensors.items())
        assert told == []


class TestNoWriting:
    def test_a_full_disk_gives_one_sentence(
        self,
        tmp_path: Path,
        told: list[str],
        tensors: dict[str, Tensor],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=SPARE_BYTES))
        files = opened(tmp_path, told)
        for unit in ("layer-0000", "layer-0001", "layer-0002"):
            files.begin(unit)
            for name, tensor in tensors.items():
                files.put(name, tensor)
            files.end()
        assert len(told) == 1
        assert str(tmp_path) in told[0]
        assert "1,024 MiB" in told[0]
        assert told[0].endswith(".")
        assert list(tmp_path.iterdir()) == []
        assert files.bytes_written == 0

    def test_just_enough_room_is_enough(
        self,
        tmp_path: Path,
        told: list[str],
        tensors: dict[str, Tensor],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        size = sum(tensor.nbytes for tensor in tensors.values())
        monkeypatch.setattr(
            shutil, "disk_usage", lambda _: SimpleNamespace(free=SPARE_BYTES + size)
        )
        assert written(tmp_path, told, tensors).is_file()
        assert told == []

    def test_a_file_where_the_folder_should_be(
        self, tmp_path: Path, told: list[str], tensors: dict[str, Tensor]
    ) -> None:
        (tmp_path / "weights").write_text("not a folder")
        files = opened(tmp_path / "weights", told)
        files.put("a:scale", tensors["a:scale"])
        files.end()
        assert len(told) == 1

    def test_an_error_while_the_file_is_written(
        self, tmp_path: Path, told: list[str], tensors: dict[str, Tensor]
    ) -> None:
        # The writer of safetensors files has an error of its own, which is no OSError.
        (tmp_path / f"{UNIT}.{os.getpid()}.part" / "in the way").mkdir(parents=True)
        files = opened(tmp_path, told)
        files.put("a:scale", tensors["a:scale"])
        files.end()
        assert len(told) == 1
        assert str(tmp_path) in told[0]

    @pytest.mark.skipif(os.name != "posix" or not os.geteuid(), reason="root may write anywhere")
    def test_a_folder_without_permission(
        self, tmp_path: Path, told: list[str], tensors: dict[str, Tensor]
    ) -> None:
        tmp_path.chmod(0o500)
        files = opened(tmp_path, told)
        files.put("a:scale", tensors["a:scale"])
        files.end()
        tmp_path.chmod(0o700)
        assert len(told) == 1
