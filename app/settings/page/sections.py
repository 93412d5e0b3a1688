"""The sections of the program's own settings."""

from __future__ import annotations

from app.core.version import app_version
from app.core.words.tr import tr
from app.settings.page.cuda import CudaRow
from app.settings.page.rows import ButtonsRow, FormRow, Kit, Section


def _model(kit: Kit) -> list[FormRow]:
    """Which model to open, and how."""
    find = ButtonsRow(
        tr("Models"),
        tr("Download models, see which fit this machine, and open them."),
        [(tr("Show"), kit.actions["models"])],
        tr("hugging face fit"),
    )
    return [
        find,
        *kit.settings("first_model", "own_model", "other_files", "weights", "context"),
        *kit.settings("drafts"),
        CudaRow(),
        *kit.advanced("parallel", "device", "expert_bytes", "threads"),
    ]


def _cache(kit: Kit) -> list[FormRow]:
    """Budgets, checkpoints and retention."""
    return [
        *kit.settings("cache_bytes", "host_bytes", "disk_bytes"),
        *kit.advanced("interval", "decode_interval", "state_share", "compression"),
        *kit.advanced("policy", "mode", "background_audit"),
    ]


def _chat(kit: Kit) -> list[FormRow]:
    """Writing messages."""
    own = ButtonsRow(
        tr("This conversation"),
        tr("Temperature, length, system text and presets belong to each conversation."),
        [(tr("Open its settings"), kit.actions["chat_settings"])],
        tr("sampling temperature system"),
    )
    return [*kit.settings("send_key", "show_figures", "evict_deleted"), own]


def _appearance(kit: Kit) -> list[FormRow]:
    """The look of the window."""
    return kit.settings("theme", "scale", "text_px", "reduced_motion", "language")


def _diagnostics(kit: Kit) -> list[FormRow]:
    """Tools for diagnosing problems."""
    version = tr("For when something is wrong; this is version {version}.").format(
        version=app_version()
    )
    return [
        *kit.settings("log_level"),
        ButtonsRow(
            tr("Log and cache"),
            version,
            [
                (tr("Show log"), kit.actions["log"]),
                (tr("Copy diagnostics"), kit.actions["diagnostics"]),
                (tr("Check cache"), kit.actions["check"]),
            ],
            tr("invariants version about"),
        ),
        ButtonsRow(
            tr("This computer"),
            tr(
                "Memory, disks, folders, processor, graphics driver and display; and a deeper look."
            ),
            [(tr("Check…"), kit.actions["checkup"])],
            tr("self test problem driver"),
        ),
    ]


MODEL = Section("model", tr("Model and device"), _model)
CACHE = Section("cache", tr("Cache"), _cache)
CHAT = Section("chat", tr("Chat"), _chat)
APPEARANCE = Section("appearance", tr("Appearance"), _appearance)
DIAGNOSTICS = Section("diagnostics", tr("Diagnostics"), _diagnostics)
