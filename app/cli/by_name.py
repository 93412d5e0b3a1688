"""`biplane serve --open-by-name`: the models that requests may open, and the one that is open."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from app.core.options.shared import UsageError
from app.core.store.downloads import downloads
from engine import BiplaneError, Engine, EngineConfig, ModelError

if TYPE_CHECKING:
    from engine.net.server import Server
    from engine.net.server.by_name import Known, Opened


def models_in(folders: Sequence[str]) -> Iterator[Path]:
    """The model folders and GGUF files in these folders; "" stands for those downloaded.

    Raises UsageError if one is none.
    """
    for folder in folders:
        if not folder:
            yield from (each.folder for each in downloads().downloaded())
            continue
        if not Path(folder).is_dir():
            raise UsageError(f"--open-by-name takes a folder, and {folder} is none.")
        for path in sorted(Path(folder).iterdir()):
            if path.suffix.lower() == ".gguf" or (path / "config.json").is_file():
                yield path


class OneOpen:
    """The open model of a server, and those that may take its place; one thread at a time.

    Its files keep what was cached of a model while another is open.

    Attributes:
        engine: of the open one.
    """

    def __init__(
        self, server: Server, config: EngineConfig, first: Path, others: Sequence[Path]
    ) -> None:
        """Open the first and attach it. Raises ModelError."""
        self._server, self._config = server, config
        self._switches = threading.Lock()
        self._paths: dict[str, Path] = {}
        self._known: dict[str, Known] = {}
        self._took_s: dict[str, float] = {}
        for path in others:
            self._look_at(path)
        self.engine = self._started(first)
        self._paths[self.engine.model.name] = first

    @property
    def known(self) -> tuple[Known, ...]:
        return tuple(self._known.values())

    @property
    def alive(self) -> bool:
        """Whether a model is open, or about to be."""
        return self._switches.locked() or self.engine.alive

    def open(self, name: str) -> Opened | None:
        """See engine.net.server.by_name.Models."""
        from engine.net.server.by_name import Opened

        with self._switches:
            before, began = self.engine, time.perf_counter()
            closed = before.model.name
            if name == closed and before.alive:
                self._server.attach(before.loop, before.model)
                return None
            self._server.detach()
            before.close()
            try:
                self.engine = self._started(self._paths[name])
            except BiplaneError as error:
                self.engine = self._started(self._paths[closed])
                raise ModelError(
                    "{name} cannot be opened: {error}", name=name, error=error
                ) from None
            seconds = time.perf_counter() - began
            kept = bool(self._config.disk_bytes)
            opened = Opened(name, seconds, closed, self._took_s[closed], kept)
        print(opened.sentence, file=sys.stderr, flush=True)
        return opened

    def close(self) -> None:
        """Close the open model, after a switch that is going on."""
        with self._switches:
            self.engine.close()

    def _started(self, path: Path) -> Engine:
        from engine.net.server.by_name import Known

        began = time.perf_counter()
        engine = Engine.open(path, self._config)
        # Rather now than when the first answer in a format is wanted.
        engine.on_core(lambda core: core.grammars.prepare())
        self._took_s[engine.model.name] = time.perf_counter() - began
        self._known[engine.model.name] = Known.of(engine.model)
        self._server.attach(engine.loop, engine.model)
        return engine

    def _look_at(self, path: Path) -> None:
        """List a model by what its headers say; one that could not be opened is left out."""
        from engine.model.inspect import inspect_model
        from engine.net.server.by_name import Known

        try:
            told = inspect_model(path)
            missing = [*told.missing_files, *told.missing, *told.wrong]
            if missing:
                raise ModelError(
                    "{path} is not whole: {missing}.", path=path, missing=missing[0].rstrip(".")
                )
        except BiplaneError as error:
            print(f"Left out: {error}", file=sys.stderr, flush=True)
            return
        if told.name in self._known:
            return
        self._paths[told.name] = path
        self._known[told.name] = Known(
            told.name,
            str(path),
            told.family,
            told.parameters,
            told.text_bytes,
            told.stored,
            told.layers,
            told.context,
        )
