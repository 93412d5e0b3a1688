"""Quantised weights on disk: a file per layer, made once and read at every later start.

A file is written under a temporary name and then renamed, so it is complete or absent. Every tensor
has a checksum; a file that cannot be trusted is rebuilt, and one that is not ours is left alone.
"""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import zlib
from collections.abc import Callable
from pathlib import Path

import torch
from torch import Tensor

from engine.errors import ModelError
from engine.model.file_bytes import FileRows
from engine.model.safetensors_file import SafetensorsFile, write_safetensors
from engine.private_files import NotOurs, OwnFolder

VERSION = 2
# Bytes to leave free on the disk.
SPARE_BYTES = 1 << 30
# The start of our headers, after their length.
_SIGNATURE = re.compile(rb'\{"__metadata__":\{("version":"\d+",)?"sums":')
_SIGNATURE_BYTES = 64
# The errors that parsing a foreign or damaged header can raise.
UNREADABLE = (
    ValueError,
    TypeError,
    KeyError,
    AttributeError,
    OverflowError,
    RecursionError,
)


class PackedFiles:
    """The files of one model in one format.

    Attributes:
        folder: where they are stored.
        bytes_written: since it was opened.
    """

    def __init__(self, folder: Path, notify: Callable[[str], None]) -> None:
        """notify: called with a sentence if files cannot be written.

        Args:
            folder: `weights/NAME` in the cache folder, both of them ours.
        """
        self.folder = folder
        self._own = OwnFolder(folder.parent.parent, folder.parent.name, folder.name)
        self.bytes_written = 0
        self._notify = notify
        self._writing = True
        self._places: dict[str, tuple[SafetensorsFile, dict[str, int]]] = {}
        self._new: dict[str, Tensor] = {}
        self._unit = ""

    def begin(self, unit: str) -> None:
        """Start a part of the model: tensors in its file can be found from now on."""
        self._unit, self._new = unit, {}
        path = self._path(unit)
        # Offsets in an earlier file of this part do not apply to the new one.
        self._places = {n: place for n, place in self._places.items() if place[0].path != path}
        try:
            with self._own.read(path.name) as opened:
                file = SafetensorsFile(path)
                sums = _read_sums(opened)
        except (ModelError, OSError, *UNREADABLE):
            return
        for name in file.entries:
            if name in sums:
                self._places[name] = (file, sums)

    def find(self, name: str) -> Tensor | None:
        """The tensor of that name, None if it is not stored or is damaged."""
        if name in self._new:
            return self._new[name]
        if name not in self._places:
            return None
        file, sums = self._places[name]
        try:
            tensor = file.read(name)
            if _checksum(tensor) == sums[name]:
                return tensor
        except ModelError:
            pass
        # Do not find it again, even if no replacement can be written.
        del self._places[name]
        return None

    def lacks(self, name: str) -> bool:
        """Whether a tensor of that name would have to be stored."""
        return self._writing and name not in self._new and name not in self._places

    def rows(self, name: str) -> FileRows | None:
        """A matrix, read in the file without checking its bytes; None if it is not stored."""
        if name not in self._places:
            return None
        return self._places[name][0].rows(name)

    def put(self, name: str, tensor: Tensor) -> None:
        """Store a tensor of this part of the model."""
        if self._writing:
            self._new[name] = tensor.contiguous()

    def end(self) -> None:
        """Write the stored tensors; on a full disk writing stops with a notice."""
        new, self._new = self._new, {}
        if not new:
            return
        # Files are replaced as a whole: tensors of the old one that are still valid are copied.
        for name, (file, _) in list(self._places.items()):
            if file.path == self._path(self._unit) and name not in new:
                kept = self.find(name)
                if kept is not None:
                    new[name] = kept
        try:
            self._write(new)
        except (OSError, RuntimeError) as error:
            self._writing = False
            self._notify(f"Quantised weights cannot be saved in {self.folder}: {error}.")
            return
        self.begin(self._unit)

    def close(self) -> None:
        """Loading has ended: unwritten tensors are discarded, and nothing more is stored."""
        self._writing, self._new = False, {}

    def _write(self, tensors: dict[str, Tensor]) -> None:
        self._own.make()
        size = sum(t.nbytes for t in tensors.values())
        free = shutil.disk_usage(self.folder).free
        if free < size + SPARE_BYTES:
            raise OSError(f"only {free >> 20:,} MiB is free on the disk")
        sums = {name: _checksum(tensor) for name, tensor in tensors.items()}
        name = self._path(self._unit).name
        draft = f"{self._unit}.{os.getpid()}.part"
        for taken in (name, draft):
            self._refuse_foreign(taken)
        self._own.unlink(draft)
        opened = self._own.create(draft)
        try:
            with opened:
                facts = {"version": str(VERSION), "sums": json.dumps(sums)}
                write_safetensors(opened, tensors, facts)
            self._own.rename(draft, name)
        except BaseException:
            self._own.unlink(draft)
            raise
        self.bytes_written += size

    def _refuse_foreign(self, name: str) -> None:
        """Raises NotOurs if someone else's file would be replaced."""
        try:
            with self._own.read(name) as file:
                begun = file.read(_SIGNATURE_BYTES)
        except FileNotFoundError:
            return
        # An empty one, which a power failure can leave, contains nothing.
        if begun and not _SIGNATURE.match(begun[8:]):
            raise NotOurs(name, "is not a Biplane file")

    def _path(self, unit: str) -> Path:
        return self.folder / f"{unit}.safetensors"


def _read_sums(file: io.BufferedReader) -> dict[str, int]:
    """The checksums in a file's metadata; empty if another version wrote it."""
    header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
    facts = header.get("__metadata__", {})
    if facts.get("version") != str(VERSION):
        return {}
    return {str(name): int(value) for name, value in json.loads(facts["sums"]).items()}


def _checksum(tensor: Tensor) -> int:
    """Checksum of the bytes and of their dtype and shape, since a header can be damaged too."""
    kind = zlib.crc32(f"{tensor.dtype} {list(tensor.shape)}".encode())
    return zlib.crc32(tensor.view(-1).view(torch.uint8).numpy().data, kind)
