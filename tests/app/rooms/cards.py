"""The cards over the conversation."""

from __future__ import annotations

from app.shell.problems import Problem
from tests.app.rooms.visit import Views, Visit, own


def views() -> Views:
    visit = Visit()
    visit.desk.open()
    visit.desk.say(own("Hello"))
    visit.window.problems.report(
        Problem(
            "import",
            own("A file was not imported"),
            own("chats.json is not an export of conversations: choose one of another program."),
            (("again", own("Choose another file")), ("diagnostics", own("Copy diagnostics"))),
        )
    )
    yield visit.at("a card of a problem")
    visit.leave()
    visit = Visit(hold=True)
    visit.desk.bridge.open_model(visit.folder)
    visit.window.loading.show_session(visit.desk.session)
    visit.until(visit.window.loading.isVisible)
    yield visit.at("a model on its way")
    visit.leave()
