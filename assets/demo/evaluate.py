"""Measures recall over whole conversations: `python -m assets.demo.evaluate --count 200`."""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path

import torch

from assets.demo.bundle import MODEL_FOLDER, load_network
from assets.demo.generate import reply
from assets.demo.recall import RecallConversation, recall_conversations
from assets.demo.tokenizer import open_tokenizer


def contains(answer: str, expected: str) -> bool:
    """Whether `expected` stands in `answer` as a whole word, in any case."""
    return re.search(rf"(?<!\w){re.escape(expected)}(?!\w)", answer, re.IGNORECASE) is not None


def judge(conversation: RecallConversation, answer: str) -> dict[str, bool]:
    """Which of the expected name and number the answer holds."""
    name, number = (contains(answer, expected) for expected in conversation.expected)
    return {"name": name, "number": number, "both": name and number}


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument(
        "--distance", type=int, default=6, help="turns from the facts to the question"
    )
    parser.add_argument("--model", type=Path, default=MODEL_FOLDER)
    parser.add_argument("--thinking", action="store_true", help="think before the last answer")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--show", type=int, default=0, help="print this many conversations")
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    network, tokenizer = load_network(given.model), open_tokenizer(given.model)
    totals = {"name": 0, "number": 0, "both": 0, "stopped": 0}
    turns = 0
    for index, talk in enumerate(recall_conversations(given.seed, given.count, given.distance)):
        messages = [{"role": "system", "content": talk.system}] if talk.system else []
        for turn, said in enumerate(talk.user_turns):
            messages.append({"role": "user", "content": said})
            last = turn == len(talk.user_turns) - 1
            answer = reply(network, tokenizer, messages, thinking=given.thinking and last)
            messages.append({"role": "assistant", "content": answer.content})
            totals["stopped"] += answer.stopped
            turns += 1
        marks = judge(talk, messages[-1]["content"])
        for key, value in marks.items():
            totals[key] += value
        if index < given.show:
            print("\n".join(f"{m['role']}: {m['content']}" for m in messages), marks, "\n")
    shares = {key: totals[key] / given.count for key in ("name", "number", "both")}
    figures = {"conversations": given.count, "distance": given.distance, "seed": given.seed}
    print(json.dumps(figures | shares | {"turns": turns, "stopped": totals["stopped"] / turns}))


if __name__ == "__main__":
    main()
