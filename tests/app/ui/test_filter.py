"""The language of filters: words, phrases, fields, comparisons with units, and what is not one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from app.core.words.tr import set_texts
from app.ui.filter import Field, FilterError, Query, completions, help_text, parse


@dataclass(frozen=True)
class Meal:
    name: str
    cook: tuple[int, str]
    calories: int
    takes_s: float | None
    weight: int = 0


@dataclass
class Line:
    subject: Meal

    @property
    def sought(self) -> str:
        return f"{self.subject.name} by {self.subject.cook[1]}".casefold()


FIELDS: tuple[Field[Meal], ...] = (
    Field("name", "text", lambda meal: meal.name, "What it is called"),
    Field("cook", "text", lambda meal: meal.cook[1], "Who cooked it", lambda meal: meal.cook[0]),
    Field("calories", "count", lambda meal: meal.calories, "How many"),
    Field("takes", "seconds", lambda meal: meal.takes_s, "How long"),
    Field("weight", "bytes", lambda meal: meal.weight, "How heavy the picture is"),
)
MEALS = (
    Meal("Green soup", (1, "Ada"), 100, 0.4, 300),
    Meal("Soup of green peas", (2, "Bob 1"), 250, 90.0, 3 << 20),
    Meal("Bread", (12, "Ada"), 1200, 7200.0, 1 << 30),
    Meal("Raw peas", (2, "Bob 1"), 80, None, 2048),
)


def found(text: str) -> list[int]:
    query = parse(text, FIELDS)
    return [at for at, meal in enumerate(MEALS) if query.accepts(Line(meal))]


class TestWords:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("", [0, 1, 2, 3]),
            ("  ", [0, 1, 2, 3]),
            ("soup GREEN", [0, 1]),
            ('"green soup"', [0]),
            ('green "of green', [1]),
            ("-soup", [2, 3]),
            ('-"green soup" ada', [2]),
            ("<b", []),
        ],
    )
    def test_all_must_be_there_and_none_that_is_left_out(
        self, text: str, expected: list[int]
    ) -> None:
        assert found(text) == expected


class TestFields:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("name:soup", [0, 1]),
            ('name:"green soup"', [0]),
            ("NAME:Soup -cook:ada", [1]),
            # A whole number is the cook's number, and in quotation marks a part of the name.
            ("cook:2", [1, 3]),
            ("cook:1", [0]),
            ('cook:"1"', [1, 3]),
            ("calories:80", [3]),
            ("calories:=80", [3]),
            ("calories:>=250", [1, 2]),
            ("calories:≥250", [1, 2]),
            ("calories:>1,199", [2]),
            ("calories:>0.2k calories:<1k", [1]),
            ("takes:>1.5min", [2]),
            ("takes:>=1.5MIN", [1, 2]),
            ("takes:<500ms", [0]),
            ("weight:<2kib", [0]),
            ("weight:>2MiB", [1, 2]),
            ("weight:>=1GiB", [2]),
        ],
    )
    def test_each_is_compared_in_its_unit(self, text: str, expected: list[int]) -> None:
        assert found(text) == expected

    @pytest.mark.parametrize(
        ("text", "expected"),
        [(">500ms", [1, 2]), ("<=100", [0, 3]), (">200tok", [1, 2]), (">2MiB peas", [1])],
    )
    def test_a_unit_alone_says_which_field_is_meant(self, text: str, expected: list[int]) -> None:
        assert found(text) == expected

    def test_what_has_no_value_is_in_no_comparison_but_may_be_left_in(self) -> None:
        assert found("takes:<1h") == [0, 1]
        assert found("-takes:<1h") == [2, 3]

    @pytest.mark.parametrize("text", ["name:", "takes:", "calories:>", 'cook:"', "-weight:<="])
    def test_what_is_not_finished_yet_leaves_everything_in(self, text: str) -> None:
        assert found(text) == [0, 1, 2, 3]

    def test_a_query_says_what_it_asks_for(self) -> None:
        query = parse("soup name:a >5s -cook:2", FIELDS)
        assert query.fields == {"name", "takes", "cook"}
        assert parse(" soup ", FIELDS) == parse("soup", FIELDS) != Query() == parse("", FIELDS)


class TestMistakes:
    @pytest.mark.parametrize(
        ("text", "sentence"),
        [
            (
                "nmae:soup",
                "There is no field “nmae”: use name, cook, calories, takes, weight, "
                "or quotation marks.",
            ),
            ("takes:5", "“takes” is a time: compare it like takes:>500ms."),
            ("takes:>5", "“takes” is a time: compare it like takes:>500ms."),
            ("takes:>5MiB", "“takes” is a time: compare it like takes:>500ms."),
            ("weight:big", "“weight” is a size: compare it like weight:>20MiB."),
            ("calories:many", "“calories” is a number: compare it like calories:>100."),
            ("name:>5", "“name” is a text: look for it like name:…."),
            (">5lightyears", "Nothing here is measured in “lightyears”."),
        ],
    )
    def test_each_is_a_sentence(self, text: str, sentence: str) -> None:
        with pytest.raises(FilterError) as error:
            parse(f"soup {text}", FIELDS)
        assert str(error.value) == sentence

    def test_quotation_marks_make_it_a_text(self) -> None:
        assert parse('"nmae:soup"', FIELDS).fields == frozenset()
        assert found('name:">5"') == []


class TestCompletion:
    @pytest.mark.parametrize(
        ("before", "begins", "names"),
        [
            ("c", 0, ["cook", "calories"]),
            ("soup -Cal", 6, ["calories"]),
            ("soup ", 5, ["name", "cook", "calories", "takes", "weight"]),
            ("name:so", 0, []),
            ('"green c', 7, []),
        ],
    )
    def test_fields_that_begin_like_the_last_word(
        self, before: str, begins: int, names: list[str]
    ) -> None:
        at, offered = completions(before, FIELDS)
        assert (at, [one.name for one in offered]) == (begins, names)

    def test_the_help_has_an_example_of_each(self) -> None:
        lines = help_text(FIELDS).splitlines()
        assert lines[1:] == [
            "name:…  What it is called",
            "cook:…  Who cooked it",
            "calories:>100  How many",
            "takes:>500ms  How long",
            "weight:>20MiB  How heavy the picture is",
        ]


@pytest.fixture
def german() -> Iterator[None]:
    set_texts({"green soup": "Grüne Suppe"})
    yield
    set_texts({})


@pytest.mark.usefixtures("german")
def test_a_translated_text_is_found_by_its_english_too() -> None:
    query, other = parse("name:soup", FIELDS), parse("name:suppe", FIELDS)
    line = Line(Meal("Grüne Suppe", (1, "Ada"), 1, 1.0))
    assert query.accepts(line)
    assert other.accepts(line)
