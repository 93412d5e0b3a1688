"""Loads PyTorch's largest library before PyTorch is imported, without holding Python's lock.

The import itself loads it with the lock held: for a fifth of a second on a quiet machine, and much
longer on a busy one, no other thread can run Python, including a window's.
"""

from __future__ import annotations

import ctypes
import importlib.util
import logging
import os
import sys
from pathlib import Path

# It does not use Python, so its initialisers may run without the lock.
_NAME = "libtorch_cpu.so"

log = logging.getLogger(__name__)


def load_torch_library() -> bool:
    """Load it if it exists; False leaves it to the import. Never raises if it is missing."""
    if sys.platform != "linux" or "torch" in sys.modules:
        return False
    found = importlib.util.find_spec("torch")
    folders = list(found.submodule_search_locations or ()) if found is not None else []
    path = Path(folders[0], "lib", _NAME) if folders else None
    if path is None or not path.is_file():
        return False
    # Python's own loading holds the lock; a call into C does not.
    load = ctypes.CDLL(None).dlopen
    load.argtypes, load.restype = (ctypes.c_char_p, ctypes.c_int), ctypes.c_void_p
    loaded = bool(load(os.fsencode(path), os.RTLD_NOW | os.RTLD_LOCAL))
    if not loaded:
        log.warning("%s could not be loaded in advance.", _NAME)
    return loaded
