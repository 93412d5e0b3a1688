"""The sliders: the values of each, and their labels. Without Qt."""

from __future__ import annotations

from bisect import bisect_left, insort
from dataclasses import dataclass, replace
from typing import Any

from app.core.words import format as fmt
from app.core.words.tr import tr
from app.debugger.what_if.logic.wanted import Wanted
from engine.config import DRAFT_SOURCES, MODES, POLICY_NAMES
from engine.journal.settings import CacheSettings
from engine.plan.draft_depth import MOST_ROWS

_INTERVALS = (0, 64, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096, 8192)
_DECODE_INTERVALS = (0, 8, 16, 32, 64, 128, 256, 512, 1024, 2048)
_SHARES = tuple(n / 20 for n in range(20))
_LEAST_KV_SLOTS = 256
_OCTAVES = 8
_PER_OCTAVE = 4
_MOST_DRAFTED = tuple(range(MOST_ROWS))
_DISKS = (0, *(256 << 20 << n for n in range(9)))


@dataclass(frozen=True, slots=True)
class Knob:
    """One setting.

    Attributes:
        name: a field of Wanted.
        values: ascending, or for a choice in any order.
        choice: shown as a drop-down list instead of a slider.
    """

    name: str
    label: str
    hint: str
    values: tuple[Any, ...]
    choice: bool = False

    def position(self, value: Any) -> int:
        """The index of a value, or of the first one above it."""
        if self.choice:
            return self.values.index(value)
        return min(bisect_left(self.values, value), len(self.values) - 1)

    def words(self, value: Any) -> str:
        return value_words(self.name, value)


def value_words(name: str, value: Any) -> str:
    """A value of a setting in words."""
    if name.endswith("_bytes"):
        return fmt.byte_size(value) if value else tr("none")
    if name == "drafts":
        called = {"auto": tr("Automatic"), "text": tr("Only from known text"), "off": tr("Off")}
        return called[value]
    if name == "most_drafted":
        return fmt.plural(value, "token") if value else tr("none")
    if name in ("interval", "decode_interval"):
        return tr("{value:,} tokens").format(value=value) if value else tr("never")
    return f"{value:.0%}" if name == "state_share" else str(value)


def knobs_for(base: Wanted, settings: CacheSettings, wanted: Wanted) -> tuple[Knob, ...]:
    """The sliders around the current settings; they include the wanted values."""
    return tuple(
        knob
        if knob.choice
        else replace(knob, values=_with(knob.values, getattr(wanted, knob.name)))
        for knob in _around(base, settings)
    )


def _around(base: Wanted, settings: CacheSettings) -> tuple[Knob, ...]:
    least = _LEAST_KV_SLOTS * settings.kv_slot_bytes + settings.state_slot_bytes
    host = _LEAST_KV_SLOTS * settings.kv_slot_bytes + 2 * settings.host_state_slot_bytes
    return (
        Knob(
            "interval",
            tr("Interval"),
            tr("C: most prompt tokens between two checkpoints"),
            _with(_INTERVALS, base.interval),
        ),
        Knob(
            "decode_interval",
            tr("Decode interval"),
            tr("D: tokens of an answer between two checkpoints"),
            _with(_DECODE_INTERVALS, base.decode_interval),
        ),
        Knob(
            "device_bytes",
            tr("Device budget"),
            tr("Memory of both planes on the device"),
            _octaves(base.device_bytes, least, base.device_bytes),
        ),
        Knob(
            "state_share",
            tr("State share"),
            tr("Part of the budget for states at first, on the device and on the host"),
            _with(_SHARES, base.state_share),
        ),
        Knob(
            "host_bytes",
            tr("Host budget"),
            tr("Host memory for what the device evicts"),
            (0, *_octaves(base.host_bytes or base.device_bytes, host, base.host_bytes)),
        ),
        Knob(
            "disk_bytes",
            tr("Disk budget"),
            tr(
                "Files for what host and device evict. A replay's disk begins with "
                "the files that were there and keeps everything, whatever its budget"
            ),
            _with(_DISKS, base.disk_bytes),
        ),
        Knob(
            "policy",
            tr("Policy"),
            tr("What goes first when there is no room"),
            POLICY_NAMES,
            choice=True,
        ),
        Knob(
            "mode",
            tr("Mode"),
            tr(
                "fast resumes from every checkpoint, exact only where results stay equal to the bit"
            ),
            MODES,
            choice=True,
        ),
        Knob(
            "drafts",
            tr("Drafts"),
            tr("Where drafts come from: cached paths and the text, the text alone, or nowhere"),
            DRAFT_SOURCES,
            choice=True,
        ),
        Knob(
            "most_drafted",
            tr("Longest draft"),
            tr("Most tokens of a draft; how many are drafted follows from what passes cost"),
            _MOST_DRAFTED,
        ),
    )


def _with(values: tuple[Any, ...], value: Any) -> tuple[Any, ...]:
    """Ascending values with one more."""
    made = list(values)
    if value not in made:
        insort(made, value)
    return tuple(made)


def _octaves(around: int, least: int, exact: int) -> tuple[int, ...]:
    """Steps of a quarter octave from an eighth of a value to sixteen times it."""
    steps = range(-3 * _PER_OCTAVE, (_OCTAVES - 4) * _PER_OCTAVE + 1)
    values = [round(around * 2 ** (n / _PER_OCTAVE)) for n in steps]
    kept = tuple(value for value in values if value >= least)
    return _with(kept, exact) if exact else kept or (least,)
