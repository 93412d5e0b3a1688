"""Exported conversations: Markdown to read, JSON that comes back as it was."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.core.store.export import to_json, to_markdown
from app.core.store.imported import Imported, ImportedFile
from app.core.store.importing import from_json, read_file
from app.core.store.records import StoreError
from app.core.store.store import Store
from tests.app.core.store.conftest import OpenStore
from tests.app.core.store.made import conversation, message

CHAT = conversation(leaf=4, system="Be kind.\nBe short.", pinned=True, sampling='{"top_k": 3}')
TREE = (
    message(1, content="Why?"),
    message(2, 1, content="Because.", token_ids=(5, 6), stop="end", report='{"generated": 2}'),
    message(4, 1, content="# Really\n\nYes.", thinking="Hm.", complete=False, thinking_s=0.5),
)


class TestMarkdown:
    def test_the_branch_on_screen_as_a_document(self) -> None:
        assert to_markdown(CHAT, TREE) == (
            "# Why do wings lift?\n\n"
            "> **System prompt**\n>\n> Be kind.\n> Be short.\n\n"
            "## You\n\nWhy?\n\n"
            "## Answer\n\n"
            "<details>\n<summary>Thinking</summary>\n\nHm.\n\n</details>\n\n"
            "# Really\n\nYes.\n\n"
            "*(not complete)*\n"
        )

    def test_a_title_stays_on_its_line(self) -> None:
        assert to_markdown(conversation(title="a\n\n# b"), ()) == "# a # b\n"

    def test_a_circle_is_cut(self) -> None:
        circle = (message(1, 2), message(2, 1))
        text = to_markdown(conversation(leaf=2), circle)
        assert text.count("Message") == 2


class TestJson:
    def test_it_comes_back_whole(self) -> None:
        assert from_json(to_json([(CHAT, TREE)])) == ImportedFile((Imported(CHAT, TREE),))

    def test_imported_ones_stand_beside_those_that_are_there(
        self, store: Store, open_again: OpenStore, tmp_path: Path
    ) -> None:
        store.save_conversation(CHAT)
        for one in TREE:
            store.save_message(one)
        store = open_again().store
        path = tmp_path / "chats.json"
        path.write_text(to_json([(CHAT, TREE)] * 2), encoding="utf-8")
        made = store.add_imported(read_file(path).conversations)
        assert len(store.conversations()) == 3
        assert tuple(store.messages(1)) == TREE
        ids: set[int] = set()
        for new in made:
            number = new.id
            (copy,) = (one for one in store.conversations() if one.id == number)
            assert copy == new
            assert replace(copy, id=1, leaf=4) == CHAT
            found = store.messages(number)
            assert [m.content for m in found] == [m.content for m in TREE]
            assert found[1].token_ids == (5, 6)
            assert copy.leaf == found[2].id
            assert found[2].parent_id == found[0].id
            ids |= {m.id for m in found}
        assert len(ids) == 6

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("", "it is not JSON."),
            ("[" * 100_000, "it is not JSON."),
            ("[]", "it has no conversation with a message."),
            ("5", "it is not an export of Biplane, ChatGPT or Open WebUI."),
            ("{}", "it is not an export of Biplane, ChatGPT or Open WebUI."),
            ('[{"title": "x"}, 5]', "it is not an export of Biplane, ChatGPT or Open WebUI."),
            ('{"format": "biplane conversations", "version": 2}', "newer version"),
            ('{"format": "biplane conversations", "version": 1}', "no list of conversations"),
        ],
        ids=lambda text: text[:20],
    )
    def test_another_file_is_refused(self, text: str, said: str, tmp_path: Path) -> None:
        path = tmp_path / "x.json"
        path.write_text(text)
        with pytest.raises(StoreError, match=f"^x.json cannot be imported: .*{said}"):
            read_file(path)

    @pytest.mark.parametrize(
        ("at", "value", "said"),
        [
            (("title",), 5, "conversation 1 is bad: title is 5; it must be a text"),
            (("title",), None, "conversation 1 is bad: title is None"),
            (("leaf",), 77, "conversation 1 ends with a message that it does not have."),
            (("messages",), {}, "conversation 1 has no list of messages."),
            (("messages", 0), 3, "message 1 of conversation 1 is not a JSON object."),
            (("messages", 1, "role"), "tool", "message 2 of conversation 1 is bad: role is 'tool'"),
            (("messages", 1, "token_ids"), [1.5], "message 2 of conversation 1 is bad: token_ids"),
            (("messages", 1, "content"), None, "message 2 of conversation 1 is bad: content"),
            (("messages", 1, "id"), 1, "message 2 of conversation 1 has the id of another."),
            (
                ("messages", 0, "parent_id"),
                2,
                "message 1 of conversation 1 follows one that is not before it.",
            ),
        ],
        ids=lambda one: str(one)[:30],
    )
    def test_a_bad_value_of_the_only_conversation_is_named(
        self, at: tuple[Any, ...], value: object, said: str
    ) -> None:
        document = json.loads(to_json([(CHAT, TREE)]))
        place: Any = document["conversations"][0]
        for name in at[:-1]:
            place = place[name]
        place[at[-1]] = value
        with pytest.raises(StoreError) as raised:
            from_json(json.dumps(document))
        assert str(raised.value).startswith(said)

    def test_a_bad_conversation_does_not_cost_the_others(self) -> None:
        document = json.loads(to_json([(CHAT, TREE)] * 3))
        document["conversations"][1]["title"] = 5
        found = from_json(json.dumps(document))
        assert found == ImportedFile((Imported(CHAT, TREE),) * 2, skipped=1)

    def test_a_file_that_ends_too_early_keeps_its_beginning(self) -> None:
        text = to_json([(CHAT, TREE)] * 3)
        found = from_json(text[: len(text) * 2 // 3 - 10])
        assert found == ImportedFile((Imported(CHAT, TREE),), cut=True)

    def test_a_missing_field_is_named(self) -> None:
        document = json.loads(to_json([(CHAT, TREE)]))
        del document["conversations"][0]["messages"][2]["content"]
        with pytest.raises(StoreError, match=r"^message 3 of conversation 1 has no content\.$"):
            from_json(json.dumps(document))

    def test_a_file_that_is_not_there(self, tmp_path: Path) -> None:
        with pytest.raises(StoreError, match=r"^x.json cannot be read: No such file"):
            read_file(tmp_path / "x.json")
        (tmp_path / "y.json").write_bytes(b"\xff\xfe\x00")
        with pytest.raises(StoreError, match=r"^y.json is not a text file\.$"):
            read_file(tmp_path / "y.json")
