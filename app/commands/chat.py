"""`biplane chat`: a conversation in the terminal."""

from __future__ import annotations

import argparse
import sys

from app.chat.stats_line import stats_line
from app.commands import options
from engine import Engine, Message, PromptOptions
from engine.events import RequestFailed, RequestFinished, TextDelta

HELP = "/new starts over, /again regenerates, /think turns thinking on or off, /quit leaves."


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser("chat", help="chat in the terminal", description=HELP)
    options.add_engine_options(parser, disk_mb=options.CHAT_DISK_MB)
    options.add_sampling_options(parser)
    parser.add_argument("--system", help="system text of the conversation")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    with Engine.open(args.model or options.demo_model_dir(), options.engine_config(args)) as engine:
        print(f"{engine.model.name} · {engine.model.device} · {engine.model.dtype}\n{HELP}")
        Conversation(engine, args).loop()
    return 0


class Conversation:
    """The messages so far and the loop around them."""

    def __init__(self, engine: Engine, args: argparse.Namespace) -> None:
        self.engine = engine
        self.sampling = options.sampling_of(args, engine.model.sampling)
        self.thinking: bool = args.think
        self.start = [Message("system", args.system)] if args.system else []
        self.messages = list(self.start)

    def loop(self) -> None:
        while True:
            try:
                said = input("\n> ").strip()
            except (EOFError, KeyboardInterrupt):
                print()
                return
            if said == "/quit":
                return
            if said == "/new":
                self.messages = list(self.start)
            elif said == "/think":
                self.thinking = not self.thinking
                print("Thinking is " + ("on." if self.thinking else "off."))
            elif said == "/again" and self.messages and self.messages[-1].role == "assistant":
                self.messages.pop()
                self.answer()
            elif said.startswith("/"):
                print(HELP)
            elif said:
                self.messages.append(Message("user", said))
                if not self.answer():
                    self.messages.pop()

    def answer(self) -> bool:
        """Stream one answer; Ctrl+C stops it and keeps what has come. False where it failed."""
        events = self.engine.generate(
            self.messages, self.sampling, PromptOptions(thinking=self.thinking)
        )
        text: list[str] = []
        try:
            for event in events:
                match event:
                    case TextDelta(channel="thinking"):
                        write(f"\x1b[2m{event.text}\x1b[0m" if sys.stdout.isatty() else event.text)
                    case TextDelta():
                        text.append(event.text)
                        write(event.text)
                    case RequestFinished():
                        self.messages.append(
                            Message(
                                "assistant",
                                event.text,
                                thinking=event.thinking,
                                token_ids=event.token_ids,
                            )
                        )
                        print(f"\n  {stats_line(event.report)}\n  {event.report.plan.detail}")
                    case RequestFailed():
                        print(event.sentence, file=sys.stderr)
                        return False
        except KeyboardInterrupt:
            events.close()
            self.messages.append(Message("assistant", "".join(text)))
            print("\n  stopped")
        return True


def write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()
