"""A process that chats with a store until it is killed.

`python -m tests.app.core.store.killed FOLDER SEED` writes a line to its output for everything that
a user would have seen complete.
"""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path

from app.core.store import writer
from app.core.store.opening import open_store
from app.core.store.records import StoredConversation, StoredMessage
from app.core.store.store import Store


def main(folder: str, seed: int) -> None:
    # Answers of a test are short, so that they are broken off in the middle.
    writer.PERIOD_S = 0.03
    rng = random.Random(seed)
    store = open_store(Path(folder)).store
    print("open", flush=True)
    leaves: dict[int, int | None] = {}
    while True:
        if not leaves or rng.random() < 0.2:
            leaves[next(store.numbers)] = None
        conversation = rng.choice(list(leaves))
        # Sometimes on another branch than the last message's.
        parent = leaves[conversation] if rng.random() < 0.8 else None
        asked, answered = next(store.numbers), next(store.numbers)
        with store.together():
            text = said(asked)
            store.save_message(StoredMessage(asked, conversation, parent, "user", text, 1.0))
            header(store, conversation, asked)
        complete(store, asked)
        answer(store, rng, conversation, asked, answered)
        leaves[conversation] = answered
        header(store, conversation, answered)
        complete(store, answered)
        if rng.random() < 0.5:
            store.save_draft(conversation, f"Draft after {answered}")


def answer(store: Store, rng: random.Random, conversation: int, parent: int, number: int) -> None:
    """It streams in pieces, and is complete only at the end."""
    whole = said(number)
    for end in range(0, len(whole), rng.randint(20, 200)):
        store.save_message(
            StoredMessage(
                number, conversation, parent, "assistant", whole[:end], 1.0, complete=False
            )
        )
        time.sleep(rng.random() * 0.01)
    ids = tuple(range(number, number + 50))
    store.save_message(
        StoredMessage(number, conversation, parent, "assistant", whole, 1.0, token_ids=ids)
    )


def header(store: Store, conversation: int, leaf: int) -> None:
    store.save_conversation(
        StoredConversation(conversation, f"Chat {conversation}", 1.0, 1.0, leaf=leaf)
    )


def complete(store: Store, number: int) -> None:
    assert store.flush()
    print(number, flush=True)


def said(number: int) -> str:
    return f"Words of {number}. " * (5 + number % 40)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
