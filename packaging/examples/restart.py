"""Close the engine, open it again, and find the conversation still warm.

With a disk tier, checkpoints and their keys and values are written to files while the engine is
idle and when it closes. A second engine on the same folder resumes from them; a third one without
the folder has to compute everything.

    python packaging/examples/restart.py
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import assets
from engine import Engine, EngineConfig, Message
from engine.events import RequestFinished

DEMO_MODEL = Path(assets.__file__).parent / "demo_model"
STORY = "Ada has a boat, a dog and a red door, and tells of them at length. " * 40
QUESTION = [Message("system", STORY), Message("user", "What does Ada have?")]


def first_token(title: str, config: EngineConfig) -> None:
    """Open an engine, ask the question, close it."""
    with Engine.open(DEMO_MODEL, config) as engine:
        *_, last = engine.generate(QUESTION)
        assert isinstance(last, RequestFinished), last
        plan, waited = last.report.plan, last.report.first_token_s
        source = plan.state.tier if plan.state else "nowhere"
        print(f"{title:<24}{plan.reused:>5} of {plan.total} tokens reused, from {source}", end="")
        print(f"; first token after {waited:.3f} s" if waited is not None else "")


with TemporaryDirectory() as folder:
    on_disk = EngineConfig(cache_dir=Path(folder), disk_bytes=256 << 20)
    first_token("first start", on_disk)
    files = list(Path(folder).rglob("*.safetensors"))
    print(f"{'closed':<24}{len(files):>5} files, {sum(f.stat().st_size for f in files):,} bytes")
    first_token("second start", on_disk)
    first_token("without the folder", EngineConfig())
