"""`biplane bench turns`: what each way of returning to a chat costs.

A chat of 60-word user turns and 32-token answers on a long system prompt. The first table, which
repeats one from the first design document, gives the time to the first token of turns 1, 2 and 10
without a state plane, and with a checkpoint every 4,096 and every 1,024 tokens. The second gives,
for each way of returning, the tokens processed (replayed and computed) and the time to the first
token.
"""

from __future__ import annotations

import random
import statistics
import tempfile
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import torch

from engine.api import Engine
from engine.bench.chat import USER_WORDS, Chat, Turn, measure, warm_up, words
from engine.bench.harness import Progress
from engine.bench.machine import machine_line
from engine.bench.timed import on_own_thread
from engine.config import EngineConfig
from engine.message import Message, PromptOptions

CONTEXT_WORDS = 4800
VISIBLE_WORDS = 15
TURNS = 10
THINKING = PromptOptions(thinking=True)
LONG_CHAT_TURNS = 20
EDITED_TURN = 5
CHATS = 6
ROOM_FOR = 3
CHAT_CONTEXT_SHARE = 0.4
CHAT_ROUNDS = 4
# States that one chat of that many rounds holds, and the tokens that they add to its context.
CHAT_STATES = 12
CHAT_GROWTH_TOKENS = 500
RESTART_TURNS = 5
RESTART_DISK_BYTES = 8 << 30


@dataclass(frozen=True, slots=True)
class Restart:
    """A chat continued after a restart, and the same prompt with nothing stored.

    Attributes:
        regenerate, extension: the last question asked again; one more turn.
        cold: the extension's prompt on an engine with an empty cache.
        bit_equal: the extension's logits, resumed from disk, equal a cold run's bit for bit (only
            exact mode guarantees it).
        opened_bytes: size of the files.
    """

    regenerate: Turn
    extension: Turn
    cold: Turn
    bit_equal: bool
    opened_bytes: int


def edit_far_back(engine: Engine, context: str) -> Turn:
    """Change the user message of turn 5 of a chat of 20 turns and answer it."""
    chat = Chat(engine, context, seed=20)
    for _ in range(LONG_CHAT_TURNS):
        chat.say()
    before = chat.messages[: 2 * EDITED_TURN - 1]
    changed = Message("user", words(random.Random(21), USER_WORDS))
    return measure(engine, [*before, changed])[0]


def more_chats_than_room(folder: Path, config: EngineConfig, context_words: int) -> list[Turn]:
    """Six chats in rotation, with room for three on the device and for the others on the host."""
    words_each = int(context_words * CHAT_CONTEXT_SHARE)
    with Engine.open(folder, replace(config, cache_bytes=256 << 20)) as engine:
        kv, state = engine.model.kv_bytes_per_token, engine.model.checkpoint_bytes
    kv_bytes = kv * (words_each + CHAT_GROWTH_TOKENS)
    chat_bytes = kv_bytes + CHAT_STATES * state
    limited = replace(
        config,
        cache_bytes=ROOM_FOR * chat_bytes,
        state_share=1 - kv_bytes / chat_bytes,
        host_bytes=2 * CHATS * chat_bytes,
    )
    with Engine.open(folder, limited) as engine:
        warm_up(engine)
        chats = [Chat(engine, words(random.Random(n), words_each), seed=n) for n in range(CHATS)]
        rounds = [[chat.say() for chat in chats] for _ in range(CHAT_ROUNDS)]
    return [turn for turns in rounds[1:] for turn in turns]


def after_a_restart(folder: Path, config: EngineConfig, context: str) -> Restart:
    """Chat for five turns, close, reopen: regenerate, then continue."""
    with tempfile.TemporaryDirectory() as files:
        kept = replace(config, cache_dir=Path(files), disk_bytes=RESTART_DISK_BYTES)
        with Engine.open(folder, kept) as engine:
            chat = Chat(engine, context, seed=30)
            for _ in range(RESTART_TURNS):
                chat.say()
        with Engine.open(folder, kept) as engine:
            warm_up(engine)
            disk = engine.snapshot().disk
            regenerate, _ = measure(engine, chat.messages[:-1])
        # Reopened, so that the second row measures a first prompt too.
        with Engine.open(folder, kept) as engine:
            warm_up(engine)
            chat.engine = engine
            extension = chat.say()
        prompt = chat.messages[:-1]
        with Engine.open(folder, kept) as engine:
            resumed = engine.logits(prompt)
            cold_logits = engine.logits(prompt, reuse=False).logits
            bit_equal = on_own_thread(partial(torch.equal, resumed.logits, cold_logits))
    with Engine.open(folder, replace(config, cache_dir=None, disk_bytes=0)) as engine:
        warm_up(engine)
        cold, _ = measure(engine, prompt)
    opened = 0 if disk is None else disk.used_bytes
    return Restart(regenerate, extension, cold, bit_equal, opened)


@dataclass(frozen=True, slots=True)
class PlaneRow:
    """One setting of the first table. `turns` are turns 1, 2 and 10."""

    setting: str
    turns: tuple[Turn, Turn, Turn]
    state_bytes: int
    checkpoints: int


@dataclass(frozen=True, slots=True)
class WayRow:
    """One way of returning; medians if it was measured several times."""

    way: str
    samples: int
    prompt: int
    processed: int
    most_processed: int
    new: int
    first_token_s: float


@dataclass(frozen=True, slots=True)
class TurnsReport:
    machine: str
    model: str
    dtype: str
    context: int
    planes: tuple[PlaneRow, ...]
    ways: tuple[WayRow, ...]
    restart: Restart


def bench_turns(
    folder: Path, config: EngineConfig, progress: Progress, *, context_words: int = CONTEXT_WORDS
) -> TurnsReport:
    """Run both tables on a model folder that `random_model` wrote."""
    context = words(random.Random(1), context_words)
    planes = []
    with Engine.open(folder, replace(config, interval=1024)) as engine:
        progress("a checkpoint every 1,024 tokens: turns 1 to 10, then every way back")
        warm_up(engine)
        chat = Chat(engine, context, seed=2)
        turns = [chat.say() for _ in range(TURNS)]
        planes.append(plane_row(engine, "every 1,024 tokens", turns))
        ways = all_ways(engine, context, chat, turns)
        progress("an edit in turn 5 of 20")
        engine.drop_cache()
        ways.append(way_row("edit turn 5 of 20", [edit_far_back(engine, context)]))
        name, dtype, where = engine.model.name, engine.model.dtype, machine_line(engine)
    progress("six chats, room for three")
    crowded = more_chats_than_room(folder, config, context_words)
    ways.append(way_row("six chats, room for three", crowded))
    progress("a restart")
    restart = after_a_restart(folder, config, context)
    ways += [
        way_row("regenerate after a restart", [restart.regenerate]),
        way_row("extension after a restart", [restart.extension]),
        way_row("the same, nothing kept", [restart.cold]),
    ]
    prompts = [chat.messages[: 2 * turn] for turn in (1, 2, TURNS)]
    for setting, changed in (
        ("every 4,096 tokens", replace(config, interval=4096)),
        ("no state plane", replace(config, interval=0, decode_interval=0, state_share=0.0)),
    ):
        progress(setting if setting.startswith("no") else f"a checkpoint {setting}")
        with Engine.open(folder, changed) as engine:
            warm_up(engine)
            count = TURNS if changed.interval else 0
            same = Chat(engine, context, seed=2)
            turns = [same.say() for _ in range(count)] or [
                measure(engine, prompt)[0] for prompt in prompts
            ]
            planes.append(plane_row(engine, setting, turns))
    return TurnsReport(
        machine=where,
        model=name,
        dtype=dtype,
        context=context_words,
        planes=tuple(reversed(planes)),
        ways=tuple(ways),
        restart=restart,
    )


def plane_row(engine: Engine, setting: str, turns: list[Turn]) -> PlaneRow:
    state = engine.snapshot().state
    return PlaneRow(
        setting=setting,
        turns=(turns[0], turns[1], turns[-1]),
        state_bytes=state.cached * state.slot_bytes,
        checkpoints=state.cached,
    )


def all_ways(engine: Engine, context: str, chat: Chat, turns: list[Turn]) -> list[WayRow]:
    """Every way of returning to `chat`, after its `turns`."""
    return [
        way_row("extension", turns[1:]),
        way_row("regenerate", [measure(engine, chat.messages[:-1])[0] for _ in range(3)]),
        way_row("edit two turns back", [edited(engine, chat, seed) for seed in (3, 4, 5)]),
        way_row("return to the first branch", [chat.say()]),
        way_row("edit inside the long context", [edited_context(engine, context, chat)]),
        way_row("stripped thinking", stripped(engine, context)),
        way_row("two chats, one system text", alternating(engine, context)),
    ]


def edited(engine: Engine, chat: Chat, seed: int) -> Turn:
    """Change the user message two turns back and answer it."""
    changed = Message("user", words(random.Random(seed), USER_WORDS))
    return measure(engine, [*chat.messages[:-6], changed])[0]


def edited_context(engine: Engine, context: str, chat: Chat) -> Turn:
    """Change one word in the middle of the system prompt, and ask the first question again."""
    parts = context.split()
    parts[len(parts) // 2] = "w7"
    changed = Message("system", " " + " ".join(parts))
    return measure(engine, [changed, chat.messages[1]])[0]


def stripped(engine: Engine, context: str) -> list[Turn]:
    """A chat whose template drops the thinking of every earlier turn."""
    chat = Chat(engine, context, seed=6)
    visible = words(random.Random(7), VISIBLE_WORDS)
    turns = [chat.say(THINKING, visible) for _ in range(5)]
    return turns[1:]


def alternating(engine: Engine, context: str) -> list[Turn]:
    """Two chats on the same system prompt, in rotation; from the second turn of each."""
    chats = (Chat(engine, context, seed=10), Chat(engine, context, seed=11))
    turns = [[chat.say() for chat in chats] for _ in range(5)]
    return [turn for pair in turns[1:] for turn in pair]


def way_row(way: str, turns: list[Turn]) -> WayRow:
    return WayRow(
        way=way,
        samples=len(turns),
        prompt=turns[-1].prompt,
        processed=round(statistics.median(turn.processed for turn in turns)),
        most_processed=max(turn.processed for turn in turns),
        new=round(statistics.median(turn.new for turn in turns)),
        first_token_s=statistics.median(turn.first_token_s for turn in turns),
    )
