"""A section of the settings page. To add one: a class, and its line in the list of the shell."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from PySide6.QtWidgets import QWidget

from app.preferences.book import Book
from app.settings.page.rows import FormRow, SettingRow

Actions = dict[str, Callable[[], object]]


@dataclass(frozen=True, slots=True)
class Kit:
    """What sections are made with.

    Attributes:
        book: the settings.
        actions: what the window can do, by the id of its command, and what only the page asks for.
    """

    book: Book
    actions: Actions = field(default_factory=dict)

    def settings(self, *names: str) -> list[FormRow]:
        """A row for each of some settings."""
        return [SettingRow(name, self.book) for name in names]


class Section:
    """What belongs together on the page.

    Attributes:
        id: names it in links.
        title: its heading, and its entry in the list at the left.
    """

    id = ""
    title = ""

    def rows(self, kit: Kit) -> list[FormRow]:
        """Its rows, from top to bottom."""
        raise NotImplementedError

    def foot(self, kit: Kit) -> QWidget | None:
        """What stands below the rows; None for nothing."""
        return None
