"""Recordings whose last request has a cause that is known beforehand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from engine import Engine, Message, PromptOptions, Sampling, events
from engine.analysis.why.cause import Cause
from engine.analysis.why.evidence import Evidence, Investigator
from engine.commands import FIRST_CLIENT, FIRST_ONE_SHOT, Submit
from engine.journal.tape import Tape
from tests.engine.analysis.why.played import Played, words
from tests.engine.analysis.why.puzzles import LONG, ROOMY, opened, tape_of

SAMPLING = Sampling.greedy(8)
TOOLS: tuple[dict[str, Any], ...] = tuple(
    {
        "type": "function",
        "function": {
            "name": name,
            "description": f"Finds the {name} of a place, given by its name.",
            "parameters": {"type": "object", "properties": {"place": {"type": "string"}}},
        },
    }
    for name in ("weather", "height", "distance", "age")
)


@dataclass(frozen=True, slots=True)
class Recording:
    """A recording, and the truth about its last request.

    Attributes:
        says: parts of the sentence about it.
    """

    make: Callable[[Path], Tape]
    cause: Cause
    says: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.make.__name__


def system(text: str) -> Message:
    return Message("system", text)


def user(text: str) -> Message:
    return Message("user", text)


def assistant(text: str) -> Message:
    return Message("assistant", text)


def ask(
    engine: Engine,
    *messages: Message,
    owner: int = 1,
    tools: Sequence[dict[str, Any]] = (),
) -> Message:
    """Run a request of an owner; returns the answer."""
    out: list[events.Event] = []
    submit = Submit(1, messages, SAMPLING, PromptOptions(tools=tuple(tools)), owner=owner)
    engine.on_core(lambda core: core.run(submit, out.append, lambda: False))
    last = out[-1]
    assert isinstance(last, events.RequestFinished)
    return Message("assistant", last.text, thinking=last.thinking, token_ids=last.token_ids)


# ---- what the text is to an earlier one


def a_new_chat_that_begins_with_the_same_words(folder: Path) -> Tape:
    with opened(folder) as engine:
        ask(engine, system("You are a pirate who answers in rhymes. " + LONG), user("Hello"))
        gardener = system("You are a gardener who knows every plant there is. " + LONG[700:])
        ask(engine, gardener, user("Hello"), owner=2)
        return tape_of(engine, folder)


def a_new_program_with_a_system_text_of_its_own(folder: Path) -> Tape:
    with opened(folder) as engine:
        for number in range(2):
            own = system(f"Client {number} says be kind. " + LONG[number * 400 :])
            ask(engine, own, user("Hello"), owner=FIRST_CLIENT + number)
        return tape_of(engine, folder)


def two_chats_with_one_system_text(folder: Path) -> Tape:
    with opened(folder) as engine:
        ask(engine, system(LONG), user("Hello"))
        ask(engine, system(LONG), user("Good morning to you"), owner=2)
        return tape_of(engine, folder)


def two_chats_with_a_part_of_a_system_text(folder: Path) -> Tape:
    with opened(folder) as engine:
        ask(engine, system(LONG + " You speak of the sea."), user("Hello"))
        ask(engine, system(LONG + " Tell tales of kings."), user("Good morning"), owner=2)
        return tape_of(engine, folder)


def two_chats_of_one_program(folder: Path) -> Tape:
    with opened(folder) as engine:
        for question in ("Hello", "Tell me of the mill"):
            history = system("Be kind. " + LONG[:400]), user(question), assistant("Well.")
            ask(engine, *history, user(f"{question}, I said."), owner=FIRST_CLIENT)
        return tape_of(engine, folder)


def a_fork(folder: Path) -> Tape:
    with opened(folder) as engine:
        begun = system("Be kind. " + LONG[:300]), user("My name is Ada and I like mills.")
        answer = ask(engine, *begun)
        ask(engine, *begun, answer, user("What is my name, please?"))
        ask(engine, *begun, answer, user("Do mills like me back?"), owner=2)
        return tape_of(engine, folder)


def an_edited_question(folder: Path) -> Tape:
    with opened(folder) as engine:
        begun = system("Be kind. " + LONG), user("My name is Ada.")
        answer = ask(engine, *begun)
        ask(engine, *begun, answer, user("What is my name?"))
        ask(engine, *begun, answer, user("How far did we walk on day three?"))
        return tape_of(engine, folder)


def an_answer_written_again(folder: Path) -> Tape:
    with opened(folder) as engine:
        for _ in range(2):
            ask(engine, system("Be kind. " + LONG), user("My name is Ada."))
        return tape_of(engine, folder)


def a_changed_system_text(folder: Path) -> Tape:
    with opened(folder) as engine:
        answer = ask(engine, system("Be kind and brief. " + LONG), user("Hello"))
        ask(engine, system("Be kind and wordy. " + LONG), user("Hello"), answer, user("Go on"))
        return tape_of(engine, folder)


def the_time_of_day_in_requests_without_history(folder: Path) -> Tape:
    with opened(folder) as engine:
        for number, asked in ((15, "Hello"), (47, "What is this about?")):
            dated = system(f"It is 2026-11-22 09:{number}. You are friendly. " + LONG)
            ask(engine, dated, user(asked), owner=FIRST_ONE_SHOT + number)
        return tape_of(engine, folder)


def tools_in_another_order(folder: Path) -> Tape:
    with opened(folder) as engine:
        begun = system("Use tools. " + LONG[:500]), user("How is the weather in Rome?")
        ask(engine, *begun, tools=TOOLS, owner=FIRST_ONE_SHOT)
        later = *begun, assistant("Fine."), user("Thanks")
        ask(engine, *later, tools=TOOLS[::-1], owner=FIRST_CLIENT)
        return tape_of(engine, folder)


def other_tools_of_another_chat(folder: Path) -> Tape:
    with opened(folder) as engine:
        ask(engine, user("How is the weather in Rome?"), tools=TOOLS)
        ask(engine, user("Hello there"), tools=TOOLS[::-1], owner=2)
        return tape_of(engine, folder)


def a_tool_loop(folder: Path) -> Tape:
    with opened(folder) as engine:
        begun = system("Use tools."), user("How is the weather in Rome? " + LONG[:400])
        ask(engine, *begun, tools=TOOLS)
        call = {"name": "weather", "arguments": {"place": "Rome"}}
        called = *begun, replace(assistant(""), tool_calls=(call,)), Message("tool", "Sunny.")
        ask(engine, *called, tools=TOOLS)
        ask(engine, *called, assistant("It is sunny."), user("And in Oslo?"), tools=TOOLS)
        return tape_of(engine, folder)


WALK = (
    user("My name is Ada. " + LONG[:300]),
    assistant("Hello Ada."),
    user("What did we see on day two? " + LONG[300:700]),
    assistant("A mill."),
    user("And on day three? " + LONG[:200]),
)


def a_window_that_slides(folder: Path) -> Tape:
    with opened(folder) as engine:
        ask(engine, system("Be kind."), *WALK, owner=FIRST_CLIENT)
        later = *WALK[2:], assistant("Another mill."), user("And then?")
        ask(engine, system("Be kind."), *later, owner=FIRST_CLIENT)
        return tape_of(engine, folder)


def a_window_without_a_system_text(folder: Path) -> Tape:
    with opened(folder) as engine:
        ask(engine, *WALK, owner=0)
        ask(engine, *WALK[2:], assistant("Another mill."), user("And then?"), owner=0)
        return tape_of(engine, folder)


def a_document_that_is_no_longer_sent(folder: Path) -> Tape:
    with opened(folder) as engine:
        begun = system("Be kind."), user("I have questions about a walk."), assistant("Go on.")
        asked = user("Where is the mill? " + LONG[:300])
        ask(engine, *begun, user("From the guide: " + LONG), assistant("Read."), asked)
        ask(engine, *begun, asked, assistant("There."), user("Thanks"))
        return tape_of(engine, folder)


def a_document_that_a_message_had(folder: Path) -> Tape:
    asked = "Where is the mill, and how do I get there from the old town by foot?"
    with opened(folder) as engine:
        ask(engine, system("Be kind."), user(f"Context: {LONG}\n\n{asked}"))
        later = user(f"Context: {asked}"), assistant("There."), user("Thanks")
        ask(engine, system("Be kind."), *later)
        return tape_of(engine, folder)


def an_answer_cut_into_other_tokens(folder: Path) -> Tape:
    text = "Walking past the old mill takes three hours in the morning."
    with opened(folder) as engine:

        def letters(token_ids: int) -> tuple[int, ...]:
            pieces = engine.on_core(lambda core: [core.text.piece(n) for n in range(token_ids)])
            return tuple(pieces.index(letter.encode()) for letter in text)

        size = engine.on_core(lambda core: core.model.config.vocab_size)
        begun = system("Be kind. " + LONG[:300]), user("Tell me.")
        written = replace(assistant(text), token_ids=letters(size))
        ask(engine, *begun, written, user("Go on."), owner=FIRST_CLIENT)
        ask(engine, *begun, assistant(text), user("Go on then."), owner=FIRST_CLIENT)
        return tape_of(engine, folder)


# ---- from before a restart


def a_restart_without_files(folder: Path) -> Tape:
    begun = system("Be kind. " + LONG), user("Hello")
    with opened(folder) as engine:
        answer = ask(engine, *begun)
    with opened(folder) as engine:
        ask(engine, *begun, answer, user("Go on"))
        return tape_of(engine, folder)


def files_of_other_numerics(folder: Path) -> Tape:
    kept = {"disk_bytes": 64 << 20, "cache_dir": folder / "files"}
    begun = system("Be kind. " + LONG), user("Hello")
    with opened(folder, **kept) as engine:
        answer = ask(engine, *begun)
    with opened(folder, mode="exact", **kept) as engine:
        ask(engine, *begun, answer, user("Go on"))
        return tape_of(engine, folder)


def deleted_files(folder: Path) -> Tape:
    kept = {"disk_bytes": 64 << 20, "cache_dir": folder / "files"}
    begun = system("Be kind. " + LONG), user("Hello")
    with opened(folder, **kept) as engine:
        answer = ask(engine, *begun)
    with opened(folder, **kept) as engine:
        for path in (folder / "files").rglob("*.safetensors"):
            path.unlink()
        ask(engine, *begun, answer, user("Go on"))
        return tape_of(engine, folder)


# ---- what became of a state, without a model and without texts


def what_was_dropped_by_hand(folder: Path) -> Tape:
    played = Played(folder, ROOMY)
    said = played.ask(words(1, 700), words(2, 20))
    played.tiers.clear()
    played.ask([*said, *words(3, 20)])
    return played.tape()


def what_an_audit_condemned(folder: Path) -> Tape:
    played = Played(folder, ROOMY)
    said = played.ask(words(1, 900), words(2, 50), 600, 800)
    played.condemn(800)
    played.ask([*said[:840], *words(3, 30)])
    return played.tape()


def a_deleted_conversation(folder: Path) -> Tape:
    played = Played(folder, ROOMY)
    said = played.ask(words(1, 700), words(2, 20))
    played.tiers.forget(said[:500])
    played.ask([*said, *words(3, 20)])
    return played.tape()


def a_written_state_in_exact_mode(folder: Path) -> Tape:
    played = Played(folder, replace(ROOMY, mode="exact", interval=256))
    said = played.ask(words(1, 300), words(2, 600))
    played.ask([*said, *words(3, 30)])
    return played.tape()


def a_state_behind_other_cuts_in_exact_mode(folder: Path) -> Tape:
    """What is new is longer than what ran again, so the recorded reason is another one."""
    played = Played(folder, replace(ROOMY, mode="exact", interval=256))
    document = words(1, 1000)
    played.ask(document, words(2, 20), 300, 600)
    played.ask([*document, *words(3, 900)], (), 310, 640)
    return played.tape()


def a_host_without_room_for_it(folder: Path) -> Tape:
    settings = replace(ROOMY, kv_slots=1300, host_kv_slots=500, host_state_slots=20)
    played = Played(folder, settings)
    said = played.ask(words(1, 700), words(11, 20))
    for chat in (2, 3):
        played.ask(words(chat, 700), words(10 + chat, 20))
    played.ask([*said, *words(20, 20)])
    return played.tape()


def a_host_that_has_it(folder: Path) -> Tape:
    settings = replace(ROOMY, kv_slots=1300, host_kv_slots=4000, host_state_slots=40)
    played = Played(folder, settings)
    said = played.ask(words(1, 700), words(11, 20))
    for chat in (2, 3):
        played.ask(words(chat, 700), words(10 + chat, 20))
    played.ask([*said, *words(20, 20)])
    return played.tape()


def the_last_of_two_states_that_were_as_good(folder: Path) -> Tape:
    """The deeper one went in its own request, the other one was there until another chat came."""
    played = Played(folder, replace(ROOMY, state_slots=3))
    said = played.ask(words(1, 860), words(2, 10), 849, 855)
    played.ask(words(3, 400), words(4, 10), 100, 200)
    played.ask([*said[:858], *words(5, 20)])
    return played.tape()


def a_few_tokens_of_another_chat(folder: Path) -> Tape:
    played = Played(folder, ROOMY)
    played.ask([*words(9, 7), *words(1, 700)], words(2, 20))
    played.ask([*words(9, 7), *words(3, 811)])
    return played.tape()


def a_few_tokens_that_are_gone(folder: Path) -> Tape:
    played = Played(folder, ROOMY)
    played.ask([*words(9, 8), *words(1, 700)], words(2, 20))
    played.tiers.clear()
    played.ask([*words(9, 8), *words(3, 52)])
    return played.tape()


def turns_that_were_left_out_of_bare_tokens(folder: Path) -> Tape:
    """Three tokens open every turn, as a template's header does."""
    played = Played(folder, ROOMY)
    turns = [[7, 8, 9, *words(turn, 100)] for turn in range(1, 5)]
    opening = words(9, 60)
    played.ask([*opening, *turns[0], *turns[1], *turns[2]], words(20, 20))
    played.ask([*opening, *turns[1], *turns[2], *turns[3]])
    return played.tape()


def a_text_left_out_of_bare_tokens(folder: Path) -> Tape:
    played = Played(folder, ROOMY)
    document = words(1, 600)
    played.ask(document, words(2, 20))
    played.ask([*document[:100], *document[300:], *words(3, 20)])
    return played.tape()


def no_states_while_writing(folder: Path) -> Tape:
    played = Played(folder, replace(ROOMY, decode_interval=0))
    said = played.ask(words(1, 100), words(2, 600))
    played.ask([*said[:500], *words(3, 20)])
    return played.tape()


def what_went_before_the_recording(folder: Path) -> Tape:
    played = Played(folder, replace(ROOMY, kv_slots=1300))
    said = played.ask(words(1, 700), words(2, 20))
    played.ask(words(3, 700), words(4, 20))
    played.record_anew()
    played.ask([*said, *words(5, 20)])
    return played.tape()


def a_new_prompt_in_a_late_recording(folder: Path) -> Tape:
    played = Played(folder, ROOMY)
    played.ask(words(1, 700), words(2, 20))
    played.record_anew()
    played.ask(words(5, 200))
    return played.tape()


def a_prompt_that_is_too_long(folder: Path) -> Tape:
    played = Played(folder, replace(ROOMY, kv_slots=500))
    played.ask(words(1, 700))
    return played.tape()


RECORDINGS = (
    Recording(
        a_new_chat_that_begins_with_the_same_words,
        Cause.FIRST_SIGHT,
        ("Only its first 6 tokens had been seen before", "the other 558 tokens are new"),
    ),
    Recording(
        a_new_program_with_a_system_text_of_its_own,
        Cause.FIRST_SIGHT,
        ("Only its first 7 tokens had been seen before",),
    ),
    Recording(two_chats_with_one_system_text, Cause.ANOTHER_CHAT, ("with another chat",)),
    Recording(
        two_chats_with_a_part_of_a_system_text,
        Cause.SYSTEM_TEXT_SHARED,
        (
            "Its system text and another chat's are the same up to token 836",
            "no checkpoint was stored; one every 256 tokens would have saved 768 of them",
        ),
    ),
    Recording(two_chats_of_one_program, Cause.ANOTHER_CHAT, ("shares its first 181 tokens",)),
    Recording(a_fork, Cause.ANOTHER_CHAT, ("with another chat",)),
    Recording(an_edited_question, Cause.MESSAGE_EDITED, ("was edited at token 867",)),
    Recording(an_answer_written_again, Cause.WHOLE, ("nothing ran",)),
    Recording(a_changed_system_text, Cause.SYSTEM_TEXT_CHANGED, ("system text changed",)),
    Recording(
        the_time_of_day_in_requests_without_history,
        Cause.DATE_CHANGED,
        ("from “09:15” to “09:47”",),
    ),
    Recording(tools_in_another_order, Cause.TOOLS_CHANGED, ("The list of tools changed",)),
    Recording(other_tools_of_another_chat, Cause.ANOTHER_CHAT, ("with another chat",)),
    Recording(a_tool_loop, Cause.THINKING_DROPPED, ("This is normal",)),
    Recording(
        a_window_that_slides,
        Cause.OLDEST_DROPPED,
        ("The oldest turns were left out at token 11 (147 tokens)",),
    ),
    Recording(
        a_window_without_a_system_text, Cause.OLDEST_DROPPED, ("The oldest turns were left out",)
    ),
    Recording(
        a_document_that_is_no_longer_sent,
        Cause.TEXT_LEFT_OUT,
        ("A text that was there before was left out at token", "so the"),
    ),
    Recording(
        a_document_that_a_message_had,
        Cause.TEXT_LEFT_OUT,
        ("left out at token 16 (832 tokens)",),
    ),
    Recording(
        an_answer_cut_into_other_tokens,
        Cause.ANSWER_RETOKENISED,
        ("the same text is cut into other tokens",),
    ),
    Recording(
        a_restart_without_files, Cause.READ_BEFORE, ("Answers in this prompt were generated",)
    ),
    Recording(files_of_other_numerics, Cause.OTHER_FILES, ("other kernels wrote them",)),
    Recording(deleted_files, Cause.FILE_GONE, ("had been deleted", "849 tokens ran again")),
    Recording(what_was_dropped_by_hand, Cause.REMOVED, ("removed (dropped by user)",)),
    Recording(what_an_audit_condemned, Cause.QUARANTINED, ("An audit had found",)),
    Recording(a_deleted_conversation, Cause.REMOVED, ("removed (conversation deleted)",)),
    Recording(
        a_written_state_in_exact_mode,
        Cause.NOT_EXACT,
        ("No checkpoint beyond token 256 is bit-exact",),
    ),
    Recording(
        a_state_behind_other_cuts_in_exact_mode,
        Cause.DIVERGED,
        ("leaves what was cached at token 1,000",),
    ),
    Recording(
        a_host_without_room_for_it,
        Cause.HOST_FULL,
        ("Host memory had no room for the checkpoint at token 720 when it left the device",),
    ),
    Recording(a_host_that_has_it, Cause.NEW_TOKENS, ("Only what is new ran, 20 tokens",)),
    Recording(
        the_last_of_two_states_that_were_as_good,
        Cause.BUDGET_TOO_SMALL,
        ("“Chat 2” pushed out the checkpoint",),
    ),
    Recording(a_few_tokens_of_another_chat, Cause.FIRST_SIGHT, ("Only its first 7 tokens",)),
    Recording(a_few_tokens_that_are_gone, Cause.FIRST_SIGHT, ("Only its first 8 tokens",)),
    Recording(
        turns_that_were_left_out_of_bare_tokens,
        Cause.OLDEST_DROPPED,
        ("The oldest turns were left out at token 63 (103 tokens)",),
    ),
    Recording(
        a_text_left_out_of_bare_tokens,
        Cause.TEXT_LEFT_OUT,
        ("left out at token 100 (200 tokens)",),
    ),
    Recording(
        no_states_while_writing,
        Cause.INTERVAL_TOO_WIDE,
        ("checkpoints while an answer is written are switched off",),
    ),
    Recording(
        what_went_before_the_recording,
        Cause.UNRECORDED,
        ("was evicted before the recording began",),
    ),
    Recording(
        a_new_prompt_in_a_late_recording,
        Cause.FIRST_SIGHT,
        ("was in the cache, nor in the recording before it",),
    ),
    Recording(a_prompt_that_is_too_long, Cause.REFUSED, ("no room for a prompt",)),
)


def investigated(recording: Recording, folder: Path) -> tuple[Investigator, Evidence]:
    """The recording, followed to its end, and the evidence about its last request."""
    investigator = Investigator(recording.make(folder))
    assert investigator.follow()
    return investigator, investigator.explain(len(investigator.tape.requests) - 1)
