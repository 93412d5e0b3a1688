"""Asks where a picture or a table shall be saved, and saves the picture."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QWidget

from app.export.behind import Behind
from app.export.picture import Picture
from app.file_dialog import ask_where
from app.words.tr import tr
from engine.private_files import open_private

_PICTURES = tr("PNG (*.png);;SVG (*.svg)")


def ask_picture(parent: QWidget, title: str, name: str) -> Path | None:
    """A file for a picture, with its ending; None if none was chosen."""
    asked = tr("Picture of {title}").format(title=title)
    path, chosen = ask_where(parent, "exports", asked, f"{name}.png", _PICTURES)
    if path is None:
        return None
    ending = ".svg" if chosen.startswith("SVG") else ".png"
    return path if path.suffix else path.with_suffix(ending)


def ask_file(parent: QWidget, name: str) -> Path | None:
    """A file for anything else; None if none was chosen."""
    path, _ = ask_where(parent, "exports", tr("Export"), name, f"*{Path(name).suffix}")
    return path


def save_picture(picture: Picture, path: Path) -> str:
    """Write a picture, which has to be drawn on the window's thread; what came of it."""
    try:
        picture.save(path)
    except OSError as error:
        reason = error.strerror or tr("the file cannot be written")
        return tr("{name} cannot be written: {reason}.").format(name=path.name, reason=reason)
    return tr("The picture was saved to {name}.").format(name=path.name)


def save_text(
    behind: Behind, path: Path, text: Callable[[], str], told: Callable[[str], None]
) -> None:
    """Make a text and write it, both behind the window; `told`: what came of it."""

    def write() -> None:
        made = text()
        with open(open_private(path), "w", encoding="utf-8") as file:
            file.write(made)

    behind.run(
        write,
        lambda _: told(tr("{name} was saved.").format(name=path.name)),
    )
