"""The user's shortcuts, with checks for conflicts and for invalid ones. Without Qt."""

from __future__ import annotations

from collections.abc import Mapping

from app.core.words.kinds import Bindings
from app.core.words.tr import tr

Keys = Mapping[str, tuple[str, ...]]

# Keys of fields and lists, which a window shortcut would override.
_TAKEN = frozenset(
    {
        *("Return", "Enter", "Shift+Return", "Shift+Enter", "Tab", "Shift+Tab", "Backspace"),
        *("Space", "Del", "Home", "End", "Left", "Right", "Up", "Down", "PgUp", "PgDown"),
        *("Ctrl+Left", "Ctrl+Right", "Ctrl+Backspace", "Ctrl+Del", "Ctrl+Home", "Ctrl+End"),
        *("F2", "Menu", "Shift+F10"),
    }
)


def bound(defaults: Keys, own: Bindings) -> dict[str, tuple[str, ...]]:
    """The effective shortcuts, by command."""
    return {**defaults, **{id: keys for id, keys in own if id in defaults}}


def with_keys(defaults: Keys, own: Bindings, id: str, keys: str) -> Bindings:
    """The user's shortcuts after rebinding one command, "" to unbind it."""
    made = dict(own)
    wanted = (keys,) if keys else ()
    if wanted == defaults.get(id, ()):
        made.pop(id, None)
    else:
        made[id] = wanted
    return tuple(sorted(made.items()))


def taken_by(defaults: Keys, own: Bindings, id: str, keys: str) -> str:
    """The other command with these keys; "" if there is none."""
    return next(
        (other for other, has in bound(defaults, own).items() if other != id and keys in has), ""
    )


def refusal(keys: str) -> str:
    """Why keys cannot be a shortcut, in a sentence; "" if they can."""
    if keys in _TAKEN:
        return tr("{keys} belongs to fields and lists.").format(keys=keys)
    held, _, last = keys.rpartition("+")
    writes = len(last) == 1 or not last
    if writes and held in ("", "Shift"):
        return tr("{keys} writes a letter; hold Ctrl or Alt as well.").format(keys=keys)
    return ""
