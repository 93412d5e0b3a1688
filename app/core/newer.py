"""Help > Check for a newer version: asks the project's releases, only when the user does.

What is sent is a request for one address, without any word about this computer.
"""

from __future__ import annotations

import http.client
import json
import os
import re
from dataclasses import dataclass
from typing import Any

from app.core.version import app_version
from app.core.web import WebError, open_url, reason
from app.core.words.joining import sentence
from app.core.words.tr import tr

# The project that the AppStream id io.github.biplane.Biplane stands for.
PROJECT = "biplane/Biplane"
ADDRESS = f"https://api.github.com/repos/{PROJECT}/releases/latest"
# Where the user gets it; never an address that came over the network.
PAGE = f"https://github.com/{PROJECT}/releases"
# Another address, such as that of a mirror.
VARIABLE = "BIPLANE_RELEASES"
TIMEOUT_S = 6.0
_MOST_BYTES = 1 << 20
_VERSION = re.compile(r"v?(\d{1,6}(?:\.\d{1,6}){0,3})")


@dataclass(frozen=True, slots=True)
class Answer:
    """What is known about newer versions.

    Attributes:
        sentence: for the user.
        newer: whether there is one.
    """

    sentence: str
    newer: bool = False


def ask(timeout_s: float = TIMEOUT_S) -> Answer:
    """Ask for the latest version. Waits for the network; never raises."""
    here = app_version()
    try:
        latest = _latest(os.environ.get(VARIABLE) or ADDRESS, timeout_s)
    except WebError as error:
        said = tr("Whether there is a newer version is not known: {reason}").format(reason=error)
        return Answer(sentence(said))
    if numbers(here) is None:
        text = tr("The newest version is {latest}; this one runs from source.")
        return Answer(text.format(latest=latest))
    if (numbers(latest) or ()) > (numbers(here) or ()):
        text = tr("Biplane {latest} is there; this is {here}. An update keeps everything.")
        return Answer(text.format(latest=latest, here=here), newer=True)
    return Answer(tr("This is the newest version, {here}.").format(here=here))


def numbers(version: str) -> tuple[int, ...] | None:
    """A version to compare, without zeros at its end; None if it is none."""
    found = _VERSION.fullmatch(version.strip())
    if found is None:
        return None
    parts = [int(part) for part in found[1].split(".")]
    while len(parts) > 1 and not parts[-1]:
        parts.pop()
    return tuple(parts)


def _latest(url: str, timeout_s: float) -> str:
    """The version of the latest release. Raises WebError."""
    with open_url(url, timeout_s, {"Accept": "application/json"}) as answer:
        try:
            content = answer.read(_MOST_BYTES + 1)
        except (OSError, http.client.HTTPException) as error:
            raise WebError(reason(error, url)) from error
    unusable = tr("the answer is not that of a list of releases")
    if len(content) > _MOST_BYTES:
        raise WebError(unusable)
    try:
        found: Any = json.loads(content)
    except (ValueError, RecursionError):
        raise WebError(unusable) from None
    tag = found.get("tag_name") if isinstance(found, dict) else None
    if not isinstance(tag, str) or numbers(tag) is None:
        raise WebError(unusable)
    return tag.strip().removeprefix("v")
