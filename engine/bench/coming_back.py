"""Returning to a chat when memory is short or the program was closed: more than a tree alone does.

An edit far back in a long chat, more chats than the device has room for, and a restart.
"""

from __future__ import annotations

import random
import tempfile
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import torch

from engine.api import Engine
from engine.bench.chat import USER_WORDS, Chat, Turn, measure, warm_up, words
from engine.bench.own_thread import on_own_thread
from engine.config import EngineConfig
from engine.message import Message

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
