"""Takes a picture of every view, at three sizes, light and dark, to be looked at.

    python packaging/pictures.py FOLDER [--only NAME]... [--size 1366x768]... [--language zh_CN]
        [--cache-mb 64]

One window on the bundled model is used as a person would: chats, an edit, evictions in a small
cache; then every panel of the debugger, every tab of the memory lab, the models and the dialogs.
FOLDER gets SIZE/NAME-THEME.png. With --connect http://127.0.0.1:8080 it takes those of an engine
elsewhere instead: the dialog, and a chat with the first model of the server that listens there.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from app.core.words.language import ENGLISH, LANGUAGES, speak

if TYPE_CHECKING:
    from tours.guide import Picture

    from app.bench.stage import Stage

SIZES = ((1000, 640), (1440, 900), (2560, 1440))
_REST_S, _TURNS = 0.35, 12


def pictures(on: Stage, address: str) -> Iterator[Picture]:
    """Each view in turn; it stays until the next one is asked for."""
    from tours import chatting, debugging, dialogs, elsewhere, fleet, models, starting
    from tours.guide import Guide

    guide = Guide(on)
    if address:
        yield from elsewhere.elsewhere(guide, address)
        return
    for tour in (
        *(starting.without_a_model, starting.troubles),
        *(chatting.chats, chatting.occasions, chatting.another_model),
        *(chatting.palette, chatting.settings),
        *(debugging.debugger, debugging.clients, fleet.fleet),
        *(debugging.lab, models.models, dialogs.dialogs),
    ):
        yield from tour(guide)


def take(
    on: Stage, address: str, folder: Path, sizes: list[tuple[int, int]], names: set[str]
) -> Iterator[Path]:
    """Save every picture that is wanted, of all if none is named; yields its file."""
    from app.ui import theme

    left = set(names)
    for picture in pictures(on, address):
        if names and picture.name not in names:
            continue
        left.discard(picture.name)
        for width, height in sizes[:1] if picture.fixed else sizes:
            for mode in ("light", "dark"):
                theme.keeper().set_mode(mode)
                if not picture.fixed:
                    picture.widget.resize(width, height)
                on.rest(_REST_S)
                # On a busy computer one turn of the event loop may take all that time.
                on.pump(_TURNS)
                if picture.prepare is not None:
                    picture.prepare()
                    on.pump(3)
                place = "dialogs" if picture.fixed else f"{width}x{height}"
                path = folder / place / f"{picture.name}-{mode}.png"
                path.parent.mkdir(parents=True, exist_ok=True)
                if not picture.widget.grab().save(str(path)):
                    raise SystemExit(f"{path} cannot be written.")
                yield path
        if names and not left:
            return


def main() -> None:
    """Take what the command line asks for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, help="gets SIZE/NAME-THEME.png")
    parser.add_argument("--only", action="append", default=[], metavar="NAME")
    parser.add_argument("--size", action="append", default=[], metavar="WxH")
    parser.add_argument("--language", choices=list(LANGUAGES), default=ENGLISH)
    parser.add_argument("--cache-mb", type=int, default=6, help="(default: %(default)s)")
    parser.add_argument("--connect", default="", metavar="URL")
    given = parser.parse_args()
    # Texts are looked up where they are imported.
    speak(given.language)
    from app.bench.stage import stage
    from app.ui.qt_texts import install_qt_texts
    from engine.config import EngineConfig

    # As a rule small enough that a few short chats evict each other's checkpoints.
    config = EngineConfig(
        cache_bytes=given.cache_mb << 20, host_bytes=4 << 20, disk_bytes=0, threads=1
    )
    sizes = [_size(text) for text in given.size] or list(SIZES)
    with tempfile.TemporaryDirectory() as data, stage(Path(data), config, seed=0) as on:
        install_qt_texts(on.app)
        taken = list(take(on, given.connect, given.folder, sizes, set(given.only)))
    found = {path.stem.rpartition("-")[0] for path in taken}
    if missing := sorted(set(given.only) - found):
        raise SystemExit(f"There is no picture {', '.join(missing)}.")
    print(f"{len(taken)} pictures are in {given.folder}.")


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.partition("x")
    return int(width), int(height)


if __name__ == "__main__":
    main()
