"""`biplane trace why`: the causes of a recording, by tokens lost, each with its best remedy.

The JSON is meant for scripts and keeps its names: `JSON_HELP` documents it.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from app.core.options.parser import positive, tokens
from app.core.words import format as shown

JSON_HELP = """\
exit code:
  0, or 1 if the file cannot be read or is cut off, or with --fail-over if more
  tokens were lost; 2 for misuse.

--json prints one object; later versions may add names, and change none:
  format       1
  file, model  names; model is null if the file does not say
  complete     the file has every request since the cache was empty
  truncated    its last line is incomplete
  requests     how many there are, or that --filter leaves; tokens, reused,
               replayed and computed are sums over their prompts
  lost         tokens that had run before and ran again
  causes       of all requests, most lost first: cause, normal (nothing can be
               gained), requests (their numbers, from 1), lost, and worst: the
               request that lost most
  request      with --request instead of causes

A request has:
  request, conversation, turn   numbers, from 1
  tokens, reused, replayed, computed, lost, cause
  known        tokens of its prompt that had run before
  sentence     why it ran what it ran
  needed       where a state was missing, in tokens; or null
  texts        null, or where it parts from an earlier request: at (in tokens),
               request (the earlier one), in_answer, same_after (tokens that
               are the same after it), earlier and prompt (the two texts from a
               few tokens before, null in a recording without texts)
  remedy       null with --no-remedies and for normal causes; else advice,
               change (settings by name, or null), options (of biplane trace
               replay), behaviour (or null), tried (changes simulated), and
               effect: null, or ran and ran_in_all, each [as recorded, with the
               remedy] in tokens, and first_token_s, likewise or null
"""


def add(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = actions.add_parser(
        "why",
        help="say why tokens ran that had run before, and what would help",
        description="Name the causes for which requests of a trace ran tokens again, those that\n"
        "cost most first, each with the request that lost most, the two texts where\n"
        "it parts from an earlier one, and the change that would have helped most,\n"
        "with its effect simulated without a model.",
        epilog=JSON_HELP,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", type=Path, metavar="FILE")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--request", type=positive, metavar="N", help="only this one, from 1")
    which.add_argument(
        "--filter",
        default="",
        metavar="TEXT",
        help="only requests that have it, written as in the debugger: "
        """'cause:"host memory" -chat:2 lost:>100 first:>500ms'""",
    )
    parser.add_argument(
        "--no-remedies",
        action="store_true",
        help="simulate none: each takes up to some twenty replays of the trace",
    )
    parser.add_argument(
        "--fail-over", type=tokens, metavar="N", help="exit code 1 if more tokens were lost"
    )
    parser.add_argument("--json", action="store_true")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from app.cli.why_report import Explained, asked_for

    wanted, whole = asked_for(args.filter), args.request is None
    told = Explained(args.file, remedies=not args.no_remedies)
    chosen = told.having(wanted) if args.request is None else [told.numbered(args.request)]
    if args.json:
        print(json.dumps(told.as_json(chosen, whole=whole), indent=2))
    else:
        for line in told.lines(chosen, whole=whole):
            print(line)
    lost = sum(one.again for one in chosen)
    if told.tape.truncated:
        _complain(f"{args.file.name} is cut off: its last line is incomplete and was left out.")
    over = args.fail_over is not None and lost > args.fail_over
    if over:
        _complain(f"{shown.plural(lost, 'token')} ran again, more than {args.fail_over:,}.")
    return int(told.tape.truncated or over)


def _complain(sentence: str) -> None:
    print(f"biplane: {sentence}", file=sys.stderr)
