"""Reads bytes of a model's files into tensors that own their memory, or maps them."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import torch
from torch import Tensor

from engine.errors import ModelError
from engine.sentence import say


def read_into(tensor: Tensor, path: Path, start: int, name: str) -> Tensor:
    """Fill a contiguous tensor with the bytes at `start` of a file, and return it.

    name: of the tensor, for the error. Raises ModelError. A mapped file would count in addition to
    the copy made from it.
    """
    view = tensor.view(-1).view(torch.uint8).numpy().data
    try:
        with path.open("rb", buffering=0) as file:
            file.seek(start)
            filled = 0
            while filled < len(view):
                read = file.readinto(view[filled:])
                if not read:
                    raise OSError(say("it is truncated"))
                filled += read
    except OSError as error:
        raise ModelError(
            '{name}: "{tensor}" cannot be read: {error}.',
            name=path.name,
            tensor=name,
            error=error,
        ) from error
    return tensor


def mapped_bytes(path: Path, start: int, nbytes: int) -> Tensor:
    """[nbytes] uint8 mapped from a file: only the touched parts take memory."""
    whole = torch.from_file(str(path), size=start + nbytes, dtype=torch.uint8)
    return whole[start:]


def read_ahead(path: Path, start: int, nbytes: int) -> None:
    """Begin to read bytes that will all be wanted: mapped, they would come page by page."""
    if sys.platform.startswith("linux"):
        with path.open("rb", buffering=0) as file:
            os.posix_fadvise(file.fileno(), start, nbytes, os.POSIX_FADV_WILLNEED)
