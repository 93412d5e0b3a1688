"""Every checkpoint of a conversation says why it is kept, on whatever tier it is."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import assets
from engine import Engine, EngineConfig, Message, PromptOptions, Sampling
from engine.commands import Submit
from engine.run.core import Core
from engine.snapshot import CacheSnapshot

DEMO = Path(assets.__file__).parent / "demo_model"
SYSTEM = Message("system", "You are a friendly assistant who answers in short sentences.")


def whys(snapshot: CacheSnapshot) -> dict[int, str]:
    """By position, of the only branch or of all of them."""
    points = (node.checkpoint for node in snapshot.nodes)
    return {point.state.position: point.why for point in points if point is not None}


def say(engine: Engine, messages: list[Message], tokens: int = 24) -> tuple[Message, list[int]]:
    """The answer, and the ids of the prompt."""
    ids = engine.on_core(lambda core: core.prompt_ids(tuple(messages), PromptOptions()))
    *_, last = engine.generate(messages, Sampling(temperature=0, max_tokens=tokens))
    answer = Message("assistant", last.text, token_ids=last.token_ids)  # type: ignore[attr-defined]
    return answer, list(ids)


def at_ends(engine: Engine, ids: Iterable[int]) -> dict[str, set[int]]:
    marks = engine.on_core(
        lambda core: {name: token for token, name in core.text.marks.names.items()}
    )
    ids = list(ids)
    return {
        name: {at for at, token in enumerate(ids) if token == one} for name, one in marks.items()
    }


def test_a_chat_says_why_it_keeps_what(tmp_path: Path) -> None:
    config = EngineConfig(
        interval=64, decode_interval=8, cache_dir=tmp_path, disk_bytes=64 << 20, host_bytes=32 << 20
    )
    with Engine.open(DEMO, config) as engine:
        messages = [SYSTEM, Message("user", "Hello there, who are you?")]
        answer, ids = say(engine, messages)
        told = whys(engine.snapshot())
        openings = sorted(at_ends(engine, ids)["opening"])
        # "<|im_start|>user\n" and "<|im_start|>assistant\n" each open a message in three tokens.
        assert told[openings[1] + 3] == "system end"
        assert told[openings[2] + 3] == "before thinking"
        assert told[len(ids)] == "end of prompt"
        assert told[max(told)] in ("end of answer", "interval")
        decoded = [why for at, why in told.items() if at > len(ids)]
        assert "interval" in decoded
        assert "" not in told.values()
        messages += [answer, Message("user", "And what can you do?")]
        _, ids = say(engine, messages)
        assert (
            whys(engine.snapshot())[sorted(at_ends(engine, ids)["opening"])[3] + 3] == "user start"
        )

        before = whys(engine.snapshot())

        def to_host(core: Core) -> None:
            core.cache.evict_state(100)

        engine.on_core(to_host)
        below = engine.snapshot()
        tiers = {node.checkpoint.state.tier for node in below.nodes if node.checkpoint is not None}
        assert tiers == {"host"}
        assert whys(below) == before
    with Engine.open(DEMO, config) as engine:
        from_files = whys(engine.snapshot())
        assert from_files.items() <= before.items()
        assert len(from_files) > 3


def test_a_branch_and_a_stop_are_named() -> None:
    with Engine.open(DEMO, EngineConfig(interval=2048)) as engine:
        shared = [7] * 150
        engine.logits([*shared, *[8] * 50])
        engine.logits([*shared, *[9] * 50])
        assert whys(engine.snapshot())[150] == "branch"
        asked = iter((False, True))
        submit = Submit(1, (11,) * 3000, Sampling(temperature=0, max_tokens=4))
        engine.on_core(lambda core: core.run(submit, lambda event: None, lambda: next(asked)))
        stopped = [at for at, why in whys(engine.snapshot()).items() if why == "stopped"]
        assert len(stopped) == 1
        assert 0 < stopped[0] < 3000
