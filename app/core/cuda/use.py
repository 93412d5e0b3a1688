"""Puts the CUDA part before the program's own packages at a start, and steps back if it fails."""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import logging
import os
import sys
from collections.abc import Callable, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType

from app.core.cuda.state import STATE, State, cuda_folder, keep, read, site
from app.core.cuda.wheels import bundled
from app.core.words.tr import tr

# "off" starts with the program's own PyTorch, whatever is installed.
SWITCH = "BIPLANE_CUDA"
_FIRST = "torch"
# Packages that only the CUDA part has, or has another version of.
_OURS = ("torch", "torchgen", "functorch", "triton", "fla", "nvidia", "cuda")

log = logging.getLogger(__name__)


class StepBack(MetaPathFinder):
    """Imports `torch` from the CUDA part, and if that fails from the program's own packages.

    Whoever imports it first meets this; nobody else knows that there are two.
    """

    def __init__(self, folder: Path, failed: Callable[[str], None]) -> None:
        """failed: called with the name of the error, on the importing thread."""
        self._folder, self._failed = str(folder), failed

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != _FIRST:
            return None
        self.leave()
        found = PathFinder.find_spec(fullname, [self._folder])
        if found is None or found.loader is None:
            self._go_back("ModuleNotFoundError")
            return None
        found.loader = _Careful(found.loader, self._go_back)
        return found

    def leave(self) -> None:
        """Look at no further import."""
        with contextlib.suppress(ValueError):
            sys.meta_path.remove(self)

    def _go_back(self, name: str) -> None:
        with contextlib.suppress(ValueError):
            sys.path.remove(self._folder)
        for module in [one for one in sys.modules if one.partition(".")[0] in _OURS]:
            del sys.modules[module]
        importlib.invalidate_caches()
        self._failed(name)


class _Careful(Loader):
    """A loader that has a way back."""

    def __init__(self, inner: Loader, go_back: Callable[[str], None]) -> None:
        self._inner, self._go_back = inner, go_back

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._inner.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        try:
            self._inner.exec_module(module)
        except Exception as error:
            log.error("The CUDA part cannot be imported.", exc_info=error)
            self._go_back(type(error).__name__)
            own = importlib.util.find_spec(_FIRST)
            if own is None or own.loader is None:
                raise
            made = importlib.util.module_from_spec(own)
            # The import takes what is in its place at the end.
            sys.modules[_FIRST] = made
            own.loader.exec_module(made)


# The hook of this process, what it has to say, and who hears it.
_hook: list[StepBack] = []
_told: list[str] = []
_listener: list[Callable[[str], None]] = []


def activate(folder: Path | None = None) -> bool:
    """Use the CUDA part in this process, if there is one whose check has passed.

    To be called before anything imports torch. A part that was made for another version of
    Biplane is not used. `folder`: None is the user's.
    """
    root = folder or cuda_folder()
    unwanted = os.environ.get(SWITCH) == "off" or _FIRST in sys.modules or bool(_hook)
    # Most computers have none, and a start takes no longer for it.
    if unwanted or not (root / STATE).exists():
        return False
    state = read(root)
    if not state.passed:
        return False
    listed = bundled()
    if listed is None or listed.digest != state.digest:
        _tell(tr("The CUDA part belongs to another version of Biplane: install it again."))
        return False
    begin(site(root, state.digest), lambda name: _fell_back(root, state, name))
    return True


def begin(folder: Path, failed: Callable[[str], None]) -> None:
    """Put a folder of packages first, with a way back."""
    hook = StepBack(folder, failed)
    sys.path.insert(0, str(folder))
    sys.meta_path.insert(0, hook)
    _hook.append(hook)


def end() -> None:
    """Undo `begin`, as far as nothing was imported."""
    while _hook:
        hook = _hook.pop()
        hook.leave()
        with contextlib.suppress(ValueError):
            sys.path.remove(hook._folder)


def listen(hear: Callable[[str], None] | None) -> None:
    """Have somebody hear what the user should know, on any thread, and at once what was before.

    None: nobody any more.
    """
    _listener[:] = [] if hear is None else [hear]
    for sentence in _told:
        if hear is not None:
            hear(sentence)


def _fell_back(root: Path, state: State, name: str) -> None:
    said = tr("The CUDA part could not be used ({name}), so models run on the processor.")
    sentence = said.format(name=name)
    with contextlib.suppress(OSError):
        # Not tried again at every start.
        keep(root, State(state.digest, False, sentence))
    _tell(sentence)


def _tell(sentence: str) -> None:
    _told.append(sentence)
    for hear in _listener:
        hear(sentence)
