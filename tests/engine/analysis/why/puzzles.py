"""Ten recordings whose last request is slow, each for another reason."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import assets
from engine import Engine, EngineConfig, Message, PromptOptions, Sampling, events
from engine.analysis.why.cause import Cause
from engine.analysis.why.evidence import Evidence, Investigator
from engine.journal.settings import CacheSettings
from engine.journal.tape import Tape, read_tape
from tests.engine.analysis.why.played import Played, words

DEMO = Path(assets.__file__).parent / "demo_model"
ROOMY = CacheSettings(
    policy="lru",
    interval=1024,
    decode_interval=256,
    kv_slots=8000,
    state_slots=40,
    kv_slot_bytes=10 << 10,
    state_slot_bytes=2000 << 10,
    host_state_slot_bytes=2000 << 10,
)


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A recording by name, and what is the matter with its last request.

    Attributes:
        curable: a change of a setting or of what is done helps.
        words: that the sentence must have.
    """

    name: str
    make: Callable[[Path], Tape]
    cause: Cause
    curable: bool
    words: tuple[str, ...]


def evicted_checkpoint(folder: Path) -> Tape:
    """A long chat whose own later turns take the state slots of its beginning."""
    played = Played(folder, replace(ROOMY, state_slots=4))
    said = words(1, 400)
    for turn in range(6):
        said = played.ask([*said, *words(10 + turn, 100)], words(30 + turn, 40), len(said))
    played.ask([*said[:500], *words(50, 30)])
    return played.tape()


def two_chats(folder: Path) -> Tape:
    """Two chats that take turns, and room for one of them."""
    played = Played(folder, replace(ROOMY, kv_slots=1300))
    one, other = words(1, 700), words(2, 700)
    for turn in range(3):
        one = played.ask([*one, *words(10 + turn, 20)], words(30 + turn, 20), len(one))
        other = played.ask([*other, *words(20 + turn, 20)], words(40 + turn, 20), len(other))
    return played.tape()


def wide_interval(folder: Path) -> Tape:
    """A long document, edited near its end, with no state anywhere in its middle."""
    played = Played(folder, replace(ROOMY, interval=4096))
    document = words(1, 3000)
    played.ask(document, words(2, 20))
    played.ask([*document[:2500], *words(3, 100)])
    return played.tape()


def quarantined(folder: Path) -> Tape:
    """An audit condemns the state that the next prompt would resume from."""
    played = Played(folder, ROOMY)
    said = played.ask(words(1, 900), words(2, 50), 800)
    played.condemn(800)
    played.ask([*said[:840], *words(3, 30)])
    return played.tape()


def full_host(folder: Path) -> Tape:
    """A chat that went to host memory, and was pushed out of there by those that followed."""
    played = Played(folder, replace(ROOMY, kv_slots=1300, host_kv_slots=2000, host_state_slots=20))
    first = played.ask(words(1, 700), words(11, 20))
    for chat in range(2, 6):
        played.ask(words(chat, 700), words(10 + chat, 20))
    played.ask([*first, *words(20, 20)])
    return played.tape()


def no_slots(folder: Path) -> Tape:
    """One prompt with more anchors than there are state slots."""
    played = Played(folder, replace(ROOMY, state_slots=2))
    document = words(1, 1000)
    played.ask(document, words(2, 20), 200, 400, 600, 800)
    played.ask([*document[:630], *words(3, 40)])
    return played.tape()


# ---- on the bundled model


@contextmanager
def opened(folder: Path, **settings: object) -> Iterator[Engine]:
    config = EngineConfig(threads=1, **settings)  # type: ignore[arg-type]
    with Engine.open(DEMO, config) as engine:
        engine.record(folder / "real.jsonl", text=True)
        yield engine
        engine.stop_recording()


def tape_of(engine: Engine, folder: Path) -> Tape:
    """The recording, with the texts of its tokens."""
    engine.stop_recording()
    return read_tape(folder / "real.jsonl")


def say(engine: Engine, messages: list[Message], text: str, *, thinking: bool = False) -> None:
    messages.append(Message("user", text))
    *_, last = engine.generate(messages, Sampling.greedy(24), PromptOptions(thinking=thinking))
    assert isinstance(last, events.RequestFinished)
    messages.append(
        Message("assistant", last.text, thinking=last.thinking, token_ids=last.token_ids)
    )


LONG = " ".join(f"On day {day} we walked {3 * day} miles past the old mill." for day in range(40))


def edited_message(folder: Path) -> Tape:
    """The first question is asked again in other words, under all that followed."""
    with opened(folder) as engine:
        messages: list[Message] = []
        say(engine, messages, "My name is Ada, and I walked. " + LONG)
        say(engine, messages, "What is my name?")
        messages[0] = replace(messages[0], content="My name is Eve, and I walked. " + LONG)
        say(engine, messages, "And how far did I walk?")
        return tape_of(engine, folder)


def stripped_thinking(folder: Path) -> Tape:
    """A straight chat: the template leaves earlier thinking out."""
    with opened(folder) as engine:
        messages: list[Message] = []
        say(engine, messages, "My name is Ada.", thinking=True)
        say(engine, messages, "What is my name?", thinking=True)
        return tape_of(engine, folder)


def changed_date(folder: Path) -> Tape:
    """The system text has the time of day in its first line."""
    with opened(folder) as engine:
        messages = [Message("system", "It is 2026-11-22 09:15. You are friendly. " + LONG)]
        say(engine, messages, "My name is Ada.")
        messages[0] = Message("system", "It is 2026-11-22 09:47. You are friendly. " + LONG)
        say(engine, messages, "What is my name?")
        return tape_of(engine, folder)


def damaged_file(folder: Path) -> Tape:
    """After a restart, the file that has the chat is damaged."""
    settings = {"disk_bytes": 64 << 20, "cache_dir": folder / "files"}
    messages: list[Message] = []
    with opened(folder, **settings) as engine:
        say(engine, messages, "My name is Ada, and I walked. " + LONG)
    files = [path for path in (folder / "files").rglob("*") if path.stat().st_size > 10_000]
    assert files
    for path in files:
        raw = bytearray(path.read_bytes())
        raw[len(raw) // 2] ^= 0xFF
        raw[-100] ^= 0xFF
        path.write_bytes(raw)
    with opened(folder, **settings) as engine:
        say(engine, messages, "What is my name?")
        return tape_of(engine, folder)


PUZZLES = (
    Puzzle(
        "evicted checkpoint",
        evicted_checkpoint,
        Cause.CHECKPOINT_EVICTED,
        True,
        ("evicted", "its own conversation"),
    ),
    Puzzle("edited message", edited_message, Cause.MESSAGE_EDITED, False, ("edited",)),
    Puzzle("stripped thinking", stripped_thinking, Cause.THINKING_DROPPED, False, ("normal",)),
    Puzzle("changed date", changed_date, Cause.DATE_CHANGED, True, ("09:47",)),
    Puzzle("two chats", two_chats, Cause.BUDGET_TOO_SMALL, True, ("both",)),
    Puzzle("wide interval", wide_interval, Cause.INTERVAL_TOO_WIDE, True, ("4,096",)),
    Puzzle("quarantined node", quarantined, Cause.QUARANTINED, False, ("audit",)),
    Puzzle("full host tier", full_host, Cause.HOST_FULL, True, ("Host memory",)),
    Puzzle("damaged file", damaged_file, Cause.DAMAGED_FILE, False, ("damaged",)),
    Puzzle("no free slot", no_slots, Cause.NO_FREE_SLOT, True, ("slot",)),
)

_MADE: dict[str, Investigator] = {}


def investigated(puzzle: Puzzle, folder: Path) -> Investigator:
    """Its tape, followed to its end; made once for all tests."""
    if puzzle.name not in _MADE:
        found = Investigator(puzzle.make(folder))
        found.follow()
        _MADE[puzzle.name] = found
    return _MADE[puzzle.name]


def last_of(investigator: Investigator) -> Evidence:
    """The evidence about the request that the puzzle is about."""
    return investigator.explain(len(investigator.tape.requests) - 1)
