"""What conversations are called where several are told apart."""

from __future__ import annotations

from app.core.session.model import Session
from app.core.session.names import DELETED, NOBODY, copy_title, name_of, names_of
from app.core.session.records import Conversation


def talks(*titles: str) -> list[Conversation]:
    return [Conversation(number, title=title) for number, title in enumerate(titles, 1)]


def test_a_title_alone_is_the_name() -> None:
    assert names_of(talks("Walks", "Wings")) == {1: "Walks", 2: "Wings"}


def test_the_same_title_is_numbered_by_age_whatever_the_order() -> None:
    known = talks("Walks", "Wings", "Walks", "Walks")
    wanted = {1: "Walks (1)", 2: "Wings", 3: "Walks (2)", 4: "Walks (3)"}
    assert names_of(known[::-1]) == wanted
    assert {one.id: name_of(one.id, known[::-1]) for one in known} == wanted


def test_nobody_and_one_that_is_gone() -> None:
    assert name_of(0, talks("Walks")) == NOBODY
    assert name_of(5, talks("Walks")) == DELETED
    assert name_of(1, Session().conversations) == "New conversation"


def test_each_copy_has_a_title_of_its_own_that_differs_where_a_list_shows_it() -> None:
    taken = ["Wings"]
    for _ in range(3):
        taken.append(copy_title("fork", "Wings", taken))
    assert taken[1:] == ["Fork: Wings", "Fork 2: Wings", "Fork 3: Wings"]
    assert copy_title("continued", "Wings", taken) == "Continued: Wings"


def test_a_fork_of_a_fork_names_what_both_come_from() -> None:
    taken = ["Wings", "Fork: Wings", "Fork 2: Wings"]
    assert copy_title("fork", "Fork: Wings", taken) == "Fork 3: Wings"
    assert copy_title("fork", "Fork 2: Wings", taken) == "Fork 3: Wings"
    assert copy_title("fork", "Forks (12): {title}", taken) == "Fork: Forks (12): {title}"
