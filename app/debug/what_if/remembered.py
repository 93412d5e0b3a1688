"""What of the applied settings the next start uses, in words. Without Qt."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.debug.what_if.knobs import value_words
from app.debug.what_if.wanted import wanted_name

_WORDS = {
    "interval": "interval",
    "decode_interval": "decode interval",
    "device_bytes": "device budget",
    "state_share": "state share",
    "host_bytes": "host budget",
    "disk_bytes": "disk budget",
    "policy": "policy",
    "mode": "mode",
}


def remembered_text(values: Mapping[str, Any], overruled: frozenset[str]) -> str:
    """One or two sentences; "" if nothing is remembered.

    Args:
        values, overruled: as EngineConfig names them.
    """
    if not values:
        return ""
    told = ", ".join(
        f"{_WORDS[name]} {value_words(name, value)}"
        for name, value in ((wanted_name(field), value) for field, value in values.items())
    )
    said = f"Remembered for the next start of this model: {told}."
    if overruled:
        names = " and ".join(sorted(_WORDS[wanted_name(field)] for field in overruled))
        return f"{said} This start's command line sets another {names}."
    return f"{said} A value on the command line goes before it."
