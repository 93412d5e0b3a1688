"""The sections of the program's own settings."""

from __future__ import annotations

from pathlib import Path

from app.settings.page.rows import ButtonsRow, FormRow
from app.settings.page.section import Kit, Section
from app.version import app_version
from app.words.tr import tr


class ModelSection(Section):
    """Which model, and how it is opened."""

    id = "model"
    title = tr("Model and device")

    def rows(self, kit: Kit) -> list[FormRow]:
        find = ButtonsRow(
            tr("Models"),
            tr("Download models, see which fit this machine, and open them."),
            [(tr("Show"), kit.actions["models"])],
            tr("hugging face fit"),
        )
        names = ("first_model", "own_model", "device", "weights", "expert_bytes", "context")
        return [find, *kit.settings(*names, "threads")]


class CacheSection(Section):
    """Budgets, checkpoints and what is kept."""

    id = "cache"
    title = tr("Cache")

    def rows(self, kit: Kit) -> list[FormRow]:
        return kit.settings(
            *("interval", "decode_interval", "cache_bytes", "state_share", "host_bytes"),
            *("disk_bytes", "compression", "policy", "mode", "background_audit"),
        )


class ChatSection(Section):
    """How one writes."""

    id = "chat"
    title = tr("Chat")

    def rows(self, kit: Kit) -> list[FormRow]:
        own = ButtonsRow(
            tr("This conversation"),
            tr("Temperature, length, system text and presets belong to each conversation."),
            [(tr("Open its settings"), kit.actions["chat_settings"])],
            tr("sampling temperature system"),
        )
        return [*kit.settings("send_key", "evict_deleted"), own]


class AppearanceSection(Section):
    """How it looks."""

    id = "appearance"
    title = tr("Appearance")

    def rows(self, kit: Kit) -> list[FormRow]:
        return kit.settings("theme", "scale", "reduced_motion", "language")


class DataSection(Section):
    """Where things lie, and how to take them along or be rid of them."""

    id = "data"
    title = tr("Data")

    def __init__(self, places: list[tuple[str, Path]]) -> None:
        """`places`: what lies where."""
        self._places = places

    def rows(self, kit: Kit) -> list[FormRow]:
        show = kit.actions
        rows: list[FormRow] = [
            ButtonsRow(
                what,
                str(place),
                [(tr("Show"), show[f"place:{place}"])],
                tr("folder where path file"),
            )
            for what, place in self._places
        ]
        rows.append(
            ButtonsRow(
                tr("Export and import"),
                tr("All conversations in one file, and from such files of other programs, too."),
                [
                    (tr("Export all…"), kit.actions["export_all"]),
                    (tr("Import…"), kit.actions["import"]),
                ],
                tr("save backup move"),
            )
        )
        rows.append(
            ButtonsRow(
                tr("Delete"),
                tr(
                    "Conversations are gone from disk when the window closes. The cache fills anew."
                ),
                [
                    (tr("All conversations…"), kit.actions["delete_all"]),
                    (tr("Cache"), kit.actions["drop"]),
                ],
                tr("remove clear privacy"),
            )
        )
        return rows


class DiagnosticsSection(Section):
    """What helps when something is wrong."""

    id = "diagnostics"
    title = tr("Diagnostics")

    def rows(self, kit: Kit) -> list[FormRow]:
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
        ]
