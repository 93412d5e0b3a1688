"""The name of a cache's namespace: what was computed under one is never used under another."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

SAMPLES = 64
SAMPLE_BYTES = 16


def fingerprint(folder: Path, *settings: str) -> str:
    """32 hexadecimal digits for a model folder and the settings that its numbers depend on.

    Of the weights: name, type, shape and place of every tensor, and up to 64 samples of 16 bytes
    from each, which any retraining changes; a change of a few single numbers may go unseen. Of the
    configuration: all of config.json, so positions (RoPE) and precision too. The folder's name and
    its tokenizer do not matter. Raises OSError or ValueError where a file cannot be read.

    Args:
        settings: everything else the bytes depend on: dtypes, the kernels' version.
    """
    digest = hashlib.blake2b(digest_size=16)
    for name in sorted(settings):
        digest.update(f"{name}\n".encode())
    config = json.loads((folder / "config.json").read_bytes())
    digest.update(json.dumps(config, sort_keys=True).encode())
    for path in sorted(folder.glob("*.safetensors")):
        with path.open("rb") as file:
            length = int.from_bytes(file.read(8), "little")
            header: dict[str, Any] = json.loads(file.read(length))
            header.pop("__metadata__", None)
            digest.update(json.dumps(header, sort_keys=True).encode())
            for entry in sorted(header.values(), key=lambda entry: entry["data_offsets"]):
                start, end = entry["data_offsets"]
                step = max((end - start) // SAMPLES, SAMPLE_BYTES)
                for at in range(start, end, step):
                    file.seek(8 + length + at)
                    digest.update(file.read(min(SAMPLE_BYTES, end - at)))
    return digest.hexdigest()
