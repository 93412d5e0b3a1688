"""Exports of ChatGPT and Open WebUI: branches stay branches, and nothing in a file is trusted."""

from __future__ import annotations

import contextlib
import json
import random
import zipfile
from pathlib import Path
from typing import Any

import pytest

from app.core.store import importing
from app.core.store.export import to_json
from app.core.store.imported import Imported, ImportedFile
from app.core.store.importing import from_json, read_file
from app.core.store.records import StoreError, branch
from app.core.store.store import Store
from tests.stopwatch import Stopwatch

FOREIGN = Path(__file__).parent / "foreign"


def lines(one: Imported) -> list[tuple[int | None, str, str]]:
    return [(m.parent_id, m.role, m.content) for m in one.messages]


def shown(one: Imported) -> list[str]:
    return [m.content for m in branch(one.messages, one.conversation.leaf)]


class TestChatGpt:
    @pytest.fixture
    def read(self) -> ImportedFile:
        return read_file(FOREIGN / "chatgpt.json")

    def test_branches_tools_thinking_and_notes(self, read: ImportedFile) -> None:
        first = read.conversations[0]
        assert lines(first) == [
            (None, "user", "[image]\n\nWhat is this?\n\n[file: notes .pdf]"),
            (1, "assistant", "A biplane."),
            (1, "assistant", "Two wings lift more."),
        ]
        assert first.messages[2].thinking == "Looking\n\nTwo wings, so\n\na biplane."
        assert shown(first)[-1] == "Two wings lift more."
        assert [m.stop for m in first.messages] == ["", "end", "end"]
        assert [m.created for m in first.messages] == [1700000001, 1700000002, 1700000003]

    def test_what_is_said_of_the_conversation(self, read: ImportedFile) -> None:
        kept = read.conversations[0].conversation
        assert (kept.title, kept.named, kept.pinned) == ("Lift of a biplane", True, True)
        assert (kept.created, kept.updated) == (1700000000.5, 1700000900)
        assert kept.system == "I build kites.\n\nBe short."

    def test_one_without_title_leaf_and_root(self, read: ImportedFile) -> None:
        second = read.conversations[1]
        assert lines(second) == [
            (None, "user", "Draw a wing.\nPlease."),
            (1, "assistant", "[image]"),
            (2, "user", "Thank you\n\n[audio]"),
        ]
        kept = second.conversation
        assert (kept.title, kept.named, kept.updated) == ("Draw a wing.", False, 1690000003)
        assert kept.leaf == 3

    def test_what_could_not_be_read_is_counted(self, read: ImportedFile) -> None:
        assert (len(read.conversations), read.skipped, read.skipped_messages) == (2, 2, 2)
        assert not read.cut

    def test_the_archive_that_it_comes_in(self, read: ImportedFile, tmp_path: Path) -> None:
        text = (FOREIGN / "chatgpt.json").read_text(encoding="utf-8")
        for names in (["conversations.json"], ["x/conversations-000.json"]):
            with zipfile.ZipFile(tmp_path / "export.zip", "w") as archive:
                archive.writestr("user.json", "{}")
                archive.writestr("shared_conversations.json", "[]")
                for name in names:
                    archive.writestr(name, text)
            assert read_file(tmp_path / "export.zip") == read

    def test_an_object_with_the_list_and_a_single_one(self, read: ImportedFile) -> None:
        items = json.loads((FOREIGN / "chatgpt.json").read_text(encoding="utf-8"))
        assert from_json(json.dumps({"conversations": items})) == read
        assert from_json(json.dumps(items[0])).conversations == read.conversations[:1]


class TestOpenWebUi:
    @pytest.fixture
    def read(self) -> ImportedFile:
        return read_file(FOREIGN / "open_webui.json")

    def test_branches_and_notes(self, read: ImportedFile) -> None:
        first = read.conversations[0]
        assert lines(first) == [
            (None, "user", "Why rotary?\n\n[image]\n\n[file: gnome.txt]"),
            (1, "assistant", "It cools well."),
            (2, "user", "And now?\n\n[image]"),
            (3, "assistant", "Nobody bui"),
            (1, "assistant", "Light <details><summary>more</summary>and cool</details>."),
        ]
        assert first.conversation.leaf == 5
        assert [m.complete for m in first.messages] == [True, True, True, False, True]

    def test_thinking_is_unfolded_and_calls_of_tools_are_left_out(self, read: ImportedFile) -> None:
        answer = read.conversations[0].messages[-1]
        assert (answer.thinking, answer.thinking_s) == ("Weight &\ncooling.", 4.0)

    def test_what_is_said_of_the_conversation(self, read: ImportedFile) -> None:
        kept = read.conversations[0].conversation
        assert (kept.title, kept.pinned, kept.system) == ("Engines", True, "You know engines.")
        assert (kept.created, kept.updated) == (1710000000, 1710009000)

    def test_an_old_file_without_a_tree(self, read: ImportedFile) -> None:
        second = read.conversations[1]
        assert lines(second) == [(None, "user", "A poem"), (1, "assistant", "The wing")]
        assert second.messages[1].thinking == "Rhyme?"
        assert second.conversation.system == "Answer in verse."
        assert second.conversation.updated == 1650000000
        assert second.skipped == 1

    def test_times_in_milliseconds(self) -> None:
        chat = {
            "timestamp": 1710000000123,
            "history": {"messages": {"q": {"role": "user", "content": "Hi"}}},
        }
        (found,) = from_json(json.dumps([{"chat": chat}])).conversations
        assert found.conversation.created == pytest.approx(1710000000.123)


def gpt(mapping: object, **more: object) -> str:
    return json.dumps([{"title": "T", "create_time": 5, "mapping": mapping, **more}])


def node(parent: object, role: str = "user", text: object = "words", **more: object) -> Any:
    content = {"content_type": "text", "parts": [text]}
    return {"parent": parent, "message": {"author": {"role": role}, "content": content}, **more}


class TestUntrusted:
    def test_a_circle_is_cut_and_everything_in_it_is_there(self) -> None:
        text = gpt({"a": node("c", text="1"), "b": node("a", text="2"), "c": node("b", text="3")})
        (found,) = from_json(text).conversations
        assert lines(found) == [(None, "user", "1"), (1, "user", "2"), (2, "user", "3")]

    def test_its_own_parent(self) -> None:
        (found,) = from_json(gpt({"a": node("a")})).conversations
        assert lines(found) == [(None, "user", "words")]

    def test_a_missing_parent_that_knows_its_child(self) -> None:
        text = gpt({"b": node(None, text="2"), "a": node(None, text="1", children=["b", "x", 5])})
        (found,) = from_json(text).conversations
        assert lines(found) == [(None, "user", "1"), (1, "user", "2")]

    def test_siblings_stand_as_the_parent_orders_them(self) -> None:
        text = gpt({n: node("r", text=n) for n in "abc"} | {"r": node(None, children=["c", "a"])})
        (found,) = from_json(text).conversations
        assert [content for _, _, content in lines(found)] == ["words", "c", "a", "b"]

    def test_a_chain_of_many_thousands(self) -> None:
        roles = ("user", "assistant", "tool")
        made = {str(i): node(str(i - 1), roles[i % 3]) for i in range(30_000)}
        watch = Stopwatch()
        (found,) = from_json(gpt(made, current_node="29999")).conversations
        assert len(found.messages) == 20_000
        assert found.conversation.leaf == 20_000
        assert watch.spent_s() < 10

    @pytest.mark.parametrize(
        "value",
        [None, 5, -1e300, 1e400, "x", [], {}, True, {"parts": 5}, {"parts": [[], {}, None, 7]}],
        ids=repr,
    )
    def test_wrong_types_anywhere(self, value: object) -> None:
        document = json.loads((FOREIGN / "chatgpt.json").read_text(encoding="utf-8"))[:1]
        document += json.loads((FOREIGN / "open_webui.json").read_text(encoding="utf-8"))
        said: set[str] = set()
        for place, name in list(_places(document)):
            kept, place[name] = place[name], value
            with contextlib.suppress(StoreError):
                found = from_json(json.dumps(document))
                said |= {one.conversation.title for one in found.conversations}
            place[name] = kept
        assert {"Lift of a biplane", "Engines", "A poem"} <= said

    def test_however_the_nodes_hang_together_each_is_there_once(self) -> None:
        rng = random.Random(7)
        for _ in range(400):
            names = [str(i) for i in range(rng.randrange(1, 14))]
            roles = {name: rng.choice(("user", "assistant", "tool", "system")) for name in names}
            made = {
                name: node(
                    rng.choice((*names, None, "gone")),
                    roles[name],
                    f"w{name}.",
                    children=rng.sample(names, rng.randrange(len(names))),
                )
                for name in names
            }
            said = sorted(f"w{name}." for name in names if roles[name] in ("user", "assistant"))
            if not said:
                continue
            (found,) = from_json(gpt(made, current_node=rng.choice(names))).conversations
            told = " ".join(m.content for m in found.messages).split()
            assert sorted(told) == said
            before: set[int] = set()
            for message in found.messages:
                assert message.parent_id is None or message.parent_id in before
                before.add(message.id)
            assert found.conversation.leaf in before

    def test_many_marks_that_never_end_take_no_time(self) -> None:
        text = '<details type="reasoning">' * 100_000 + "\ue200" * 100_000
        chat = {"history": {"messages": {"q": {"role": "assistant", "content": text}}}}
        watch = Stopwatch()
        from_json(json.dumps([{"chat": chat}]))
        from_json(gpt({"a": node(None, "assistant", text)}))
        assert watch.spent_s() < 5

    def test_half_a_surrogate_pair_can_be_stored(self, store: Store) -> None:
        found = from_json(gpt({"a": node(None, text="a \ud800 b")}))
        (made,) = store.add_imported(found.conversations)
        assert [m.content for m in store.messages(made.id)] == ["a ? b"]

    def test_a_file_that_ends_too_early_keeps_its_beginning(self) -> None:
        text = (FOREIGN / "chatgpt.json").read_text(encoding="utf-8")
        whole = from_json(text)
        at = text.index('"current_node": "gone"')
        assert from_json(text[:at]) == ImportedFile(whole.conversations[:1], cut=True)
        with pytest.raises(StoreError, match=r"^it is not JSON\.$"):
            from_json(text[:100])

    def test_deep_nesting_is_no_crash(self) -> None:
        good = gpt({"a": node(None)})[1:-1]
        found = from_json(f"[{good}, {'[' * 200_000}]")
        assert (len(found.conversations), found.cut) == (1, True)


class TestFiles:
    def refused(self, path: Path) -> str:
        with pytest.raises(StoreError) as raised:
            read_file(path)
        return str(raised.value)

    def test_a_large_one_is_not_read(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(importing, "MOST_BYTES", 1 << 20)
        (tmp_path / "x.json").write_bytes(b" " * ((1 << 20) + 1))
        wanted = "x.json cannot be imported: it is larger than 1 MiB."
        assert self.refused(tmp_path / "x.json") == wanted
        with zipfile.ZipFile(tmp_path / "x.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("conversations.json", b" " * ((1 << 20) + 1))
        assert self.refused(tmp_path / "x.zip").endswith("its conversations are larger than 1 MiB.")

    def test_an_archive_of_something_else_and_damaged_ones(self, tmp_path: Path) -> None:
        path = tmp_path / "x.zip"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("other.json", "[]")
        assert self.refused(path).endswith("there is no conversations.json in it.")
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("conversations.json", json.dumps(list(range(5000))))
        raw = bytearray(path.read_bytes())
        raw[60:90] = bytes(30)
        path.write_bytes(raw)
        assert self.refused(path).endswith("the archive is damaged or locked.")

    @pytest.mark.parametrize("kind", ["chatgpt.json", "open_webui.json", "own.json", "x.zip"])
    def test_damaged_bytes_are_read_or_refused_in_a_sentence(
        self, kind: str, tmp_path: Path
    ) -> None:
        path = tmp_path / kind
        if kind == "own.json":
            whole = read_file(FOREIGN / "chatgpt.json").conversations
            path.write_text(to_json([(one.conversation, one.messages) for one in whole]))
        elif kind == "x.zip":
            with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
                archive.write(FOREIGN / "chatgpt.json", "conversations.json")
        else:
            path.write_bytes((FOREIGN / kind).read_bytes())
        raw = path.read_bytes()
        rng = random.Random(3)
        read = refused = 0
        for _ in range(150):
            damaged = bytearray(raw)
            for _ in range(rng.choice((1, 4, 40))):
                damaged[rng.randrange(len(raw))] = rng.randrange(256)
            path.write_bytes(damaged[: rng.choice((len(raw), rng.randrange(len(raw))))])
            try:
                read += bool(read_file(path).conversations)
            except StoreError as error:
                refused += str(error).startswith(kind) and str(error).endswith(".")
        assert read + refused == 150
        assert refused


def _places(value: Any) -> Any:
    """Every place in a JSON document: the list or object, and the index or name in it."""
    if isinstance(value, dict):
        pairs = list(value.items())
    elif isinstance(value, list):
        pairs = list(enumerate(value))
    else:
        return
    for name, inner in pairs:
        yield value, name
        yield from _places(inner)
