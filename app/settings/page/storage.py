"""Settings > Data: where everything lies, how big it is, and ways to delete it."""

from __future__ import annotations

from app.core.places import Place, Size
from app.core.words import format as fmt
from app.core.words.tr import tr
from app.settings.page.rows import ButtonsRow, FormRow, Kit, Section
from app.ui.widgets import label

# The id of the row for all places together.
ALL = "all"
_ALSO = tr("folder where path file size big disk space remove clear privacy")
# Rows that nobody misses while there is nothing in their place.
_RARE = ("downloads", "cuda")


class PlaceRow(ButtonsRow):
    """A place with its size, a button that opens its folder, and one that deletes it.

    Attributes:
        id: of the place, or ALL.
        amount: of what lies there, in words; "…" until it was counted.
    """

    def __init__(self, kit: Kit, id: str, title: str, hint: str) -> None:
        act = kit.actions
        buttons = [(tr("Delete…"), act[f"delete:{id}"])]
        if id != ALL:
            buttons.insert(0, (tr("Open folder"), act[f"place:{id}"]))
        super().__init__(title, hint, buttons, _ALSO)
        self.id = id
        self.amount = label("…", "figures")
        self.side.insertWidget(0, self.amount)
        self.absent = id in _RARE

    def show_size(self, size: Size) -> None:
        """Show how much lies there; nothing can be deleted where there is nothing."""
        empty = not size.files
        self.absent = empty and self.id in _RARE
        self.amount.setText(tr("nothing") if empty else fmt.byte_size(size.nbytes))
        self.amount.setToolTip(fmt.plural(size.files, "file"))
        self.buttons[-1].setEnabled(not empty)


def data_section(places: tuple[Place, ...]) -> Section:
    """The user's data: where it lies, export and import, and deletion."""

    def rows_of(kit: Kit) -> list[FormRow]:
        return [
            *(PlaceRow(kit, one.id, one.title, str(one.folders[0])) for one in places),
            PlaceRow(
                kit,
                ALL,
                tr("Everything"),
                tr("All of the above. Files that you saved elsewhere, such as traces, stay."),
            ),
            ButtonsRow(
                tr("Export and import"),
                tr("All conversations in one file, and from such files of other programs, too."),
                [
                    (tr("Export all…"), kit.actions["export_all"]),
                    (tr("Import…"), kit.actions["import"]),
                ],
                tr("save backup move"),
            ),
        ]

    return Section("data", tr("Data"), rows_of)
