"""`biplane generate`: one prompt, one answer, for scripts."""

from __future__ import annotations

import argparse
import json
import sys

from app.core.options import shared as options
from app.core.words.stats_line import stats_line
from engine import Engine, Message, PromptOptions, Sampling
from engine.events import RequestFailed, RequestFinished, TextDelta
from engine.plain import as_plain


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "generate", help="answer one prompt", description="Answer one prompt and exit."
    )
    parser.add_argument("prompt", help="the user's message; - reads standard input")
    parser.add_argument("--system", help="system prompt")
    parser.add_argument("--json", action="store_true", help="print the answer and its figures")
    options.add_engine_options(parser)
    options.add_sampling_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    messages = [Message("system", args.system)] if args.system else []
    messages.append(Message("user", prompt_of(args.prompt)))
    config = options.engine_config(args)
    options.sampling_of(args, Sampling())
    with Engine.open(args.model or options.demo_model_dir(), config) as engine:
        sampling = options.sampling_of(args, engine.model.sampling)
        for event in engine.generate(messages, sampling, PromptOptions(thinking=args.think)):
            match event:
                case TextDelta(channel="answer") if not args.json:
                    print(event.text, end="", flush=True)
                case RequestFailed():
                    print(f"biplane: {event.sentence}", file=sys.stderr)
                    return 1
                case RequestFinished():
                    finish(event, args.json)
    return 0


def prompt_of(given: str) -> str:
    """The user's message. Raises UsageError if it is missing."""
    try:
        text = given
        if given == "-":
            # It is None if the shell closed it.
            text = "" if sys.stdin is None else sys.stdin.read()
        text.encode()
    except UnicodeError:
        raise options.UsageError("The prompt is not UTF-8 text.") from None
    if not text.strip():
        where = " on standard input" if given == "-" else ""
        raise options.UsageError(f"The prompt{where} is empty: give the model something to answer.")
    return text


def finish(event: RequestFinished, as_json: bool) -> None:
    if as_json:
        print(
            json.dumps(
                {
                    "text": event.text,
                    "thinking": event.thinking,
                    "stop": event.stop,
                    "token_ids": event.token_ids,
                    "report": as_plain(event.report),
                }
            )
        )
    else:
        print(f"\n{stats_line(event.report)}", file=sys.stderr)
