"""`biplane chat`: a conversation in the terminal."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys

from app.core.options import shared as options
from app.core.words.stats_line import stats_line
from engine import Engine, Message, PromptOptions, Sampling
from engine.events import RequestFailed, RequestFinished, TextDelta

HELP = (
    "/new starts over, /again regenerates, /more continues the answer, /think turns thinking on or "
    "off, /quit leaves."
)
KEYS = "Alt+Enter inserts a new line, Ctrl+C stops an answer, Ctrl+D leaves."
DIM, PLAIN = "\x1b[2m", "\x1b[0m"
THINKING, ANSWER = "Thinking:", "Answer:"
# A model's text may contain codes that a terminal would execute.
_SHOWN = {code: "\ufffd" for code in (*range(32), *range(127, 160)) if chr(code) not in "\n\t"}


class AnswerText:
    """Writes one answer to standard output, piece by piece.

    Thinking comes first, dim or under a heading, and a blank line separates the answer from it.
    White space at the edges of the two parts is dropped.

    Attributes:
        thinking, answer: the unmodified text so far.
    """

    def __init__(self) -> None:
        self.thinking = ""
        self.answer = ""
        self._dim = shows_dim()
        self._clean = sys.stdout is not None and sys.stdout.isatty()
        self._held = ""

    def add(self, text: str, *, thinking: bool) -> None:
        """Show a piece."""
        so_far = self.thinking if thinking else self.answer
        begins = not so_far.strip()
        if thinking:
            self.thinking += text
        else:
            self.answer += text
        if begins:
            text = text.lstrip()
            if not text:
                return
            self._begin(thinking)
        self._write(text, thinking)

    def end(self) -> None:
        """Finish the line."""
        self._held = ""
        if (self.thinking + self.answer).strip():
            print(flush=True)

    def _begin(self, thinking: bool) -> None:
        self._held = ""
        if thinking:
            heading = "" if self._dim else f"{THINKING}\n"
        elif self.thinking.strip():
            heading = "\n\n" if self._dim else f"\n\n{ANSWER}\n"
        else:
            heading = ""
        print(heading, end="")

    def _write(self, text: str, thinking: bool) -> None:
        """Write a piece, holding trailing white space back until text follows."""
        whole = self._held + text
        shown = whole.rstrip()
        self._held = whole[len(shown) :]
        if not shown:
            return
        if self._clean:
            shown = shown.translate(_SHOWN)
        print(f"{DIM}{shown}{PLAIN}" if thinking and self._dim else shown, end="", flush=True)


def shows_dim() -> bool:
    """Whether standard output is a terminal that accepts escape codes."""
    if sys.stdout is None or not sys.stdout.isatty():
        return False
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "chat",
        help="chat in the terminal",
        description=f"{HELP} {KEYS} Without a terminal, each line of standard input is a message, "
        "and exit code 1 means that one of them was not answered.",
    )
    add_chat_options(parser, disk_mb=options.CHAT_DISK_MB)
    parser.set_defaults(run=run)


def add_chat_options(parser: argparse.ArgumentParser, *, disk_mb: int = 0) -> None:
    """Add the options of every terminal chat; disk_mb as in add_engine_options."""
    options.add_engine_options(parser, disk_mb=disk_mb)
    options.add_sampling_options(parser)
    parser.add_argument("--system", help="system prompt of the conversation")
    kept = str(options.default_history_file()).replace("%", "%%")
    parser.add_argument(
        "--no-history",
        action="store_true",
        help=f"neither read nor write the input history ({kept}, readable by you alone)",
    )


def run(args: argparse.Namespace) -> int:
    config = options.engine_config(args)
    options.sampling_of(args, Sampling())
    with Engine.open(args.model or options.demo_model_dir(), config) as engine:
        return Conversation(engine, args).loop(
            f"{engine.model.name} · {engine.model.device} · {engine.model.dtype}"
        )


class Conversation:
    """The messages so far and the loop around them."""

    def __init__(self, engine: Engine, args: argparse.Namespace) -> None:
        """Raises UsageError if the sampling options are invalid."""
        # Imported here so that the other commands start sooner.
        from app.cli.message_source import message_source

        self.engine = engine
        self.sampling = options.sampling_of(args, engine.model.sampling)
        self.thinking: bool = args.think
        self.start = [Message("system", args.system)] if args.system else []
        self.messages = list(self.start)
        self._source = message_source(None if args.no_history else options.default_history_file())

    def loop(self, banner: str) -> int:
        """Chat until the user leaves; returns the exit code. banner: printed on a terminal only."""
        typed = self._source.typed
        if typed:
            print(f"{banner}\n{HELP}\n{KEYS}")
        failed = False
        while True:
            if typed:
                print()
            said = self._source.next()
            if said is None or said == "/quit":
                return 1 if failed and not typed else 0
            failed |= not self.take(said)

    def take(self, said: str) -> bool:
        """Handle one message. False if its answer failed."""
        match said:
            case "":
                pass
            case "/new":
                self.messages = list(self.start)
            case "/think":
                self.thinking = not self.thinking
                print("Thinking is " + ("on." if self.thinking else "off."))
            case "/again" if self.messages and self.messages[-1].role == "assistant":
                before = self.messages.pop()
                if not self.answer():
                    self.messages.append(before)
                    return False
            case "/more" if self.messages and self.messages[-1].role == "assistant":
                begun = self.messages[-1]
                if not self.answer(begun):
                    self.messages.append(begun)
                    return False
            case _ if said.startswith("/") and len(said.split()) == 1:
                print(HELP)
            case _:
                self.messages.append(Message("user", said))
                if not self.answer():
                    self.messages.pop()
                    return False
        return True

    def answer(self, begun: Message | None = None) -> bool:
        """Stream one answer, or the rest of `begun`, the last message. False if it failed.

        Ctrl+C stops it and keeps its text so far; without a terminal, it ends the chat.
        """
        shown = AnswerText()
        events = self.engine.generate(
            self.messages,
            self.sampling,
            PromptOptions(thinking=self.thinking, continues=begun is not None),
        )
        if begun is not None:
            self.messages.pop()
        # Closing cancels the request if it is still running, and waits for it.
        with contextlib.closing(events):
            try:
                for event in events:
                    match event:
                        case TextDelta():
                            shown.add(event.text, thinking=event.channel == "thinking")
                        case RequestFinished():
                            self._finish(shown, event)
                        case RequestFailed():
                            shown.end()
                            print(f"biplane: {event.sentence}", file=sys.stderr)
                            return False
            except KeyboardInterrupt:
                if not self._source.typed:
                    raise
                return self._stop(shown, begun)
        return True

    def _finish(self, shown: AnswerText, event: RequestFinished) -> None:
        self.messages.append(
            Message("assistant", event.text, thinking=event.thinking, token_ids=event.token_ids)
        )
        shown.end()
        print(f"  {stats_line(event.report)}\n  {event.report.plan.detail}", flush=True)

    def _stop(self, shown: AnswerText, begun: Message | None) -> bool:
        """Keep the text so far. False if there is none; the question is then withdrawn too."""
        if self.messages[-1].role == "assistant":
            # The answer was already complete.
            return True
        shown.end()
        came = bool(shown.answer or shown.thinking)
        if begun is None and not came:
            print("  stopped before any output; the message was withdrawn")
            return False
        before = begun or Message("assistant", "")
        text, thinking = before.content + shown.answer, before.thinking + shown.thinking
        # Without new text the earlier answer's ids are still valid.
        self.messages.append(Message("assistant", text, thinking) if came else before)
        print("  stopped")
        return True
