"""The access token of the server, one for the window and for `biplane serve`."""

from __future__ import annotations

import logging
import os
import re
import secrets
from pathlib import Path

from engine.private_files import make_folder, open_private

# Of its file, beside the settings.
SERVER_TOKEN = "server-token"
_SOUND = re.compile(r"[!-~]{16,200}")
log = logging.getLogger(__name__)


class ServerToken:
    """The access token: created when first needed, and kept until the user renews it."""

    def __init__(self, path: Path | None) -> None:
        """path: of its file; None keeps it for this run only."""
        self._path = path
        self._text = ""

    @property
    def text(self) -> str:
        self._text = self._text or self._read()
        if not self._text:
            self.renew()
        return self._text

    def renew(self) -> None:
        """Replace the token, which locks out clients with the old one."""
        self._text = "bp-" + secrets.token_urlsafe(24)
        if self._path is None:
            return
        try:
            make_folder(self._path.parent)
            with open(open_private(self._path), "w", encoding="ascii") as file:
                file.write(self._text + os.linesep)
        except OSError as error:
            # The new token is valid all the same, until the program ends.
            log.warning("The server's token cannot be saved: %s", error)

    def _read(self) -> str:
        if self._path is None:
            return ""
        try:
            text = self._path.read_text(encoding="ascii").strip()
        except (OSError, UnicodeDecodeError):
            return ""
        return text if _SOUND.fullmatch(text) else ""
