"""The built-in example: a text for any model, and what the bundled model made of it. Without Qt.

`packaging/lab_example.py` records it; it is shown while no model is open, or nothing has run yet.
"""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import msgspec

from app.core.session.ledger import Ran
from engine.cache_shape import CacheShape
from engine.readings import MemoryReading, RecallReading
from engine.snapshot import CacheSnapshot

# A name is said, then other things, then the name is needed again: short, so each token is seen.
TEXT = (
    "My name is Ada, and I like the sea. In the morning I read a book, and in the evening I walk "
    "to the old town. The sun is warm and the days are long. My name is Ada."
)
WORD = "Ada"


@dataclass(frozen=True, slots=True)
class Example:
    """Measured with the bundled model.

    Attributes:
        shape: of its cache.
        memory, recall: readings of TEXT; the needle is WORD where it is first said.
        runs: the requests of a short chat, of which `branch` replaced an earlier message.
        tree: the cache after them.
    """

    shape: CacheShape
    memory: MemoryReading
    recall: RecallReading
    runs: tuple[Ran, ...]
    branch: int
    tree: CacheSnapshot


def example_file() -> Path:
    import assets

    return Path(assets.__file__).parent / "lab_example.json.gz"


@cache
def example() -> Example:
    """Read it from the program's own files, once."""
    return msgspec.json.decode(gzip.decompress(example_file().read_bytes()), type=Example)
