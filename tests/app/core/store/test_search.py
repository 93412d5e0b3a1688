"""Search over titles and messages."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from app.core.store import opening, reader, search
from app.core.store.opening import open_store
from app.core.store.search import CLOSE, OPEN
from app.core.store.store import Store
from tests.app.core.store.conftest import OpenStore
from tests.app.core.store.made import conversation, fill, message


@pytest.fixture(params=[True, False], ids=["index", "no index"])
def searched(request: pytest.FixtureRequest, store: Store) -> Store:
    store.save_conversation(conversation(title="Lift and drag", leaf=4))
    store.save_message(message(1, content="What does Bernoulli say about wings?"))
    store.save_message(message(2, 1, content="That 100% of the lift_force is pressure."))
    store.save_message(message(4, 1, content="Über den Flügeln ist der Druck kleiner.\nWings!"))
    assert store.flush()
    store.indexed = request.param
    return store


class TestHits:
    @pytest.mark.parametrize(
        ("query", "found"),
        [
            ("bernoulli", [1]),
            ("BERN", [1]),
            ("wings", [4, 1]),
            ("wings druck", [4]),
            ("lift", [None, 2]),
            ("lift pressure", [2]),
            ("nothing", []),
            ("", []),
            ("  ", []),
        ],
    )
    def test_all_words_must_occur(
        self, searched: Store, query: str, found: list[int | None]
    ) -> None:
        assert [hit.message for hit in searched.search(query)] == found

    @pytest.mark.parametrize(
        "query",
        ['"', '"wings', "AND", "wings OR", "-", "*", "lift*", "a:b", "(", "\\", "x' --", "NEAR("],
    )
    def test_no_query_is_an_operator_or_an_error(self, searched: Store, query: str) -> None:
        searched.search(query)

    def test_percent_and_underscore_are_letters(self, searched: Store) -> None:
        assert [hit.message for hit in searched.search("lift_force")] == [2]
        if not searched.indexed:
            assert searched.search("l_ft") == []

    def test_a_snippet_marks_the_word(self, searched: Store) -> None:
        (hit,) = searched.search("Bernoulli")
        assert f"{OPEN}Bernoulli{CLOSE}" in hit.snippet
        assert (hit.conversation, hit.created) == (1, 101.0)

    def test_the_limit_keeps_the_newest(self, searched: Store) -> None:
        assert [hit.message for hit in searched.search("wings", 1)] == [4]


class TestScripts:
    def test_accents_do_not_matter(self, store: Store) -> None:
        store.save_conversation(conversation())
        store.save_message(message(1, content="Über den Flügeln"))
        assert store.flush()
        assert len(store.search("uber flugeln")) == 1

    def test_scripts_without_spaces_are_found_within(self, store: Store) -> None:
        store.save_conversation(conversation())
        store.save_message(message(1, content="飛行機の翼は空気を下に押す"))
        assert store.flush()
        assert [hit.message for hit in store.search("空気")] == [1]


class TestIndex:
    def test_an_edited_text_is_found_by_its_new_words_only(self, store: Store) -> None:
        store.save_conversation(conversation())
        store.save_message(message(1, content="old words", complete=False))
        assert store.flush()
        store.save_message(message(1, content="new words"))
        store.save_conversation(conversation(title="Another title"))
        assert store.flush()
        assert store.search("old") == store.search("lift") == []
        assert len(store.search("new")) == len(store.search("another")) == 1

    def test_a_sqlite_without_one_says_so_and_searches(
        self, open_again: OpenStore, store: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        store.save_conversation(conversation())
        assert store.flush()
        store.close()
        for module in (search, reader):
            monkeypatch.setattr(module, "has_fts5", lambda _: False)
        plain = open_store(tmp_path / "data")
        assert plain.sentence == opening._NO_INDEX
        plain.store.save_message(message(1, content="written without an index"))
        assert plain.store.flush()
        assert [hit.message for hit in plain.store.search("written")] == [1]
        plain.store.close()
        monkeypatch.undo()
        again = open_store(tmp_path / "data").store
        assert [hit.message for hit in again.search("written")] == [1]
        again.close()

    def test_ten_thousand_messages_give_the_newest_hundred(self, store: Store) -> None:
        fill(store, 100, 100, lambda id: f"common words {id} " + "needle" * (id % 1000 == 0))
        assert len(store.search("common")) == 100
        assert [hit.message for hit in store.search("needle")] == list(range(10000, 0, -1000))

    def test_one_that_fell_out_of_step_is_made_anew(self, store: Store, tmp_path: Path) -> None:
        fill(store, 2, 10)
        store.close()
        raw = sqlite3.connect(tmp_path / "data" / "conversations.sqlite", isolation_level=None)
        # The index names a row that is not there, and does not know one that is.
        raw.execute("DROP TRIGGER message_index_update")
        raw.execute("PRAGMA foreign_keys = OFF")
        raw.execute("DROP TRIGGER message_index_delete")
        raw.execute("DELETE FROM messages WHERE id = 22")
        raw.execute(
            "CREATE TRIGGER message_index_update AFTER UPDATE ON messages BEGIN SELECT 1; END"
        )
        raw.execute(
            "CREATE TRIGGER message_index_delete AFTER DELETE ON messages BEGIN SELECT 1; END"
        )
        raw.close()
        again = open_store(tmp_path / "data").store
        assert again.search("22") == []
        assert again.flush()
        again.save_message(message(23, conversation=1, content="twenty-three"))
        assert again.flush()
        assert [hit.message for hit in again.search("twenty")] == [23]
        again.close()

    @pytest.mark.parametrize("table", ["message_index_data", "title_index_data"])
    def test_a_damaged_one_stops_no_message(self, store: Store, tmp_path: Path, table: str) -> None:
        fill(store, 2, 10)
        store.close()
        raw = sqlite3.connect(tmp_path / "data" / "conversations.sqlite", isolation_level=None)
        # The first two rows tell what there is; without them it cannot be opened.
        raw.execute(f"UPDATE {table} SET block = x'0123456789' WHERE id > 10")
        raw.close()
        again = open_store(tmp_path / "data").store
        again.save_message(message(4, 3, conversation=1, content="changed"))
        again.save_conversation(conversation(1, title="Renamed", leaf=4))
        assert again.flush()
        assert again.messages(1)[1].content == "changed"
        assert again.search("changed")
        assert again.flush()
        assert [hit.message for hit in again.search("changed")] == [4]
        again.close()

    def test_it_is_part_of_the_file_only_as_an_index(self, store: Store, tmp_path: Path) -> None:
        fill(store, 1, 3)
        store.close()
        raw = sqlite3.connect(tmp_path / "data" / "conversations.sqlite")
        raw.execute("DROP TABLE message_index")
        raw.execute("DROP TRIGGER message_index_insert")
        raw.close()
        again = open_store(tmp_path / "data")
        assert again.sentence == ""
        assert len(again.store.search("3")) == 1
        again.store.close()
