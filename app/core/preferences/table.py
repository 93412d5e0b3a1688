"""Every setting of the program: its key in the file, its type, and when it takes effect.

Without Qt and user-visible texts: it is imported before the language is known.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, Literal

from app.core.log import LEVELS
from app.core.words.kinds import Choice, Flag, Keys, Kind, Share, Whole
from engine.config import (
    DEVICES,
    DRAFT_SOURCES,
    INTERVAL_STEP,
    MODES,
    MOST_PARALLEL,
    MOST_THREADS,
    POLICY_NAMES,
    STATE_FORMATS,
    WEIGHT_FORMATS,
    EngineConfig,
)

# When a change takes effect: at once, at the next request, when a model is opened, at startup.
Effect = Literal["live", "request", "open", "start"]
LANGUAGES = ("system", "en", "zh_CN")
_MIB = 1 << 20
_BYTES = Whole(0, 1 << 50, by=256 * _MIB, unit=_MIB)


@dataclass(frozen=True, slots=True)
class Spec:
    """The definition of a setting.

    Attributes:
        name: in Preferences.
        key: in the file.
        engine: the corresponding field of EngineConfig; "" if none.
    """

    name: str
    key: str
    kind: Kind
    default: Any
    effect: Effect
    engine: str = ""


def _setting(key: str, kind: Kind, default: Any, effect: Effect, engine: str = "") -> Any:
    about = {"key": key, "kind": kind, "effect": effect, "engine": engine}
    return field(default=default, metadata=about)


@dataclass(frozen=True, slots=True, kw_only=True)
class Preferences:
    """The user's settings, with defaults for the rest.

    Attributes:
        first_model: the model to open at startup: the last one, the bundled one or none.
        own_model: whether to open a conversation's own model without asking.
        other_files: whether to list the GGUF files that other programs keep on this computer.
        device, weights, expert_bytes, context, drafts, parallel, threads: as in
            EngineConfig.
        cache_bytes, host_bytes, disk_bytes, state_share, interval, decode_interval, policy, mode,
            compression, background_audit: as in EngineConfig.
        send_key: the key that sends a message; the other one inserts a line break.
        show_figures: whether all figures of an answer show at all times.
        evict_deleted: whether to remove deleted conversations from the cache without asking.
        theme: light, dark, or the system's.
        scale: of the whole user interface, in percent.
        text_px: the size of the text of messages, in pixels.
        reduced_motion: disables fading and other animations.
        language: of the program.
        server_on: let other programs use the open model; server_port, server_keep_thinking,
            server_leave_out: where, whether the thinking of earlier turns stays in their prompts,
            and whether to drop lines that agents change with each request from them.
        shortcuts: by command, where they differ from the defaults.
        log_level: of the log file.
    """

    first_model: str = _setting("model.first", Choice(("last", "bundled", "none")), "last", "start")
    own_model: str = _setting("model.of_conversation", Choice(("ask", "always")), "ask", "live")
    other_files: bool = _setting("model.other_files", Flag(), False, "live")
    device: str = _setting("model.device", Choice(DEVICES), "auto", "open", "device")
    weights: str = _setting("model.weights", Choice(WEIGHT_FORMATS), "stored", "open", "weights")
    expert_bytes: int = _setting("model.expert_bytes", _BYTES, 0, "open", "expert_bytes")
    context: int = _setting("model.context", Whole(0, 1 << 24, by=1024), 0, "open", "context")
    drafts: str = _setting("model.drafts", Choice(DRAFT_SOURCES), "auto", "request", "drafts")
    parallel: int = _setting("model.parallel", Whole(1, MOST_PARALLEL), 4, "open", "parallel")
    threads: int = _setting("model.threads", Whole(0, MOST_THREADS), 0, "open", "threads")
    cache_bytes: int = _setting("cache.device_bytes", _BYTES, 0, "request", "cache_bytes")
    state_share: float = _setting("cache.state_share", Share(), 0.5, "request", "state_share")
    host_bytes: int = _setting("cache.host_bytes", _BYTES, 0, "open", "host_bytes")
    disk_bytes: int = _setting("cache.disk_bytes", _BYTES, 4096 * _MIB, "open", "disk_bytes")
    interval: int = _setting(
        "cache.interval", Whole(0, 1 << 20, INTERVAL_STEP, by=64), 1024, "request", "interval"
    )
    decode_interval: int = _setting(
        "cache.decode_interval", Whole(0, 1 << 20, by=32), 256, "request", "decode_interval"
    )
    policy: str = _setting("cache.policy", Choice(POLICY_NAMES), "coverage", "open", "policy")
    mode: str = _setting("cache.mode", Choice(MODES), "fast", "open", "mode")
    compression: str = _setting(
        "cache.compression", Choice(STATE_FORMATS), "none", "open", "compression"
    )
    background_audit: bool = _setting(
        "cache.background_audit", Flag(), False, "live", "background_audit"
    )
    send_key: str = _setting("chat.send_key", Choice(("enter", "ctrl+enter")), "enter", "live")
    show_figures: bool = _setting("chat.show_figures", Flag(), False, "live")
    evict_deleted: bool = _setting("chat.evict_deleted", Flag(), False, "live")
    theme: str = _setting("appearance.theme", Choice(("system", "light", "dark")), "system", "live")
    scale: int = _setting("appearance.scale", Whole(100, 200, 5, by=25), 100, "start")
    text_px: int = _setting("appearance.text_px", Whole(12, 20), 14, "live")
    reduced_motion: bool = _setting("appearance.reduced_motion", Flag(), False, "live")
    language: str = _setting("appearance.language", Choice(LANGUAGES), "system", "start")
    server_on: bool = _setting("server.on", Flag(), False, "live")
    server_port: int = _setting("server.port", Whole(0, 65_535), 8642, "live")
    server_keep_thinking: bool = _setting("server.keep_thinking", Flag(), False, "live")
    server_leave_out: bool = _setting("server.leave_out_volatile", Flag(), False, "live")
    shortcuts: tuple[tuple[str, tuple[str, ...]], ...] = _setting("shortcuts", Keys(), (), "live")
    log_level: str = _setting("diagnostics.log_level", Choice(LEVELS), "info", "live")


SPECS: dict[str, Spec] = {
    one.name: Spec(one.name, default=one.default, **one.metadata) for one in fields(Preferences)
}
# Settings that are EngineConfig fields, by field name.
ENGINE: dict[str, str] = {spec.engine: name for name, spec in SPECS.items() if spec.engine}
assert ENGINE.keys() <= {one.name for one in fields(EngineConfig)}, "not a field"
