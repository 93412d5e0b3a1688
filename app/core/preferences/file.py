"""The settings file: written atomically, and set aside if unusable. Without Qt."""

from __future__ import annotations

import contextlib
import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import platformdirs

from app.core.preferences.table import SPECS, Preferences
from app.core.words.kinds import Keys
from app.core.words.tr import tr, trn
from engine.private_files import read_object, write_whole

NAME = "settings.json"
FORMAT = 1
_MOST_BYTES = 1 << 20
_MOST_COPIES = 100


def settings_file() -> Path:
    """The path of the user's file."""
    return platformdirs.user_config_path("biplane", appauthor=False) / NAME


@dataclass(frozen=True, slots=True)
class Read:
    """The content of a settings file.

    Attributes:
        values: its valid settings, by name.
        raw: all of it, including unknown keys.
        sentence: what was wrong with it and where it was moved to; "" if nothing.
    """

    values: Mapping[str, Any] = field(default_factory=dict)
    raw: Mapping[str, Any] = field(default_factory=dict)
    sentence: str = ""

    @property
    def preferences(self) -> Preferences:
        return Preferences(**self.values)


def read(path: Path) -> Read:
    """Read the settings; an unusable file is set aside, and a missing one is empty."""
    try:
        if path.stat().st_size > _MOST_BYTES:
            return Read(sentence=_aside(path, tr("The settings file is far too large to be one")))
        raw = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Read()
    except OSError as error:
        reason = error.strerror or type(error).__name__
        return Read(
            sentence=tr("The settings file {path} cannot be read ({reason}).").format(
                path=path, reason=reason
            )
        )
    except (ValueError, RecursionError):
        raw = None
    sound = isinstance(raw, dict) and isinstance(raw.get("settings"), dict)
    version = raw.get("format") if sound else None
    if not isinstance(version, int) or version < 1:
        return Read(sentence=_aside(path, tr("The settings file is damaged")))
    if version > FORMAT:
        return Read(
            sentence=_aside(path, tr("The settings file was written by a newer version of Biplane"))
        )
    return _checked(path, raw)


def write(path: Path, changes: Mapping[str, Any], known: Mapping[str, Any]) -> None:
    """Merge changed settings into the file, atomically, private to the user.

    Raises OSError or ValueError.

    Args:
        changes: values by name; None resets a setting to its default.
        known: the file's content at startup, for when it cannot be read any more.
    """
    raw = dict(_content(path) or known)
    settings = dict(raw.get("settings", {}))
    for name, value in changes.items():
        spec = SPECS[name]
        if value is None:
            settings.pop(spec.key, None)
        else:
            settings[spec.key] = dict(value) if isinstance(spec.kind, Keys) else value
    raw |= {"format": FORMAT, "settings": settings}
    text = json.dumps(raw, indent=1, ensure_ascii=False, sort_keys=True) + "\n"
    write_whole(path, text, synced=True)


def _content(path: Path) -> Mapping[str, Any] | None:
    """The current content, as another window may have written to it."""
    raw = read_object(path, _MOST_BYTES)
    return raw if isinstance(raw.get("settings"), dict) and raw.get("format") == FORMAT else None


def _checked(path: Path, raw: Mapping[str, Any]) -> Read:
    """The valid settings of a readable file; the others have their defaults."""
    values: dict[str, Any] = {}
    wrong: list[str] = []
    for name, spec in SPECS.items():
        if spec.key in raw["settings"]:
            try:
                values[name] = spec.kind.check(raw["settings"][spec.key])
            except ValueError as error:
                wrong.append(f"{spec.key} {error}")
    if not wrong:
        return Read(values, raw)
    copy = _free_name(path)
    kept = ""
    with contextlib.suppress(OSError):
        shutil.copy2(path, copy)
        kept = " " + tr("A copy of the file is {copy}.").format(copy=copy)
    said = trn(
        "In the settings file {wrong}; its default stands in.",
        "In the settings file {wrong}; their defaults stand in.",
        len(wrong),
    ).format(wrong="; ".join(wrong))
    return Read(values, raw, said + kept)


def _aside(path: Path, what: str) -> str:
    """Move a file aside; the result, in a sentence or two."""
    said = tr("{what}; every setting has its default.").format(what=what) + " "
    copy = _free_name(path)
    try:
        path.replace(copy)
    except OSError:
        return said + tr("It stays where it is, at {path}.").format(path=path)
    return said + tr("The file is kept as {copy}.").format(copy=copy)


def _free_name(path: Path) -> Path:
    names = (path.with_name(f"{path.stem}.aside-{n}{path.suffix}") for n in range(1, _MOST_COPIES))
    # So many failures are the same one, so the last copy may be overwritten.
    return next((name for name in names if not name.exists()), path.with_name(f"{path.name}.aside"))
