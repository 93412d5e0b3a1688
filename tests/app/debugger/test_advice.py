"""What is advised helps: recordings whose remedy is known, and the printed options do as said."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from app.cli.main import main
from app.core.options.shared import add_engine_options, engine_config
from app.debugger.what_if.logic.wanted import config_fields
from app.debugger.why.logic.advice import advice, effect_words, options
from engine import Message
from engine.analysis.why.evidence import Evidence, Investigator
from engine.analysis.why.suggestion import Behaviour, Suggestion, suggest
from engine.journal.settings import CacheSettings, WhatIf
from engine.journal.tape import Tape, read_tape
from tests.engine.analysis.test_replay import VARIANTS, chats, recorded, saved
from tests.engine.analysis.why.played import Played, words
from tests.engine.analysis.why.puzzles import LONG, PUZZLES, Puzzle, investigated, opened, say
from tests.present import present

# Budgets of whole MiB, and both planes as the share says: 16 MiB for 8,192 tokens and 4 states.
KV_BYTES, STATE_BYTES = 1 << 10, 2 << 20
BASE = CacheSettings(
    interval=1024,
    decode_interval=256,
    kv_slots=8192,
    state_slots=4,
    kv_slot_bytes=KV_BYTES,
    state_slot_bytes=STATE_BYTES,
    host_state_slot_bytes=STATE_BYTES,
)


@dataclass(frozen=True, slots=True)
class Case:
    """A recording by name, and the only setting that may be advised; "": nothing helps."""

    name: str
    make: Callable[[Path], Played]
    setting: str


def by_turns(played: Played, chats: int, tokens: int, turns: int = 2) -> Played:
    """Chats that take turns, each with its own long text."""
    said = [words(chat + 1, tokens) for chat in range(chats)]
    for turn in range(turns):
        for chat in range(chats):
            more = words(100 + 10 * turn + chat, 20)
            said[chat] = played.ask([*said[chat], *more], words(200 + turn, 10), len(said[chat]))
    return played


def too_little_memory(folder: Path) -> Played:
    """Eight chats in turn, and room for three with any split and any policy."""
    return by_turns(Played(folder, BASE), 8, 2000)


def too_few_states(folder: Path) -> Played:
    """Three small chats, KV for many more, and four states for their six ends."""
    return by_turns(Played(folder, BASE), 3, 100)


def too_little_kv(folder: Path) -> Played:
    """Two chats whose text does not fit beside states that are not needed."""
    return by_turns(Played(folder, replace(BASE, interval=0)), 2, 4500)


def old_answers_are_not_used(folder: Path) -> Played:
    """A chat that goes on after each answer, in exact mode."""
    played = Played(folder, replace(BASE, mode="exact"))
    said = played.ask(words(1, 100), words(2, 700))
    played.ask([*said[:-1], *words(3, 20)])
    return played


def wide_interval(folder: Path) -> Played:
    """A document that is edited in its middle."""
    played = Played(folder, replace(BASE, interval=4096))
    document = words(1, 3000)
    played.ask(document, words(2, 20))
    played.ask([*document[:2500], *words(3, 100)])
    return played


def no_interval(folder: Path) -> Played:
    """The same with no checkpoints inside of prompts at all."""
    played = Played(folder, replace(BASE, interval=0))
    document = words(1, 3000)
    played.ask(document, words(2, 20))
    played.ask([*document[:2500], *words(3, 100)])
    return played


def narrow_interval(folder: Path) -> Played:
    """Long prompts whose checkpoints take the place of the one that the next prompt needs."""
    settings = replace(BASE, interval=64, state_share=0.9, kv_slots=1638, state_slots=7)
    played = Played(folder, settings)
    system = words(1, 400)
    for chat in range(3):
        played.ask([*system, *words(10 + chat, 700)], (), 400)
    return played


def long_answer(folder: Path) -> Played:
    """An answer of which the first half is kept."""
    played = Played(folder, replace(BASE, decode_interval=1024))
    said = played.ask(words(1, 50), words(2, 800))
    played.ask([*said[:650], *words(3, 20)])
    return played


def lru_forgets(folder: Path) -> Played:
    """The end of a long shared text, pushed out by the turns of one chat."""
    played = Played(folder, replace(BASE, policy="lru"))
    said = words(1, 1500)
    for turn in range(5):
        said = played.ask([*said, *words(10 + turn, 50)], words(30 + turn, 20), len(said))
    played.ask([*words(1, 1500), *words(50, 30)])
    return played


def changed_on_the_way(folder: Path) -> Played:
    """A wide interval, set after the budget had been made smaller, in a chat that needs both."""
    played = Played(folder, BASE)
    played.tune(interval=4096, kv_slots=6144, state_slots=3)
    document = words(1, 3000)
    played.ask(document, words(2, 20))
    played.ask([*document[:2500], *words(3, 100)])
    return played


def no_room_at_all(folder: Path) -> Played:
    """A prompt that is longer than the KV plane."""
    played = Played(folder, BASE)
    played.ask(words(1, 8300))
    return played


def new_text(folder: Path) -> Played:
    """A chat that goes on."""
    return by_turns(Played(folder, BASE), 1, 300, turns=4)


def another_text(folder: Path) -> Played:
    """Two chats that have nothing in common."""
    played = Played(folder, BASE)
    played.ask(words(1, 2000))
    played.ask(words(2, 2000))
    return played


def edited_early(folder: Path) -> Played:
    """All that follows an edit has to be read again, whatever is set."""
    played = Played(folder, BASE)
    text = words(1, 3000)
    played.ask(text)
    played.ask([*text[:30], *words(2, 3), *text[33:]])
    return played


def condemned(folder: Path) -> Played:
    """An audit found the only state to be wrong: with other settings it would be no better."""
    played = Played(folder, BASE)
    said = played.ask(words(1, 900), words(2, 50), 800)
    played.condemn(800)
    played.ask([*said[:840], *words(3, 30)])
    return played


def removed(folder: Path) -> Played:
    """The cache was cleared."""
    played = Played(folder, BASE)
    said = played.ask(words(1, 900), words(2, 50))
    played.tiers.clear()
    played.ask([*said, *words(3, 30)])
    return played


CASES = (
    Case("too little memory", too_little_memory, "memory"),
    Case("too few states", too_few_states, "state_share"),
    Case("too little KV", too_little_kv, "state_share"),
    Case("exact mode", old_answers_are_not_used, "mode"),
    Case("wide interval", wide_interval, "interval"),
    Case("no interval", no_interval, "interval"),
    Case("narrow interval", narrow_interval, "interval"),
    Case("long answer", long_answer, "decode_interval"),
    Case("lru", lru_forgets, "policy"),
    Case("changed on the way", changed_on_the_way, "interval"),
    Case("no room at all", no_room_at_all, "state_share"),
    Case("new text", new_text, ""),
    Case("another text", another_text, ""),
    Case("edited early", edited_early, ""),
    Case("condemned", condemned, ""),
    Case("removed", removed, ""),
)


def looked_into(tape: Tape) -> Investigator:
    found = Investigator(tape)
    found.follow()
    return found


def advised(investigator: Investigator, number: int = -1) -> tuple[Evidence, Suggestion]:
    """About the last request, or another one."""
    number = len(investigator.tape.requests) - 1 if number < 0 else number
    evidence = investigator.explain(number)
    return evidence, suggest(investigator.lives, evidence)


def ran_with(file: Path, options: str, capsys: pytest.CaptureFixture[str]) -> list[int]:
    """What each request of a recording runs with these options, as the command line says."""
    capsys.readouterr()
    assert main(["trace", "replay", str(file), *options.split(), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    return [
        one["total"] if one["refused"] else one["replayed"] + one["computed"]
        for one in report["requests"]
    ]


@pytest.fixture(params=CASES, ids=lambda case: case.name.replace(" ", "-"))
def case(request: pytest.FixtureRequest) -> Case:
    found = request.param
    assert isinstance(found, Case)
    return found


def test_the_known_remedy_is_advised_and_its_options_do_what_is_predicted(
    case: Case, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    played = case.make(tmp_path)
    evidence, found = advised(looked_into(played.tape()))
    said = advice(found, evidence)
    if not case.setting:
        assert found.nothing, said
        assert said.startswith("Nothing to change")
        assert effect_words(found) == ""
        return
    change = present(found.change)
    kinds = {"device_bytes": "memory", "host_bytes": "memory"}
    assert [kinds.get(name, name) for name in change.given] == [case.setting], said
    given = options(found.whole)
    assert f"({given})." in said
    effect = present(found.effect)
    ran = ran_with(played.path, given, capsys)
    assert ran[-1] == effect.ran[1] < evidence.ran or effect.refused
    assert sum(ran) == effect.ran_in_all[1]


def test_memory_is_advised_only_where_nothing_cheaper_helps_and_no_more_than_helps(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    played = too_little_memory(tmp_path)
    _, found = advised(looked_into(played.tape()))
    change, effect = present(found.change), present(found.effect)
    memory = change.device_bytes or change.host_bytes or 0
    assert memory % (1 << 20) == 0
    half = memory // 2 >> 20 << 20
    less = WhatIf(host_bytes=half) if change.host_bytes else WhatIf(device_bytes=half)
    assert ran_with(played.path, options(less), capsys)[-1] > effect.ran[1]


def test_what_was_changed_on_the_way_is_part_of_the_options(tmp_path: Path) -> None:
    evidence, found = advised(looked_into(changed_on_the_way(tmp_path).tape()))
    assert found.change == WhatIf(interval=2048)
    assert "every 2,048 tokens instead of 4,096" in advice(found, evidence)
    assert options(found.whole) == "--interval 2048 --cache-mb 12"


def test_a_refused_prompt_would_run(tmp_path: Path) -> None:
    _, found = advised(looked_into(no_room_at_all(tmp_path).tape()))
    assert effect_words(found).startswith("This turn would run 8,300 tokens instead of being")


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS)
def test_over_many_recordings_the_printed_options_run_what_was_predicted(
    variant: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = replace(VARIANTS[variant], kv_slot_bytes=10 << 10, state_slot_bytes=1 << 20)
    settings = replace(settings, host_state_slot_bytes=1 << 20)
    file = saved(recorded(chats(1, 40), settings), settings, tmp_path / "t.jsonl")
    investigator = looked_into(read_tape(file))
    numbers = [one.number for one in investigator.tape.requests if one.bare.reuse]
    for number in (12, 27, 38):
        evidence, found = advised(investigator, number)
        if found.change is not None:
            ran = ran_with(file, options(found.whole), capsys)
            effect = present(found.effect)
            assert ran[numbers.index(number)] == effect.ran[1], advice(found, evidence)
            assert effect.ran[0] == evidence.ran


@pytest.mark.parametrize("puzzle", PUZZLES, ids=lambda puzzle: puzzle.name.replace(" ", "-"))
def test_the_options_are_those_of_the_program_too(puzzle: Puzzle, tmp_path: Path) -> None:
    _, found = advised(investigated(puzzle, tmp_path))
    parser = argparse.ArgumentParser()
    add_engine_options(parser)
    config = engine_config(parser.parse_args(options(found.whole).split()))
    for name, value in config_fields(found.whole.given).items():
        assert getattr(config, name) == value


# ---- texts that change


def clocks(folder: Path, *times: str, text: bool = True, interval: int = 1024) -> Tape:
    """Two turns of a chat whose system text has two clocks far apart: first and then."""

    def system(first: str, second: str) -> Message:
        other = LONG.replace("walked", "slept")
        return Message("system", f"It is {first}. {LONG} The time is {second} now. {other}")

    with opened(folder, interval=interval) as engine:
        engine.stop_recording()
        engine.record(folder / "clocks.jsonl", text=text)
        messages = [system(*times[:2])]
        say(engine, messages, "My name is Ada.")
        messages[0] = system(*times[2:])
        say(engine, messages, "What is my name?")
        engine.stop_recording()
    return read_tape(folder / "clocks.jsonl")


CHANGED = ("2026-11-22 09:15", "09:15", "2026-11-22 09:47", "09:47")


@pytest.fixture(scope="module")
def unchanged(tmp_path_factory: pytest.TempPathFactory) -> int:
    """What the second turn runs if no clock is changed."""
    tape = clocks(tmp_path_factory.mktemp("same"), *CHANGED[:2], *CHANGED[:2])
    return tape.requests[-1].total - tape.requests[-1].bare.reused


@pytest.mark.parametrize(
    ("text", "behaviour"),
    [(True, Behaviour.KEEP_THE_DATE_OUT), (False, Behaviour.KEEP_THE_SYSTEM_TEXT)],
    ids=["text", "hashes"],
)
def test_two_clocks_are_both_kept_out(
    text: bool, behaviour: Behaviour, unchanged: int, tmp_path: Path
) -> None:
    evidence, found = advised(looked_into(clocks(tmp_path, *CHANGED, text=text)))
    assert found.behaviour is behaviour
    assert evidence.ran > 1500
    assert present(found.effect).ran == (evidence.ran, unchanged)


def test_keeping_the_date_out_does_not_take_back_another_change(tmp_path: Path) -> None:
    times = ("2026-11-22 09:15", "10:00", "2026-11-22 09:47", "not known")
    evidence, found = advised(looked_into(clocks(tmp_path, *times, interval=64)))
    assert found.behaviour is Behaviour.KEEP_THE_DATE_OUT
    # What follows the second place has to run all the same.
    assert 600 < present(found.effect).ran[1] < evidence.ran - 600


def test_hashes_of_an_older_recording_cannot_tell_and_that_is_said(tmp_path: Path) -> None:
    clocks(tmp_path, *CHANGED, text=False)
    file = tmp_path / "clocks.jsonl"
    header, *lines = file.read_text().splitlines(keepends=True)
    raw = json.loads(header)
    del raw["hash_window"]
    file.write_text("".join([json.dumps(raw) + "\n", *lines]))
    evidence, found = advised(looked_into(read_tape(file)))
    assert found.behaviour is Behaviour.KEEP_THE_SYSTEM_TEXT
    assert found.effect is None
    assert advice(found, evidence).startswith("Leave the system text")
    assert "cannot be predicted" in effect_words(found)


def test_a_small_part_that_had_run_before_is_counted_and_not_called_nothing(
    tmp_path: Path,
) -> None:
    played = Played(tmp_path, BASE)
    text = words(1, 500)
    played.ask(text)
    played.ask([*text[:20], *words(2, 600)])
    evidence, found = advised(looked_into(played.tape()))
    assert found.nothing
    assert advice(found, evidence) == (
        "Nothing to change: of 620 tokens that ran, only 20 had run before."
    )
