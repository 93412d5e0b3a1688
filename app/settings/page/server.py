"""The server's section: the switch, its address and its token."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtWidgets import QPushButton

from app.core.words.tr import tr
from app.settings.page.rows import FormRow, Kit, Section
from app.ui.widgets import CopyButton, label

_SHOWN = 5


@dataclass(frozen=True, slots=True)
class ServerFacts:
    """The state that the section shows.

    Attributes:
        url: its address; "" while it is not running.
        token: the token that clients must send.
        sentence: why it is not running although it is switched on; else "".
    """

    url: str
    token: str
    sentence: str


class AddressRow(FormRow):
    """An address to copy.

    Attributes:
        shown: the address, or why there is none.
        copy: the button.
    """

    def __init__(
        self, title: str, address: Callable[[], str], problem: Callable[[], str] = lambda: ""
    ) -> None:
        """problem: why there is none, if this row is to report it for all."""
        super().__init__(title, "", tr("base url endpoint api copy"))
        self._address, self._problem = address, problem
        self.shown = label("", "faint", wrap=True, selectable=True)
        self.problem = label("", "dangerSmall", wrap=True)
        self.copy = CopyButton(address, tr("Copy {title}").format(title=title))
        self.texts.addWidget(self.shown)
        self.texts.addWidget(self.problem)
        self.side.addWidget(self.copy)
        self.refresh()

    def refresh(self) -> None:
        address, sentence = self._address(), self._problem()
        self.shown.setText(address or tr("The server does not run."))
        self.shown.setVisible(not sentence)
        self.problem.setText(sentence)
        self.problem.setVisible(bool(sentence))
        self.copy.setEnabled(bool(address))


class TokenRow(FormRow):
    """The token, masked except for its beginning.

    Attributes:
        shown: the masked token.
        copy, another: the buttons to copy and renew it.
    """

    def __init__(self, token: Callable[[], str], renew: Callable[[], object]) -> None:
        title = tr("Token", "of a server")
        hint = tr("Programs send it as their API key. A new one shuts out whoever has the old one.")
        super().__init__(title, hint, tr("api key password secret"))
        self._token = token
        self.shown = label("", "figures")
        self.copy = CopyButton(token, tr("Copy token"))
        self.another = QPushButton(tr("New token"))
        self.another.clicked.connect(lambda: renew())
        self.texts.addWidget(self.shown)
        self.side.addWidget(self.copy)
        self.side.addWidget(self.another)
        self.refresh()

    def refresh(self) -> None:
        token = self._token()
        self.shown.setText(token[:_SHOWN] + "•" * 12)


def _under(url: str, path: str) -> str:
    return f"{url}{path}" if url else ""


def server_section(facts: Callable[[], ServerFacts], renew: Callable[[], object]) -> Section:
    """The section for serving the open model; `renew` replaces the token."""

    def rows_of(kit: Kit) -> list[FormRow]:
        return [
            *kit.settings("server_on"),
            AddressRow(
                tr("Address for OpenAI clients"),
                lambda: _under(facts().url, "/v1"),
                lambda: facts().sentence,
            ),
            AddressRow(tr("Address for Anthropic clients"), lambda: facts().url),
            TokenRow(lambda: facts().token, renew),
            *kit.advanced("server_port", "server_keep_thinking", "server_leave_out"),
        ]

    return Section("server", tr("Server"), rows_of)
