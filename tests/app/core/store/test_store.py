"""The store: what is saved is there again, and what is removed is gone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from app.core.store.opening import open_store
from app.core.store.records import Preset, StoredConversation, StoredMessage, StoreError
from app.core.store.store import Changed, Store
from tests.app.core.store.conftest import OpenStore
from tests.app.core.store.made import conversation, message


class TestSaving:
    def test_every_field_comes_back(self, store: Store, open_again: OpenStore) -> None:
        one = StoredConversation(
            id=7,
            title="Größe, 大きさ, 🛩",
            created=1.5,
            updated=2.5,
            named=True,
            pinned=True,
            system="Be kind.",
            thinking=True,
            sampling='{"temperature": 0.5}',
            model="/models/a",
            leaf=9,
        )
        asked = StoredMessage(8, 7, None, "user", "Hello\0\n\tthere", 3.0)
        answered = StoredMessage(
            id=9,
            conversation=7,
            parent_id=8,
            role="assistant",
            content="Hi.",
            created=4.0,
            thinking="They greet me.",
            token_ids=(0, 1, 248_319, (1 << 32) - 1),
            model="/models/a",
            stop="end",
            report='{"generated":3}',
            thinking_tokens=3,
            thinking_s=0.25,
        )
        with store.together():
            assert store.save_conversation(one) == Changed((7,))
            assert store.save_message(asked) == Changed((7,), (8,))
            store.save_message(answered)
        store.save_draft(7, "And then?")
        store.save_preset(Preset("Pilot", "You fly.", '{"top_k": 5}'))
        store.select(7)
        again = open_again().store
        assert again.conversations() == [one]
        assert again.messages(7) == [asked, answered]
        assert again.drafts() == {7: "And then?"}
        assert again.presets() == [Preset("Pilot", "You fly.", '{"top_k": 5}')]
        assert again.selected() == 7
        assert next(again.numbers) == 10

    def test_a_record_saved_again_replaces_the_earlier_one(self, store: Store) -> None:
        store.save_conversation(conversation())
        store.save_message(message(2, content="He", complete=False))
        store.save_message(message(2, content="Hello", token_ids=(5,)))
        store.save_conversation(conversation(title="Lift", leaf=2))
        assert store.flush()
        assert [one.title for one in store.conversations()] == ["Lift"]
        assert store.messages(1) == [message(2, content="Hello", token_ids=(5,))]

    def test_branches_of_one_message_are_kept(self, store: Store) -> None:
        store.save_conversation(conversation())
        for one in (message(1), message(2, 1), message(4, 1)):
            store.save_message(one)
        assert store.flush()
        assert [(one.id, one.parent_id) for one in store.messages(1)] == [(1, None), (2, 1), (4, 1)]

    def test_half_a_character_is_no_reason_to_lose_a_message(self, store: Store) -> None:
        store.save_conversation(conversation())
        store.save_message(message(1, content="wing\ud83d"))
        assert store.flush()
        assert store.messages(1)[0].content == "wing?"

    def test_one_that_breaks_a_rule_takes_no_other_with_it(self, store: Store) -> None:
        with store.together():
            store.save_conversation(conversation())
            store.save_message(message(1))
            store.save_message(message(3, conversation=99))
        assert store.flush()
        assert [one.id for one in store.messages(1)] == [1]

    def test_saving_never_waits_for_the_disk(self, store: Store) -> None:
        with store.together():
            # The writer cannot take them yet.
            for id in range(1, 100):
                store.save_message(message(id))
        store.save_conversation(conversation())
        assert store.flush()

    @pytest.mark.parametrize(
        ("made", "said"),
        [
            (conversation(title="x" * 1001), "title"),
            (conversation(id=0), "id is 0; it must be a whole number from 1"),
            (conversation(sampling="[1]"), "sampling is '[1]'; it must be a JSON object"),
            (
                message(1, role="system"),
                'role is \'system\'; it must be one of "user", "assistant"',
            ),
            (message(1, token_ids=(1, -1)), "token_ids"),
            (message(1, parent=1 << 40), "parent_id"),
            (message(1, complete=1), "complete is 1; it must be True or False."),
        ],
        ids=str,
    )
    def test_bad_input_is_refused_with_a_sentence(
        self, store: Store, made: StoredConversation | StoredMessage, said: str
    ) -> None:
        with pytest.raises(StoreError, match=said.replace("[", r"\[")):
            made.check()
        save = store.save_message if isinstance(made, StoredMessage) else store.save_conversation
        with pytest.raises(StoreError):
            save(made)  # type: ignore[arg-type]


class TestRemoving:
    def test_a_purged_conversation_is_nowhere_on_disk(
        self, store: Store, open_again: OpenStore, tmp_path: Path
    ) -> None:
        for id, word in ((1, "secretive"), (2, "harmless")):
            store.save_conversation(conversation(id, title=f"{word} title", leaf=None))
            for number in range(30):
                at = 10 * number + id + 2
                text = f"{word} words " * 50
                store.save_message(message(at, conversation=id, role="user", content=text))
            store.save_draft(id, f"{word} draft")
        assert store.flush()
        assert store.purge([1]) == Changed((1,))
        assert store.flush()
        assert store.search("secretive") == []
        store.close()
        files = list((tmp_path / "data").iterdir())
        raw = b"".join(path.read_bytes() for path in files)
        assert b"harmless" in raw
        assert b"secretive" not in raw

    def test_a_deleted_one_is_not_listed_nor_found(self, store: Store) -> None:
        store.save_conversation(conversation())
        store.save_message(message(1, content="Bernoulli"))
        assert store.flush()
        assert len(store.search("bernoulli")) == 1
        store.save_conversation(conversation(deleted_at=5.0))
        assert store.flush()
        assert store.conversations() == []
        assert store.deleted() == (1,)
        assert store.search("bernoulli") == store.search("wings") == []
        store.save_conversation(conversation())
        assert store.flush()
        assert len(store.messages(1)) == 1

    def test_messages_that_never_were_can_be_removed(self, store: Store) -> None:
        store.save_conversation(conversation(leaf=2))
        store.save_message(message(1))
        store.save_message(message(2, 1))
        assert store.flush()
        with store.together():
            store.save_conversation(conversation(leaf=1))
            assert store.remove_messages([2]) == Changed(messages=(2,))
        assert store.flush()
        assert [one.id for one in store.messages(1)] == [1]
        assert store.conversations()[0].leaf == 1

    def test_a_chain_longer_than_sqlite_recurses_can_be_purged(self, store: Store) -> None:
        store.save_conversation(conversation(leaf=1500))
        with store.together():
            for id in range(1, 1501):
                store.save_message(message(id, id - 1 or None))
        assert store.flush()
        store.purge([1])
        assert store.flush()
        assert store.messages(1) == []

    def test_an_empty_draft_and_a_preset_go(self, store: Store) -> None:
        store.save_conversation(conversation())
        store.save_draft(1, "x")
        store.save_preset(Preset("Pilot"))
        assert store.flush()
        store.save_draft(1, "")
        store.remove_preset("Pilot")
        assert store.flush()
        assert store.drafts() == {}
        assert store.presets() == []


class TestFiles:
    def test_others_cannot_read_them(self, store: Store, tmp_path: Path) -> None:
        store.save_conversation(conversation())
        assert store.flush()
        folder = tmp_path / "data"
        assert folder.stat().st_mode & 0o777 == 0o700
        for path in folder.iterdir():
            assert path.stat().st_mode & 0o777 == 0o600, path

    def test_a_second_window_has_its_own_for_as_long_as_it_is_open(
        self, store: Store, tmp_path: Path
    ) -> None:
        store.save_conversation(conversation())
        assert store.flush()
        second = open_store(tmp_path / "data")
        assert second.sentence.startswith("Another Biplane window has your conversations open")
        second.store.save_conversation(conversation(title="Mine"))
        assert second.store.flush()
        where = second.store.path
        second.store.close()
        assert not where.parent.exists()
        assert [one.title for one in store.conversations()] == [conversation().title]

    def test_one_for_this_run_only_leaves_nothing(self) -> None:
        opened = open_store(None)
        assert opened.sentence == ""
        opened.store.save_conversation(conversation())
        assert opened.store.flush()
        assert len(opened.store.conversations()) == 1
        opened.store.close()
        assert not opened.store.path.parent.exists()

    def test_pinned_ones_come_first_then_the_last_changed(self, store: Store) -> None:
        for id, pinned in ((1, False), (2, True), (3, False)):
            store.save_conversation(replace(conversation(id), pinned=pinned))
        assert store.flush()
        assert [one.id for one in store.conversations()] == [2, 3, 1]
