"""What of the applied settings the next start uses, in words. Without Qt."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.debug.what_if.knobs import value_words
from app.debug.what_if.wanted import wanted_name
from app.words.joining import listed
from app.words.tr import tr

_WORDS = {
    "interval": tr("interval"),
    "decode_interval": tr("decode interval"),
    "device_bytes": tr("device budget"),
    "state_share": tr("state share"),
    "host_bytes": tr("host budget"),
    "disk_bytes": tr("disk budget"),
    "policy": tr("policy"),
    "mode": tr("mode"),
}


def remembered_text(values: Mapping[str, Any], overruled: frozenset[str]) -> str:
    """One or two sentences; "" if nothing is remembered.

    Args:
        values, overruled: as EngineConfig names them.
    """
    if not values:
        return ""
    told = listed(
        f"{_WORDS[name]} {value_words(name, value)}"
        for name, value in ((wanted_name(field), value) for field, value in values.items())
    )
    said = tr("Remembered for the next start of this model: {told}.").format(told=told)
    if overruled:
        names = tr(" and ").join(sorted(_WORDS[wanted_name(field)] for field in overruled))
        return tr("{said} This start's command line sets another {names}.").format(
            said=said, names=names
        )
    return tr("{said} A value on the command line goes before it.").format(said=said)
