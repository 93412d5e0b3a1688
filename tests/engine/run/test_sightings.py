"""Recent prompts are remembered in enough detail to say how a new one differs."""

from __future__ import annotations

import numpy as np

from engine import Message, PromptOptions
from engine.commands import FIRST_CLIENT
from engine.run.sightings import MAX_SIGHTINGS, Sighting, Sightings

PLAIN = PromptOptions()
SYSTEM, HELLO = Message("system", "Be kind."), Message("user", "Hello.")
ANSWER, MORE = Message("assistant", "Good morning."), Message("user", "What now?")


def seen(*messages: Message, options: PromptOptions = PLAIN) -> Sighting:
    return Sighting.of(np.arange(10), messages, options)


class TestNearest:
    def test_it_is_the_one_with_the_longest_shared_prefix(self) -> None:
        sightings, base = Sightings(), np.arange(100)
        for shared in (10, 60, 30):
            other = base.copy()
            other[shared:] += 1000
            sightings.add(Sighting.of(other, (), PLAIN))
        nearest = sightings.nearest(Sighting.of(base, (), PLAIN))
        assert nearest is not None
        assert int((nearest.ids == base).sum()) == 60

    def test_among_equals_it_is_the_latest(self) -> None:
        sightings = Sightings()
        for message in (HELLO, MORE):
            sightings.add(Sighting.of(np.arange(10), (message,), PLAIN))
        nearest = sightings.nearest(Sighting.of(np.arange(20), (), PLAIN))
        assert nearest is not None
        assert nearest.first_change(seen(MORE)) is None

    def test_without_earlier_prompts_there_is_none(self) -> None:
        assert Sightings().nearest(Sighting.of([1, 2, 3], (), PLAIN)) is None

    def test_the_oldest_is_forgotten(self) -> None:
        sightings = Sightings()
        for number in range(MAX_SIGHTINGS + 1):
            sightings.add(Sighting.of(np.full(4, number), (), PLAIN))
        nearest = sightings.nearest(Sighting.of(np.zeros(4, np.int64), (), PLAIN))
        assert nearest is not None
        assert nearest.ids[0] != 0

    def test_a_few_tokens_more_are_no_nearer_than_the_same_conversation(self) -> None:
        sightings, base = Sightings(), np.arange(100)
        for shared, owner in ((60, 1), (63, 2)):
            other = base.copy()
            other[shared:] += 1000
            sightings.add(Sighting.of(other, (HELLO,), PLAIN, owner))
        nearest = sightings.nearest(Sighting.of(base, (MORE,), PLAIN, 1))
        assert nearest is not None
        assert nearest.owner == 1
        far = sightings.nearest(Sighting.of(base, (MORE,), PLAIN, 3))
        assert far is not None
        assert far.owner == 2


class TestLeftOut:
    WINDOW = (SYSTEM, HELLO, ANSWER, MORE)

    def test_a_window_that_slides_leaves_the_oldest_out(self) -> None:
        later = seen(SYSTEM, MORE, Message("assistant", "Lunch."), HELLO)
        assert later.left_out(1, seen(*self.WINDOW)) == 2

    def test_an_edit_leaves_nothing_out(self) -> None:
        edited = seen(SYSTEM, Message("user", "Hi."), ANSWER, MORE)
        assert edited.left_out(1, seen(*self.WINDOW)) == 0
        # Two chats may well get the same answer.
        other = seen(SYSTEM, ANSWER, Message("user", "Why?"))
        assert other.left_out(1, seen(SYSTEM, HELLO, ANSWER)) == 0


class TestSameChat:
    def test_two_conversations_of_the_window_are_told_by_their_owners(self) -> None:
        ids = np.arange(10)
        one, other = (Sighting.of(ids, (HELLO,), PLAIN, owner) for owner in (1, 2))
        assert one.same_chat(other) is False
        assert one.same_chat(Sighting.of(ids, (MORE,), PLAIN, 1)) is True

    def test_the_conversations_of_one_program_are_told_by_their_texts(self) -> None:
        def of(*messages: Message) -> Sighting:
            return Sighting.of(np.arange(10), messages, PLAIN, FIRST_CLIENT)

        assert of(SYSTEM, HELLO).same_chat(of(SYSTEM, MORE)) is None
        changed = Message("system", "Be brief.")
        assert of(changed, HELLO, ANSWER, MORE).same_chat(of(SYSTEM, HELLO)) is True


class TestFirstChange:
    def test_an_extended_conversation_has_none(self) -> None:
        assert seen(SYSTEM, HELLO, ANSWER, MORE).first_change(seen(SYSTEM, HELLO)) is None

    def test_a_text_or_a_role_or_a_call_is_a_change(self) -> None:
        whole = seen(SYSTEM, HELLO, ANSWER)
        assert whole.first_change(seen(SYSTEM, MORE, ANSWER)) == 1
        assert whole.first_change(seen(SYSTEM, Message("assistant", "Hello."), ANSWER)) == 1
        called = Message("assistant", "Good morning.", tool_calls=({"name": "look"},))
        assert whole.first_change(seen(SYSTEM, HELLO, called)) == 2

    def test_the_same_message_after_a_change_is_noticed(self) -> None:
        before = seen(SYSTEM, HELLO, ANSWER, MORE)
        edited = seen(SYSTEM, Message("user", "Hi."), ANSWER, MORE)
        assert edited.same_after(1, before)
        # Two chats may well get the same answer.
        other = seen(SYSTEM, Message("user", "Hi."), ANSWER, Message("user", "Why?"))
        assert not other.same_after(1, before)

    def test_tools_are_distinguished_from_texts(self) -> None:
        tools = PromptOptions(tools=({"name": "look"},))
        assert seen(SYSTEM).tools != seen(SYSTEM, options=tools).tools
        assert seen(SYSTEM).first_change(seen(SYSTEM, options=tools)) is None


def test_the_ids_are_a_copy() -> None:
    ids = np.arange(5, dtype=np.int32)
    sighting = Sighting.of(ids, (), PLAIN)
    ids[0] = 99
    assert sighting.ids[0] == 0
